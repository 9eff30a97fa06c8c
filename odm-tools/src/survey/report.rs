//! What a survey has found.

use std::fmt;

use mongo_odm::IndexSpec;
use mongodb::bson::{Bson, Document};

/// What [`survey`](crate::OdmTools::survey) has found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Survey {
    /// The name of the database.
    pub database: String,
    /// The collections, by name.
    pub collections: Vec<CollectionSurvey>,
    /// Values that are keys of another collection, one for each path at most: see
    /// [`SurveyDatabase`](crate::SurveyDatabase) for what decides.
    pub references: Vec<ReferenceSurvey>,
    /// Values that are keys of several collections, of which nothing tells the right one, or among which they are divided.
    pub undecided: Vec<UndecidedSurvey>,
    /// Values that are keys of a collection as well, but are copies that stand beside a reference to it.
    pub copies: Vec<CopySurvey>,
    /// The views, of which nothing else is known.
    pub views: Vec<ViewSurvey>,
    /// What could not be read, and why; of single collections see [`CollectionSurvey::notes`].
    pub notes: Vec<String>,
}

impl Survey {
    /// Returns what was found in a collection.
    pub fn collection(&self, name: &str) -> Option<&CollectionSurvey> {
        self.collections.iter().find(|it| it.name == name)
    }
}

/// One collection.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CollectionSurvey {
    /// The name.
    pub name: String,
    /// Whether it is a time series.
    pub is_timeseries: bool,
    /// Whether it is capped: the oldest documents make room for new ones.
    pub is_capped: bool,
    /// How many documents the server takes it to have; none if it did not say.
    pub documents: Option<u64>,
    /// The bytes of an average document, as the server knows them.
    pub average_size: Option<u64>,
    /// The bytes of all documents, before compression.
    pub size: Option<u64>,
    /// The bytes that its documents take on disk.
    pub storage_size: Option<u64>,
    /// All indexes but the one on `_id`.
    pub indexes: Vec<IndexSpec>,
    /// The default collation, if it is not the simple one.
    pub collation: Option<Document>,
    /// How many documents were looked at.
    pub sampled: u64,
    /// Whether these are all that there are.
    pub is_complete: bool,
    /// How large they are.
    pub sizes: Option<Sizes>,
    /// What stands at each path, in the order in which documents have their fields.
    pub paths: Vec<PathSurvey>,
    /// The documents themselves, if [`keep_documents`](crate::SurveyDatabase::keep_documents) asked for them.
    pub sample: Vec<Document>,
    /// What could not be read, and why.
    pub notes: Vec<String>,
}

impl CollectionSurvey {
    /// Returns what stands at a path, as [`PathSurvey::path`] writes it.
    pub fn path(&self, path: &str) -> Option<&PathSurvey> {
        self.paths.iter().find(|it| it.path == path)
    }

    /// Whether a unique index is on a path, by which the server finds what it is asked for.
    pub(super) fn has_unique(&self, path: &str) -> bool {
        self.indexes.iter().any(|index| {
            let is_unique = index.options.get_bool("unique").unwrap_or_default();
            // The server finds nothing by an index that lacks documents, or that compares in another way.
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
    /// The field of this name.
    Field(String),
    /// Each element of an array.
    Each,
    /// Each field of a document whose names are values.
    AnyField,
}

/// What stands at one path of the sampled documents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathSurvey {
    /// The path: `orders[].lines[].sku`, and `scores.*` below a document whose names are values.
    pub path: String,
    /// The path, step by step.
    pub steps: Vec<PathStep>,
    /// In how many documents of the sample it stands at least once, null or not.
    pub documents: u64,
    /// How often it stands anywhere, null or not.
    pub present: u64,
    /// How many documents, embedded ones or arrays there are that could have it: `parents - present` of fields are
    /// missing.
    pub parents: u64,
    /// How often it is null.
    pub nulls: u64,
    /// The types of what is not null, the most frequent first.
    pub types: Vec<TypeSurvey>,
    /// The lengths, where it is an array.
    pub lengths: Option<Lengths>,
    /// The different values with how often each stands, the most frequent first: strings of up to 100 bytes, numbers,
    /// ids and other small values, 1,000 at most.
    pub values: Vec<(Bson, u64)>,
    /// Whether [`values`](Self::values) has all of them.
    pub values_are_complete: bool,
}

impl PathSurvey {
    /// Returns how often it is missing where it could stand.
    pub const fn missing(&self) -> u64 {
        self.parents.saturating_sub(self.present)
    }

    /// Returns the type, if all that is not null is of one.
    pub fn only_type(&self) -> Option<&'static str> {
        match self.types.as_slice() {
            [only] => Some(only.name),
            _ => None,
        }
    }

    /// Returns the last name of the path, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            PathStep::Field(name) => Some(name.as_str()),
            PathStep::Each | PathStep::AnyField => None,
        })
    }
}

/// One BSON type at a path.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TypeSurvey {
    /// The type, as `$type` names it: `string`, `int`, `objectId`.
    pub name: &'static str,
    /// How often it stands there.
    pub count: u64,
    /// The `_id` of a document where it does.
    pub example: Bson,
}

/// The lengths of the arrays at a path.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lengths {
    /// The shortest.
    pub min: u64,
    /// Half of them are not longer.
    pub median: u64,
    /// 95 of 100 are not longer.
    pub p95: u64,
    /// 99 of 100 are not longer.
    pub p99: u64,
    /// The longest.
    pub max: u64,
    /// The `_id` of the document that has the longest.
    pub longest: Bson,
}

/// The sizes of sampled documents, in bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sizes {
    /// Half of them are not larger.
    pub median: u64,
    /// 95 of 100 are not larger.
    pub p95: u64,
    /// The largest.
    pub max: u64,
    /// Its `_id`.
    pub largest: Bson,
}

/// Values of one collection that are keys of another, or of itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReferenceSurvey {
    /// The collection that refers.
    pub collection: String,
    /// The path of the values, as in [`PathSurvey::path`].
    pub path: String,
    /// The collection that they lead to.
    pub target: String,
    /// The field there that has the key, `_id` for the most part.
    pub key: String,
    /// How many different values were asked for.
    pub asked: u64,
    /// How many of them are there.
    pub found: u64,
    /// Some values that lead nowhere.
    pub dangling: Vec<Bson>,
    /// Whether the names fit, the path to the collection; values without order, such as an `ObjectId`, need no such name.
    pub is_named: bool,
    /// Other collections that have the values, whose names fit as well or that have more of them.
    pub rivals: Vec<TargetSurvey>,
}

/// A collection that has values as its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TargetSurvey {
    /// The collection.
    pub target: String,
    /// The field there that has the key.
    pub key: String,
    /// How many of the values are there.
    pub found: u64,
}

/// Values of one collection that are keys of several others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndecidedSurvey {
    /// The collection that refers.
    pub collection: String,
    /// The path of the values, as in [`PathSurvey::path`].
    pub path: String,
    /// How many different values were asked for.
    pub asked: u64,
    /// The collections that they may lead to, those that have most of the values first.
    pub candidates: Vec<TargetSurvey>,
    /// Whether they are divided: some lead to one collection alone, others to another.
    pub is_divided: bool,
}

/// Values that equal a field of the documents which the keys beside them lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopySurvey {
    /// The collection that has the copies.
    pub collection: String,
    /// The path of the copies, as in [`PathSurvey::path`].
    pub path: String,
    /// The path of the keys beside them.
    pub keys: String,
    /// The collection that these lead to.
    pub target: String,
    /// The field there that is copied.
    pub from: String,
}

/// A view.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ViewSurvey {
    /// The name.
    pub name: String,
    /// The collection or view that it is of.
    pub on: String,
    /// What it makes of its documents.
    pub pipeline: Vec<Document>,
}

impl ReferenceSurvey {
    /// Returns the share of the values that are there.
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
