//! Sends the statements that look up the sampled keys.

use std::collections::BTreeSet;

use mongo_odm::{
    __tools::{any_of, parts, path::projection, size_of},
    IndexSpec, JoinKey, Result,
    shape::{KindShape, ModelShape},
};
use mongodb::{
    bson::{Bson, Document, doc},
    options::{AggregateOptions, FindOptions},
};

use super::Reader;
use crate::{statements::all, statements::simple_collation};

/// Largest number of sampled keys that are looked up for one reference.
pub(super) const KEYS: usize = 5_000;

/// Largest number of documents in a collection that may be searched without an index.
const SMALL: u64 = 20_000;

/// Finds the documents of a model that contain one of the keys at a path. Returns only the requested paths of these
/// documents.
pub(super) async fn by_keys(
    reader: &Reader,
    model: &'static ModelShape,
    path: &str,
    keys: &BTreeSet<JoinKey>,
    wanted: &[String],
) -> Result<Vec<Document>> {
    let wanted = projection(wanted.iter().map(String::as_str));
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let mut found = Vec::new();
    for keys in parts(&keys, usize::MAX, size_of) {
        let filter = any_of(path, keys.to_vec());
        let options = by_path(path, wanted.clone());
        reader.in_time()?;
        found.extend(reader.reads.find_of(model, filter, options).await?);
    }
    Ok(found)
}

/// Finds the documents in a collection that contain one of the given keys at a path. Returns only the fields that the
/// projection `wanted` selects.
pub(super) async fn find_by(
    reader: &Reader,
    collection: &str,
    path: &str,
    keys: &BTreeSet<JoinKey>,
    wanted: Document,
) -> Result<Vec<Document>> {
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let mut found = Vec::new();
    for keys in parts(&keys, usize::MAX, size_of) {
        let filter = any_of(path, keys.to_vec());
        let options = by_path(path, wanted.clone());
        reader.in_time()?;
        found.extend(reader.reads.find(collection, filter, options).await?);
    }
    Ok(found)
}

/// Returns the options for a `find` by keys. For `_id`, the collation of the collection applies, because the index on
/// `_id` always has this collation. For other paths, the options request the simple collation, so the server uses only
/// indexes with the simple collation.
fn by_path(path: &str, wanted: Document) -> FindOptions {
    let mut options = all(wanted);
    options.collation = (path != "_id").then(simple_collation);
    options
}

/// Whether a lookup by a path is cheap, because an index supports it or the collection is small. If the model has a
/// kind, an index that contains only that kind is sufficient.
pub(super) async fn is_found_by(
    reader: &Reader,
    collection: &str,
    path: &str,
    kind: Option<&KindShape<'_>>,
) -> Result<bool> {
    if path == "_id" {
        return Ok(true);
    }
    let on_server = reader.reads.indexes(collection).await?;
    let finds = |it: &IndexSpec| has_all(it, kind) && finds_by(it, path);
    let is_indexed = on_server.indexes.iter().any(finds);
    Ok(is_indexed || count(reader, collection).await? <= SMALL)
}

/// Whether an index contains all documents of the collection, or at least all documents of the kind.
fn has_all(index: &IndexSpec, kind: Option<&KindShape<'_>>) -> bool {
    let is_hidden = index.options.contains_key("hidden");
    let is_of_kind = |narrowing: &Document| {
        let mut paths = narrowing.keys();
        kind.is_some_and(|kind| paths.all(|path| path == kind.field))
    };
    let narrowing = index.options.get_document("partialFilterExpression");
    !is_hidden && narrowing.map_or(true, is_of_kind)
}

/// Whether the server can use an index to look up keys at a path. The lookups compare strings byte by byte, so the
/// index must do the same.
fn finds_by(index: &IndexSpec, path: &str) -> bool {
    let begins = index.keys.iter().next().is_some_and(|(key, kind)| {
        let is_ordered = !matches!(kind, Bson::String(kind) if kind != "hashed");
        key == path && is_ordered
    });
    // `listIndexes` returns the collation of every index that does not have the simple one, even if the index inherits
    // the collation from its collection.
    begins && !index.options.contains_key("collation")
}

async fn count(reader: &Reader, collection: &str) -> Result<u64> {
    let stages = vec![doc! { "$collStats": { "count": {} } }];
    let options = AggregateOptions::default();
    reader.in_time()?;
    let replies = reader.reads.aggregate(collection, stages, options).await?;
    let counts = replies.iter().filter_map(|it| match it.get("count")? {
        Bson::Int32(count) => u64::try_from(*count).ok(),
        Bson::Int64(count) => u64::try_from(*count).ok(),
        _ => None,
    });
    Ok(counts.sum())
}

/// Reads sampled documents again. If a difference has disappeared, a concurrent write caused it.
pub(super) async fn again(
    reader: &Reader,
    collection: &str,
    ids: &BTreeSet<JoinKey>,
) -> Result<Vec<Document>> {
    let keys: Vec<Bson> = ids.iter().map(JoinKey::to_bson).collect();
    let filter = any_of("_id", keys);
    reader.in_time()?;
    reader.reads.find(collection, filter, all(None)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use mongo_odm::__tools::OnServer;

    fn index(keys: Document, options: Document) -> IndexSpec {
        let mut listed = doc! { "key": keys, "name": "one" };
        listed.extend(options);
        let mut read = OnServer::read("towns", vec![listed]);
        read.indexes.remove(0)
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
