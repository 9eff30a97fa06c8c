//! Finds undeclared copies, which are fields next to a reference that have the same value as a field of the target.

use std::collections::{BTreeMap, BTreeSet};

use mongo_odm::{__tools::path::join, JoinKey, Result};
use mongodb::bson::{Bson, Document, doc};

use super::{
    Reader, excuse, note,
    pairs::{Beside, Pair, agreement},
    statements::{find_by, is_found_by},
};
use crate::{
    advise::{
        need::Need,
        seen::{SeenByHand, SeenCollection, SeenReference},
    },
    paths::each_struct,
};

/// For one reference, the largest number of keys that are looked up and of pairs that are compared.
const KEYS: usize = 300;
const PAIRS: usize = 1_000;

/// Size of the longest string that is compared, in bytes.
const LETTERS: i32 = 100;

/// Looks up the targets of references that have small fields next to their keys. Sends one `find` for each such
/// reference.
pub(super) async fn read(
    reader: &Reader,
    seen: &mut SeenCollection,
    sample: &[Document],
) -> Result<()> {
    for reference in seen.references.clone() {
        let beside = beside(seen, &reference, sample);
        if beside.is_empty() {
            continue;
        }
        match look(reader, &reference, &beside).await {
            Ok(found) => found.into_iter().for_each(|it| keep_best(seen, it)),
            Err(error) => note(seen, Need::Targets, excuse(error)?),
        }
    }
    Ok(())
}

/// Adds a possible copy. If a field has several possible sources, only the best is kept. A source with a matching name
/// is preferred, and then a source with more equal values.
fn keep_best(seen: &mut SeenCollection, found: SeenByHand) {
    let mut known = seen.by_hand.iter_mut();
    match known.find(|it| it.path == found.path) {
        None => seen.by_hand.push(found),
        Some(known) => {
            let rank = |it: &SeenByHand| (it.is_named, it.equal);
            if rank(&found) > rank(known) {
                *known = found;
            }
        }
    }
}

/// Lists the small fields next to the keys of a reference.
fn beside(seen: &SeenCollection, reference: &SeenReference, sample: &[Document]) -> Vec<Beside> {
    let (above, name) = match reference.path.rsplit_once('.') {
        Some((above, name)) => (above, name),
        None => ("", reference.path.as_str()),
    };
    let (mut keys, mut all) = (BTreeSet::new(), Vec::new());
    for document in sample {
        let id = document.get("_id").unwrap_or(&Bson::Null);
        each_struct(document, above, &mut |inner| {
            let key = inner.get(name).filter(|key| is_key(key));
            let Some(key) = key.cloned().map(JoinKey::from) else {
                return;
            };
            if all.len() >= PAIRS || keys.len() >= KEYS && !keys.contains(&key) {
                return;
            }
            let fields = inner.iter().filter(|(field, value)| {
                *field != name && is_small(value) && may_be_copy(seen, &join(above, field))
            });
            let fields: Vec<_> = fields
                .map(|(field, value)| (field.clone(), value.clone()))
                .collect();
            if !fields.is_empty() {
                keys.insert(key.clone());
                all.push(Beside {
                    id: id.clone(),
                    key,
                    fields,
                });
            }
        });
    }
    all
}

const fn is_key(value: &Bson) -> bool {
    !matches!(value, Bson::Null | Bson::Array(_) | Bson::Document(_))
}

const fn is_small(value: &Bson) -> bool {
    matches!(
        value,
        Bson::String(_)
            | Bson::Int32(_)
            | Bson::Int64(_)
            | Bson::Double(_)
            | Bson::Decimal128(_)
            | Bson::DateTime(_)
    )
}

/// Whether a field can be an undeclared copy: it is not an id, not a reference, and not derived by the library.
fn may_be_copy(seen: &SeenCollection, path: &str) -> bool {
    let is_reference = seen.references.iter().any(|it| it.path == path);
    let place = (seen.name.clone(), path.to_owned());
    let is_kept = seen.field(path).is_some_and(|field| {
        let shape = field.stored.shape;
        let is_kind = field.model.kind.is_some_and(|kind| kind.field == path);
        is_kind || shape.derived.is_some() || shape.reference.is_some()
    });
    path != "_id" && !is_reference && !is_kept && !seen.database.declared.contains(&place)
}

async fn look(
    reader: &Reader,
    reference: &SeenReference,
    beside: &[Beside],
) -> Result<Vec<SeenByHand>> {
    if !is_found_by(reader, &reference.target, &reference.target_path, None).await? {
        return Ok(Vec::new());
    }
    let keys: BTreeSet<_> = beside.iter().map(|it| it.key.clone()).collect();
    let wanted = small_fields(&reference.target_path);
    let found = find_by(
        reader,
        &reference.target,
        &reference.target_path,
        &keys,
        wanted,
    );
    let mut targets = BTreeMap::new();
    for found in found.await? {
        if let (Some(key), Some(fields)) = (found.get("key"), fields_of(&found)) {
            targets.insert(JoinKey::from(key.clone()), fields);
        }
    }
    let pairs = beside.iter().filter_map(|it| {
        Some(Pair {
            beside: it,
            target: targets.get(&it.key)?,
        })
    });
    let pairs: Vec<_> = pairs.collect();
    Ok(agreement(reference, &pairs))
}

/// Returns a projection that keeps the key, and the numbers, dates and short strings of a document.
fn small_fields(key: &str) -> Document {
    let kind = doc! { "$type": "$$this.v" };
    let is_short = doc! { "$lte": [{ "$strLenBytes": "$$this.v" }, LETTERS] };
    let is_number = doc! { "$in": [&kind, ["int", "long", "double", "decimal", "date"]] };
    let is_small = doc! { "$cond": [{ "$eq": [kind, "string"] }, is_short, is_number] };
    let fields = doc! { "$filter": { "input": { "$objectToArray": "$$ROOT" }, "cond": is_small } };
    doc! { "_id": 0, "key": format!("${key}"), "fields": fields }
}

fn fields_of(found: &Document) -> Option<Vec<(String, Bson)>> {
    let fields = found.get_array("fields").ok()?.iter().filter_map(|field| {
        let field = field.as_document()?;
        Some((field.get_str("k").ok()?.to_owned(), field.get("v")?.clone()))
    });
    Some(fields.collect())
}
