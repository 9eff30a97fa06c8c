//! What the profiler of the server has written down, where it is on.

use mongodb::bson::{Document, doc};

use super::{OWN, Reader, excuse};
use crate::{
    advise::{
        need::Need,
        seen::{Profiled, SeenDatabase},
    },
    command::{FindCommand, number},
    error::Result,
    place::Place,
};

/// How many of the last statements are read.
const STATEMENTS: usize = 5_000;

/// Reads the profile: one `find` of its last entries.
pub(super) async fn read(reader: &Reader, seen: &mut SeenDatabase) -> Result<()> {
    let entries = match reader.time() {
        Ok(()) => reader.exec.documents(entries()).await,
        Err(why) => {
            seen.unread.insert(Need::Profile, why);
            return Ok(());
        }
    };
    match entries {
        Ok(entries) if entries.is_empty() => {
            let why = "it is empty; `db.setProfilingLevel(1)` makes the server write down what is slow, and 2 all of it";
            seen.unread.insert(Need::Profile, why.to_owned());
        }
        Ok(entries) => seen.profile = entries.iter().filter_map(profiled).collect(),
        Err(error) => {
            seen.unread.insert(Need::Profile, excuse(error)?);
        }
    }
    Ok(())
}

fn entries() -> FindCommand {
    let filter = doc! {
        "op": { "$in": ["query", "command"] },
        "command.comment": { "$ne": OWN },
    };
    let wanted = [
        "ns",
        "command",
        "planSummary",
        "docsExamined",
        "keysExamined",
        "nreturned",
        "millis",
    ];
    let fields: Document = wanted
        .iter()
        .map(|name| ((*name).to_owned(), 1.into()))
        .collect();
    let place = Place::whole("system.profile");
    let find = FindCommand::new(place, filter)
        .select(fields)
        .sort(doc! { "$natural": -1 });
    find.at_most(STATEMENTS)
}

fn profiled(entry: &Document) -> Option<Profiled> {
    let command = entry.get_document("command").ok()?;
    let collection = entry.get_str("ns").ok()?.split_once('.')?.1;
    let pipeline = command.get_array("pipeline").ok();
    let first = pipeline.and_then(|stages| stages.first()?.as_document());
    let own = ["$sample", "$collStats", "$indexStats"];
    if first.is_some_and(|stage| own.iter().any(|name| stage.contains_key(name))) {
        return None;
    }
    let matched = first.and_then(|stage| stage.get_document("$match").ok());
    let filter = command
        .get_document("filter")
        .or_else(|_| command.get_document("query"));
    let number = |name: &str| number(entry, name);
    Some(Profiled {
        collection: collection.to_owned(),
        filter: filter.ok().or(matched).cloned().unwrap_or_default(),
        is_scan: entry
            .get_str("planSummary")
            .is_ok_and(|it| it.contains("COLLSCAN")),
        examined: number("docsExamined").max(number("keysExamined")),
        returned: number("nreturned"),
        millis: number("millis"),
    })
}
