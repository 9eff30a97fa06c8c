//! The data that was read from a database, and the reads that failed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mongo_odm::{
    __tools::{OnServer, Sharding},
    IndexDiff, IndexSpec, JobCounts, Stats,
    shape::{ModelShape, walk},
};
use mongodb::bson::{Bson, DateTime, Document};

use super::{
    derived::DerivedField,
    need::Unread,
    subject::{ModelField, Subject},
    words::count,
};
use crate::survey::is_sure;

/// The data that was read about one collection.
#[derive(Debug, Default)]
pub(super) struct SeenCollection {
    pub(super) name: String,
    pub(super) database: Arc<SeenDatabase>,
    pub(super) models: Vec<&'static ModelShape>,
    pub(super) fields: Vec<ModelField>,
    /// Number of documents, according to the server.
    pub(super) documents: u64,
    /// Size of all documents in bytes, before compression.
    pub(super) size: u64,
    /// Whether the server can shard the collection by a key of a model. Capped collections and time series are
    /// excluded.
    pub(super) is_shardable: bool,
    /// How the shard key grows, if it does.
    pub(super) key_growth: Option<KeyGrowth>,
    pub(super) sampled: u64,
    /// Whether the sample contains only the first documents of the collection. This is the case if a better sample took
    /// too long, or if the collection is a time series without an index on `_id`.
    pub(super) sampled_first: bool,
    pub(super) sizes: DocumentSizes,
    pub(super) arrays: Vec<SeenArray>,
    /// The stored paths at which strings were found, without array positions.
    pub(super) texts: BTreeSet<String>,
    pub(super) indexes: OnServer,
    /// The difference between the indexes on the server and those that the models need.
    pub(super) diff: Option<IndexDiff>,
    pub(super) uses: Vec<IndexUse>,
    pub(super) references: Vec<SeenReference>,
    pub(super) pairs: Vec<SeenPair>,
    pub(super) stale: Vec<SeenCopies>,
    /// Whether a pending job may still update some of the copies that differ.
    pub(super) has_jobs: bool,
    pub(super) by_hand: Vec<SeenByHand>,
    pub(super) maps: Vec<SeenMap>,
    pub(super) unfit: Vec<SeenUnfit>,
    pub(super) asked_for: Option<AskedFor>,
    pub(super) unread: Unread,
}

/// The sizes of the documents in a collection, in bytes.
#[derive(Debug, Default)]
pub(super) struct DocumentSizes {
    pub(super) average: u64,
    pub(super) median: u64,
    pub(super) largest: u64,
    pub(super) largest_id: Option<Bson>,
    /// The largest field of the largest document, and its size.
    pub(super) heaviest: Option<(String, u64)>,
}

/// The fields that the program's queries request, according to the counters.
#[derive(Clone, Debug, Default)]
pub(super) struct AskedFor {
    /// Mean size in bytes of these fields in a document.
    pub(super) bytes: u64,
}

/// Statistics about the arrays at one path.
#[derive(Clone, Debug)]
pub(super) struct SeenArray {
    /// The stored path without array positions.
    pub(super) path: String,
    pub(super) p95: u64,
    pub(super) p99: u64,
    pub(super) longest: u64,
    /// The `_id` of the document with the longest array.
    pub(super) longest_id: Bson,
    /// Size of the longest array in bytes, if it is known.
    pub(super) bytes: Option<u64>,
    /// The array with the most bytes, which is not always the longest.
    pub(super) largest: Option<LargestArray>,
    /// Number of elements per document, counted over all arrays at the path.
    pub(super) entries: Option<Entries>,
    /// Whether all arrays have the same length.
    pub(super) is_fixed: bool,
    /// How the length of the arrays grows with the age of their documents.
    pub(super) growth: Option<Growth>,
}

/// The array with the most bytes.
#[derive(Clone, Debug)]
pub(super) struct LargestArray {
    pub(super) bytes: u64,
    pub(super) elements: u64,
    /// The `_id` of the document that contains this array.
    pub(super) id: Bson,
}

/// Number of elements per document, in one array or in several arrays at the same path.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    pub(super) most: u64,
    pub(super) p99: u64,
    /// The `_id` of the document with the most elements.
    pub(super) id: Bson,
}

/// How arrays grow with the age of their documents, according to the creation times in the `_id`s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    pub(super) documents: u64,
    /// The median lengths in the oldest and in the youngest quarter of the documents.
    pub(super) oldest: u64,
    pub(super) youngest: u64,
    /// The time between the median creation times of the oldest and the youngest quarter.
    pub(super) between: Duration,
}

/// The growth of a shard key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KeyGrowth {
    /// The key is the `_id`, and this number of sampled `_id`s are `ObjectId`s, which begin with the creation time.
    ObjectIds(u64),
    /// The key is the `_id`, and the `_id`s are consecutive numbers, as from a counter.
    Counter { least: i64, most: i64 },
    /// The key rises with the creation time of the documents.
    Order {
        /// Number of pairs of documents that follow each other in the order of their creation and have different keys.
        pairs: u64,
        /// Number of these pairs in which the newer document has the larger key.
        rising: u64,
    },
}

/// The documents at one path that use values as field names.
#[derive(Clone, Debug)]
pub(super) struct SeenMap {
    /// The stored path without array positions; empty for the top level of the documents.
    pub(super) path: String,
    /// The largest number of field names in one document, and the `_id` of this document.
    pub(super) longest: u64,
    pub(super) longest_id: Bson,
    /// One of these field names.
    pub(super) name: String,
}

/// A field next to a reference that has the same value as a field of the target.
#[derive(Clone, Debug)]
pub(super) struct SeenByHand {
    /// The stored path of the field, without array positions.
    pub(super) path: String,
    /// The stored path of the keys, the target collection, and the path of the equal field there.
    pub(super) keys_path: String,
    pub(super) target: String,
    pub(super) from: String,
    /// Whether the name of the field matches the name of the source field.
    pub(super) is_named: bool,
    /// The numbers of compared pairs and of pairs with equal values.
    pub(super) pairs: u64,
    pub(super) equal: u64,
    /// The numbers of distinct keys and values.
    pub(super) keys: u64,
    pub(super) values: u64,
    /// The `_id` of a document whose value differs from its source, or of any document if all values are equal to their
    /// sources.
    pub(super) example: Bson,
}

/// Values that are keys of other documents, at one path.
#[derive(Clone, Debug)]
pub(super) struct SeenReference {
    /// The stored path of the keys, without array positions.
    pub(super) path: String,
    /// The target collection, and the path in this collection to which the keys refer.
    pub(super) target: String,
    pub(super) target_path: String,
    /// The numbers of keys that were looked up and of those that are dangling.
    pub(super) keys: u64,
    pub(super) dangling: u64,
    /// The `_id` of a document that has a dangling key, and the key.
    pub(super) example: Option<(Option<Bson>, Bson)>,
    pub(super) stand: KeysStand,
    /// The dangling value and its frequency, if there is only one such value and it is a placeholder.
    pub(super) placeholder: Option<(Bson, u64)>,
    /// Whether the reference was found only in samples, and no model declares it.
    pub(super) is_inferred: bool,
    /// Whether the target collection lacks an index on the key.
    pub(super) lacks_target_index: bool,
}

impl SeenReference {
    /// Whether a model declares the reference, or nearly all values have a target.
    pub(super) const fn is_sure(&self) -> bool {
        !self.is_inferred || is_sure(self.keys.saturating_sub(self.dangling), self.keys)
    }
}

/// The position of the keys in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeysStand {
    /// The key is not inside an array.
    Alone,
    /// The key is a field of an array element.
    InElements,
    /// Each array element is a key.
    AsElements,
}

/// One side of a two-way reference.
#[derive(Clone, Debug)]
pub(super) struct SeenPair {
    /// The stored path of the keys on this side.
    pub(super) path: String,
    /// The name of the other side, such as `Task.owner`.
    pub(super) inverse: String,
    pub(super) keys: u64,
    /// Number of keys whose target exists but does not refer back.
    pub(super) one_sided: u64,
    pub(super) example: Option<Bson>,
}

/// Stale copies at one path.
#[derive(Clone, Debug)]
pub(super) struct SeenCopies {
    /// The stored path of the copies.
    pub(super) path: String,
    /// The name of the source, such as `Part.name`.
    pub(super) source: String,
    /// The name of the relation, as it appears in reports.
    pub(super) relation: String,
    pub(super) copies: u64,
    /// Number of stale copies.
    pub(super) stale: u64,
    /// The `_id` of a document that has a stale copy, the stored value, and the source's value.
    pub(super) example: Option<(Bson, Bson, Bson)>,
}

/// Documents that cannot be decoded as their model, all for the same reason.
#[derive(Clone, Debug)]
pub(super) struct SeenUnfit {
    pub(super) model: &'static ModelShape,
    /// The stored path at which decoding failed, without array positions; empty if the decoder does not report it.
    pub(super) path: String,
    pub(super) message: String,
    pub(super) count: u64,
    pub(super) documents: u64,
    pub(super) example: Option<Bson>,
}

/// How often an index is used.
#[derive(Clone, Debug)]
pub(super) struct IndexUse {
    pub(super) name: String,
    pub(super) operations: u64,
    /// The time when counting began: the creation of the index or the start of the server.
    pub(super) since: DateTime,
    /// How long the server has been counting the uses of the index.
    pub(super) counted_for: Duration,
}

/// The data that was read about the database as a whole.
#[derive(Debug, Default)]
pub(super) struct SeenDatabase {
    pub(super) name: String,
    /// The names of all collections except those of the server and the library.
    pub(super) collections: Vec<String>,
    /// Number of collections in all databases of the deployment.
    pub(super) in_deployment: Option<u64>,
    /// The reasons why requested collections were not read.
    pub(super) absent: Vec<String>,
    /// The collections and paths of declared copies.
    pub(super) declared: BTreeSet<(String, String)>,
    /// The field names in the documents of each collection. Entries are added as the collections are read.
    pub(super) fields: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// The names of the empty collections.
    pub(super) empty: Vec<String>,
    pub(super) models: Vec<&'static ModelShape>,
    /// The derived fields that the models declare.
    pub(super) derived: Vec<DerivedField>,
    pub(super) stats: Stats,
    pub(super) profile: Vec<Profiled>,
    pub(super) jobs: Option<JobCounts>,
    pub(super) grace: Duration,
    /// Relations that have jobs although no program declares them, each with the number of its jobs.
    pub(super) undeclared: Vec<(String, u64)>,
    /// The shard keys and chunks, if the server is a sharded cluster.
    pub(super) sharding: Option<Sharding>,
    pub(super) unread: Unread,
}

/// A statement in the server's profile.
#[derive(Clone, Debug)]
pub(super) struct Profiled {
    pub(super) collection: String,
    /// The time at which the statement ended.
    pub(super) at: Option<DateTime>,
    /// Whether the statement is an update or a delete.
    pub(super) is_write: bool,
    pub(super) filter: Document,
    /// Whether the server read the whole collection.
    pub(super) is_scan: bool,
    pub(super) examined: u64,
    pub(super) returned: u64,
    pub(super) millis: u64,
}

impl SeenDatabase {
    /// Stores the field names that were found in the documents of a collection.
    pub(super) fn has_fields(&self, collection: &str, fields: BTreeSet<String>) {
        let mut all = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(collection.to_owned(), fields);
    }

    /// Returns the model that has this name and collection.
    pub(super) fn model(&self, collection: &str, name: &str) -> Option<&'static ModelShape> {
        let mut models = self.models.iter().copied();
        models.find(|it| (it.collection, it.name) == (collection, name))
    }

    /// Whether a model has a field that is derived from another model.
    pub(super) fn derives(&self, owner: &str, source: &str) -> bool {
        let mut all = self.derived.iter();
        all.any(|it| (&*it.model, &*it.source) == (owner, source))
    }

    /// Returns the field names in the documents of a collection; empty if they are unknown.
    pub(super) fn fields_of(&self, collection: &str) -> BTreeSet<String> {
        let all = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(collection).cloned().unwrap_or_default()
    }
}

impl SeenCollection {
    /// Creates the entry for a collection, before anything has been read.
    pub(super) fn named(name: &str, database: &Arc<SeenDatabase>) -> Self {
        let of_it = database
            .models
            .iter()
            .filter(|model| model.collection == name);
        let models: Vec<_> = of_it.copied().collect();
        let fields = models.iter().flat_map(|model| {
            let all = walk(model.fields).into_iter();
            all.map(|stored| ModelField { model, stored })
        });
        Self {
            name: name.to_owned(),
            database: Arc::clone(database),
            fields: fields.collect(),
            models,
            ..Self::default()
        }
    }

    /// Returns the shard key on the server, or `None` if the collection is not sharded.
    pub(super) fn key_on_server(&self) -> Option<&Document> {
        self.database.sharding.as_ref()?.key(&self.name)
    }

    /// Returns the shard key that the models declare, or `None` if they do not declare one.
    pub(super) fn declared_key(&self) -> Option<Document> {
        let mut keys = self.models.iter().map(|model| Sharding::declared(model));
        keys.find(|key| !key.is_empty())
    }

    /// Returns the shard key on the server. If the collection is not sharded, returns the declared one.
    pub(super) fn shard_key(&self) -> Option<Document> {
        self.key_on_server()
            .cloned()
            .or_else(|| self.declared_key())
    }

    /// Returns the subject for a finding about the whole collection.
    pub(super) fn subject(&self) -> Subject {
        Subject::collection(&self.name, &self.models)
    }

    /// Returns the subject for a finding about a stored path.
    pub(super) fn at(&self, path: &str) -> Subject {
        match self.field(path) {
            Some(field) => Subject::of(field),
            None => self.subject().at(path),
        }
    }

    /// Returns the field at a stored path.
    pub(super) fn field(&self, path: &str) -> Option<&ModelField> {
        self.fields.iter().find(|field| field.stored.path == path)
    }

    /// Returns the evidence text that states which part of the collection was read.
    pub(super) fn sample(&self) -> String {
        let which = if self.sampled_first { "the first " } else { "" };
        format!(
            "{which}{} of {} documents sampled",
            count(self.sampled),
            count(self.documents)
        )
    }

    /// Whether the collection is so small that its indexes and the distribution of its values do not matter.
    pub(super) const fn is_small(&self, few: u64) -> bool {
        self.documents < few
    }

    /// Whether strings were found at a path or below it.
    pub(super) fn has_text(&self, path: &str) -> bool {
        self.texts.iter().any(|text| {
            let rest = text.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Returns the server's index that has this name.
    pub(super) fn index(&self, name: &str) -> Option<&IndexSpec> {
        self.indexes.indexes.iter().find(|index| index.name == name)
    }

    /// Returns the declared or implied index that has this name.
    pub(super) fn origin(&self, name: &str) -> Option<&IndexSpec> {
        let diff = self.diff.as_ref()?;
        diff.present.iter().find(|index| index.name == name)
    }
}
