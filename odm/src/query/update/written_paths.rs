//! The stored paths that an update can change.

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

use crate::{model::array_bound::assigned_paths, value::path::without_positions};

/// Lists the stored paths that the operators write to. The paths do not contain element positions.
pub(crate) fn written_paths(operators: &Document) -> Vec<String> {
    let mut paths = Vec::new();
    for (operator, fields) in operators {
        let Bson::Document(fields) = fields else {
            continue;
        };
        for (path, value) in fields {
            paths.push(without_positions(path));
            if operator == "$rename" {
                paths.extend(value.as_str().map(without_positions));
            }
        }
    }
    paths
}

/// Lists the stored paths that an update can change, or returns `None` if the update can change any path.
///
/// A removed field counts as changed, because the field can be a copy or a reference. In contrast, the check of array
/// bounds ignores removed fields.
pub(crate) fn changed_paths(update: &UpdateModifications) -> Option<Vec<String>> {
    match update {
        UpdateModifications::Document(operators) => Some(written_paths(operators)),
        UpdateModifications::Pipeline(stages) => {
            let mut paths = Vec::new();
            for (stage, argument) in stages.iter().flatten() {
                match (stage.as_str(), argument) {
                    ("$set" | "$addFields", Bson::Document(fields)) => {
                        assigned_paths(fields, "", &mut paths);
                    }
                    ("$unset", Bson::String(path)) => paths.push(path.clone()),
                    ("$unset", Bson::Array(all)) => {
                        paths.extend(all.iter().filter_map(Bson::as_str).map(ToOwned::to_owned));
                    }
                    // `$project` and `$replaceWith` can remove any other field.
                    _ => return None,
                }
            }
            Some(paths)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn changed(stages: Vec<Document>) -> Option<Vec<String>> {
        changed_paths(&UpdateModifications::Pipeline(stages))
    }

    #[test]
    fn a_pipeline_changes_the_paths_that_it_sets_and_unsets() {
        let set = doc! { "$set": { "a": "$b", "c": { "d": 1 }, "e": { "$add": [1, "$f"] } } };
        let unset = doc! { "$unset": ["g", "h.i"] };
        let both = vec![set, doc! { "$unset": "j" }, unset];
        let expected = ["a", "c.d", "e", "j", "g", "h.i"].map(ToOwned::to_owned);
        assert_eq!(changed(both), Some(expected.to_vec()));
    }

    #[test]
    fn a_pipeline_with_another_stage_can_change_any_path() {
        for stage in [
            doc! { "$project": { "a": 1 } },
            doc! { "$replaceWith": "$$ROOT" },
            doc! { "$replaceRoot": { "newRoot": "$a" } },
        ] {
            assert_eq!(changed(vec![doc! { "$set": { "a": 1 } }, stage]), None);
        }
    }
}
