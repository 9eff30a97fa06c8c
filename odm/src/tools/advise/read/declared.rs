//! The copies that programs keep by this library, whether their models are linked or not.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document, doc};

use super::{Reader, excuse_of_database};
use crate::{
    client::{command::FindCommand, place::Place},
    error::Result,
    graph::graph,
    model::shape::DocumentSet,
    tools::advise::{need::Need, seen::SeenDatabase},
    value::path::each_value,
};

/// The declarations of all programs.
pub(super) const DECLARATIONS: &str = "_odm_schema";

/// Reads which fields are copies: those of the models, if there are any, and one `find` of the declarations.
pub(super) async fn read(reader: &Reader, seen: &mut SeenDatabase, are_stored: bool) -> Result<()> {
    if reader.with_models {
        let own = graph().references.iter().flat_map(|it| {
            let collection = it.target.collection;
            it.copy_paths().map(|path| (collection.to_owned(), path))
        });
        seen.declared = own.collect();
    }
    if !are_stored {
        return Ok(());
    }
    let all = FindCommand::new(Place::whole(DECLARATIONS), doc! {});
    let all = all.select(doc! { "target": 1, "fields.to": 1 }).all();
    let read = match reader.in_time() {
        Ok(()) => reader.exec.documents(all).await,
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

/// Lists the copies of a declaration, with their collection.
fn copies(declaration: &Document) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let target = declaration.get_str("target").unwrap_or_default();
    let collection = DocumentSet::named(target).collection;
    each_value(declaration, "fields.to", &mut |path: &Bson| {
        let path = path.as_str().map(ToOwned::to_owned);
        found.extend(path.map(|path| (collection.to_owned(), path)));
    });
    found
}
