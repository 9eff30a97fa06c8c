//! Decides which collections the front shards on its own, and by which key.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use mongo_odm::model::shape::IndexKind;
use mongodb::bson::{Bson, Document, doc};
use tokio::sync::OnceCell;

use crate::cluster::message::{call::Call, reply::documents_of};

/// Options of `create` that exclude sharding.
const NOT_SHARDED: [&str; 4] = ["viewOn", "timeseries", "capped", "clusteredIndex"];

/// Which collections are sharded.
#[derive(Debug)]
pub(crate) enum Policy {
    /// Only collections for which a client has sent `shardCollection`.
    AsRequested,
    /// Each collection, before its first write: by the key that its models declare, or by the hash of `_id`.
    ///
    /// These collections are excluded: those of the library itself (`_odm_*`), views, capped collections, and collections
    /// with a unique index. A shard knows only its own documents, so the server rejects a unique index that does not begin
    /// with the shard key.
    OfTests(HashMap<String, Declared>),
}

/// The declarations of a collection's models.
#[derive(Debug)]
pub(crate) enum Declared {
    Key(Document),
    UniqueIndex,
}

impl Policy {
    /// Reads the models that are linked into the test.
    pub(crate) fn of_models() -> Self {
        let mut declared = HashMap::new();
        for collection in mongo_odm::schema().collections {
            let is_unique = |options: &Document| options.get_bool("unique").unwrap_or(false);
            if collection.indexes.iter().any(|it| is_unique(&it.options)) {
                declared.insert(collection.name, Declared::UniqueIndex);
            }
        }
        for model in mongo_odm::models() {
            let kind = |kind| match kind {
                IndexKind::Hashed => Bson::from("hashed"),
                _ => Bson::from(1),
            };
            let key = model.shard_key.iter();
            let key: Document = key.map(|it| ((it.path)(), kind(it.kind))).collect();
            if !key.is_empty() {
                declared.insert(model.collection.to_owned(), Declared::Key(key));
            }
        }
        Self::OfTests(declared)
    }

    /// Whether the front decides if the collection of a command is sharded.
    pub(crate) fn decides(&self, call: &Call) -> bool {
        let collection = call.collection();
        let is_excluded = ["_odm_", "system."]
            .iter()
            .any(|prefix| collection.starts_with(prefix));
        let is_test = !matches!(call.db.as_str(), "admin" | "config" | "local");
        matches!(self, Self::OfTests(_)) && is_test && !collection.is_empty() && !is_excluded
    }

    /// Returns the key by which the front shards the collection of a command before the command runs. Returns `None` if
    /// the front does not shard it.
    pub(crate) fn key_of(&self, call: &Call) -> Option<Document> {
        let Self::OfTests(declared) = self else {
            return None;
        };
        let has = |option: &&str| call.body.contains_key(*option);
        let is_excluded = call.name == "create" && NOT_SHARDED.iter().any(has);
        match declared.get(call.collection()) {
            _ if is_excluded || creates_unique_index(call) => None,
            Some(Declared::UniqueIndex) => None,
            Some(Declared::Key(key)) => Some(key.clone()),
            None => Some(doc! { "_id": "hashed" }),
        }
    }
}

fn creates_unique_index(call: &Call) -> bool {
    let indexes = documents_of(&call.body, "indexes");
    let is_unique = |index: &Document| index.get_bool("unique").unwrap_or(false);
    call.name == "createIndexes" && indexes.iter().any(is_unique)
}

/// The collections for which the front has already decided whether to shard them. While the front shards a collection,
/// only the statements on this collection wait.
#[derive(Debug, Default)]
pub(crate) struct Decided(Mutex<HashMap<String, Arc<OnceCell<()>>>>);

impl Decided {
    /// Returns the cell of a collection, which is empty until the front has decided.
    pub(crate) fn cell(&self, namespace: &str) -> Arc<OnceCell<()>> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cells.entry(namespace.to_owned()).or_default())
    }

    /// Notes that a client has sharded a collection.
    pub(crate) fn add(&self, namespace: &str) {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let decided = Arc::new(OnceCell::new_with(Some(())));
        cells.insert(namespace.to_owned(), decided);
    }

    /// Forgets collections that were dropped.
    pub(crate) fn forget(&self, is_dropped: impl Fn(&str) -> bool) {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cells.retain(|namespace, _| !is_dropped(namespace));
    }

    /// Renames a collection.
    pub(crate) fn rename(&self, from: &str, to: String) {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = cells.remove(from) {
            cells.insert(to, cell);
        }
    }
}
