//! The documentation of generated items.

use crate::{
    hygiene::{plain, text},
    ir::{Field, Record, Reference, Reverse, Scope, SortKey},
};

pub(super) fn handles(record: &Record) -> String {
    let name = record.name();
    format!(
        "Typed handles of the stored fields of `{name}`.\n\n\
         Got from `{name}::fields()`, or from the handle of a field that embeds a `{name}`."
    )
}

pub(super) fn handle(field: &Field) -> String {
    let (name, stored) = (field.name(), &field.stored);
    if field.flatten {
        return format!("The fields of `{name}`, which serde stores in its place.");
    }
    format!("The field `{name}`, stored as `{stored}`.")
}

pub(super) fn fields(record: &Record) -> String {
    format!(
        "Returns typed handles of the stored fields of `{}`, for filters, sorts and updates.",
        record.name()
    )
}

pub(super) fn codec(record: &Record, field: &Field) -> String {
    format!(
        "How serde writes and reads `{}.{}`.",
        record.name(),
        field.name()
    )
}

/// The documentation of the three methods of a relation.
pub(super) struct RelationDocs {
    pub(super) load: String,
    pub(super) join: String,
    pub(super) count: String,
}

/// Documents `load_all` of an enum of references.
pub(super) fn load_all(record: &Record) -> String {
    format!(
        "Loads the documents that some `{}`s refer to, one slot for each in their order.\n\n\
         Sends one `find` for each model that occurs; see `LoadAll`.",
        record.name()
    )
}

/// Documents `reassign_*`.
pub(super) fn reassign(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    format!(
        "Puts another value into `{name}`, if the stored `{model}` still has the one of this struct.\n\n\
         Moves both ends, `{name}` and the arrays `{inverse}`, and all copies in one transaction; fails with \
         `Error::Reassigned` if somebody else has changed it. See `Reassign` for what is sent."
    )
}

/// Documents `take_*`.
pub(super) fn take(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    format!(
        "Makes this `{model}` the `{inverse}` of documents, which `{name}` then holds, whosever they were.\n\n\
         Moves both ends and all copies in one transaction: all of them, or none. See `Take` for what is sent."
    )
}

/// Documents `link_*`.
pub(super) fn link(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    format!(
        "Adds others to `{name}` of this `{model}`, and this one to `{inverse}` of each of them, in one transaction.\n\n\
         Those that are there already stay as they are. It is an `UpdateOne` with `$addToSet`, and sends what one sends: \
         see there; to the others goes one `update`. An array that is full fails it with `Error::BoundExceeded`, and \
         neither side is written. Of others that are not stored, `{name}` is written alone, until they are inserted."
    )
}

/// Documents `unlink_*`.
pub(super) fn unlink(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    format!(
        "Takes others out of `{name}` of this `{model}`, and this one out of `{inverse}` of each of them, in one \
         transaction.\n\n\
         Those that are not there are no error. It is an `UpdateOne` with `$pull`, and sends what one sends: see there; to \
         the others goes one `update`."
    )
}

const COST: &str = "Sends one `find` with `$in` over the distinct keys, and nothing when there are \
                    no keys.";

const OF_ITS_MODEL: &str = "Only keys of that model are sent. The key in the target needs an index; \
                            `_id` has one.";

impl RelationDocs {
    /// Documents the methods of a reference to one model.
    pub(super) fn stored(field: &Field, reference: &Reference) -> Self {
        let (name, many) = (field.name(), reference.is_many());
        let what = if many && reference.scope.sort.is_empty() {
            format!("the documents that `{name}` refers to, in stored order with repeats")
        } else if many {
            format!("the documents that `{name}` refers to")
        } else {
            format!("the document that `{name}` refers to")
        };
        let index = "The key in the target needs an index; `_id` has one.";
        let builder = if many { "LoadMany" } else { "LoadOne" };
        Self::of(&what, &format!("what `{name}` refers to"), index, builder)
    }

    /// Documents the methods of a polymorphic reference.
    pub(super) fn polymorphic(field: &Field, many: bool) -> Self {
        let name = field.name();
        let what = if many {
            format!(
                "the documents of one model that `{name}` refers to, in stored order with repeats"
            )
        } else {
            format!("the document that `{name}` refers to, if it is of this model")
        };
        let joined = format!("the documents of one model that `{name}` refers to");
        let builder = if many { "LoadMany" } else { "LoadOne" };
        Self::of(&what, &joined, OF_ITS_MODEL, builder)
    }

    /// Documents the methods of an enum of references.
    pub(super) fn of_enum() -> Self {
        let what = "the document that this refers to, if it is of the model";
        let joined = "the documents of one model that they refer to";
        Self::of(what, joined, OF_ITS_MODEL, "LoadOne")
    }

    /// Documents the methods of `has_many` and `has_one`.
    pub(super) fn stored_there(record: &Record, relation: &Reverse) -> Self {
        let path = &relation.path;
        let (documents, builder) = if relation.single {
            ("document", "LoadOne")
        } else {
            ("documents", "LoadMany")
        };
        let what = format!(
            "the {documents} whose `{path}` refers to this `{}`",
            record.name()
        );
        let joined = format!(
            "`{}`, the documents whose `{path}` refers to one of them",
            plain(&relation.name)
        );
        let index = format!("`{path}` needs an index; `sync_indexes` makes it.");
        Self::of(&what, &joined, &index, builder)
    }

    /// Adds the order and the filter that the relation declares.
    pub(super) fn scoped(mut self, scope: &Scope) -> Self {
        let keys = scope.sort.iter().map(|SortKey { path, descending }| {
            let order = if *descending { ", largest first" } else { "" };
            format!("`{path}`{order}")
        });
        let keys: Vec<_> = keys.collect();
        if !keys.is_empty() {
            let sorted = format!(
                "\n\nSorted by {}, unless `sort` says otherwise.",
                keys.join(", then ")
            );
            self.load += &sorted;
            self.join += &sorted;
        }
        if let Some(filter) = &scope.filter {
            let filter = text(filter);
            let filtered = format!("\n\nOnly documents that match `{filter}()`.");
            for doc in [&mut self.load, &mut self.join, &mut self.count] {
                *doc += &filtered;
            }
        }
        self
    }

    fn of(what: &str, joined: &str, index: &str, builder: &str) -> Self {
        Self {
            load: format!(
                "Loads {what}.\n\n{COST} {index} See `{builder}` for options and errors."
            ),
            join: format!(
                "Loads, for many owners at once, {joined}.\n\n{COST} {index} See `Join` for \
                 options and errors."
            ),
            count: format!(
                "Counts {what}.\n\nThe server counts, and nothing is sent when there are no keys. \
                 {index} See `CountRelated` for options and errors."
            ),
        }
    }
}
