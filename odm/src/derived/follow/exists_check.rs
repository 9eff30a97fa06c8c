//! Checks that the targets of new references with `exists` exist.
//!
//! 1. The write is sent before the check, because a document may refer to itself or to another document in the same
//!    write.
//! 2. In the same transaction, the library reads the targets of all keys that the write added to a document.
//! 3. If the reference has a delete rule, the write also stores the job for the key. A delete of the target writes the
//!    same job, even with `restrict`. The job is necessary because a read does not conflict with a delete. If the two
//!    transactions run concurrently, one of them fails with a write conflict. The failed transaction is repeated, and
//!    then sees the changes of the other transaction. A runner later removes these jobs.
//!
//! If both models have tenants, the target must have the same tenant as the document that refers to it. The tenant of
//! the handle does not matter, because a job restores archived documents of all tenants. Links between documents with a
//! tenant are checked in the same way.
//!
//! A document that is already marked as deleted when it is inserted may refer to deleted documents. `move_documents`
//! inserts such documents. So the check sends one `find` for each tenant of the written documents, and separate `find`s
//! for deleted documents.
//!
//! A reference without a delete rule (`keep`) is an exception, and needs no job. If a write and a delete do not see
//! each other, the result is the same as if the write had been committed first.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use mongodb::{
    bson::{Bson, RawBsonRef, RawDocument, doc},
    options::UpdateModifications,
};

use crate::{
    client::{
        command::FindCommand,
        id_order::id_of,
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{
        outbox::{JobEntry, record_all},
        values::key_condition,
    },
    error::{Error, Result},
    graph::{
        StoredReference, graph,
        stored_reference::{StoredSlot, dangling_slots, each_slot},
        with_kinds,
    },
    model::shape::{DocumentSet, ModelShape},
    query::update::{REMOVING_OPERATORS, changed_paths},
    value::{
        key::JoinKey,
        path::{covers, overlap, projection},
    },
};

/// The references with `exists` in a set of documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExistsCheck(Vec<&'static StoredReference>);

/// The keys that documents store in references with `exists`, by the documents' `_id`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferredKeys(HashMap<JoinKey, DocumentKeys>);

/// The keys that one document stores.
#[derive(Clone, Debug, Default)]
struct DocumentKeys {
    /// The stored slots, each paired with the index of its reference.
    slots: BTreeSet<(usize, StoredSlot)>,
    permitted: PermittedTargets,
}

/// The documents to which a document may refer.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct PermittedTargets {
    tenant: Option<JoinKey>,
    /// Whether deleted documents are permitted, because the document itself is deleted.
    deleted: bool,
}

impl ExistsCheck {
    pub(super) fn of(documents: DocumentSet<'_>) -> Self {
        Self(graph().checked_references(documents).collect())
    }

    /// Keeps only the references to which an update may add keys.
    pub(super) fn touched_by(mut self, update: &UpdateModifications) -> Self {
        let mut update = update.clone();
        if let UpdateModifications::Document(operators) = &mut update {
            for operator in REMOVING_OPERATORS {
                operators.remove(operator);
            }
        }
        if let Some(written) = changed_paths(&update) {
            let touched = |path: String| written.iter().any(|written| overlap(written, &path));
            self.0.retain(|it| it.paths().any(touched));
        }
        self
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of these references is in a field of the documents.
    pub(super) fn has_key_in(&self, field: &str) -> bool {
        let mut paths = self.0.iter().flat_map(|it| it.paths());
        paths.any(|path| covers(field, &path))
    }

    /// Whether a write that stores these references also writes jobs.
    pub(super) fn has_jobs(&self) -> bool {
        self.0.iter().any(|it| rule_of(it).is_some())
    }

    /// Rejects the write on a standalone server. Without a transaction, the check and the write would not be atomic.
    ///
    /// # Errors
    ///
    /// [`Error::ExistsNeedsTransactions`] on a standalone server, and server errors.
    pub(super) async fn refuse_standalone(&self, exec: &Exec) -> Result<()> {
        let Some(reference) = self.0.first() else {
            return Ok(());
        };
        if exec.in_transaction() || !exec.is_on_standalone().await? {
            return Ok(());
        }
        Err(Error::ExistsNeedsTransactions {
            model: reference.model.name,
            collection: reference.model.collection,
            field: reference.path(),
        })
    }

    /// Returns the keys that the given documents store in these references.
    pub(crate) fn held<'d>(
        &self,
        documents: impl IntoIterator<Item = &'d RawDocument>,
    ) -> ReferredKeys {
        let mut referred = ReferredKeys::default();
        if self.is_empty() {
            return referred;
        }
        for document in documents {
            let id = id_of(document).unwrap_or(Bson::Null);
            let id = JoinKey::from(id);
            let held = referred.0.entry(id.clone()).or_default();
            held.permitted = self.permitted_targets(document);
            for (number, reference) in self.0.iter().enumerate() {
                each_slot(reference, document, &mut |_, slot| {
                    // Each document has a link to itself.
                    let is_own = reference.is_link() && slot.key == id;
                    if !slot.key.is_null() && !is_own {
                        held.slots.insert((number, slot));
                    }
                });
            }
        }
        referred
    }

    /// Reads the keys that stored documents contain. Sends one `find`.
    pub(crate) async fn stored(
        &self,
        place: &Place,
        ids: &[Bson],
        exec: &Exec,
    ) -> Result<ReferredKeys> {
        if self.is_empty() || ids.is_empty() {
            return Ok(ReferredKeys::default());
        }
        let tenants = self.0.iter().filter_map(|it| it.model.tenant());
        let deletions = self.0.iter().filter_map(|it| it.model.deleted_at());
        let others = tenants.chain(deletions).map(str::to_owned);
        let paths = self.0.iter().flat_map(|it| it.paths());
        let paths: Vec<String> = paths.chain(others).collect();
        let by_ids = doc! { "_id": key_condition(ids) };
        let find = FindCommand::new(place.clone(), by_ids)
            .select(projection(paths.iter().map(String::as_str)));
        let documents = exec.raw_documents(find.all()).await?;
        Ok(self.held(documents.iter().map(|raw| &**raw)))
    }

    fn permitted_targets(&self, document: &RawDocument) -> PermittedTargets {
        let value = |field: &str| document.get(field).ok().flatten();
        let models = || self.0.iter().map(|it| it.model);
        let tenant = models().find_map(ModelShape::tenant).and_then(value);
        let tenant = tenant.and_then(|it| Bson::try_from(it).ok());
        let deleted_at = models().find_map(ModelShape::deleted_at).and_then(value);
        PermittedTargets {
            tenant: tenant.map(JoinKey::from),
            deleted: deleted_at.is_some_and(|it| it != RawBsonRef::Null),
        }
    }

    /// Splits an error about missing targets into one error for each document that refers to such a target. Returns
    /// nothing if the documents may refer to different targets, because the error does not contain the tenants.
    pub(crate) fn by_document<'d>(
        &self,
        error: &Error,
        documents: impl IntoIterator<Item = (usize, &'d RawDocument)>,
    ) -> BTreeMap<usize, Arc<Error>> {
        let Error::NoTarget {
            model,
            field,
            target,
            target_collection,
            path,
            of_tenant,
            keys,
        } = error
        else {
            return BTreeMap::new();
        };
        let missing: BTreeSet<JoinKey> = keys.iter().cloned().map(JoinKey::from).collect();
        let mut permitted = BTreeSet::new();
        let of_document = |(position, document)| {
            let id = id_of(document).map(JoinKey::from);
            let mut own = BTreeSet::new();
            for reference in self.0.iter().filter(|it| it.path() == *field) {
                each_slot(reference, document, &mut |_, slot| {
                    let target_of_slot = reference.targets().nth(slot.target);
                    let is_same = target_of_slot.is_some_and(|it| it.model.name == *target);
                    // Each document has a link to itself.
                    let is_own = reference.is_link() && Some(&slot.key) == id.as_ref();
                    if is_same && !is_own && missing.contains(&slot.key) {
                        own.insert(slot.key);
                    }
                });
            }
            (!own.is_empty()).then(|| {
                permitted.insert(self.permitted_targets(document));
                let error = Error::NoTarget {
                    model,
                    field: field.clone(),
                    target,
                    target_collection,
                    path: path.clone(),
                    of_tenant: *of_tenant,
                    keys: own.iter().map(JoinKey::to_bson).collect(),
                };
                (position, Arc::new(error))
            })
        };
        let by_document = documents.into_iter().filter_map(of_document).collect();
        if permitted.len() > 1 {
            return BTreeMap::new();
        }
        by_document
    }

    /// Rejects new keys whose targets do not exist. Sends one `find` for each reference and target model. Also sends
    /// one `update` that stores jobs if one of these references has a delete rule.
    ///
    /// # Errors
    ///
    /// [`Error::NoTarget`] if a target does not exist. The error lists all such keys of the first affected reference.
    /// Also returns server errors.
    pub(crate) async fn require(
        &self,
        before: &ReferredKeys,
        after: &ReferredKeys,
        exec: &Exec,
    ) -> Result<()> {
        let mut jobs = Vec::new();
        for (number, reference) in self.0.iter().enumerate() {
            let mut new = after.new_of(number, before);
            let is_checked = |slot: &StoredSlot| {
                let target = reference.targets().nth(slot.target);
                target.is_none_or(|target| reference.checks(target))
            };
            new.retain(|(_, slot)| is_checked(slot));
            if new.is_empty() {
                continue;
            }
            exec.note(|| format!("{}: `exists`", reference.name()));
            let missing = missing_targets(reference, &new, exec).await?;
            if !missing.is_empty() && !exec.is_paper() {
                let error = no_target(reference, &missing);
                // The transaction already contains the write, so the transaction must not commit.
                exec.poison(&error);
                return Err(error);
            }
            // The snapshot of this transaction does not show a concurrent delete. That delete writes the same job, so
            // one of the two transactions is repeated.
            if let Some(rule) = rule_of(reference) {
                let keys: BTreeSet<_> = new.iter().map(|(_, slot)| &slot.key).collect();
                jobs.extend(JobEntry::of_new_reference(rule, keys));
            }
        }
        record_all(&jobs, exec).await
    }
}

impl ReferredKeys {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.values().all(|it| it.slots.is_empty())
    }

    /// Lists the keys that the written documents contain in a reference, but did not contain before the write. Each key
    /// is paired with the targets that are permitted for its document.
    fn new_of(&self, number: usize, before: &Self) -> NewSlots<'_> {
        let mut new = BTreeSet::new();
        for (id, held) in &self.0 {
            let had = before.0.get(id).map(|it| &it.slots);
            let is_new = |it: &&(usize, StoredSlot)| had.is_none_or(|had| !had.contains(*it));
            let of_reference = held.slots.iter().filter(|it| it.0 == number);
            let of_reference = of_reference.filter(is_new);
            new.extend(of_reference.map(|(_, slot)| (&held.permitted, slot)));
        }
        new
    }
}

/// Slots with new keys, and the documents to which they may refer.
type NewSlots<'r> = BTreeSet<(&'r PermittedTargets, &'r StoredSlot)>;

/// Returns the slots whose keys do not have a permitted target.
async fn missing_targets(
    reference: &StoredReference,
    new: &NewSlots<'_>,
    exec: &Exec,
) -> Result<BTreeSet<StoredSlot>> {
    let mut by_targets: BTreeMap<&PermittedTargets, HashSet<StoredSlot>> = BTreeMap::new();
    for (permitted, slot) in new {
        let slots = by_targets.entry(*permitted).or_default();
        slots.insert((*slot).clone());
    }
    let mut missing = BTreeSet::new();
    for (permitted, slots) in by_targets {
        let tenant = permitted.tenant.as_ref().map(JoinKey::to_bson);
        let visibility = if permitted.deleted {
            Visibility::All
        } else {
            Visibility::Live
        };
        let place = |model| {
            let place = Place::live(with_kinds(model)).seeing(visibility);
            match &tenant {
                Some(tenant) => place.of_tenant(tenant.clone()),
                None => place,
            }
        };
        missing.extend(dangling_slots(reference, &slots, place, exec).await?);
    }
    Ok(missing)
}

/// Returns the delete rule of a reference that declares `exists`, if the reference has a delete rule.
fn rule_of(reference: &StoredReference) -> Option<&'static StoredReference> {
    graph().checked_rule(reference)
}

/// Returns the error for missing keys. The error contains only the missing keys of the first target model for which
/// keys are missing.
fn no_target(reference: &StoredReference, missing: &BTreeSet<StoredSlot>) -> Error {
    let number = missing.first().map_or(0, |slot| slot.target);
    let target = reference.targets().nth(number);
    let target = target.unwrap_or(&reference.target);
    let of_target = missing.iter().filter(|slot| slot.target == number);
    Error::NoTarget {
        model: reference.model.name,
        field: reference.path(),
        target: target.model.name,
        target_collection: target.model.collection,
        path: target.path.as_str().into(),
        of_tenant: target.model.tenant().is_some(),
        keys: of_target.map(|slot| slot.key.to_bson()).collect(),
    }
}
