//! Maps BSON types to Rust types.

use super::tree::Node;

/// Returns the Rust type that the library stores as exactly this BSON type. Returns `None` if only `Bson` is possible.
pub(super) fn of_value(node: &Node<'_>) -> Option<&'static str> {
    Some(match node.survey.only_type()? {
        "double" => "f64",
        "string" => "String",
        "binData" if is_uuid(node) => "Uuid",
        "binData" => "Binary",
        "objectId" => "ObjectId",
        "bool" => "bool",
        "date" => "DateTime",
        "regex" => "Regex",
        "int" => "i32",
        "timestamp" => "Timestamp",
        "long" => "i64",
        "decimal" => "Decimal128",
        _ => return None,
    })
}

/// Whether all binary values at this path are UUIDs of subtype 4.
pub(super) fn is_uuid(node: &Node<'_>) -> bool {
    node.survey.uuids > 0 && node.survey.uuids == node.values()
}

/// Wraps a type for values that can be missing or null. Also returns the serde attribute that the type needs.
pub(super) fn wrapped(node: &Node<'_>, inner: &str) -> (String, Option<&'static str>) {
    const SKIP_NONE: &str = "skip_serializing_if = \"Option::is_none\"";
    const SKIP_MISSING: &str = "default, skip_serializing_if = \"Presence::is_missing\"";
    let is_bson = inner == "Bson";
    match (node.survey.missing() > 0, node.survey.nulls > 0) {
        (false, false) => (inner.to_owned(), None),
        // `Bson` can already store null.
        (false, true) if is_bson => (inner.to_owned(), None),
        (false, true) => (format!("Option<{inner}>"), None),
        (true, false) => (format!("Option<{inner}>"), Some(SKIP_NONE)),
        (true, true) => (format!("Presence<{inner}>"), Some(SKIP_MISSING)),
    }
}
