//! Reads the sources to which the given keys refer, and returns the expected values of the copies.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::{
    copy_update::update_of,
    delta,
    expected_value::{Resolved, SourceValues, Values},
    recomputation::compute,
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, UpdateCommand, simple},
        odm::Exec,
        place::Place,
    },
    error::{Error, Result},
    graph::{Deltas, ExtendedReference, Sources},
    value::{
        key::{JoinKey, any_of, is_operator_or_pattern},
        path::{each_value, projection},
    },
};

/// Largest number of keys in one `find`.
const KEYS_AT_ONCE: usize = 10_000;

/// Reads the expected values for the copies of the given keys, so that a write can store these values.
///
/// If the snapshot of a transaction contains deltas, it also contains the children of these deltas. So a recomputed
/// field already includes the deltas, and one more `update` removes the field from them.
pub(crate) async fn resolve(
    reference: &ExtendedReference,
    keys: impl IntoIterator<Item = JoinKey>,
    exec: &Exec,
) -> Result<Resolved> {
    let keys: Vec<JoinKey> = keys.into_iter().collect();
    match reference.deltas() {
        Deltas::Possible if exec.in_transaction() && !keys.is_empty() => {
            let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
            delta::remove_fields(reference, &keys, exec).await?;
        }
        Deltas::Possible | Deltas::Never => {}
    }
    read_sources(reference, keys, exec).await
}

/// Reads the expected values for the copies of the given keys, in order to update stored documents.
///
/// A bound is checked only if the document that contains the array exists. So if a bound is exceeded, one more `find`
/// determines which documents exist, and the keys of missing documents are skipped.
pub(crate) async fn resolve_stored(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Resolved> {
    match resolve(reference, keys.iter().cloned(), exec).await {
        Err(Error::BoundExceeded { .. }) => {
            let stored = existing_keys(reference, keys, exec).await?;
            resolve(reference, stored, exec).await
        }
        resolved => resolved,
    }
}

/// Returns the keys for which documents exist. Sends one `find`.
pub(crate) async fn existing_keys(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<HashSet<JoinKey>> {
    let path = reference.key_path();
    let wanted: HashSet<&JoinKey> = keys.iter().collect();
    let filter = any_of(&path, wanted.iter().map(|key| key.to_bson()).collect());
    let find = FindCommand::new(Place::at(&reference.target), filter)
        .select(projection([path.as_str()]))
        .collation(simple())
        .all();
    let mut stored = HashSet::new();
    for document in exec.documents(find).await? {
        each_value(&document, &path, &mut |key| {
            stored.insert(JoinKey::from(key.clone()));
        });
    }
    stored.retain(|key| wanted.contains(key));
    Ok(stored)
}

/// Reads the expected values for the copies of the given keys. Sends one `find` for every 10,000 keys, or one
/// aggregation for every 1,000 keys if the fields are computed.
///
/// In a transaction, the read uses the transaction's snapshot. Outside a transaction, the read uses the read concern
/// `majority`, so that the values cannot be rolled back later.
pub(crate) async fn read_sources(
    reference: &ExtendedReference,
    keys: impl IntoIterator<Item = JoinKey>,
    exec: &Exec,
) -> Result<Resolved> {
    let wanted: HashSet<JoinKey, RandomState> =
        keys.into_iter().filter(|key| !key.is_null()).collect();
    let mut sorted: Vec<Bson> = wanted.iter().map(JoinKey::to_bson).collect();
    if let [Bson::ObjectId(_), ..] = sorted.as_slice() {
        sorted.sort_unstable_by_key(Bson::as_object_id);
    }
    match reference.sources() {
        Sources::All => return compute(reference, &sorted, exec).await,
        Sources::OneById | Sources::FirstByKey => {}
    }
    let mut resolved = Resolved::default();
    for keys in parts(&sorted, KEYS_AT_ONCE, size_of) {
        let sources = exec.documents(query(reference, keys)).await?;
        for source in &sources {
            let values = Values::of(reference, source);
            each_value(source, &reference.source_key, &mut |key| {
                let key = JoinKey::from(key.clone());
                // For each key, only the first source is kept, because it has the lowest `_id`.
                if wanted.contains(&key) {
                    resolved.entry(key).or_insert_with(|| values.clone());
                }
            });
        }
    }
    Ok(resolved)
}

fn query(reference: &ExtendedReference, keys: &[Bson]) -> FindCommand {
    let filter = any_of(&reference.source_key, keys.to_vec());
    let mut find = FindCommand::new(Place::at(&reference.source).durable(), filter)
        .select(projection(reference.source_paths()));
    // The batch size is one more than the number of keys, so that the first reply closes the cursor and no `getMore` is
    // needed.
    find.options.batch_size = u32::try_from(keys.len() + 1).ok();
    match reference.sources() {
        Sources::OneById => find,
        Sources::FirstByKey | Sources::All => find.sort(doc! { "_id": 1 }).collation(simple()),
    }
}

/// Groups keys by the expected values of their copies, so that one statement can write many keys. A key that the server
/// would interpret as a pattern or an operator forms a separate group.
pub(crate) fn by_values<'r>(
    keys: &[JoinKey],
    resolved: &'r Resolved,
) -> Result<Vec<(Vec<Bson>, Option<&'r Values>)>> {
    let mut groups: Vec<(Vec<Bson>, Option<&'r Values>)> = Vec::new();
    let mut found: HashMap<Option<Vec<u8>>, usize> = HashMap::new();
    for key in keys {
        let (values, key) = (resolved.get(key), key.to_bson());
        if is_operator_or_pattern(&key) {
            groups.push((vec![key], values));
            continue;
        }
        let bytes = values.map(bytes).transpose()?;
        let at = *found.entry(bytes).or_insert_with(|| {
            groups.push((Vec::new(), values));
            groups.len() - 1
        });
        if let Some((keys, _)) = groups.get_mut(at) {
            keys.push(key);
        }
    }
    Ok(groups)
}

/// Returns the updates that set the copies for the given keys to the values of their sources. Keys with equal values
/// share one update.
///
/// # Errors
///
/// [`Error::Encode`](crate::Error) if a value cannot be encoded.
pub(crate) fn updates(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    resolved: &Resolved,
) -> Result<Vec<UpdateCommand>> {
    let groups = by_values(keys, resolved)?.into_iter();
    let updates =
        groups.filter_map(|(keys, values)| update_of(reference, &keys, SourceValues::of(values)));
    Ok(updates.collect())
}

fn bytes(values: &Values) -> Result<Vec<u8>> {
    let values = values.0.iter().enumerate();
    let present = values.filter_map(|(at, value)| Some((at.to_string(), value.clone()?)));
    let document: Document = present.collect();
    let raw = RawDocumentBuf::try_from(&document).map_err(mongodb::error::Error::from)?;
    Ok(raw.as_bytes().to_vec())
}
