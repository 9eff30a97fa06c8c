//! Detects operators that write to the same path.

use mongodb::bson::Document;

use crate::{
    error::{Error, Result},
    value::path::overlap,
};

/// Rejects operators that write to the same path, or to a path and another path inside it. The server rejects most such
/// updates too, but its error does not name the model.
pub(super) fn check_conflicting_paths(operators: &Document) -> Result<()> {
    let written = operators.iter().flat_map(|(operator, fields)| {
        let paths = fields.as_document().into_iter().flat_map(Document::keys);
        paths.map(move |path| (operator.as_str(), path.as_str()))
    });
    let mut before: Vec<(&str, &str)> = Vec::new();
    for (operator, path) in written {
        let met = before.iter().find(|(_, other)| overlap(other, path));
        if let Some(other) = met {
            return Err(meeting(*other, (operator, path)));
        }
        before.push((operator, path));
    }
    Ok(())
}

fn meeting(first: (&str, &str), second: (&str, &str)) -> Error {
    let where_else = if first.1 == second.1 {
        "the same field".to_owned()
    } else {
        format!("`{}`", second.1)
    };
    Error::invalid(format!(
        "`{}` changes `{}`, and `{}` changes {where_else}; write one of the two, or send two updates",
        first.0, first.1, second.0
    ))
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn operators_on_one_path_are_refused_with_the_path() {
        let refused = |operators| check_conflicting_paths(&operators).unwrap_err().to_string();
        assert_eq!(
            refused(doc! { "$set": { "qty": 1 }, "$inc": { "qty": 1 } }),
            "`$set` changes `qty`, and `$inc` changes the same field; write one of the two, or send two updates"
        );
        assert_eq!(
            refused(doc! { "$set": { "maker.city": "x", "maker": {} } }),
            "`$set` changes `maker.city`, and `$set` changes `maker`; write one of the two, or send two updates"
        );
    }

    #[test]
    fn operators_side_by_side_are_taken() {
        let operators = doc! {
            "$set": { "maker.city": "x", "maker.name": "y", "lines.$[a].qty": 1 },
            "$inc": { "makers": 1, "lines.$[b].qty": 2 },
        };
        assert!(check_conflicting_paths(&operators).is_ok());
    }
}
