//! Phase 1 of the follow-up: assigns every change to the phase that handles it.

use std::sync::Arc;

use super::{
    follow_result::{Follow, Followed},
    source_change::{Change, ChildChange, Children, ReferenceChange},
};
use crate::{
    client::odm::Exec,
    graph::{Deltas, ExtendedReference, Targets, Timing},
};

/// The state of one write's follow-up: the changes that each phase handles, and the results of the phases.
#[derive(Debug, Default)]
pub(super) struct FollowUp {
    pub(super) how: Follow,
    /// How many documents may still be written. `None` means that the number is not limited.
    pub(super) budget: Option<u64>,
    pub(super) reach: Reach,
    /// The changed children for which `at_once` updates the computed fields of the parents.
    pub(super) at_once: Vec<Children>,
    /// The changes to the arrays of new documents. Each change adds the ids of existing documents that already refer to
    /// the new document. `at_once` writes these changes, because a job could no longer reject an insert that exceeds
    /// `max`.
    pub(super) pairs: Vec<Change>,
    /// The changed children for which `add_up` adds the differences to the computed fields of the parents.
    pub(super) add_up: Vec<Children>,
    /// The changes for which `announce` writes jobs.
    pub(super) announced: Vec<Change>,
    /// The announced changes for which `spread` writes copies. If `announce` leaves the copies to the jobs, the list
    /// stays empty.
    pub(super) spread: Vec<Change>,
    pub(super) followed: Followed,
}

/// Which changes are handled in the write's transaction. All other changes are left to jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only the changes that jobs cannot handle.
    AtOnce,
    /// Also the effects of changed children, which become additions or deltas.
    Additions,
    /// Also the updates of copies, if the budget allows them.
    #[default]
    Copies,
}

impl Reach {
    fn new(how: Follow, exec: &Exec) -> Self {
        match how {
            // Without a transaction, a crash could leave some copies unwritten. The job, which was stored before the
            // source was written, writes the remaining copies.
            _ if !exec.in_transaction() => Self::AtOnce,
            // An earlier attempt failed because a document cannot store its copy. The job writes the other copies and
            // reports that document.
            Follow::Converge if exec.defers_copies() => Self::AtOnce,
            Follow::Deferred => Self::Additions,
            Follow::Converge | Follow::Atomic => Self::Copies,
        }
    }
}

impl FollowUp {
    /// Assigns the changes of a write to the phases. `budget` is the number of documents that may still be written.
    pub(super) fn collect(
        changes: Vec<Change>,
        how: Follow,
        budget: Option<u64>,
        exec: &Exec,
    ) -> Self {
        let mut all = Self {
            how,
            budget,
            reach: Reach::new(how, exec),
            ..Self::default()
        };
        for change in changes {
            match change {
                Change::Reference(it) if is_written_at_once(&it.reference, exec) => {
                    match it.child {
                        Some(child) => push(&mut all.at_once, &it.reference, *child),
                        None => all.pairs.push(Change::Reference(it)),
                    }
                }
                other => all.collect_caused([other]),
            }
        }
        all
    }

    /// Assigns changes to the phases after `at_once`, for example the changes that the updates of `at_once` have
    /// caused.
    pub(super) fn collect_caused(&mut self, changes: impl IntoIterator<Item = Change>) {
        for change in changes {
            match change {
                Change::Reference(ReferenceChange {
                    reference,
                    child: Some(child),
                    ..
                }) if self.reach != Reach::AtOnce && takes_additions(&reference) => {
                    push(&mut self.add_up, &reference, *child);
                }
                other => self.announced.push(other),
            }
        }
    }
}

/// Whether the fields have to be updated together with the write, because a later job cannot update them correctly. If
/// two mirrored arrays differ, a job cannot determine whether an element was added or removed. In addition, a job
/// cannot reject a child that exceeds `max`.
fn is_written_at_once(reference: &ExtendedReference, exec: &Exec) -> bool {
    match (reference.timing(), reference.targets()) {
        (Timing::WithTheWrite, _) => true,
        // Without a transaction, a bounded array is left to a job, like other fields. The child has already been
        // stored, so the write can no longer reject it.
        (Timing::InTransaction, Targets::OneById) => exec.in_transaction(),
        (Timing::InTransaction, Targets::All) | (Timing::ByBudget, _) => false,
    }
}

/// Whether changes to children can be expressed as additions to the fields.
fn takes_additions(reference: &ExtendedReference) -> bool {
    match (reference.deltas(), reference.targets()) {
        (Deltas::Possible, Targets::OneById) => true,
        // The key must be the `_id`, because several documents can have the same value in any other key field.
        (Deltas::Possible, Targets::All) | (Deltas::Never, _) => false,
    }
}

/// Adds a changed child to the group of children that have the same extended reference.
fn push(all: &mut Vec<Children>, reference: &Arc<ExtendedReference>, child: ChildChange) {
    let mut known = all.iter_mut();
    match known.find(|(of, _)| Arc::ptr_eq(of, reference)) {
        Some((_, children)) => children.push(child),
        None => all.push((Arc::clone(reference), vec![child])),
    }
}

/// Subtracts a number of documents from a budget, if the budget is large enough. Returns whether the budget was large
/// enough.
pub(super) fn spend(budget: &mut Option<u64>, documents: u64) -> bool {
    match budget.map(|left| left.checked_sub(documents)) {
        Some(None) => false,
        rest => {
            *budget = rest.flatten();
            true
        }
    }
}
