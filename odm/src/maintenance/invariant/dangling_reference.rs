//! Finds dangling references, and references that are null although their type forbids it.
//!
//! 1. One aggregation groups the keys that a reference stores.
//! 2. One `find` returns the keys that exist in the target collection.
//! 3. Only documents that contain keys without a target are read again, together with a search for these targets.
//!
//! A dangling reference is pending only if there is a job for its delete rule. Jobs for copies do not change
//! references.
//!
//! References that have copies or an inverse are covered by the checks of copies and two-way references. For these
//! references, this module checks at most whether they are null.

mod declared_reference;
mod key_group;

use std::{collections::HashSet, sync::Arc};

pub(super) use declared_reference::DeclaredReference;
use futures_util::{StreamExt, TryStreamExt, stream};
use mongodb::bson::{Bson, RawDocument, doc};

use super::{
    Invariant, Invariants, Query, Scope,
    finding::{DriftKind, Drifted, RepairingJob},
    group::Group,
    list,
    walk::{Confirmed, Seen, SuspectStream, Walked, suspect_stream},
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        id_order::id_of,
        odm::Exec,
        place::Place,
    },
    derived::values::key_condition,
    error::{Error, Result},
    graph::Nulls,
    graph::stored_reference::{StoredSlot, dangling_slots, each_slot},
    model::shape::ModelShape,
    value::key::{JoinKey, any_of},
};
use declared_reference::DanglingCheck;
use key_group::SlotGroup;

/// Number of distinct keys that one statement searches for.
const KEYS: usize = 5_000;

/// Number of documents that one transaction reads.
const DOCUMENTS: usize = 1_000;

/// Slots that seem to be wrong, and the documents that contain these slots. A slot is a stored key, together with the
/// stored model of a polymorphic reference.
#[derive(Clone, Debug)]
pub(super) struct SuspectSlots {
    slots: Arc<HashSet<StoredSlot>>,
    ids: Vec<Bson>,
}

pub(super) fn all(scope: &Scope<'_>) -> Invariants {
    let unchecked = scope.references.iter().filter(|it| it.needs_check());
    list(unchecked.cloned())
}

impl Invariant for DeclaredReference {
    fn names(&self) -> Vec<String> {
        vec![self.stored.name()]
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        let targets = self.stored.targets().map(|target| target.model);
        [self.stored.model].into_iter().chain(targets).collect()
    }

    fn query(&self) -> Query {
        Query::Aggregate(key_group::aggregate(self).into())
    }
}

impl Walked for DeclaredReference {
    type Item = SlotGroup;
    type Suspects = SuspectSlots;

    fn read(&self, raw: &RawDocument) -> Seen<SlotGroup> {
        let Some(group) = Group::read(raw) else {
            return Seen::UnreadableKey;
        };
        SlotGroup::new(&self.stored, group).map_or_else(|| Seen::Findings(Vec::new()), Seen::Item)
    }

    fn places(&self, item: &SlotGroup) -> u64 {
        if item.slot.key.is_null() {
            0
        } else {
            item.count
        }
    }

    async fn suspects(
        &self,
        batch: &[SlotGroup],
        exec: &Exec,
    ) -> Result<SuspectStream<SuspectSlots>> {
        let slots: HashSet<StoredSlot> = batch.iter().map(|group| group.slot.clone()).collect();
        let slots: Vec<StoredSlot> = self.wrong(&slots, exec).await?.into_iter().collect();
        let slots = parts(&slots, KEYS, |slot| slot.key.size());
        let searches = slots.map(|slots| {
            let all: HashSet<StoredSlot> = slots.iter().cloned().collect();
            (self.documents_with(slots), Arc::new(all), exec.clone())
        });
        let suspects = stream::iter(searches.collect::<Vec<_>>())
            .then(async |(find, slots, exec)| {
                let batches = exec.open(find).await?;
                let ids = stream::try_unfold(batches, async |mut batches| {
                    let ids = batches.next_ids().await?;
                    Ok::<_, Error>(ids.map(|ids| (ids, batches)))
                });
                Ok::<_, Error>(ids.map_ok(move |ids| suspects(&slots, &ids)).try_flatten())
            })
            .try_flatten();
        Ok(suspects.boxed())
    }

    /// Reads documents again, together with their targets.
    async fn confirm(
        &self,
        suspects: SuspectSlots,
        exec: &Exec,
    ) -> Result<Confirmed<SuspectSlots>> {
        let filter = doc! { "_id": key_condition(&suspects.ids) };
        let find = key_group::documents(&self.stored, filter);
        let documents = exec.raw_documents(find).await?;
        let mut there = Vec::new();
        for document in &documents {
            each_slot(&self.stored, document, &mut |path, slot| {
                if suspects.slots.contains(&slot) {
                    there.push((id_of(document), path, slot));
                }
            });
        }
        let slots: HashSet<StoredSlot> = there.iter().map(|(.., slot)| slot.clone()).collect();
        let wrong = self.wrong(&slots, exec).await?;
        there.retain(|(.., slot)| wrong.contains(slot));
        let found = there.into_iter();
        let found = found.filter_map(|(id, path, slot)| Some(self.finding(id?, path, slot.key)));
        Ok((found.collect(), None))
    }

    fn key_path(&self) -> String {
        self.stored.path()
    }
}

/// Divides the documents that contain suspected slots into parts, one for each transaction.
fn suspects(slots: &Arc<HashSet<StoredSlot>>, ids: &[Bson]) -> SuspectStream<SuspectSlots> {
    suspect_stream(parts(ids, DOCUMENTS, size_of).map(|ids| SuspectSlots {
        slots: Arc::clone(slots),
        ids: ids.to_vec(),
    }))
}

impl DeclaredReference {
    /// Selects the slots that contain a dangling key, or that are null although null is forbidden.
    async fn wrong(&self, slots: &HashSet<StoredSlot>, exec: &Exec) -> Result<HashSet<StoredSlot>> {
        let mut wrong = match self.dangling {
            DanglingCheck::Reference => {
                dangling_slots(&self.stored, slots, Place::of, exec).await?
            }
            DanglingCheck::Copies | DanglingCheck::Pair => HashSet::new(),
        };
        if self.stored.nulls() == Nulls::Forbidden {
            wrong.extend(slots.iter().filter(|slot| slot.key.is_null()).cloned());
        }
        Ok(wrong)
    }

    /// Returns the query for the ids of documents that contain one of the given slots.
    fn documents_with(&self, slots: &[StoredSlot]) -> FindCommand {
        let keys: HashSet<&JoinKey> = slots.iter().map(|slot| &slot.key).collect();
        let with_key = keys.iter().filter(|key| !key.is_null());
        let with_key: Vec<Bson> = with_key.map(|key| key.to_bson()).collect();
        let mut any = Vec::new();
        if with_key.len() < keys.len() {
            any.push(key_group::null_filter(&self.stored));
        }
        if !with_key.is_empty() {
            any.push(any_of(&self.stored.path(), with_key));
        }
        let find = key_group::documents(&self.stored, doc! { "$or": any });
        find.ids().collation(simple())
    }

    fn finding(&self, id: Bson, path: String, key: JoinKey) -> Drifted {
        let model = self.stored.model;
        let key = (!key.is_null()).then_some(key);
        let kind = if key.is_some() {
            DriftKind::NoTarget
        } else {
            DriftKind::NullReference
        };
        let shown = key.as_ref().map(JoinKey::to_bson);
        Drifted {
            path,
            stored: shown.clone(),
            key: shown,
            job: Some(Arc::new(RepairingJob {
                rule: self.rule.clone(),
                key,
                ..RepairingJob::default()
            })),
            ..Drifted::new(&self.stored.name(), model.name, model.collection, id, kind)
        }
    }
}
