//! Finds dangling references, and references that are null although their type forbids it.
//!
//! 1. One aggregation groups the keys that a reference stores.
//! 2. One `find` returns the keys that exist in the target collection.
//! 3. Only documents that contain other keys are read again, together with their targets.
//!
//! A dangling reference is pending only if a job for its delete rule is waiting. Jobs for copies do not change
//! references.
//!
//! References that have copies or an inverse are covered by the checks of copies and two-way references. For such
//! references, this module checks at most whether they are null.

mod declared_reference;
mod key_group;

use std::{collections::HashSet, sync::Arc};

use mongodb::bson::{Bson, Document, doc};

pub(in crate::maintenance) use declared_reference::DeclaredReference;
pub(in crate::maintenance) use key_group::aggregate;

use super::{
    finding::{Cause, DriftKind, Drifted, set_aside},
    finding_stream::EventSender,
    options::Options,
    pending_job::pending,
    unreadable_key,
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::simple,
        id_order::id_of,
        odm::{Exec, each_document},
    },
    derived::values::key_condition,
    error::Result,
    graph::stored_reference::{StoredReference, StoredSlot, dangling_slots, each_slot},
    value::key::{JoinKey, any_of},
};
use key_group::SlotGroup;

/// Number of distinct keys that one statement searches for.
const GROUPS: usize = 5_000;

/// Number of documents that one transaction reads again.
const DOCUMENTS: usize = 1_000;

/// The slots of a reference that seem to be wrong.
#[derive(Clone, Debug)]
struct SuspectSlots {
    reference: Arc<DeclaredReference>,
    slots: Arc<HashSet<StoredSlot>>,
    include_pending: bool,
}

/// The findings from one transaction.
#[derive(Debug, Default)]
struct FoundReferences {
    found: Vec<Drifted>,
    pending: u64,
}

/// Checks all keys that a reference stores.
pub(in crate::maintenance) async fn verify(
    reference: &Arc<DeclaredReference>,
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    let mut batches = exec.open(aggregate(reference)).await?;
    let mut groups = Vec::new();
    let mut is_readable = true;
    while let Some(batch) = batches.next().await? {
        each_document(&batch, |raw| {
            is_readable &= SlotGroup::is_readable(raw);
            groups.extend(SlotGroup::read(&reference.stored, raw));
            Ok(())
        })?;
        while groups.len() >= GROUPS {
            let rest = groups.split_off(GROUPS);
            look_up(reference, &groups, options, out).await?;
            groups = rest;
        }
    }
    look_up(reference, &groups, options, out).await?;
    if is_readable {
        return Ok(());
    }
    let (name, path) = (&reference.stored.name, reference.stored.path());
    unreadable_key::report(name, reference.stored.model, &path, &options.odm, out).await
}

/// Checks some keys. If the server cannot search for them, they are halved until only one is left, which is a
/// finding.
async fn look_up(
    reference: &Arc<DeclaredReference>,
    groups: &[SlotGroup],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let mut left = vec![groups];
    while let Some(groups) = left.pop() {
        match look_up_some(reference, groups, options, out).await {
            Err(error) if error.is_about_one_document() && groups.len() > 1 => {
                let (first, second) = groups.split_at(groups.len() / 2);
                left.extend([second, first]);
            }
            Err(error) if error.is_about_one_document() => {
                let reference = &reference.stored;
                let targets = reference.targets();
                let models: Vec<_> = [reference.model].into_iter().chain(targets).collect();
                let finding = Drifted::unreadable(&reference.name, &models, &error, None);
                out.add_page(finding.into_iter().collect()).await?;
            }
            done => done?,
        }
    }
    Ok(())
}

/// Checks some keys, and confirms the wrong ones by reading the documents that contain them.
async fn look_up_some(
    reference: &Arc<DeclaredReference>,
    groups: &[SlotGroup],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    let slots: HashSet<StoredSlot> = groups.iter().map(|group| group.slot.clone()).collect();
    let slots: Vec<StoredSlot> = wrong_slots(reference, &slots, &exec)
        .await?
        .into_iter()
        .collect();
    for slots in parts(&slots, GROUPS, |slot| slot.key.size()) {
        let suspects = SuspectSlots {
            reference: Arc::clone(reference),
            slots: Arc::new(slots.iter().cloned().collect()),
            include_pending: options.pending,
        };
        suspects.confirm(&exec, out).await?;
    }
    let with_key = groups.iter().filter(|group| !group.slot.key.is_null());
    out.checked(with_key.map(|group| group.count).sum()).await
}

/// Selects the slots that are dangling, or that are null although null is forbidden.
async fn wrong_slots(
    reference: &DeclaredReference,
    slots: &HashSet<StoredSlot>,
    exec: &Exec,
) -> Result<HashSet<StoredSlot>> {
    let mut wrong = HashSet::new();
    if reference.checks_targets {
        wrong = dangling_slots(&reference.stored, slots, exec).await?;
    }
    if reference.stored.required {
        wrong.extend(slots.iter().filter(|slot| slot.key.is_null()).cloned());
    }
    Ok(wrong)
}

impl SuspectSlots {
    /// Finds the documents that contain the suspicious slots. Reads each of them again, in one transaction for
    /// every 1,000 documents.
    async fn confirm(&self, exec: &Exec, out: &EventSender) -> Result<()> {
        let find = key_group::documents(&self.reference.stored, self.filter()).ids();
        let mut batches = exec.open(find.collation(simple())).await?;
        while let Some(ids) = batches.next_ids().await? {
            for ids in parts(&ids, DOCUMENTS, size_of) {
                let state = (self.clone(), ids.to_vec());
                let page = exec.together(state, |(suspects, ids), exec| async move {
                    suspects.read_again(&ids, &exec).await
                });
                let page = page.await?;
                out.add_page(page.found).await?;
                out.pending(page.pending).await?;
            }
        }
        Ok(())
    }

    fn filter(&self) -> Document {
        let keys: HashSet<&JoinKey> = self.slots.iter().map(|slot| &slot.key).collect();
        let with_key = keys.iter().filter(|key| !key.is_null());
        let with_key: Vec<Bson> = with_key.map(|key| key.to_bson()).collect();
        let mut any = Vec::new();
        if with_key.len() < keys.len() {
            any.push(key_group::null_filter(&self.reference.stored));
        }
        if !with_key.is_empty() {
            any.push(any_of(&self.reference.stored.path(), with_key));
        }
        doc! { "$or": any }
    }

    /// Reads documents together with the targets of their references.
    ///
    /// The jobs are read last. So even on a server without snapshots, a job that was stored between the reads is
    /// found.
    async fn read_again(&self, ids: &[Bson], exec: &Exec) -> Result<FoundReferences> {
        let reference = &*self.reference;
        let find = key_group::documents(&reference.stored, doc! { "_id": key_condition(ids) });
        let documents = exec.raw_documents(find).await?;
        let mut there = Vec::new();
        for document in &documents {
            each_slot(&reference.stored, document, &mut |path, slot| {
                if self.slots.contains(&slot) {
                    there.push((id_of(document), path, slot));
                }
            });
        }
        let slots: HashSet<StoredSlot> = there.iter().map(|(.., slot)| slot.clone()).collect();
        let wrong = wrong_slots(reference, &slots, exec).await?;
        there.retain(|(.., slot)| wrong.contains(slot));
        let keys = self.pending(&wrong, exec).await?;
        let found = there
            .into_iter()
            .filter_map(|(id, path, slot)| Some(finding(&reference.stored, id?, path, &slot)));
        let mut found: Vec<Drifted> = found.collect();
        let pending = set_aside(&mut found, self.include_pending, |item| {
            let key = item.key.clone().map(JoinKey::from);
            key.is_some_and(|key| keys.contains(&key))
        });
        Ok(FoundReferences { found, pending })
    }

    /// Lists the keys of deleted documents for which a job will remove the references.
    async fn pending(&self, wrong: &HashSet<StoredSlot>, exec: &Exec) -> Result<HashSet<JoinKey>> {
        let keys = wrong.iter().map(|slot| &slot.key);
        let keys: Vec<JoinKey> = keys.filter(|key| !key.is_null()).cloned().collect();
        let Some(rule) = &self.reference.rule else {
            return Ok(HashSet::new());
        };
        if keys.is_empty() {
            return Ok(HashSet::new());
        }
        pending([rule.clone()], &keys, exec).await
    }
}

fn finding(reference: &StoredReference, id: Bson, path: String, slot: &StoredSlot) -> Drifted {
    let key = (!slot.key.is_null()).then(|| slot.key.to_bson());
    Drifted {
        relation: reference.name.clone(),
        model: reference.model.name,
        collection: reference.model.collection,
        id,
        path,
        stored: key.clone(),
        kind: if key.is_some() {
            DriftKind::NoTarget
        } else {
            DriftKind::NullReference
        },
        key,
        source: None,
        pending: false,
        cause: Cause::Unknown,
    }
}
