//! Finds dangling references among the sampled keys of declared references.

use std::collections::BTreeSet;

use mongo_odm::{
    __tools::{StoredReference, StoredSlot, path::each_value},
    JoinKey, Result,
};
use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::{
    Reader, excuse, note,
    placeholder::placeholder,
    statements::{KEYS, again, by_keys, is_found_by},
};
use crate::advise::{
    need::Need,
    seen::{KeysStand, SeenCollection, SeenReference},
    subject::may_hold,
};

/// Looks up the sampled keys. Sends one `find` for each target model, and a second one to confirm dangling keys.
pub(super) async fn read(
    reader: &Reader,
    seen: &mut SeenCollection,
    sample: &[Document],
) -> Result<()> {
    let name = seen.name.clone();
    let all = StoredReference::all(&seen.database.models);
    for reference in all.iter().filter(|it| it.model.collection == name) {
        match look(reader, reference, sample, &name).await {
            Ok(found) => seen.references.extend(found),
            Err(error) => note(seen, Need::Targets, excuse(error)?),
        }
    }
    Ok(())
}

async fn look(
    reader: &Reader,
    reference: &StoredReference,
    sample: &[Document],
    collection: &str,
) -> Result<Option<SeenReference>> {
    for target in reference.targets() {
        let (collection, kind) = (target.model.collection, target.model.kind.as_ref());
        if !is_found_by(reader, collection, &target.path, kind).await? {
            return Ok(None);
        }
    }
    let slots = slots(reference, sample);
    let mut found = seen_of(reference, slots.len() as u64);
    let different: BTreeSet<_> = slots.iter().map(|(_, slot)| &slot.key).collect();
    let different = different.len() as u64;
    let dangling = nowhere(reader, reference, slots).await?;
    if dangling.is_empty() {
        return Ok(Some(found));
    }
    let ids = dangling
        .iter()
        .map(|(id, _)| JoinKey::from(id.clone()))
        .collect();
    let documents = again(reader, collection, &ids).await?;
    let dangling = nowhere(reader, reference, self::slots(reference, &documents)).await?;
    found.dangling = dangling.len() as u64;
    let keys: BTreeSet<_> = dangling.iter().map(|(_, slot)| &slot.key).collect();
    if let (Some(key), 1) = (keys.first(), keys.len()) {
        found.placeholder = placeholder(&key.to_bson(), found.dangling, (found.keys, different));
    }
    let first = dangling.into_iter().next();
    found.example = first.map(|(id, slot)| (Some(id), slot.key.to_bson()));
    Ok(Some(found))
}

fn seen_of(reference: &StoredReference, keys: u64) -> SeenReference {
    SeenReference {
        path: reference.path(),
        target: reference.target.model.collection.to_owned(),
        target_path: reference.target.path.clone(),
        keys,
        dangling: 0,
        example: None,
        stand: match reference.array_of_keys() {
            Some(_) => KeysStand::AsElements,
            None => KeysStand::Alone,
        },
        placeholder: None,
        is_inferred: false,
        lacks_target_index: false,
    }
}

/// Lists the keys in the given documents, each with the `_id` of the document that contains it.
fn slots(reference: &StoredReference, documents: &[Document]) -> Vec<(Bson, StoredSlot)> {
    let mut slots = Vec::new();
    for document in documents.iter().filter(|it| may_hold(reference.model, it)) {
        let (Some(id), Ok(raw)) = (document.get("_id"), RawDocumentBuf::try_from(document)) else {
            continue;
        };
        reference.each_key(&raw, &mut |slot| {
            if !slot.key.is_null() && slots.len() < KEYS {
                slots.push((id.clone(), slot));
            }
        });
    }
    slots
}

/// Returns the keys for which no target document exists.
async fn nowhere(
    reader: &Reader,
    reference: &StoredReference,
    mut slots: Vec<(Bson, StoredSlot)>,
) -> Result<Vec<(Bson, StoredSlot)>> {
    for (number, target) in reference.targets().enumerate() {
        let of_target = slots.iter().filter(|(_, slot)| slot.target == number);
        let keys: BTreeSet<_> = of_target.map(|(_, slot)| slot.key.clone()).collect();
        let wanted = [target.path.clone()];
        let found = by_keys(reader, target.model, &target.path, &keys, &wanted).await?;
        let mut there = BTreeSet::new();
        for document in &found {
            each_value(document, &target.path, &mut |key| {
                there.insert(JoinKey::from(key.clone()));
            });
        }
        slots.retain(|(_, slot)| slot.target != number || !there.contains(&slot.key));
    }
    Ok(slots)
}
