//! Finds the paths of the conditions in a filter.

use mongodb::bson::{Bson, Document};

use super::without_positions;

/// Calls a function for the stored path of each condition in a filter. The paths do not contain
/// element positions.
///
/// Paths inside an expression (`$expr`) or code are not included.
pub fn each_filtered_path(filter: &Document, found: &mut impl FnMut(&str)) {
    each_below("", filter, found);
}

fn each_below(above: &str, filter: &Document, found: &mut impl FnMut(&str)) {
    for (name, condition) in filter {
        match (name.as_str(), condition) {
            ("$and" | "$or" | "$nor", Bson::Array(clauses)) => {
                let clauses = clauses.iter().filter_map(Bson::as_document);
                clauses.for_each(|clause| each_below(above, clause, found));
            }
            (operator, _) if operator.starts_with('$') => {}
            (path, condition) => {
                let path = without_positions(path);
                let path = match above {
                    "" => path,
                    above => format!("{above}.{path}"),
                };
                found(&path);
                let element = condition.as_document();
                if let Some(Ok(element)) = element.map(|it| it.get_document("$elemMatch")) {
                    each_below(&path, element, found);
                }
            }
        }
    }
}

/// Returns whether a filter contains a text search.
pub(crate) fn is_text_search(filter: &Document) -> bool {
    filter.iter().any(|(key, value)| match value {
        _ if key == "$text" => true,
        Bson::Array(filters) if key.starts_with('$') => filters
            .iter()
            .filter_map(Bson::as_document)
            .any(is_text_search),
        _ => false,
    })
}

/// Returns the path of a condition that sorts documents by their distance, which requires a geospatial index.
pub(crate) fn near_path(filter: &Document) -> Option<&str> {
    filter.iter().find_map(|(key, value)| match value {
        Bson::Array(all) if key == "$and" => {
            let mut all = all.iter().filter_map(Bson::as_document);
            all.find_map(near_path)
        }
        Bson::Document(condition) => {
            let sorts = ["$near", "$nearSphere"];
            let sorts = sorts.iter().any(|name| condition.contains_key(name));
            sorts.then_some(key.as_str())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn conditions_are_found_in_clauses_and_elements() {
        let filter = doc! {
            "name": "x",
            "$or": [{ "lines.0.qty": { "$gt": 1 } }, { "$nor": [{ "at": null }] }],
            "tags": { "$elemMatch": { "kind": 1, "$or": [{ "of": 2 }] } },
            "$expr": { "$eq": ["$a", "$b"] },
        };
        let mut paths = Vec::new();
        each_filtered_path(&filter, &mut |path| paths.push(path.to_owned()));
        assert_eq!(
            paths,
            ["name", "lines.qty", "at", "tags", "tags.kind", "tags.of"]
        );
    }
}
