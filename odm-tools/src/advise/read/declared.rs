//! Finds the copies that the linked models or other programs declare.

use std::collections::BTreeSet;

use mongo_odm::{__tools::path::each_value, Result};
use mongodb::bson::{Bson, Document, doc};

use super::{Reader, excuse_of_database};
use crate::{
    advise::{need::Need, seen::SeenDatabase},
    statements::all,
};

/// The collection that contains the declarations of all programs.
pub(super) const DECLARATIONS: &str = "_odm_schema";

/// Reads the paths of all copies from the models and from the stored declarations. Sends one `find`.
pub(super) async fn read(reader: &Reader, seen: &mut SeenDatabase, are_stored: bool) -> Result<()> {
    if reader.with_models {
        let own = seen.derived.iter();
        let own = own.map(|it| (it.collection.clone(), it.path.clone()));
        seen.declared = own.collect();
    }
    if !are_stored {
        return Ok(());
    }
    let options = all(doc! { "target": 1, "fields.to": 1 });
    let read = match reader.in_time() {
        Ok(()) => reader.reads.find(DECLARATIONS, doc! {}, options).await,
        Err(error) => Err(error),
    };
    match read {
        Ok(all) => seen.declared.extend(all.iter().flat_map(copies)),
        Err(error) => {
            seen.unread
                .insert(Need::Targets, excuse_of_database(error)?);
        }
    }
    Ok(())
}

/// Lists the copies in a declaration as pairs of collection and path.
fn copies(declaration: &Document) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let target = declaration.get_str("target").unwrap_or_default();
    // A target with a kind has the form `school[doc_type=class]`.
    let of_kind = target.strip_suffix(']').and_then(|it| it.split_once('['));
    let of_kind = of_kind.filter(|(_, kind)| kind.contains('='));
    let collection = of_kind.map_or(target, |(collection, _)| collection);
    each_value(declaration, "fields.to", &mut |path: &Bson| {
        let path = path.as_str().map(ToOwned::to_owned);
        found.extend(path.map(|path| (collection.to_owned(), path)));
    });
    found
}
