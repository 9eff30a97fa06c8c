//! Parses partial filter expressions, which models declare as extended JSON.

use mongodb::bson::{Bson, Document};

/// Parses a filter that is written in canonical or relaxed extended JSON.
pub(crate) fn parse(json: &str) -> serde_json::Result<Document> {
    serde_json::from_str::<Document>(json).map(narrow_all)
}

/// Converts numbers to the types that mongosh uses.
///
/// The `bson` crate parses a negative number as an `Int64`. The server accepts this type, but a diff would print the
/// number as `NumberLong("-5")`.
fn narrow_all(document: Document) -> Document {
    document
        .into_iter()
        .map(|(name, value)| (name, narrow(value)))
        .collect()
}

fn narrow(value: Bson) -> Bson {
    match value {
        Bson::Int64(int) => i32::try_from(int).map_or(Bson::Int64(int), Bson::Int32),
        Bson::Document(inner) => narrow_all(inner).into(),
        Bson::Array(items) => items.into_iter().map(narrow).collect::<Vec<_>>().into(),
        other => other,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests panic to fail")]
mod tests {
    use mongodb::bson::{DateTime, doc};

    use super::*;

    #[test]
    fn operators_and_types_are_told_apart() {
        let json = r#"{"qty": {"$gt": -5, "$type": "number"}, "$and": [{"sku": {"$exists": true}}],
                       "since": {"$gte": {"$date": "1970-01-01T00:00:01Z"}},
                       "long": {"$numberLong": "5000000000"}, "half": 0.5}"#;
        let expected = doc! {
            "qty": { "$gt": -5, "$type": "number" },
            "$and": [{ "sku": { "$exists": true } }],
            "since": { "$gte": DateTime::from_millis(1000) },
            "long": 5_000_000_000_i64,
            "half": 0.5,
        };
        assert_eq!(parse(json).unwrap(), expected);
    }

    #[test]
    fn what_is_no_filter_is_an_error() {
        for json in ["[1]", "{qty: 1}", r#"{"a": 1} {"#, r#"{"a": {"$oid": 1}}"#] {
            assert!(parse(json).is_err(), "{json}");
        }
    }
}
