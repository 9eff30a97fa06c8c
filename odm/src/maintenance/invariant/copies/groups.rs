//! Groups the copies of an extended reference by key and value. The grouping runs on the server.
//!
//! The server treats equal numbers of different types as equal. To separate these numbers, a group is also identified
//! by a signature of the types in its values.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{
        command::{AggregateCommand, simple},
        place::Place,
    },
    graph::ExtendedReference,
    value::path::join,
};

/// Returns the pipeline that groups the copies. The aggregation returns one document for each combination of a key and
/// the values of its copies: `{_id: {k, v0, v1, ..}, n}`.
///
/// The copies are grouped before any source is read. If there are no differences, 300,000 copies of 20 sources form
/// only 20 groups. If the key is the document's `_id`, every group would have only one member, so the documents are not
/// grouped.
///
/// `$unwind` accepts values that a fan-out does not treat as arrays, so the aggregation can return too many groups.
/// Additional groups are harmless, because the later read of the documents is exact. A [`signature`] distinguishes
/// values that differ but that the server considers equal.
fn pipeline(reference: &ExtendedReference) -> Vec<Document> {
    let mut stages = Vec::new();
    let mut path = String::new();
    for array in &reference.place.arrays {
        path = join(&path, array);
        stages.push(doc! { "$unwind": format!("${path}") });
    }
    let mut group = doc! { "k": format!("${}", reference.key_path()) };
    for (at, copy) in reference.copy_paths().enumerate() {
        let value = format!("${copy}");
        if !is_one_each(reference) {
            group.insert(format!("s{at}"), signature(&value, DEPTH));
        }
        group.insert(value_name(at), value);
    }
    stages.push(if is_one_each(reference) {
        doc! { "$replaceWith": { "_id": group } }
    } else {
        doc! { "$group": { "_id": group, "n": { "$sum": 1 } } }
    });
    stages
}

/// Depth to which the types inside values are compared. A value with deeper nesting always forms a separate group.
const DEPTH: usize = 4;

/// Returns an expression that distinguishes values that the server considers equal. The expression combines the types
/// of all nested values, and the text of numbers that have several representations.
fn signature(value: &str, depth: usize) -> Document {
    let kind = doc! { "$type": value };
    let of_each = |input: Bson, inner: &str| {
        let (name, inner) = (format!("e{depth}"), format!("$$e{depth}{inner}"));
        doc! { "$map": { "input": input, "as": name, "in": signature(&inner, depth - 1) } }
    };
    // A value that cannot be converted to text gets a random signature, and therefore forms a separate group.
    let text = doc! { "input": value, "to": "string", "onError": { "$rand": {} } };
    let mut inside = doc! { "$convert": text };
    if depth > 0 {
        let of_fields = of_each(doc! { "$objectToArray": value }.into(), ".v");
        let is_object = doc! { "$eq": [kind.clone(), "object"] };
        inside = doc! { "$cond": [is_object, of_fields, inside] };
        inside = doc! { "$cond": [{ "$isArray": value }, of_each(value.into(), ""), inside] };
    }
    let has_more = [
        "double",
        "decimal",
        "object",
        "array",
        "javascriptWithScope",
    ];
    let is_more = doc! { "$in": [kind.clone(), has_more.to_vec()] };
    let of_others = doc! { "$cond": [is_more, [kind.clone(), inside], kind.clone()] };
    // Most copies are strings, so strings are tested first.
    doc! { "$cond": [{ "$eq": [kind, "string"] }, "string", of_others] }
}

/// Whether the key is the `_id`, so that every document has a different key.
fn is_one_each(reference: &ExtendedReference) -> bool {
    reference.key_path() == "_id"
}

/// Returns the name of the field that contains the value of a copy in a group, such as `v0` for the first copy.
pub(super) fn value_name(at: usize) -> String {
    format!("v{at}")
}

/// Returns the aggregation that groups the copies of an extended reference.
pub(super) fn aggregate(reference: &ExtendedReference) -> AggregateCommand {
    // With a different collation, copies that differ only in case could be in the same group.
    let mut grouped = AggregateCommand::new(Place::at(&reference.target), pipeline(reference))
        .collation(simple());
    grouped.options.allow_disk_use = Some(true);
    grouped
}
