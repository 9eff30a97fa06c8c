//! Finds the paths that a pipeline update writes to.

use mongodb::bson::{Bson, Document};

use crate::value::path::join;

/// Lists the paths that a pipeline writes to, or returns `None` if a stage may write to any path.
///
/// A stage that only removes fields does not count as a write, because it cannot extend an array.
pub(super) fn written_paths(stages: &[Document]) -> Option<Vec<String>> {
    let mut paths = Vec::new();
    for (stage, argument) in stages.iter().flatten() {
        match (stage.as_str(), argument) {
            ("$set" | "$addFields", Bson::Document(fields)) => {
                assigned_paths(fields, "", &mut paths);
            }
            ("$project", Bson::Document(fields)) => projected(fields, "", &mut paths),
            ("$unset", _) => {}
            ("$replaceWith", root) => paths.extend(replaced_paths(root)?),
            ("$replaceRoot", Bson::Document(root)) => {
                paths.extend(replaced_paths(root.get("newRoot")?)?);
            }
            _ => return None,
        }
    }
    Some(paths)
}

/// Returns whether a document is an expression, as opposed to a struct with fields.
fn is_expression(document: &Document) -> bool {
    document.keys().any(|name| name.starts_with('$'))
}

/// Lists the paths that receive new values. For a nested document, the list contains the paths of its fields, because
/// the stored document keeps its other fields.
pub(crate) fn assigned_paths(fields: &Document, above: &str, paths: &mut Vec<String>) {
    for (name, value) in fields {
        let path = join(above, name);
        match value {
            Bson::Document(inner) if !inner.is_empty() && !is_expression(inner) => {
                assigned_paths(inner, &path, paths);
            }
            _ => paths.push(path),
        }
    }
}

/// Lists the paths that a `$project` computes. Fields that the stage only includes or excludes are not listed.
fn projected(fields: &Document, above: &str, paths: &mut Vec<String>) {
    for (name, value) in fields {
        let path = join(above, name);
        match value {
            Bson::Boolean(_) | Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) => {}
            Bson::Document(inner) if !inner.is_empty() && !is_expression(inner) => {
                projected(inner, &path, paths);
            }
            _ => paths.push(path),
        }
    }
}

/// Lists the paths that a new root document changes, if the new root consists of the old document and new values for
/// the given fields.
///
/// Returns `None` for any other root document.
pub(crate) fn replaced_paths(root: &Bson) -> Option<Vec<String>> {
    if is_root(root) {
        return Some(Vec::new());
    }
    let merged = root.as_document().filter(|it| it.len() == 1)?;
    let mut parts = merged.get_array("$mergeObjects").ok()?.iter();
    parts.next().filter(|first| is_root(first))?;
    let mut paths = Vec::new();
    for part in parts {
        let fields = part.as_document().filter(|it| !is_expression(it))?;
        paths.extend(fields.keys().cloned());
    }
    Some(paths)
}

fn is_root(value: &Bson) -> bool {
    matches!(value.as_str(), Some("$$ROOT" | "$$CURRENT"))
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn paths(stage: Document) -> Option<Vec<String>> {
        written_paths(&[stage])
    }

    #[test]
    fn stages_write_the_paths_of_their_values() {
        for (stage, expected) in [
            (doc! { "$set": { "a": 1, "b.c": "$d" } }, vec!["a", "b.c"]),
            (
                doc! { "$addFields": { "a": { "b": 1, "c": { "$add": [1, 2] } }, "d": {} } },
                vec!["a.b", "a.c", "d"],
            ),
            (doc! { "$unset": "a" }, vec![]),
            (
                doc! { "$project": { "a": 1, "b": "$c", "d": { "e": true, "f": ["x"] } } },
                vec!["b", "d.f"],
            ),
            (doc! { "$replaceWith": "$$ROOT" }, vec![]),
            (
                doc! { "$replaceRoot": { "newRoot": { "$mergeObjects": ["$$ROOT", { "a": { "b": 1 } }] } } },
                vec!["a"],
            ),
        ] {
            assert_eq!(paths(stage.clone()).unwrap(), expected, "{stage}");
        }
    }

    #[test]
    fn a_stage_that_may_write_anything_proves_nothing() {
        for stage in [
            doc! { "$replaceWith": "$a" },
            doc! { "$replaceWith": { "$mergeObjects": [{ "a": 1 }, "$$ROOT"] } },
            doc! { "$replaceWith": { "$mergeObjects": ["$$ROOT", "$a"] } },
            doc! { "$replaceWith": { "$mergeObjects": "$$ROOT" } },
            doc! { "$replaceWith": { "$setField": { "field": "a", "input": "$$ROOT", "value": 1 } } },
            doc! { "$replaceWith": { "a": 1 } },
            doc! { "$unheardOf": { "a": 1 } },
        ] {
            assert_eq!(paths(stage.clone()), None, "{stage}");
        }
    }
}
