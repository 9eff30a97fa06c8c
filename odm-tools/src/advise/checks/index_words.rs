//! Keys and collations of indexes, in words.

use mongo_odm::{__tools::mongosh_value, IndexSpec};
use mongodb::bson::{Bson, Document};

use crate::advise::seen::SeenCollection;

const SIMPLE: &str = "the bytes of strings";

/// Says how an index of the server compares, which lists also the collation that an index has from its collection.
pub(super) fn locale(index: &IndexSpec) -> String {
    shown(index.options.get_document("collation").ok())
}

/// Says how a wanted index compares, and statements that name no collation: as their collection does.
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
            // What the server adds to a collation that does not say it.
            let strength = strength.filter(|it| it != "3");
            let strength = strength.map(|it| format!(" with strength {it}"));
            format!("the locale `{locale}`{}", strength.unwrap_or_default())
        }
    }
}

/// Shows the keys of an index: `host, time: -1`.
pub(super) fn keys(keys: &Document) -> String {
    let shown = keys.iter().map(|(path, kind)| match kind {
        Bson::Int32(1) | Bson::Int64(1) => path.clone(),
        kind => format!("{path}: {}", mongosh_value(kind)),
    });
    shown.collect::<Vec<_>>().join(", ")
}
