//! `DBRef`s, which are keys that contain the name of their target collection. The library does not follow `DBRef`s.

use super::{targets::Targets, tree::Node};

/// The struct that is generated for `DBRef`s.
pub(super) const STRUCT: &str = r#"/// A `DBRef`: a key, with the collection and maybe the database in which it is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DbRef<K> {
    #[serde(rename = "$ref")]
    pub collection: String,
    #[serde(rename = "$id")]
    pub id: K,
    #[serde(rename = "$db", skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
}
"#;

/// Returns the field that contains the key of the `DBRef`s at a path. All values at this path must be `DBRef`s without
/// further fields.
pub(super) fn key<'n, 's>(node: &'n Node<'s>) -> Option<&'n Node<'s>> {
    let is_full = |field: &Node<'_>| field.survey.missing() == 0 && field.survey.nulls == 0;
    let is_text = |field: &Node<'_>| field.survey.only_type() == Some("string");
    let [(of, collection), (id, key), more @ ..] = node.fields.as_slice() else {
        return None;
    };
    let is_pair = (*of, *id) == ("$ref", "$id") && is_full(collection) && is_text(collection);
    let has_database = match more {
        [] => true,
        [(db, database)] => *db == "$db" && database.survey.nulls == 0 && is_text(database),
        _ => false,
    };
    (is_pair && is_full(key) && has_database).then_some(key)
}

/// Returns a comment about the targets of the `DBRef`s and about how to replace the `DBRef`s.
pub(super) fn remark(node: &Node<'_>, targets: &Targets<'_>, collection: &str) -> String {
    let field = |stored: &str| node.fields.iter().find(|(name, _)| *name == stored);
    let shown = |stored: &str, told: &dyn Fn(u64) -> String| {
        let values = field(stored)
            .into_iter()
            .flat_map(|(_, it)| &it.survey.values);
        let values = values.filter_map(|(value, count)| Some((value.as_str()?, count)));
        let values = values.map(|(name, count)| format!("`{name}`{}", told(*count)));
        values.collect::<Vec<_>>().join(", ")
    };
    let found = field("$id").and_then(|(_, key)| targets.found(collection, key));
    let into = shown("$ref", &|count| match found {
        Some(found) => format!(" ({} of {} keys found)", found.found, found.asked),
        None => format!(" ({count})"),
    });
    let elsewhere = match shown("$db", &|_| String::new()) {
        databases if databases.is_empty() => databases,
        databases => format!(" of the database {databases}"),
    };
    format!(
        "`DBRef`s into {into}{elsewhere}, which the library does not follow: it joins, indexes and checks a field that holds \
         the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`."
    )
}
