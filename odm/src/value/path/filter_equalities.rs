//! Finds the equality conditions in a filter.

use mongodb::bson::{Bson, Document};

/// Lists the values that a filter requires, with their paths. A filter requires a value if it contains an equality
/// condition, with or without `$eq`, at the top level or in an `$and`.
pub(crate) fn equalities(filter: &Document) -> Vec<(&str, &Bson)> {
    let mut found = Vec::new();
    for (path, value) in filter {
        match value {
            Bson::Array(all) if path == "$and" => {
                let all = all.iter().filter_map(Bson::as_document);
                found.extend(all.flat_map(equalities));
            }
            Bson::Document(condition) if condition.keys().any(|key| key.starts_with('$')) => {
                found.extend(condition.get("$eq").map(|value| (&**path, value)));
            }
            _ if path.starts_with('$') => {}
            // Many values match a regular expression.
            Bson::RegularExpression(_) => {}
            value => found.push((path, value)),
        }
    }
    found
}

/// Returns the value that a filter requires at a path, or `None` if the filter has no equality condition for this path.
pub(crate) fn equality_in<'f>(filter: &'f Document, path: &str) -> Option<&'f Bson> {
    let all = equalities(filter);
    all.into_iter()
        .find_map(|(at, value)| (at == path).then_some(value))
}
