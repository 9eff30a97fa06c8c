//! Derived data: fields whose value follows from other documents.

use mongodb::bson::{Bson, Document};
use serde::Serialize;

use super::{ModelShape, OnDelete, StructShape};

/// `#[denorm(from = "Part.name")]`: a copy of a field of another document.
#[derive(Debug)]
#[non_exhaustive]
pub struct CopyShape {
    /// The model that owns the value.
    pub source: fn() -> &'static ModelShape,
    /// The stored path of the value in the source.
    pub path: fn() -> String,
    /// The reference that leads from the copy to its source, as written: a field of the same struct or
    /// `Model.field` when the key is on the other side; found by its type when absent.
    pub via: Option<&'static str>,
    /// Where the keys are when the source stores them (`via = "Model.field"`).
    pub keys: Option<SourceKeys>,
    /// Whether the copy keeps the value that it was given (`snapshot`).
    pub snapshot: bool,
    /// What happens to the copy when its source is deleted and the reference stays: `Keep` or
    /// `Nullify`.
    pub on_delete: OnDelete,
}

/// The keys of a copy whose reference is stored in the source.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SourceKeys {
    /// The stored path of the keys in the source, `parts.id` for instance.
    pub in_source: fn() -> String,
    /// The stored path in the document with the copy that they are compared with, `_id` mostly.
    pub in_target: fn() -> String,
}

impl CopyShape {
    /// Describes a copy of `path` in `source` that follows it.
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

    /// Names the reference that leads from the copy to its source.
    pub const fn via(mut self, via: &'static str) -> Self {
        self.via = Some(via);
        self
    }

    /// Says where the keys are when the source stores them.
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

    /// Says what happens to the copy when its source is deleted and the reference stays.
    pub const fn on_delete(mut self, policy: OnDelete) -> Self {
        self.on_delete = policy;
        self
    }

    /// Keeps the value that the copy was given.
    pub const fn snapshot(mut self) -> Self {
        self.snapshot = true;
        self
    }
}

/// `#[recent(of = "LogMsg", via = "host", sort = "time", limit = 1000)]`: the newest children.
#[derive(Debug)]
#[non_exhaustive]
pub struct RecentShape {
    /// The model of the children.
    pub of: fn() -> &'static ModelShape,
    /// The stored path in a child that refers to this document.
    pub via: fn() -> String,
    /// The stored path in a child that orders the list.
    pub sort: fn() -> String,
    /// The largest number of entries.
    pub limit: u32,
    /// The stored path in this document that the keys of the children equal.
    pub key: fn() -> String,
    /// What is kept of each child; all its fields where that is the model itself.
    pub line: fn() -> Option<&'static StructShape>,
    /// Whether the list begins with the newest.
    pub descending: bool,
    /// Which children count; all without one.
    pub filter: Option<ChildFilter>,
}

/// Returns the filter of the children of which a field is computed, or why it cannot be written as BSON.
pub type ChildFilter = fn() -> Result<Document, String>;

impl RecentShape {
    /// Describes a capped list.
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

    /// Says what the keys of the children equal, if that is no `_id`.
    pub const fn key(mut self, key: fn() -> String) -> Self {
        self.key = key;
        self
    }

    /// Lets the list begin with the newest.
    pub const fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Says which children count.
    pub const fn filter(mut self, filter: ChildFilter) -> Self {
        self.filter = Some(filter);
        self
    }
}

/// What a running summary computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RollupKind {
    /// The number of children.
    Count,
    /// The sum of a field of the children.
    Sum,
    /// The mean of a field of the children, stored as sum and count.
    Average,
    /// The smallest value of a field of the children.
    Min,
    /// The largest value of a field of the children.
    Max,
}

/// `#[rollup(count, of = "LogMsg", via = "host")]`: a running summary over children.
#[derive(Debug)]
#[non_exhaustive]
pub struct RollupShape {
    /// What is computed.
    pub kind: RollupKind,
    /// The model of the children.
    pub of: fn() -> &'static ModelShape,
    /// The stored path in a child that refers to this document.
    pub via: fn() -> String,
    /// The stored path in a child that is summed up; absent for a count.
    pub field: Option<fn() -> String>,
    /// The stored path in this document that the keys of the children equal.
    pub key: fn() -> String,
    /// The sum of no children, in the type of the field; absent where nothing is summed.
    pub zero: Option<fn() -> Bson>,
    /// Which children count; all without one.
    pub filter: Option<ChildFilter>,
}

impl RollupShape {
    /// Describes a summary.
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

    /// Says which children count.
    pub const fn filter(mut self, filter: ChildFilter) -> Self {
        self.filter = Some(filter);
        self
    }

    /// Says what the keys of the children equal, if that is no `_id`.
    pub const fn key(mut self, key: fn() -> String) -> Self {
        self.key = key;
        self
    }

    /// Says what the sum of no children is.
    pub const fn zero(mut self, zero: fn() -> Bson) -> Self {
        self.zero = Some(zero);
        self
    }

    /// Names the field that is summed up.
    pub const fn field(mut self, path: fn() -> String) -> Self {
        self.field = Some(path);
        self
    }
}

/// `#[links]`: the links array of the Single Collection Pattern.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct LinksShape {
    /// The stored path of the id in a link; empty where a link is an id.
    pub target: &'static str,
    /// The stored path of the kind in a link; none where a link is an id.
    pub kind: Option<&'static str>,
    /// What stands between the ids where they are one text, that of the parent first; none for an array.
    pub separator: Option<&'static str>,
    /// Whether the array has the link to its own document alone, and others link to it.
    pub one_sided: bool,
    /// Reads a link as the struct does, or says why it cannot.
    #[serde(skip)]
    pub reads: Option<fn(Bson) -> Result<(), String>>,
}

/// Functions have no identity: what is said of the links counts.
impl PartialEq for LinksShape {
    fn eq(&self, other: &Self) -> bool {
        let said = |of: &Self| (of.target, of.kind, of.separator, of.one_sided);
        said(self) == said(other)
    }
}

impl LinksShape {
    /// Describes links with an id and a kind.
    pub const fn structs(target: &'static str, kind: &'static str) -> Self {
        Self {
            target,
            kind: Some(kind),
            ..Self::ids()
        }
    }

    /// Describes links that are ids.
    pub const fn ids() -> Self {
        Self {
            target: "",
            kind: None,
            separator: None,
            one_sided: false,
            reads: None,
        }
    }

    /// Describes a text with the id of the parent and that of the document.
    pub const fn prefix(separator: &'static str) -> Self {
        Self {
            separator: Some(separator),
            ..Self::ids()
        }
    }

    /// Says how the struct reads a link.
    pub const fn reads(mut self, reads: fn(Bson) -> Result<(), String>) -> Self {
        self.reads = Some(reads);
        self
    }

    /// Leaves the links to the other side.
    pub const fn one_sided(mut self) -> Self {
        self.one_sided = true;
        self
    }
}
