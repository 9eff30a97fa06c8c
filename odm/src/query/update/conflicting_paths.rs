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
    let mut written: Vec<_> = written.enumerate().collect();
    // After sorting by segments, the paths inside a path directly follow it. A map from a request can have many keys,
    // so not all pairs are compared.
    written.sort_by(|(_, (_, one)), (_, (_, other))| one.split('.').cmp(other.split('.')));
    for (one, other) in written.iter().zip(written.iter().skip(1)) {
        let ((_, (_, path)), (_, (_, next))) = (one, other);
        if overlap(path, next) {
            let (first, second) = (one.min(other), one.max(other));
            return Err(meeting(first.1, second.1));
        }
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

    #[test]
    fn many_paths_are_checked_in_a_short_time() {
        let fields = (0..100_000).map(|number| (format!("a{number}"), 1.into()));
        let mut fields: Document = fields.collect();
        assert!(check_conflicting_paths(&doc! { "$set": fields.clone() }).is_ok());
        fields.insert("a7.b", 1);
        assert!(check_conflicting_paths(&doc! { "$set": fields }).is_err());
    }
}
