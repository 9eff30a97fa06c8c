//! The paths that an update writes.

use mongodb::bson::{Bson, Document};

use crate::value::path::without_positions;

/// Lists the stored paths that operators write, without positions.
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
