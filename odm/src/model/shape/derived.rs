//! The shapes of derived data, that is, of fields whose values come from other documents.

use mongodb::bson::{Bson, Document};
use serde::Serialize;

use super::{ModelShape, OnDelete, StructShape, shape_setters};

/// The declaration of a field whose value comes from other documents. A field has at most one such declaration.
#[derive(Debug)]
#[non_exhaustive]
pub enum DerivedShape {
    /// A copy of a field in another document.
    Copy(CopyShape),
    /// A list of the newest children.
    Recent(RecentShape),
    /// A summary over children.
    Rollup(RollupShape),
}

/// The shape of `#[denorm(from = "Part.name")]`: a copy of a field in another document.
#[derive(Debug)]
#[non_exhaustive]
pub struct CopyShape {
    /// The model that contains the source field.
    pub source: fn() -> &'static ModelShape,
    /// The stored path of the source field.
    pub path: fn() -> String,
    /// The reference between the copy and its source, as written in the attribute.
    ///
    /// The reference is a field of the same struct, or `Model.field` if the source stores the key. If the attribute
    /// does not contain a reference, the library finds the reference by its type.
    pub via: Option<&'static str>,
    /// The paths of the keys, if the source stores them (`via = "Model.field"`).
    pub keys: Option<SourceKeys>,
    /// Whether the copy keeps its first value (`snapshot`).
    pub snapshot: bool,
    /// The rule that applies to the copy if its source is deleted and the reference remains. The rule is `Keep` or
    /// `Nullify`.
    pub on_delete: OnDelete,
}

/// The paths of the keys that connect a copy to its source, if the source stores the reference.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SourceKeys {
    /// The stored path of the keys in the source document, for example `parts.id`.
    pub in_source: fn() -> String,
    /// The stored path of the field with which the keys are compared, usually `_id`. This field is in the document that
    /// contains the copy.
    pub in_target: fn() -> String,
}

#[doc(hidden)]
impl CopyShape {
    /// Describes a copy of the field at `path` in the model `source`.
    pub const fn new(source: fn() -> &'static ModelShape, path: fn() -> String) -> Self {
        Self {
            source,
            path,
            via: None,
            keys: None,
            snapshot: false,
            on_delete: OnDelete::Keep,
        }
    }

    /// Sets the paths of the keys, if the source stores them.
    pub const fn keys_in_source(
        mut self,
        in_source: fn() -> String,
        in_target: fn() -> String,
    ) -> Self {
        self.keys = Some(SourceKeys {
            in_source,
            in_target,
        });
        self
    }

    shape_setters! {
        /// Sets the reference between the copy and its source.
        via(via: &'static str) => via = Some(via);

        /// Sets the rule that applies to the copy if its source is deleted and the reference remains.
        on_delete(policy: OnDelete) => on_delete = policy;

        /// Declares that the copy keeps its first value.
        snapshot() => snapshot = true;
    }
}

/// The shape of `#[recent(of = "LogMsg", via = "host", sort = "time", limit = 1000)]`: the newest children.
#[derive(Debug)]
#[non_exhaustive]
pub struct RecentShape {
    /// The model of the children.
    pub of: fn() -> &'static ModelShape,
    /// The stored path of the reference in a child.
    pub via: fn() -> String,
    /// The stored path of the sort field in a child.
    pub sort: fn() -> String,
    /// The maximum number of entries in the list.
    pub limit: u32,
    /// The stored path of this document's field with which the children's keys are compared.
    pub key: fn() -> String,
    /// The fields of each child that the list stores. `None` means all fields of the model.
    pub line: fn() -> Option<&'static StructShape>,
    /// Whether the list begins with the newest child.
    pub descending: bool,
    /// The filter that selects the children. `None` means all children.
    pub filter: Option<ChildFilter>,
}

/// A function that returns the filter that selects children. The function returns an error message if the filter
/// cannot be written as BSON.
pub type ChildFilter = fn() -> Result<Document, String>;

#[doc(hidden)]
impl RecentShape {
    /// Describes a recent list.
    pub const fn new(
        of: fn() -> &'static ModelShape,
        via: fn() -> String,
        sort: fn() -> String,
        limit: u32,
        line: fn() -> Option<&'static StructShape>,
    ) -> Self {
        Self {
            of,
            via,
            sort,
            limit,
            key: || "_id".to_owned(),
            line,
            descending: false,
            filter: None,
        }
    }

    shape_setters! {
        /// Sets the path of this document's field with which the children's keys are compared. The default is `_id`.
        key(key: fn() -> String) => key = key;

        /// Declares that the list begins with the newest child.
        descending() => descending = true;

        /// Sets the filter that selects the children.
        filter(filter: ChildFilter) => filter = Some(filter);
    }
}

/// The way in which a summary is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RollupKind {
    /// The number of children.
    Count,
    /// The sum of a field over all children.
    Sum,
    /// The mean of a field over all children, stored as a sum and a count.
    Average,
    /// The smallest value of a field among the children.
    Min,
    /// The largest value of a field among the children.
    Max,
}

impl RollupKind {
    /// Returns the name of the kind as written in `#[rollup(..)]`, for example `sum`.
    #[doc(hidden)]
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Average => "average",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// The shape of `#[rollup(count, of = "LogMsg", via = "host")]`: a summary over children.
#[derive(Debug)]
#[non_exhaustive]
pub struct RollupShape {
    /// The way in which the summary is computed.
    pub kind: RollupKind,
    /// The model of the children.
    pub of: fn() -> &'static ModelShape,
    /// The stored path of the reference in a child.
    pub via: fn() -> String,
    /// The stored path of the summarized field in a child. `None` for a count, which does not summarize a field.
    pub field: Option<fn() -> String>,
    /// The stored path of this document's field with which the children's keys are compared.
    pub key: fn() -> String,
    /// The sum for zero children, in the field's type. `None` if the summary is not a sum.
    pub zero: Option<fn() -> Bson>,
    /// The filter that selects the children. `None` means all children.
    pub filter: Option<ChildFilter>,
}

#[doc(hidden)]
impl RollupShape {
    /// Describes a summary over the children of a model.
    pub const fn new(
        kind: RollupKind,
        of: fn() -> &'static ModelShape,
        via: fn() -> String,
    ) -> Self {
        Self {
            kind,
            of,
            via,
            field: None,
            key: || "_id".to_owned(),
            zero: None,
            filter: None,
        }
    }

    shape_setters! {
        /// Sets the filter that selects the children.
        filter(filter: ChildFilter) => filter = Some(filter);

        /// Sets the path of this document's field with which the children's keys are compared. The default is `_id`.
        key(key: fn() -> String) => key = key;

        /// Sets the sum for zero children.
        zero(zero: fn() -> Bson) => zero = Some(zero);

        /// Sets the path of the summarized field in a child.
        field(path: fn() -> String) => field = Some(path);
    }
}

/// The shape of `#[links]`: the links array of the Single Collection Pattern.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct LinksShape {
    /// The stored path of the id inside a link. The path is empty if a link consists of an id only.
    pub target: &'static str,
    /// The stored path of the kind inside a link. `None` if a link consists of an id only.
    pub kind: Option<&'static str>,
    /// The separator, if the field is a single string that consists of the parent's id, the separator and the
    /// document's id. `None` if the field is an array.
    pub separator: Option<&'static str>,
    /// Whether the array contains only the document's link to itself. In this case, only the other documents store
    /// links to this document.
    pub one_sided: bool,
    /// A function that checks whether the struct can read a link. The function returns an error message if the link
    /// cannot be read.
    #[serde(skip)]
    pub reads: Option<fn(Bson) -> Result<(), String>>,
}

/// Function pointers cannot be compared reliably, so only the other fields are compared.
impl PartialEq for LinksShape {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.target, of.kind, of.separator, of.one_sided);
        said(self) == said(other)
    }
}

#[doc(hidden)]
impl LinksShape {
    /// Describes links that are structs with an id and a kind.
    pub const fn structs(target: &'static str, kind: &'static str) -> Self {
        Self {
            target,
            kind: Some(kind),
            ..Self::ids()
        }
    }

    /// Describes links that consist of an id only.
    pub const fn ids() -> Self {
        Self {
            target: "",
            kind: None,
            separator: None,
            one_sided: false,
            reads: None,
        }
    }

    /// Describes a string field that contains the parent's id and the document's own id.
    pub const fn prefix(separator: &'static str) -> Self {
        Self {
            separator: Some(separator),
            ..Self::ids()
        }
    }

    shape_setters! {
        /// Sets the function that tries to read a link.
        reads(reads: fn(Bson) -> Result<(), String>) => reads = Some(reads);

        /// Declares that only the other documents store links to a document.
        one_sided() => one_sided = true;
    }
}
