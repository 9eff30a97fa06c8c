//! Reports findings about dangling references in sampled documents.

use std::collections::{HashMap, HashSet};

use mongo_odm::{
    __tools::{StoredReference, StoredSlot},
    Odm, Result,
};
use mongodb::bson::{Bson, RawDocumentBuf};

use super::finding::Finding;
use crate::survey::{id_of, is_of};

/// The keys of one reference in the sampled documents.
pub(super) struct Held {
    reference: StoredReference,
    /// The keys of the reference. Each key has its frequency and the `_id` of a document that
    /// contains the key.
    slots: HashMap<StoredSlot, (u64, Bson)>,
}

impl Held {
    /// Collects the keys of a reference from a sample. Returns `None` if the documents contain no
    /// keys.
    pub(super) fn by(reference: &StoredReference, sample: &[RawDocumentBuf]) -> Option<Self> {
        let mut slots: HashMap<StoredSlot, (u64, Bson)> = HashMap::new();
        for document in sample.iter().filter(|it| is_of(reference.model, it)) {
            let id = || id_of(document).unwrap_or(Bson::Null);
            reference.each_key(document, &mut |slot| {
                if !slot.key.is_null() {
                    slots.entry(slot).or_insert_with(|| (0, id())).0 += 1;
                }
            });
        }
        let reference = reference.clone();
        (!slots.is_empty()).then_some(Self { reference, slots })
    }

    /// Looks up the keys, and returns a finding if some are dangling. Sends one `find` for each
    /// target model.
    pub(super) async fn look_up(self, odm: Odm) -> Result<Option<Finding>> {
        let Self { reference, slots } = self;
        let asked: HashSet<StoredSlot> = slots.keys().cloned().collect();
        let lost = reference.dangling(&asked, &odm).await?;
        let Some(first) = lost.iter().min() else {
            return Ok(None);
        };
        let example = slots.get(first).map(|(_, id)| id.clone());
        let all = slots.values().map(|(count, _)| count).sum();
        let count = lost.iter().filter_map(|slot| slots.get(slot));
        let count = count.map(|(count, _)| count).sum();
        let message = format!(
            "dangling references: {}, for example {}",
            reference.name(),
            first.key
        );
        let finding = Finding::new("dangling", reference.model.collection, &message);
        Ok(Some(finding.of(count, all).example(example)))
    }
}
