//! The finds by which keys of a sample are looked up.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document};

use super::{Reader, profile::OWN};
use crate::{
    command::{FindCommand, simple},
    copy::projection,
    error::{Error, Result},
    index::server,
    key::{JoinKey, any_of},
    parts::{parts, size_of},
    place::Place,
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
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let mut found = Vec::new();
    for keys in parts(&keys, usize::MAX, size_of) {
        let find = FindCommand::new(place.clone(), any_of(path, keys.to_vec()));
        let find = find
            .select(projection(wanted.iter().map(String::as_str)))
            .all();
        // The index on `_id` has the collation of its collection.
        let mut find = find.collation((path != "_id").then(simple));
        find.options.max_time = Some(reader.time().map_err(Error::invalid)?);
        find.options.comment = Some(OWN.into());
        found.extend(reader.exec.documents(find).await?);
    }
    Ok(found)
}

/// Whether documents of a collection are found by a path without reading all of many.
pub(super) async fn is_found_by(reader: &Reader, collection: &str, path: &str) -> Result<bool> {
    if path == "_id" {
        return Ok(true);
    }
    let on_server = server::list(reader.exec.odm(), collection).await?;
    let begins = on_server
        .indexes
        .iter()
        .any(|it| it.keys.keys().next().is_some_and(|key| key == path));
    Ok(begins || count(reader, collection).await? <= SMALL)
}

async fn count(reader: &Reader, collection: &str) -> Result<u64> {
    use mongodb::bson::doc;

    use crate::command::AggregateCommand;
    let stages = vec![doc! { "$collStats": { "count": {} } }];
    let mut command = AggregateCommand::new(Place::whole(collection.to_owned()), stages);
    command.options.max_time = Some(reader.time().map_err(Error::invalid)?);
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
    let mut find = FindCommand::new(place, any_of("_id", keys)).all();
    find.options.max_time = Some(reader.time().map_err(Error::invalid)?);
    find.options.comment = Some(OWN.into());
    reader.exec.documents(find).await
}
