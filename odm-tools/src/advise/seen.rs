//! What was read of a database, and what could not be.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mongo_odm::{
    __tools::OnServer,
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

/// One collection.
#[derive(Debug, Default)]
pub(super) struct SeenCollection {
    pub(super) name: String,
    pub(super) database: Arc<SeenDatabase>,
    pub(super) models: Vec<&'static ModelShape>,
    pub(super) fields: Vec<ModelField>,
    /// How many documents there are, by the count of the server.
    pub(super) documents: u64,
    pub(super) sampled: u64,
    /// Whether these are the first documents, since others took too long or have no order.
    pub(super) sampled_first: bool,
    pub(super) sizes: DocumentSizes,
    pub(super) arrays: Vec<SeenArray>,
    /// The stored paths that have strings, without the arrays on them.
    pub(super) texts: BTreeSet<String>,
    pub(super) indexes: OnServer,
    /// What the models want of the indexes.
    pub(super) diff: Option<IndexDiff>,
    pub(super) uses: Vec<IndexUse>,
    pub(super) references: Vec<SeenReference>,
    pub(super) pairs: Vec<SeenPair>,
    pub(super) stale: Vec<SeenCopies>,
    /// Whether copies differ about which jobs may be that wait.
    pub(super) has_jobs: bool,
    pub(super) by_hand: Vec<SeenByHand>,
    pub(super) maps: Vec<SeenMap>,
    pub(super) unfit: Vec<SeenUnfit>,
    pub(super) asked_for: Option<AskedFor>,
    pub(super) unread: Unread,
}

/// The sizes of documents in bytes.
#[derive(Debug, Default)]
pub(super) struct DocumentSizes {
    pub(super) average: u64,
    pub(super) median: u64,
    pub(super) largest: u64,
    pub(super) largest_id: Option<Bson>,
    /// The field that has most of the bytes of the largest, and how many these are.
    pub(super) heaviest: Option<(String, u64)>,
}

/// What queries ask for of the documents of a collection, by the counters.
#[derive(Clone, Debug, Default)]
pub(super) struct AskedFor {
    /// How many bytes of an average document these fields have.
    pub(super) bytes: u64,
}

/// The arrays at one path.
#[derive(Clone, Debug)]
pub(super) struct SeenArray {
    /// The stored path, without the arrays above.
    pub(super) path: String,
    pub(super) p95: u64,
    pub(super) p99: u64,
    pub(super) longest: u64,
    /// The `_id` of the document with the longest.
    pub(super) longest_id: Bson,
    /// How many bytes the longest one has, where that is known.
    pub(super) bytes: Option<u64>,
    /// The one with the most bytes, which may be another.
    pub(super) largest: Option<LargestArray>,
    /// How many elements one document has in all arrays at the path.
    pub(super) entries: Option<Entries>,
    /// Whether all have the same length.
    pub(super) is_fixed: bool,
    /// How it becomes longer with the age of its document, if it does.
    pub(super) growth: Option<Growth>,
}

/// The array with the most bytes.
#[derive(Clone, Debug)]
pub(super) struct LargestArray {
    pub(super) bytes: u64,
    pub(super) elements: u64,
    /// The `_id` of its document.
    pub(super) id: Bson,
}

/// How many elements documents have, in one array or in several.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    pub(super) most: u64,
    pub(super) p99: u64,
    /// The `_id` of the document with the most.
    pub(super) id: Bson,
}

/// Arrays that are the longer the older their documents are, by the dates in their `_id`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    pub(super) documents: u64,
    /// The median length in the oldest quarter of the documents, and in the youngest.
    pub(super) oldest: u64,
    pub(super) youngest: u64,
    /// The time from the middle of the one quarter to that of the other.
    pub(super) between: Duration,
}

/// Documents at one path whose names are values.
#[derive(Clone, Debug)]
pub(super) struct SeenMap {
    /// The stored path, without the arrays above; empty for the documents of the collection themselves.
    pub(super) path: String,
    /// The most names in one of them, and the `_id` of its document.
    pub(super) longest: u64,
    pub(super) longest_id: Bson,
    /// One of the names.
    pub(super) name: String,
}

/// A field beside a reference that equals one of the document which the reference leads to.
#[derive(Clone, Debug)]
pub(super) struct SeenByHand {
    /// The stored path of the field, without the arrays above.
    pub(super) path: String,
    /// The stored path of the keys, and where they lead.
    pub(super) keys_path: String,
    pub(super) target: String,
    pub(super) from: String,
    /// Whether the field is called as a copy of that one.
    pub(super) is_named: bool,
    /// How many fields were compared, and how many are equal.
    pub(super) pairs: u64,
    pub(super) equal: u64,
    /// How many different keys and values there are.
    pub(super) keys: u64,
    pub(super) values: u64,
    /// The `_id` of a document with one that differs; of any, if none does.
    pub(super) example: Bson,
}

/// Keys that lead to documents.
#[derive(Clone, Debug)]
pub(super) struct SeenReference {
    /// The stored path of the keys, without the arrays above.
    pub(super) path: String,
    /// The collection and the path there that they lead to.
    pub(super) target: String,
    pub(super) target_path: String,
    /// How many keys were looked up, and how many of them lead nowhere.
    pub(super) keys: u64,
    pub(super) dangling: u64,
    /// The `_id` of a document with a key that leads nowhere, and the key.
    pub(super) example: Option<(Option<Bson>, Bson)>,
    pub(super) stand: KeysStand,
    /// The one value that all keys are which lead nowhere, if it stands for no document, with how many keys it is.
    pub(super) placeholder: Option<(Bson, u64)>,
    /// Whether samples alone have shown it.
    pub(super) is_inferred: bool,
    /// Whether the target lacks an index on what the keys equal.
    pub(super) lacks_target_index: bool,
}

impl SeenReference {
    /// Whether a model says that the values are keys, or nearly all of them lead somewhere.
    pub(super) const fn is_sure(&self) -> bool {
        !self.is_inferred || is_sure(self.keys.saturating_sub(self.dangling), self.keys)
    }
}

/// Where keys stand in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeysStand {
    /// Outside of arrays.
    Alone,
    /// In the elements of an array.
    InElements,
    /// They are the elements of an array.
    AsElements,
}

/// One side of a two-way reference.
#[derive(Clone, Debug)]
pub(super) struct SeenPair {
    /// The stored path of the keys.
    pub(super) path: String,
    /// The other side: `Task.owner`.
    pub(super) inverse: String,
    pub(super) keys: u64,
    /// How many of them lead to documents that do not name them back.
    pub(super) one_sided: u64,
    pub(super) example: Option<Bson>,
}

/// The copies at one path.
#[derive(Clone, Debug)]
pub(super) struct SeenCopies {
    /// The stored path of the copies.
    pub(super) path: String,
    /// The field that is copied: `Part.name`.
    pub(super) source: String,
    /// The extended reference, as reports name it.
    pub(super) relation: String,
    pub(super) copies: u64,
    /// How many of them differ from their source.
    pub(super) stale: u64,
    /// The `_id` of a document with one that does, what is stored, and what its source says.
    pub(super) example: Option<(Bson, Bson, Bson)>,
}

/// Documents that do not decode as a model, for one reason.
#[derive(Clone, Debug)]
pub(super) struct SeenUnfit {
    pub(super) model: &'static ModelShape,
    /// The stored path, without positions; empty where the decoder does not tell it.
    pub(super) path: String,
    pub(super) message: String,
    pub(super) count: u64,
    pub(super) documents: u64,
    pub(super) example: Option<Bson>,
}

/// How often an index was used.
#[derive(Clone, Debug)]
pub(super) struct IndexUse {
    pub(super) name: String,
    pub(super) operations: u64,
    /// Since when it is counted: since the index was made, or the server was started.
    pub(super) since: DateTime,
    /// For how long it was counted.
    pub(super) counted_for: Duration,
}

/// The database as a whole.
#[derive(Debug, Default)]
pub(super) struct SeenDatabase {
    pub(super) name: String,
    /// The names of all collections but those of the server and of the library.
    pub(super) collections: Vec<String>,
    /// How many collections all databases of the deployment have together.
    pub(super) in_deployment: Option<u64>,
    /// Why collections that were asked for are not looked at.
    pub(super) absent: Vec<String>,
    /// The paths of the copies that programs keep by this library, with their collections.
    pub(super) declared: BTreeSet<(String, String)>,
    /// The fields of the documents of each collection, as far as it was looked at: it is filled while that goes on.
    pub(super) fields: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// Those without documents.
    pub(super) empty: Vec<String>,
    pub(super) models: Vec<&'static ModelShape>,
    /// The fields that these derive from other documents.
    pub(super) derived: Vec<DerivedField>,
    pub(super) stats: Stats,
    pub(super) profile: Vec<Profiled>,
    pub(super) jobs: Option<JobCounts>,
    pub(super) grace: Duration,
    /// Relations with jobs that no program declares, with how many there are.
    pub(super) undeclared: Vec<(String, u64)>,
    pub(super) unread: Unread,
}

/// A statement in the profile of the server.
#[derive(Clone, Debug)]
pub(super) struct Profiled {
    pub(super) collection: String,
    /// When it ended.
    pub(super) at: Option<DateTime>,
    /// Whether it is an update or a delete.
    pub(super) is_write: bool,
    pub(super) filter: Document,
    /// Whether the server has read the collection as a whole.
    pub(super) is_scan: bool,
    pub(super) examined: u64,
    pub(super) returned: u64,
    pub(super) millis: u64,
}

impl SeenDatabase {
    /// Notes which fields the documents of a collection have.
    pub(super) fn has_fields(&self, collection: &str, fields: BTreeSet<String>) {
        let mut all = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(collection.to_owned(), fields);
    }

    /// Returns a model by its collection and name.
    pub(super) fn model(&self, collection: &str, name: &str) -> Option<&'static ModelShape> {
        let mut models = self.models.iter().copied();
        models.find(|it| (it.collection, it.name) == (collection, name))
    }

    /// Whether a model has a field that follows documents of another one.
    pub(super) fn derives(&self, owner: &str, source: &str) -> bool {
        let mut all = self.derived.iter();
        all.any(|it| (&*it.model, &*it.source) == (owner, source))
    }

    /// Returns the fields of the documents of a collection; none where nothing is known of them.
    pub(super) fn fields_of(&self, collection: &str) -> BTreeSet<String> {
        let all = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(collection).cloned().unwrap_or_default()
    }
}

impl SeenCollection {
    /// A collection of which nothing is known yet.
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

    /// Returns what a finding about the collection as a whole is about.
    pub(super) fn subject(&self) -> Subject {
        Subject::collection(&self.name, &self.models)
    }

    /// Returns what a finding about a stored path is about.
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

    /// Says how much of the collection was read.
    pub(super) fn sample(&self) -> String {
        let which = if self.sampled_first { "the first " } else { "" };
        format!(
            "{which}{} of {} documents sampled",
            count(self.sampled),
            count(self.documents)
        )
    }

    /// Whether it is so small that indexes and shares make no difference.
    pub(super) const fn is_small(&self, few: u64) -> bool {
        self.documents < few
    }

    /// Whether strings stand at a path, or in what stands there.
    pub(super) fn has_text(&self, path: &str) -> bool {
        self.texts.iter().any(|text| {
            let rest = text.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Returns the index of the server with a name.
    pub(super) fn index(&self, name: &str) -> Option<&IndexSpec> {
        self.indexes.indexes.iter().find(|index| index.name == name)
    }

    /// Names the place where an index is declared or implied, as far as models say it.
    pub(super) fn origin(&self, name: &str) -> Option<&IndexSpec> {
        let diff = self.diff.as_ref()?;
        diff.present.iter().find(|index| index.name == name)
    }
}
