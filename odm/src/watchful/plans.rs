//! Filters without an index: their plan is asked for in the background, where the collection is large.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use mongodb::{
    bson::{Bson, Document, doc},
    options::FindOptions,
};

use super::{Line, is_first, watched};
use crate::{
    command::Server,
    error::Result,
    odm::{Exec, Odm},
    path::each_filtered_path,
    place::Place,
    shape::ModelShape,
};

/// How long the size of a collection is remembered.
const SIZE_HOLDS: Duration = Duration::from_secs(60);

/// What a recorder of commands tells these statements by: nobody waits for them.
const COMMENT: &str = "mongo-odm watchful";

/// The sizes of collections, and when they were asked for; none while the server is asked.
#[derive(Debug, Default)]
struct Sizes(Mutex<HashMap<String, (Instant, Option<u64>)>>);

/// What is known of the size of a collection.
enum Size {
    Known(u64),
    /// Somebody else asks for it.
    Asked,
    Unknown,
}

impl Sizes {
    fn of(&self, collection: &str) -> Size {
        let mut sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match sizes.get(collection) {
            Some((at, size)) if at.elapsed() < SIZE_HOLDS => size.map_or(Size::Asked, Size::Known),
            _ => {
                sizes.insert(collection.to_owned(), (Instant::now(), None));
                Size::Unknown
            }
        }
    }

    fn keep(&self, collection: &str, size: u64) {
        let mut sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.insert(collection.to_owned(), (Instant::now(), Some(size)));
    }
}

/// A filter of the application.
#[derive(Debug)]
struct Filter {
    at: Line,
    model: &'static ModelShape,
    /// The statement to be explained.
    find: Document,
    /// The paths that it has conditions on.
    paths: BTreeSet<String>,
}

/// Looks in the background at how the server answers a filter, once for each line and set of paths; not in a
/// transaction, and not where the filter names an `_id` or an index.
pub(crate) fn look_at_plan(place: &Place, filter: &Document, options: &FindOptions, exec: &Exec) {
    let Some((at, model)) = watched(exec).zip(place.model()) else {
        return;
    };
    if exec.in_transaction() || exec.is_paper() || options.hint.is_some() {
        return;
    }
    let mut paths = BTreeSet::new();
    each_filtered_path(filter, &mut |path| _ = paths.insert(path.to_owned()));
    if paths.is_empty() || paths.contains("_id") {
        return;
    }
    let size = exec.odm().deployment().kept::<Sizes>().of(place.name());
    let from = u64::try_from(exec.settings().watch_from).unwrap_or(u64::MAX);
    let known = match size {
        Size::Asked => return,
        Size::Known(size) if size < from => return,
        Size::Known(size) => Some(size),
        Size::Unknown => None,
    };
    let mut find = doc! { "find": place.name(), "filter": place.scope(filter.clone()) };
    if let Some(sort) = &options.sort {
        find.insert("sort", sort.clone());
    }
    let filter = Filter {
        at,
        model,
        find,
        paths,
    };
    let odm = exec.odm().clone();
    // In the background: nobody waits for it, and what fails is no failure of the call.
    tokio::spawn(async move {
        if let Err(error) = filter.look(known, from, &odm).await {
            tracing::debug!(%error, "a plan was not looked at");
        }
    });
}

impl Filter {
    async fn look(self, size: Option<u64>, from: u64, odm: &Odm) -> Result<()> {
        let size = match size {
            Some(size) => size,
            None => self.size(odm).await?,
        };
        if size < from || !is_first(self.at, &format!("plan of {:?}", self.paths)) {
            return Ok(());
        }
        let explain =
            doc! { "explain": self.find.clone(), "verbosity": "queryPlanner", "comment": COMMENT };
        let exec = Exec::on(odm.clone());
        let explained = exec.send(Server::command(explain)).await?;
        if scans_collection(&explained) {
            odm.count_unindexed(self.model);
            self.warn(size);
        }
        Ok(())
    }

    /// Asks how many documents the collection has, by its own count: no document is read.
    async fn size(&self, odm: &Odm) -> Result<u64> {
        let collection = self.model.collection;
        let count = doc! { "count": collection, "comment": COMMENT };
        let counted = Exec::on(odm.clone()).send(Server::command(count)).await?;
        let size = match counted.get("n") {
            Some(Bson::Int32(n)) => u64::try_from(*n),
            Some(Bson::Int64(n)) => u64::try_from(*n),
            _ => Ok(0),
        };
        let size = size.unwrap_or_default();
        odm.deployment().kept::<Sizes>().keep(collection, size);
        Ok(size)
    }

    fn warn(&self, size: u64) {
        let paths: Vec<_> = self.paths.iter().map(|path| format!("`{path}`")).collect();
        let (at, model) = (self.at, self.model);
        tracing::warn!(
            %at, model = model.name, documents = size,
            "a filter of `{}` by {} has no index and goes through up to {size} documents of `{}`, at {}:{}; write `#[index]` at a \
             field of them, or `index(keys(..))` at the struct, and call `sync_indexes`",
            model.name, paths.join(", "), model.collection, at.file(), at.line()
        );
    }
}

/// Whether the plan that the server has chosen reads the whole collection.
fn scans_collection(explained: &Document) -> bool {
    explained.iter().any(|(name, value)| match value {
        Bson::String(stage) => name == "stage" && stage == "COLLSCAN",
        Bson::Document(_) if name == "rejectedPlans" => false,
        Bson::Document(inner) => scans_collection(inner),
        Bson::Array(items) if name != "rejectedPlans" => items
            .iter()
            .filter_map(Bson::as_document)
            .any(scans_collection),
        _ => false,
    })
}
