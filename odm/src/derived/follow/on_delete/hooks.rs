//! Calls the hooks of all documents that a delete removes or marks as deleted.
//!
//! Jobs do not call hooks. So a delete fails if its cascade is left to jobs and reaches a model with hooks.

use mongodb::bson::doc;

use super::{
    cascade::{Cascade, Gone},
    deletion::Deletion,
};
use crate::{
    client::{command::FindCommand, odm::Exec},
    derived::{
        follow::{copy_options::FanOut, deleted_document::ids_of, follow_result::Follow},
        values::key_condition,
    },
    error::{Error, Result},
    graph::{StoredReference, graph},
    hook::{Committed, CommittedHooks, ModelHooks},
    model::shape::{ModelShape, OnDelete},
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

/// Whether the call runs hooks at all. A restore does not.
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

/// Whether a rule deletes documents of a model with hooks, directly or through further rules. `seen` contains the models
/// that were already visited.
fn reaches_hooks(rule: &StoredReference, seen: &mut Vec<&'static str>) -> bool {
    let model = rule.model;
    if !matches!(rule.on_delete, OnDelete::Cascade) || seen.contains(&model.name) {
        return false;
    }
    seen.push(model.name);
    let mut next = graph().acting_rules(model.documents());
    has_hooks(model) || next.any(|rule| reaches_hooks(rule, seen))
}

/// Calls `before_delete` for all collected documents. Returns the calls of `after_commit`.
pub(super) async fn before_delete(
    cascade: &Cascade,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<CommittedHooks> {
    let mut committed = CommittedHooks::default();
    if !calls_hooks(&cascade.deletion, fan_out) {
        return Ok(committed);
    }
    refuse_left_to_jobs(cascade, fan_out.how)?;
    for gone in &cascade.gone {
        if let Some(hooks) = hooks_of_deletes(gone.model) {
            committed.extend(of_model(gone, &hooks, exec).await?);
        }
    }
    Ok(committed)
}

/// Calls `before_delete` for the collected documents of one model.
async fn of_model(gone: &Gone, hooks: &ModelHooks, exec: &Exec) -> Result<CommittedHooks> {
    let mut committed = CommittedHooks::default();
    for ids in ids_of(&gone.documents).chunks(AT_ONCE) {
        let by_ids = doc! { "_id": key_condition(ids) };
        let find = FindCommand::new(gone.place(), by_ids);
        let stored = exec.raw_documents(find.all()).await?;
        if hooks.has.before_delete && exec.is_paper() {
            exec.note(|| format!("after `before_delete` of each `{}`", gone.model.name));
        } else if hooks.has.before_delete {
            for document in &stored {
                hooks.before_delete(document, exec).await?;
            }
        }
        committed.extend(hooks.committed(Committed::Deleted, stored));
    }
    Ok(committed)
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
