//! Formats the keys and collations of indexes as text.

use mongo_odm::{__tools::mongosh_value, IndexSpec};
use mongodb::bson::{Bson, Document};

use crate::advise::seen::SeenCollection;

const SIMPLE: &str = "the bytes of strings";

/// Returns the collation of an index as text. `listIndexes` returns the collation of each index, even if the index
/// inherits it from its collection.
pub(super) fn locale(index: &IndexSpec) -> String {
    shown(index.options.get_document("collation").ok())
}

/// Returns the collation that a missing index should have, as text. If the index declares no collation, the result is
/// the collation of the collection, because statements without a collation use the collection's collation.
pub(super) fn locale_of(seen: &SeenCollection, wanted: &IndexSpec) -> String {
    let own = wanted.options.get_document("collation").ok();
    shown(own.or(seen.indexes.collation.as_ref()))
}

fn shown(collation: Option<&Document>) -> String {
    let locale = collation.and_then(|it| it.get_str("locale").ok());
    match locale {
        None | Some("simple") => SIMPLE.to_owned(),
        Some(locale) => {
            let strength = collation
                .and_then(|it| it.get("strength"))
                .map(mongosh_value);
            // The server adds strength 3 to every collation that does not specify a strength.
            let strength = strength.filter(|it| it != "3");
            let strength = strength.map(|it| format!(" with strength {it}"));
            format!("the locale `{locale}`{}", strength.unwrap_or_default())
        }
    }
}

/// Formats the keys of an index: `host, time: -1`.
pub(super) fn keys(keys: &Document) -> String {
    let shown = keys.iter().map(|(path, kind)| match kind {
        Bson::Int32(1) | Bson::Int64(1) => path.clone(),
        kind => format!("{path}: {}", mongosh_value(kind)),
    });
    shown.collect::<Vec<_>>().join(", ")
}
