//! Keeps maintained fields in pipelines that build a new document.

use mongodb::bson::{Bson, Document, doc};

use crate::model::projection::includes;

/// Changes each stage that builds a new document, so that the new document keeps the given fields of the old one.
pub(super) fn keep_in_rebuilt(stages: &mut [Document], fields: &[&'static str]) {
    for (name, argument) in stages.iter_mut().flat_map(Document::iter_mut) {
        match (name.as_str(), argument) {
            ("$replaceWith", root) => keep_in_root(root, fields),
            ("$replaceRoot", Bson::Document(root)) => {
                if let Some(root) = root.get_mut("newRoot") {
                    keep_in_root(root, fields);
                }
            }
            ("$project", Bson::Document(projection)) if includes(projection) => {
                for field in fields {
                    projection.insert(*field, 1);
                }
            }
            _ => {}
        }
    }
}

/// Adds the given fields of the old document to the expression that builds the new one. If the old document lacks a
/// field, `{ field: "$field" }` omits it.
fn keep_in_root(root: &mut Bson, fields: &[&'static str]) {
    let old = fields
        .iter()
        .map(|field| ((*field).to_owned(), format!("${field}").into()));
    let old: Document = old.collect();
    let new = std::mem::replace(root, Bson::Null);
    *root = doc! { "$mergeObjects": [new, old] }.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(stage: Document) -> Document {
        let mut stages = [stage];
        keep_in_rebuilt(&mut stages, &["at"]);
        let [stage] = stages;
        stage
    }

    #[test]
    fn a_new_root_has_the_fields_of_the_old_one() {
        assert_eq!(
            kept(doc! { "$replaceWith": "$inner" }),
            doc! { "$replaceWith": { "$mergeObjects": ["$inner", { "at": "$at" }] } }
        );
        assert_eq!(
            kept(doc! { "$replaceRoot": { "newRoot": { "a": 1 } } }),
            doc! { "$replaceRoot": { "newRoot": { "$mergeObjects": [{ "a": 1 }, { "at": "$at" }] } } }
        );
    }

    #[test]
    fn a_projection_that_lists_fields_lists_these_too() {
        assert_eq!(
            kept(doc! { "$project": { "a": 1, "_id": 0 } }),
            doc! { "$project": { "a": 1, "_id": 0, "at": 1 } }
        );
        for same in [
            doc! { "$project": { "a": 0 } },
            doc! { "$set": { "a": 1 } },
            doc! { "$unset": "a" },
        ] {
            assert_eq!(kept(same.clone()), same);
        }
    }
}
