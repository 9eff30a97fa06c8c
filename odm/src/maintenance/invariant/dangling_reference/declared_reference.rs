//! Decides which references are checked, and whether a reference is checked for dangling keys, for nulls, or for both.

use crate::{
    graph::{Nulls, StoredReference, graph},
    maintenance::invariant::{copies::has_copies, two_way::pair::TwoWay},
    model::shape::ModelShape,
};

/// A reference that a model declares, and the checks that it requires.
#[derive(Clone, Debug)]
pub(in crate::maintenance::invariant) struct DeclaredReference {
    pub(in crate::maintenance::invariant) stored: StoredReference,
    /// Whether the reference has copies. If so, the check of these copies also covers the reference.
    has_copies: bool,
    /// Whether to check for dangling keys. Other checks cover two-way references and references that have copies.
    pub(super) checks_targets: bool,
    /// The relation of the jobs that apply the reference's delete rule.
    pub(super) rule: Option<String>,
}

impl DeclaredReference {
    /// Lists the references that the given models declare. Each reference is listed once.
    pub(in crate::maintenance::invariant) fn all(models: &[&'static ModelShape]) -> Vec<Self> {
        let (pairs, stored) = (TwoWay::all(models), StoredReference::all(models));
        let stored = stored.into_iter();
        stored.map(|stored| Self::new(stored, &pairs)).collect()
    }

    fn new(stored: StoredReference, pairs: &[TwoWay]) -> Self {
        let has_rule = |relation: &String| graph().rules_of(relation).next().is_some();
        let rule = Some(stored.relation.clone()).filter(has_rule);
        let mut reference = Self {
            has_copies: has_copies(stored.model, &stored.path()),
            stored,
            checks_targets: false,
            rule,
        };
        let is_paired = pairs
            .iter()
            .flat_map(|pair| [&pair.left, &pair.right])
            .any(|side| reference.is_at(side.model, &side.path));
        reference.checks_targets = !is_paired && !reference.has_copies;
        reference
    }

    pub(in crate::maintenance::invariant) fn is_at(&self, model: &ModelShape, path: &str) -> bool {
        self.stored.model.overlaps(model) && self.stored.path() == path
    }

    /// Whether the checks of copies and two-way references do not fully cover this reference.
    pub(in crate::maintenance::invariant) fn is_unchecked(&self) -> bool {
        !self.has_copies && (self.checks_targets || self.stored.nulls() == Nulls::Forbidden)
    }
}
