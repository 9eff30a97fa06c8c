//! Calls the hooks of all documents that a delete removes or marks as deleted.
//!
//! Jobs do not call hooks. So a delete fails if its cascade is left to jobs and reaches a model with hooks.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{RawDocumentBuf, doc};

use super::{cascade::Cascade, deleted_group::Gone, deletion::Deletion};
use crate::{
    client::{command::FindCommand, id_order::id_of, odm::Exec},
    derived::{
        follow::{copy_options::FanOut, deleted_document::ids_of, follow_result::Follow},
        values::key_condition,
    },
    error::{Error, Result},
    graph::{StoredReference, graph},
    hook::{Committed, CommittedHooks, ModelHooks},
    model::shape::{ModelShape, OnDelete},
    value::key::JoinKey,
};

/// Number of documents that one statement reads for the hooks.
const AT_ONCE: usize = 500;

/// Whether a delete calls hooks of the model, or of models that its cascade reaches.
pub(crate) fn delete_calls_hooks(
    model: &'static ModelShape,
    deletion: &Deletion,
    fan_out: &FanOut,
) -> bool {
    let mut rules = graph().acting_rules(model.documents());
    calls_hooks(deletion, fan_out)
        && (has_hooks(model) || rules.any(|rule| reaches_hooks(rule, &mut Vec::new())))
}

/// Whether the call runs hooks. A restore never runs hooks.
const fn calls_hooks(deletion: &Deletion, fan_out: &FanOut) -> bool {
    !fan_out.skips_hooks && !matches!(deletion, Deletion::Restore { .. })
}

fn has_hooks(model: &'static ModelShape) -> bool {
    hooks_of_deletes(model).is_some()
}

fn hooks_of_deletes(model: &'static ModelShape) -> Option<ModelHooks> {
    let hooks = ModelHooks::new(model)?;
    (hooks.has.before_delete || hooks.has.after_commit).then_some(hooks)
}

/// Whether a rule deletes documents of a model with hooks, directly or through further rules. `seen` contains the
/// models that were already visited.
fn reaches_hooks(rule: &StoredReference, seen: &mut Vec<&'static str>) -> bool {
    let model = rule.model;
    if !matches!(rule.on_delete, OnDelete::Cascade) || seen.contains(&model.name) {
        return false;
    }
    seen.push(model.name);
    let mut next = graph().acting_rules(model.documents());
    has_hooks(model) || next.any(|rule| reaches_hooks(rule, seen))
}

/// Calls `before_delete` once for each collected document. Returns the documents to delete, and the calls of
/// `after_commit`.
///
/// A hook can change which documents the delete affects. For example, a hook can assign the children of its document to
/// a different parent. So if the hooks of one model write to a collection in which the delete finds documents, the
/// documents are collected again.
pub(super) async fn before_delete(
    mut cascade: Cascade,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<(Cascade, CommittedHooks)> {
    if !calls_hooks(&cascade.deletion, fan_out) {
        return Ok((cascade, CommittedHooks::default()));
    }
    let mut called = Called::default();
    for _ in 0..ROUNDS {
        refuse_left_to_jobs(&cascade, fan_out.how)?;
        if !called.call(&cascade, exec).await? {
            let committed = called.committed(&cascade);
            return Ok((cascade, committed));
        }
        cascade = cascade.collect_again(exec).await?;
    }
    Err(Error::invalid(
        "the hooks of a delete add documents to the same delete again and again; `before_delete` must not insert documents \
         that the delete also deletes",
    ))
}

/// Largest number of times that a delete collects its documents.
const ROUNDS: usize = 100;

/// The documents whose hooks have been called.
#[derive(Default)]
struct Called {
    /// The documents for which `before_delete` was called.
    documents: HashSet<(&'static str, JoinKey)>,
    /// The stored documents that `after_commit` receives.
    stored: HashMap<(&'static str, JoinKey), RawDocumentBuf>,
}

impl Called {
    /// Calls `before_delete` for the documents that have not been processed yet. Stops after the first model whose
    /// hooks have written to the delete's collections. Returns whether there was such a model.
    async fn call(&mut self, cascade: &Cascade, exec: &Exec) -> Result<bool> {
        let collections = cascade.collections();
        let writes = || {
            exec.transaction()
                .map_or(0, |tx| tx.writes_to(&collections))
        };
        for gone in &cascade.gone {
            let Some(hooks) = hooks_of_deletes(gone.model) else {
                continue;
            };
            let before = writes();
            self.call_for_model(gone, &hooks, exec).await?;
            if writes() > before {
                self.stored.clear();
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn call_for_model(&mut self, gone: &Gone, hooks: &ModelHooks, exec: &Exec) -> Result<()> {
        let mut ids = ids_of(&gone.documents);
        ids.retain(|id| {
            let document = (gone.collection(), id.clone().into());
            if hooks.has.after_commit {
                !self.stored.contains_key(&document)
            } else {
                !self.documents.contains(&document)
            }
        });
        for ids in ids.chunks(AT_ONCE) {
            let by_ids = doc! { "_id": key_condition(ids) };
            let find = FindCommand::new(gone.place(), by_ids);
            let stored = exec.raw_documents(find.all()).await?;
            if hooks.has.before_delete && exec.is_paper() {
                exec.note(|| format!("after `before_delete` of each `{}`", gone.model.name));
            }
            for document in stored {
                let Some(id) = id_of(&document) else {
                    continue;
                };
                let key = (gone.collection(), id.into());
                if hooks.has.before_delete && self.documents.insert(key.clone()) {
                    hooks.before_delete(&document, exec).await?;
                }
                if hooks.has.after_commit {
                    self.stored.insert(key, document);
                }
            }
        }
        Ok(())
    }

    /// Returns the calls of `after_commit` for the documents to delete.
    fn committed(mut self, cascade: &Cascade) -> CommittedHooks {
        let mut committed = CommittedHooks::default();
        for gone in &cascade.gone {
            if let Some(hooks) = hooks_of_deletes(gone.model) {
                let ids = ids_of(&gone.documents).into_iter();
                let stored =
                    ids.filter_map(|id| self.stored.remove(&(gone.collection(), id.into())));
                committed.extend(hooks.committed(Committed::Deleted, stored));
            }
        }
        committed
    }
}

/// Rejects a delete if jobs would have to delete documents of a model with hooks.
fn refuse_left_to_jobs(cascade: &Cascade, how: Follow) -> Result<()> {
    let Some(first) = cascade.gone.first() else {
        return Ok(());
    };
    let mut left: Vec<&StoredReference> = cascade.left.iter().map(|(rule, _)| *rule).collect();
    if how == Follow::Deferred {
        left.extend(graph().acting_rules(first.model.documents()));
    }
    let Some(rule) = left
        .iter()
        .find(|rule| reaches_hooks(rule, &mut Vec::new()))
    else {
        return Ok(());
    };
    let message = format!(
        "the delete of `{}` would leave the documents of `{}` to a job, and jobs call no hooks; add `.atomic()` to call the \
         hooks in one transaction, or `.without_hooks()`",
        first.model.name, rule.model.name
    );
    Err(Error::invalid(message).in_model(first.model))
}
