//! Documents that were deleted a moment ago. Within the grace period of a delete, its job looks again for documents
//! that refer to the deleted document. The job applies the delete rule to documents that were written in the meantime.
//! The step at which this happens is unknown.

use std::collections::BTreeSet;

use super::Case;
use crate::{
    declaration::{Declaration, Rule},
    naive::life::is_deleted,
    program::{Call, Step},
    world::{World, keys, references},
};

/// Documents that may have been deleted since the last time when no work was left.
#[derive(Debug, Default)]
pub(super) enum Lost {
    /// No documents.
    #[default]
    Nothing,
    /// These documents, by the number of the model and the id.
    These(BTreeSet<(usize, i64)>),
    /// Any document that does not exist.
    Anything,
}

impl Lost {
    /// Returns whether a job of a delete rule may still change a document of the given state.
    pub(super) fn concerns(&self, all: &Declaration, world: &World) -> bool {
        world.0.iter().any(|((model, _), document)| {
            let mut acting = references(all.model(*model))
                .filter(|(_, it)| matches!(it.rule, Rule::Cascade | Rule::Nullify | Rule::Pull));
            acting.any(|(field, it)| {
                let mut keys = keys(field, document).into_iter();
                keys.any(|key| is_gone(all, world, (it.to, key)) && self.has((it.to, key)))
            })
        })
    }

    fn has(&self, at: (usize, i64)) -> bool {
        match self {
            Self::Nothing => false,
            Self::These(all) => all.contains(&at),
            Self::Anything => true,
        }
    }

    fn add(&mut self, more: Self) {
        match (&mut *self, more) {
            (Self::Anything, _) | (_, Self::Nothing) => {}
            (Self::These(all), Self::These(more)) => all.extend(more),
            (_, more) => *self = more,
        }
    }
}

impl Case<'_> {
    /// Records that a step of several calls has deleted something. Documents that existed only during the step are in
    /// no state.
    pub(super) fn note_deletes(&mut self, step: &Step) {
        let mut calls = step.calls().iter();
        if !matches!(step, Step::Call(_)) && calls.any(Call::applies_rules) {
            self.lost = Lost::Anything;
        }
    }

    /// Records the documents that a step has deleted.
    pub(super) fn note_lost(&mut self, before: &World) {
        self.lost.add(self.gone(before, &self.world));
    }

    /// Returns the documents that exist in one state and are deleted in a later one.
    pub(super) fn gone(&self, before: &World, after: &World) -> Lost {
        let there = before.0.keys().copied();
        let there = there.filter(|at| !is_gone(self.all, before, *at));
        let gone: BTreeSet<_> = there.filter(|at| is_gone(self.all, after, *at)).collect();
        if gone.is_empty() {
            return Lost::Nothing;
        }
        Lost::These(gone)
    }
}

/// Returns whether a document is deleted.
fn is_gone(all: &Declaration, world: &World, (model, id): (usize, i64)) -> bool {
    let document = world.get(model, id);
    document.is_none_or(|it| is_deleted(all.model(model), it))
}
