//! Writes the documentation of generated items.

use crate::{
    hygiene::{plain, text},
    ir::{Field, Record, Reference, Reverse, Scope, SortKey},
};

pub(super) fn handles(record: &Record) -> String {
    let name = record.name();
    format!(
        "Typed field handles of `{name}`, from `{name}::fields()` or from the handle of a field that embeds it."
    )
}

pub(super) fn handle(field: &Field) -> String {
    let (name, stored) = (field.name(), &field.stored);
    if field.flatten {
        return format!("The fields of `{name}`, which serde flattens.");
    }
    format!("The field `{name}`, stored as `{stored}`.")
}

pub(super) fn fields(record: &Record) -> String {
    format!(
        "Returns typed field handles of `{}`, for filters, sorts and updates.",
        record.name()
    )
}

pub(super) fn codec(record: &Record, field: &Field) -> String {
    format!("The codec of `{}.{}`.", record.name(), field.name())
}

/// Returns a link to an item of the library. The complete documentation is on the linked page, so the generated
/// text can be short.
///
/// Rustdoc can resolve neither a leading `::` nor the `$crate` in a `macro_rules` macro.
fn link_to(record: &Record, path: &str) -> String {
    let library = text(&record.library);
    let library = library.trim_start_matches("::");
    let name = path.split_once("::").map_or(path, |(_, name)| name);
    if library.contains('$') {
        return format!("`{name}`");
    }
    format!("[`{name}`]({library}::{path})")
}

/// Returns the documentation of `load_all` on an enum of references.
pub(super) fn load_all(record: &Record) -> String {
    let all = link_to(record, "relation::LoadAll");
    format!(
        "Loads the documents that `{}` references refer to, one slot for each reference in their order.\n\n\
         # Sends\n\nOne `find` for each model that occurs: see {all}.\n\n\
         # Index\n\nAn index on the key in each target. `_id` has one, and `sync_indexes` creates others.\n\n\
         # Errors\n\nSee {all}.",
        record.name()
    )
}

/// Returns the documentation of `reassign_*`.
pub(super) fn reassign(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    let builder = link_to(record, "action::Reassign");
    format!(
        "Changes `{name}`, if the stored `{model}` still has the value of this struct.\n\n\
         # Sends\n\nOne transaction, which also updates `{inverse}` at both ends and all copies: see {builder}.\n\n\
         # Index\n\nAn index on `{name}`. `sync_indexes` creates it.\n\n\
         # Errors\n\n`Error::Reassigned` if the stored value is different. See {builder}."
    )
}

/// Returns the documentation of `take_*`.
pub(super) fn take(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    let builder = link_to(record, "action::Take");
    format!(
        "Changes `{inverse}` of documents to this `{model}`, which moves them into `{name}`: all of them, or none.\n\n\
         # Sends\n\nOne transaction, which also updates the arrays of all owners and all copies: see {builder}.\n\n\
         # Index\n\nAn index on `{inverse}`. `sync_indexes` creates it.\n\n\
         # Errors\n\n`Error::NotFound` if a document does not exist. See {builder}."
    )
}

/// Returns the documentation of `link_*`.
pub(super) fn link(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    let builder = link_to(record, "action::UpdateOne");
    format!(
        "Adds other documents to `{name}` of this `{model}`, and this one to `{inverse}` of each of them.\n\n\
         Existing links stay unchanged. A document that does not exist yet gets its `{inverse}` when it is inserted.\n\n\
         # Sends\n\nOne transaction: an {builder} with `$addToSet`, and one `update` of the other documents.\n\n\
         # Errors\n\n`Error::BoundExceeded` if an array is full. Then nothing is written. See {builder}."
    )
}

/// Returns the documentation of `unlink_*`.
pub(super) fn unlink(record: &Record, field: &Field, inverse: &str) -> String {
    let (model, name) = (record.name(), field.name());
    let builder = link_to(record, "action::UpdateOne");
    format!(
        "Removes other documents from `{name}` of this `{model}`, and this one from `{inverse}` of each of them.\n\n\
         Missing links are not an error.\n\n\
         # Sends\n\nOne transaction: an {builder} with `$pull`, and one `update` of the other documents.\n\n\
         # Errors\n\nSee {builder}."
    )
}

/// Returns the documentation of `linked` on an enum over the kinds of a collection.
pub(super) fn linked(record: &Record) -> String {
    let query = link_to(record, "action::LinkedQuery");
    format!(
        "Finds a document and all documents that it is linked with, grouped by kind.\n\n\
         `by` is an id of any kind, or a document of `{}`.\n\n\
         # Sends\n\nOne `find`: see {query}.\n\n\
         # Index\n\nAn index on the links. `sync_indexes` creates it.\n\n\
         # Errors\n\nSee {query}.",
        record.name()
    )
}

/// The documentation of the three methods of a relation.
pub(super) struct RelationDocs {
    pub(super) load: String,
    pub(super) join: String,
    pub(super) count: String,
}

const KEY: &str =
    "An index on the key in the target. `_id` has one, and `sync_indexes` creates others.";

impl RelationDocs {
    /// Returns the documentation for the methods of a reference to one model.
    pub(super) fn stored(record: &Record, field: &Field, reference: &Reference) -> Self {
        let (name, many) = (field.name(), reference.is_many());
        let documents = if many && reference.scope.sort.is_empty() {
            format!("the documents that `{name}` refers to, in stored order with repeats")
        } else if many {
            format!("the documents that `{name}` refers to")
        } else {
            format!("the document that `{name}` refers to")
        };
        let joined = format!("the documents that `{name}` refers to, for many owners");
        Self::of(
            record,
            many,
            Some(&reference.scope),
            &documents,
            &joined,
            KEY,
        )
    }

    /// Returns the documentation for the methods of a polymorphic reference.
    pub(super) fn polymorphic(record: &Record, field: &Field, many: bool) -> Self {
        let name = field.name();
        let documents = if many {
            format!(
                "the documents of one model that `{name}` refers to, in stored order with repeats"
            )
        } else {
            format!("the document that `{name}` refers to, if it is of this model")
        };
        let joined = format!("the documents of one model that `{name}` refers to, for many owners");
        Self::of(record, many, None, &documents, &joined, KEY)
    }

    /// Returns the documentation for the methods of an enum of references.
    pub(super) fn of_enum(record: &Record) -> Self {
        let document = "the document that this refers to, if it is of this model";
        let joined = "the documents of one model that many references refer to";
        Self::of(record, false, None, document, joined, KEY)
    }

    /// Returns the documentation for the methods of a `has_many` or `has_one`.
    pub(super) fn stored_there(record: &Record, relation: &Reverse) -> Self {
        let (path, owner) = (&relation.path, record.name());
        let documents = if relation.single {
            "document"
        } else {
            "documents"
        };
        let loaded = format!("the {documents} with a `{path}` that refers to this `{owner}`");
        let joined = format!(
            "`{}` of many owners: the documents with a `{path}` that refers to one of them",
            plain(&relation.name)
        );
        let index = format!("An index on `{path}`. `sync_indexes` creates it.");
        let (many, scope) = (!relation.single, Some(&relation.scope));
        Self::of(record, many, scope, &loaded, &joined, &index)
    }

    fn of(
        record: &Record,
        many: bool,
        scope: Option<&Scope>,
        documents: &str,
        joined: &str,
        index: &str,
    ) -> Self {
        let load = if many { "LoadMany" } else { "LoadOne" };
        let [load, join, count] = [load, "Join", "CountRelated"]
            .map(|builder| link_to(record, &format!("relation::{builder}")));
        let (order, filter) = (scope.and_then(order), scope.and_then(filter));
        let (order, filter) = (order.unwrap_or_default(), filter.unwrap_or_default());
        let rest = |statement: &str, builder: &str| {
            format!(
                "{filter}\n\n# Sends\n\nOne `{statement}`, or nothing without keys: see {builder}.\n\n\
                 # Index\n\n{index}\n\n# Errors\n\nSee {builder}."
            )
        };
        Self {
            load: format!("Loads {documents}.{order}{}", rest("find", &load)),
            join: format!("Loads {joined}.{order}{}", rest("find", &join)),
            count: format!("Counts {documents}.{}", rest("aggregate", &count)),
        }
    }
}

fn order(scope: &Scope) -> Option<String> {
    let keys = scope.sort.iter().map(|SortKey { path, descending }| {
        let order = if *descending { ", largest first" } else { "" };
        format!("`{path}`{order}")
    });
    let keys: Vec<_> = keys.collect();
    let order = keys.join(", then ");
    (!keys.is_empty()).then(|| format!("\n\nSorted by {order}. `sort` replaces this order."))
}

fn filter(scope: &Scope) -> Option<String> {
    let filter = text(scope.filter.as_ref()?);
    Some(format!("\n\nOnly documents that match `{filter}()`."))
}
