//! Reads the entries of the server's profiler.

use mongo_odm::Result;
use mongodb::{
    bson::{Document, doc},
    options::FindOptions,
};

use super::{OWN, Reader, excuse_of_database};
use crate::{
    advise::{
        need::Need,
        seen::{Profiled, SeenDatabase},
    },
    numbers::number_in,
    statements::at_most,
};

/// Number of profiler entries that are read, newest first.
const STATEMENTS: usize = 5_000;

/// Reads the profile. Sends one `find` for its newest entries.
pub(super) async fn read(reader: &Reader, seen: &mut SeenDatabase) -> Result<()> {
    let entries = match reader.time() {
        Ok(()) => {
            let (filter, options) = entries();
            let reads = &reader.reads;
            reads.find("system.profile", filter, options).await
        }
        Err(why) => {
            seen.unread.insert(Need::Profile, why);
            return Ok(());
        }
    };
    match entries {
        Ok(entries) if entries.is_empty() => {
            let why = "it has no query, update or delete; `db.setProfilingLevel(1)` makes the server record slow \
            statements, and 2 all statements";
            seen.unread.insert(Need::Profile, why.to_owned());
        }
        Ok(entries) => seen.profile = entries.iter().filter_map(profiled).collect(),
        Err(error) => {
            seen.unread
                .insert(Need::Profile, excuse_of_database(error)?);
        }
    }
    Ok(())
}

fn entries() -> (Document, FindOptions) {
    let filter = doc! {
        "op": { "$in": ["query", "command", "update", "remove"] },
        "command.comment": { "$ne": OWN },
    };
    let wanted = [
        "op",
        "ns",
        "ts",
        "command",
        "planSummary",
        "docsExamined",
        "keysExamined",
        "nreturned",
        "nMatched",
        "ndeleted",
        "millis",
    ];
    let fields: Document = wanted
        .iter()
        .map(|name| ((*name).to_owned(), 1.into()))
        .collect();
    let mut options = at_most(STATEMENTS);
    (options.projection, options.sort) = (Some(fields), Some(doc! { "$natural": -1 }));
    (filter, options)
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
    // The field that contains the filter: `filter` in a `find`, `query` in a `findAndModify` or `count`, and `q` in an
    // update or a delete.
    let filter = ["filter", "query", "q"]
        .iter()
        .find_map(|name| command.get_document(name).ok());
    let is_write = matches!(entry.get_str("op"), Ok("update" | "remove"))
        || command.contains_key("findAndModify");
    let number = |name: &str| number_in(entry, name);
    Some(Profiled {
        collection: collection.to_owned(),
        at: entry.get_datetime("ts").ok().copied(),
        is_write,
        filter: filter.or(matched).cloned().unwrap_or_default(),
        is_scan: entry
            .get_str("planSummary")
            .is_ok_and(|it| it.contains("COLLSCAN")),
        examined: number("docsExamined").max(number("keysExamined")),
        returned: number("nreturned")
            .max(number("nMatched"))
            .max(number("ndeleted")),
        millis: number("millis"),
    })
}
