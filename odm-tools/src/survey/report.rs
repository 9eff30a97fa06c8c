//! The results of a survey.

use std::fmt;

use mongo_odm::IndexSpec;
use mongodb::bson::{Bson, Document};

/// The result of a [`survey`](crate::OdmTools::survey).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Survey {
    /// The name of the database.
    pub database: String,
    /// The collections, sorted by name.
    pub collections: Vec<CollectionSurvey>,
    /// References that were found by looking up values, at most one for each path.
    /// [`SurveyDatabase`](crate::SurveyDatabase) describes how the target is selected.
    pub references: Vec<ReferenceSurvey>,
    /// Values that are keys of several collections. Either no collection matches best, or the values are divided among
    /// the collections.
    pub undecided: Vec<UndecidedSurvey>,
    /// Values that also exist as keys of a collection, but are copies that are stored next to a reference to this
    /// collection.
    pub copies: Vec<CopySurvey>,
    /// The views. The survey does not read the documents of views.
    pub views: Vec<ViewSurvey>,
    /// Reads that failed, each with the reason. Failures that concern only one collection are in
    /// [`CollectionSurvey::notes`].
    pub notes: Vec<String>,
}

impl Survey {
    /// Returns the survey of the collection that has this name.
    pub fn collection(&self, name: &str) -> Option<&CollectionSurvey> {
        self.collections.iter().find(|it| it.name == name)
    }
}

/// The survey of one collection.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CollectionSurvey {
    /// The name of the collection.
    pub name: String,
    /// Whether the collection is a time series.
    pub is_timeseries: bool,
    /// Whether the collection is capped, so that new documents replace the oldest ones.
    pub is_capped: bool,
    /// Number of documents according to the server. This is `None` if the number could not be read.
    pub documents: Option<u64>,
    /// Average size of a document in bytes, according to the server's statistics.
    pub average_size: Option<u64>,
    /// Size of all documents in bytes, before compression.
    pub size: Option<u64>,
    /// Size of all documents on disk in bytes.
    pub storage_size: Option<u64>,
    /// All indexes except the one on `_id`.
    pub indexes: Vec<IndexSpec>,
    /// The default collation of the collection, if it is not the simple collation.
    pub collation: Option<Document>,
    /// The shard key of the collection, if the server is a sharded cluster and the collection is sharded.
    pub shard_key: Option<Document>,
    /// Number of documents in the sample.
    pub sampled: u64,
    /// Whether the sample contains all documents of the collection.
    pub is_complete: bool,
    /// The sizes of the sampled documents.
    pub sizes: Option<Sizes>,
    /// The statistics for each path, in the order of the fields.
    pub paths: Vec<PathSurvey>,
    /// The sampled documents, if [`keep_documents`](crate::SurveyDatabase::keep_documents) was called.
    pub sample: Vec<Document>,
    /// Reads that failed for this collection, each with the reason.
    pub notes: Vec<String>,
}

impl CollectionSurvey {
    /// Returns the statistics for a path, which is written as in [`PathSurvey::path`].
    pub fn path(&self, path: &str) -> Option<&PathSurvey> {
        self.paths.iter().find(|it| it.path == path)
    }

    /// Whether a path has a unique index that the server can use to look up values.
    pub(super) fn has_unique(&self, path: &str) -> bool {
        self.indexes.iter().any(|index| {
            let is_unique = index.options.get_bool("unique").unwrap_or_default();
            // The server cannot use an index for these lookups if the index omits some documents, is hidden, or has a
            // different collation.
            let others = ["partialFilterExpression", "hidden", "collation"];
            let finds = !others.iter().any(|it| index.options.contains_key(it));
            is_unique && finds && index.keys.len() == 1 && index.keys.contains_key(path)
        })
    }
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PathStep {
    /// The field with this name.
    Field(String),
    /// Each element of an array.
    Each,
    /// Each field of a document that uses values as field names.
    AnyField,
}

/// Statistics about the values at one path in the sampled documents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathSurvey {
    /// The path as text: `orders[].lines[].sku`, or `scores.*` if the field names below `scores` are values.
    pub path: String,
    /// The path as steps.
    pub steps: Vec<PathStep>,
    /// Number of sampled documents that contain the path, including nulls.
    pub documents: u64,
    /// Number of times that the path occurs, including nulls.
    pub present: u64,
    /// Number of documents, embedded documents or arrays that can contain the path. For a field, `parents - present` is
    /// the number of parents that do not contain it.
    pub parents: u64,
    /// Number of nulls.
    pub nulls: u64,
    /// The types of the values except null, most frequent first.
    pub types: Vec<TypeSurvey>,
    /// Number of binary values that are UUIDs, which have subtype 4 and 16 bytes.
    pub uuids: u64,
    /// The lengths of the arrays, if some of the values are arrays.
    pub lengths: Option<Lengths>,
    /// The distinct values and their frequencies, most frequent first. The list contains at most 1,000 values, and only
    /// small ones, for example numbers, ids, and strings of up to 100 bytes.
    pub values: Vec<(Bson, u64)>,
    /// Whether [`values`](Self::values) contains all values.
    pub values_are_complete: bool,
}

impl PathSurvey {
    /// Returns the number of parents that do not contain the field.
    pub const fn missing(&self) -> u64 {
        self.parents.saturating_sub(self.present)
    }

    /// Returns the type of the values, if all values except null have the same type.
    pub fn only_type(&self) -> Option<&'static str> {
        match self.types.as_slice() {
            [only] => Some(only.name),
            _ => None,
        }
    }

    /// Returns the last field name of the path, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            PathStep::Field(name) => Some(name.as_str()),
            PathStep::Each | PathStep::AnyField => None,
        })
    }
}

/// The values of one BSON type at a path.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TypeSurvey {
    /// The name of the type, as in `$type`: `string`, `int` or `objectId`.
    pub name: &'static str,
    /// Number of values of this type.
    pub count: u64,
    /// The `_id` of a document that contains a value of this type.
    pub example: Bson,
}

/// The lengths of the arrays at a path.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lengths {
    /// The smallest length.
    pub min: u64,
    /// The median length.
    pub median: u64,
    /// The 95th percentile of the lengths.
    pub p95: u64,
    /// The 99th percentile of the lengths.
    pub p99: u64,
    /// The largest length.
    pub max: u64,
    /// The `_id` of the document that contains the longest array.
    pub longest: Bson,
}

/// The sizes of sampled documents in bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sizes {
    /// The median size.
    pub median: u64,
    /// The 95th percentile of the sizes.
    pub p95: u64,
    /// The largest size.
    pub max: u64,
    /// The `_id` of the largest document.
    pub largest: Bson,
}

/// A reference that was found by looking up values. The values are keys of another collection or of the same one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReferenceSurvey {
    /// The collection that contains the reference.
    pub collection: String,
    /// The path of the values, written as in [`PathSurvey::path`].
    pub path: String,
    /// The target collection.
    pub target: String,
    /// The path of the key in the target collection, usually `_id`.
    pub key: String,
    /// Number of distinct values that were looked up.
    pub asked: u64,
    /// Number of looked-up values that exist in the target.
    pub found: u64,
    /// Some of the values that do not exist in the target.
    pub dangling: Vec<Bson>,
    /// Whether the field name in the path matches the collection. Random values such as an `ObjectId` do not need a
    /// matching name.
    pub is_named: bool,
    /// Other collections that also contain some of these values. The names of these collections match equally well, or
    /// the collections contain more of the values.
    pub rivals: Vec<TargetSurvey>,
}

/// A collection in which some values exist as keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetSurvey {
    /// The name of the collection.
    pub target: String,
    /// The path of the key in the collection.
    pub key: String,
    /// Number of looked-up values that exist in the collection.
    pub found: u64,
}

/// Values in one collection that are keys of several other collections, so that their target is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndecidedSurvey {
    /// The collection that contains the values.
    pub collection: String,
    /// The path of the values, written as in [`PathSurvey::path`].
    pub path: String,
    /// Number of distinct values that were looked up.
    pub asked: u64,
    /// The possible targets, sorted by the number of values that they contain, largest first.
    pub candidates: Vec<TargetSurvey>,
    /// Whether the values are divided: some values exist only in one candidate, and other values only in another
    /// candidate.
    pub is_divided: bool,
}

/// Copies that were found by comparing values. The copies equal a field of the document to which the key next to them
/// refers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopySurvey {
    /// The collection that contains the copies.
    pub collection: String,
    /// The path of the copies, written as in [`PathSurvey::path`].
    pub path: String,
    /// The path of the keys that are stored next to the copies.
    pub keys: String,
    /// The target collection of the keys.
    pub target: String,
    /// The path of the source field in the target collection.
    pub from: String,
}

/// A view of the database.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ViewSurvey {
    /// The name of the view.
    pub name: String,
    /// The collection or view that this view reads.
    pub on: String,
    /// The stages of the view's pipeline.
    pub pipeline: Vec<Document>,
}

impl ReferenceSurvey {
    /// Returns the share of the looked-up values that exist in the target.
    #[allow(clippy::cast_precision_loss, reason = "a share is a rough figure")]
    pub fn share(&self) -> f64 {
        self.found as f64 / self.asked.max(1) as f64
    }
}

impl fmt::Display for ReferenceSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            collection,
            path,
            target,
            key,
            asked,
            found,
            ..
        } = self;
        write!(
            f,
            "{collection}.{path} -> {target}.{key}: {found} of {asked} values found"
        )?;
        for (at, rival) in self.rivals.iter().enumerate() {
            let before = if at == 0 { "; also" } else { "," };
            write!(
                f,
                "{before} {}.{}: {}",
                rival.target, rival.key, rival.found
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for CopySurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (collection, path, keys) = (&self.collection, &self.path, &self.keys);
        let (target, from) = (&self.target, &self.from);
        write!(
            f,
            "{collection}.{path}: copies of {target}.{from} beside {collection}.{keys}"
        )
    }
}

impl fmt::Display for UndecidedSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (collection, path, asked) = (&self.collection, &self.path, self.asked);
        write!(f, "{collection}.{path}: {asked} values, keys of")?;
        let last = self.candidates.len().saturating_sub(1);
        let word = if self.is_divided { " and" } else { " or" };
        for (at, it) in self.candidates.iter().enumerate() {
            let before = match at {
                0 => "",
                at if at == last => word,
                _ => ",",
            };
            write!(f, "{before} {}.{} ({})", it.target, it.key, it.found)?;
        }
        Ok(())
    }
}
