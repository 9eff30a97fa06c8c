//! Rejects declarations that would mix the documents of several tenants.

use std::sync::Arc;

use super::Problem;
use crate::{
    graph::{ExtendedReference, StoredReference},
    model::shape::{ModelShape, OnDelete},
};

/// Finds these mistakes:
///
/// - Models of one collection with different fields for the tenant.
/// - A reference from a model without a tenant to a model with a tenant.
/// - Derived data and delete rules that depend on a key that can exist in several tenants.
/// - Data that a model without a tenant derives from the documents of several tenants.
pub(in crate::graph) fn find(
    models: &[&'static ModelShape],
    stored: &[StoredReference],
    references: &[Arc<ExtendedReference>],
) -> Vec<Problem> {
    let mixed = models.iter().filter_map(|model| mixed(model, models));
    let global = stored.iter().filter_map(global_owner);
    let shared = references.iter().filter_map(|it| shared_key(it));
    let rules = stored.iter().filter_map(shared_rule_key);
    let derived = references.iter().filter_map(|it| global_parent(it));
    let shared = shared.chain(rules);
    mixed.chain(global).chain(shared).chain(derived).collect()
}

fn mixed(model: &'static ModelShape, models: &[&'static ModelShape]) -> Option<Problem> {
    let tenant = model.tenant()?;
    let mut others = models.iter().filter(|it| it.collection == model.collection);
    let other = others.find(|it| it.tenant() != Some(tenant))?;
    Some(Problem {
        collections: vec![model.collection],
        message: format!(
            "`{0}` and `{1}` are in the collection `{2}`, but only `{0}` has the tenant `{tenant}`; write `tenant = \
             \"{tenant}\"` in `#[model(..)]` of `{1}`",
            model.name, other.name, model.collection
        ),
    })
}

fn global_owner(reference: &StoredReference) -> Option<Problem> {
    let mut targets = reference.targets().map(|it| it.model);
    let target = targets.find(|it| it.tenant().is_some())?;
    let owner = reference.model;
    owner.tenant().is_none().then(|| Problem {
        collections: vec![owner.collection],
        message: format!(
            "`{}` refers to the model `{}`, which has a tenant, but `{}` has none; write `tenant = \"..\"` in \
             `#[model(..)]` of `{2}`",
            reference.title, target.name, owner.name
        ),
    })
}

/// Rejects an extended reference with a key that can exist in several tenants. A job finds documents by their keys,
/// without the tenant, so the keys must be unique over all tenants.
fn shared_key(reference: &ExtendedReference) -> Option<Problem> {
    let (source, target) = (reference.source.linked()?, reference.target.linked()?);
    let is_id = reference.source_key == "_id" || reference.key_path() == "_id";
    (source.tenant().is_some() && !is_id).then(|| Problem {
        collections: vec![source.collection, target.collection],
        message: format!(
            "`{}` depends on the key `{}` of `{}`, which can have the same value in two tenants; refer to the `_id`",
            reference.name, reference.source_key, source.name
        ),
    })
}

/// Rejects a delete rule with a key that can exist in several tenants. A delete finds the references to a key in all
/// tenants.
fn shared_rule_key(reference: &StoredReference) -> Option<Problem> {
    let owner = reference.model;
    let mut targets = reference.targets();
    let target = targets.find(|it| it.path != "_id" && it.model.tenant().is_some())?;
    let is_restricted = matches!(reference.on_delete, OnDelete::Restrict);
    (is_restricted || reference.acts()).then(|| Problem {
        collections: vec![owner.collection, target.model.collection],
        message: format!(
            "`{}` has a delete rule and refers to the key `{}` of `{}`, which can have the same value in two tenants; refer \
             to the `_id`, or remove `on_delete`",
            reference.title, target.path, target.model.name
        ),
    })
}

fn global_parent(reference: &ExtendedReference) -> Option<Problem> {
    let (source, target) = (reference.source.linked()?, reference.target.linked()?);
    (source.tenant().is_some() && target.tenant().is_none()).then(|| Problem {
        collections: vec![source.collection, target.collection],
        message: format!(
            "`{}` would mix the documents of several tenants, because `{}` does not have a tenant; write `tenant = \"..\"` \
             in `#[model(..)]` of `{1}`",
            reference.name, target.name
        ),
    })
}
