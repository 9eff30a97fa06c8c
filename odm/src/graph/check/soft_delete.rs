//! Rejects declarations that would make deleted documents inconsistent.

use std::sync::Arc;

use super::Problem;
use crate::{
    graph::{ExtendedReference, KeyOwner, Sources, StoredReference},
    model::shape::{ModelShape, OnDelete},
};

/// Finds these mistakes:
///
/// - A reference with `cascade` from a model without `#[deleted_at]` to a model with `#[deleted_at]`.
/// - A reference with `cascade` from a model without an archive to a model with an archive.
/// - An archive that is also the collection of a model.
/// - Models of the same documents with different fields `#[deleted_at]`.
/// - A copy from a model with `#[deleted_at]`, if a deleted document and a new document can have the same key.
pub(in crate::graph) fn find(
    models: &[&'static ModelShape],
    rules: &[StoredReference],
    references: &[Arc<ExtendedReference>],
) -> Vec<Problem> {
    let rules = rules.iter().filter_map(lost_child);
    rules
        .chain(shared_archive(models))
        .chain(models.iter().filter_map(|it| other_mark(it, models)))
        .chain(references.iter().filter_map(|it| shared_key(it)))
        .collect()
}

fn lost_child(rule: &StoredReference) -> Option<Problem> {
    let (owner, target) = (rule.model, rule.target.model);
    let (kept, remedy) = if target.archive_collection().is_some() {
        (
            owner.archive.is_some(),
            "archives its deleted documents, so a restore could not restore the documents of",
        )
    } else {
        (
            owner.deleted_at().is_some() || target.deletion_fields().next().is_none(),
            "keeps deleted documents, so a restore could not restore the documents of",
        )
    };
    if rule.on_delete != OnDelete::Cascade || kept {
        return None;
    }
    let declaration = if target.archive_collection().is_some() {
        "`on_delete = \"archive\"` to the `#[model(..)]` of"
    } else {
        "a field `#[deleted_at] deleted_at: Option<DateTime>` to"
    };
    Some(Problem {
        collections: vec![owner.collection, target.collection],
        message: format!(
            "`{}` has `on_delete = \"cascade\"`, but only `{}` {remedy} `{owner}`; add {declaration} `{owner}`",
            rule.title,
            target.name,
            owner = owner.name
        ),
    })
}

/// Rejects an archive in the collection of a model. Writes of that model would change archived documents.
fn shared_archive(models: &[&'static ModelShape]) -> impl Iterator<Item = Problem> {
    let archives = models
        .iter()
        .filter_map(|model| Some((model, model.archive?)));
    archives.filter_map(|(model, archive)| {
        let other = models.iter().find(|other| other.collection == archive)?;
        Some(Problem {
            collections: vec![model.collection, archive],
            message: format!(
                "`{}` archives its deleted documents in `{archive}`, which is the collection of `{}`; rename the collection of \
                 `{}`",
                model.name, other.name, other.name
            ),
        })
    })
}

/// Rejects a model whose deleted documents would be live documents of another model.
fn other_mark(model: &'static ModelShape, models: &[&'static ModelShape]) -> Option<Problem> {
    let field = model.deleted_at()?;
    let marks = models.iter().filter_map(|it| Some((it, it.deleted_at()?)));
    let mut others = marks.filter(|(it, _)| it.documents() == model.documents());
    let (other, other_field) = others.find(|(_, other)| *other > field)?;
    Some(Problem {
        collections: vec![model.collection],
        message: format!(
            "`{}` and `{}` are in the collection `{}`, but have the fields `{field}` and `{other_field}` with `#[deleted_at]`; \
             store the time of the delete in the same field",
            model.name, other.name, model.collection
        ),
    })
}

fn shared_key(reference: &ExtendedReference) -> Option<Problem> {
    let source = reference.source.linked()?;
    let is_shared = match (reference.key_owner(), reference.sources()) {
        (KeyOwner::Target, Sources::FirstByKey) => source.deleted_at().is_some(),
        (KeyOwner::Target, Sources::OneById | Sources::All) | (KeyOwner::Source, _) => false,
    };
    is_shared.then(|| Problem {
        collections: vec![source.collection, reference.target.shape().collection],
        message: format!(
            "`{}` copies by the key `{}`, which a deleted `{source}` and a new `{source}` can share; refer to the `_id` of \
             `{source}`",
            reference.name,
            reference.source_key,
            source = source.name
        ),
    })
}
