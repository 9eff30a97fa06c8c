//! The finds by which keys of a sample are looked up.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document};

use super::Reader;
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        place::Place,
    },
    error::Result,
    index::{IndexSpec, server},
    model::shape::KindShape,
    value::{
        key::{JoinKey, any_of},
        path::projection,
    },
};

/// How many keys of one reference are looked up.
pub(super) const KEYS: usize = 5_000;

/// Up to how many documents a collection is looked up without an index.
const SMALL: u64 = 20_000;

/// Finds the documents that have one of some keys at a path, and brings some paths of them.
pub(super) async fn by_keys(
    reader: &Reader,
    place: Place,
    path: &str,
    keys: &BTreeSet<JoinKey>,
    wanted: &[String],
) -> Result<Vec<Document>> {
    let wanted = projection(wanted.iter().map(String::as_str));
    find_by(reader, place, path, keys, wanted).await
}

/// Finds the documents that have one of some keys at a path, and brings what a projection says.
pub(super) async fn find_by(
    reader: &Reader,
    place: Place,
    path: &str,
    keys: &BTreeSet<JoinKey>,
    wanted: Document,
) -> Result<Vec<Document>> {
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let mut found = Vec::new();
    for keys in parts(&keys, usize::MAX, size_of) {
        let find = FindCommand::new(place.clone(), any_of(path, keys.to_vec()));
        let find = find.select(wanted.clone()).all();
        // The index on `_id` has the collation of its collection.
        let find = find.collation((path != "_id").then(simple));
        reader.in_time()?;
        found.extend(reader.exec.documents(find).await?);
    }
    Ok(found)
}

/// Whether documents of a collection are found by a path without reading all of many; those of one kind alone, if one is
/// named.
pub(super) async fn is_found_by(
    reader: &Reader,
    collection: &str,
    path: &str,
    kind: Option<&KindShape>,
) -> Result<bool> {
    if path == "_id" {
        return Ok(true);
    }
    let on_server = server::list(reader.exec.odm(), collection).await?;
    let finds = |it: &IndexSpec| has_all(it, kind) && finds_by(it, path);
    let is_indexed = on_server.indexes.iter().any(finds);
    Ok(is_indexed || count(reader, collection).await? <= SMALL)
}

/// Whether all documents that are asked for are in an index.
fn has_all(index: &IndexSpec, kind: Option<&KindShape>) -> bool {
    let is_hidden = index.options.contains_key("hidden");
    let is_of_kind = |narrowing: &Document| {
        let mut paths = narrowing.keys();
        kind.is_some_and(|kind| paths.all(|path| path == kind.field))
    };
    let narrowing = index.options.get_document("partialFilterExpression");
    !is_hidden && narrowing.map_or(true, is_of_kind)
}

/// Whether the server uses an index for keys at a path: it compares the bytes of strings, as those who ask do.
fn finds_by(index: &IndexSpec, path: &str) -> bool {
    let begins = index.keys.iter().next().is_some_and(|(key, kind)| {
        let is_ordered = !matches!(kind, Bson::String(kind) if kind != "hashed");
        key == path && is_ordered
    });
    // The server lists also the collation that an index has from its collection, and of the simple one nothing.
    begins && !index.options.contains_key("collation")
}

async fn count(reader: &Reader, collection: &str) -> Result<u64> {
    use mongodb::bson::doc;

    use crate::client::command::AggregateCommand;
    let stages = vec![doc! { "$collStats": { "count": {} } }];
    let command = AggregateCommand::new(Place::whole(collection.to_owned()), stages);
    reader.in_time()?;
    let replies = reader.exec.documents(command).await?;
    let counts = replies.iter().filter_map(|it| match it.get("count")? {
        Bson::Int32(count) => u64::try_from(*count).ok(),
        Bson::Int64(count) => u64::try_from(*count).ok(),
        _ => None,
    });
    Ok(counts.sum())
}

/// Reads the documents of a sample again: what has changed meanwhile is no finding.
pub(super) async fn again(
    reader: &Reader,
    collection: &str,
    ids: &BTreeSet<JoinKey>,
) -> Result<Vec<Document>> {
    let place = Place::whole(collection.to_owned());
    let keys: Vec<Bson> = ids.iter().map(JoinKey::to_bson).collect();
    let find = FindCommand::new(place, any_of("_id", keys)).all();
    reader.in_time()?;
    reader.exec.documents(find).await
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;
    use crate::index::IndexOrigin;

    fn index(keys: Document, options: Document) -> IndexSpec {
        IndexSpec {
            collection: "towns".into(),
            name: "one".into(),
            keys,
            options,
            origin: IndexOrigin::Server,
        }
    }

    #[test]
    fn an_index_that_lacks_documents_does_not_find_all() {
        let of = |options| has_all(&index(doc! { "code": 1 }, options), None);
        let part = || doc! { "partialFilterExpression": { "kind": "town" } };
        assert!(of(doc! { "unique": true, "sparse": true }));
        assert!(!of(doc! { "hidden": true }));
        assert!(!of(part()));
        let kind = KindShape::new("kind", "town");
        let of_kind = |kind| has_all(&index(doc! { "code": 1 }, part()), Some(kind));
        assert!(of_kind(&kind));
        assert!(!of_kind(&KindShape::new("sort", "town")));
    }

    #[test]
    fn an_index_finds_by_its_first_key_and_by_the_bytes_of_strings() {
        let of = |keys, options| finds_by(&index(keys, options), "code");
        let german = doc! { "collation": { "locale": "de" } };
        assert!(of(doc! { "code": -1, "name": 1 }, doc! {}));
        assert!(of(doc! { "code": "hashed" }, doc! {}));
        assert!(!of(doc! { "name": 1, "code": 1 }, doc! {}));
        assert!(!of(doc! { "code": "text" }, doc! {}));
        assert!(!of(doc! { "code": 1 }, german));
    }
}
