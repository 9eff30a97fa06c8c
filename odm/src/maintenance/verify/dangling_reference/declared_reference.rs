//! Decides which references are checked, and whether they are checked for dangling keys, for nulls, or for
//! both.

use crate::{
    graph::{Rule, graph, stored_reference::StoredReference},
    maintenance::verify::two_way_pair::TwoWay,
    model::shape::ModelShape,
};

/// One reference in a model, and the scope of its check.
#[derive(Clone, Debug)]
pub(in crate::maintenance::verify) struct DeclaredReference {
    pub(in crate::maintenance::verify) stored: StoredReference,
    /// Whether dangling keys are checked here. For references with copies and for two-way references, other
    /// checks do this.
    pub(super) checks_targets: bool,
    /// The name of the reference's delete rule in jobs.
    pub(super) rule: Option<String>,
}

impl DeclaredReference {
    /// Lists each reference in some models once.
    pub(in crate::maintenance::verify) fn all(
        models: &[&'static ModelShape],
        pairs: &[TwoWay],
    ) -> Vec<Self> {
        let stored = StoredReference::all(models).into_iter();
        stored.map(|stored| Self::new(stored, pairs)).collect()
    }

    fn new(stored: StoredReference, pairs: &[TwoWay]) -> Self {
        let acts = |relation: &String| graph().rules_of(relation).any(Rule::acts);
        let rule = stored.relation().filter(acts);
        let mut reference = Self {
            stored,
            checks_targets: false,
            rule,
        };
        let is_paired = pairs
            .iter()
            .flat_map(|pair| [&pair.left, &pair.right])
            .any(|side| reference.is_at(side.model, &side.path));
        reference.checks_targets = !is_paired && !reference.has_copies();
        reference
    }

    pub(in crate::maintenance::verify) fn is_at(&self, model: &ModelShape, path: &str) -> bool {
        self.stored.model.overlaps(model) && self.stored.path() == path
    }

    /// Whether the reference has copies. Their check then covers the reference.
    pub(in crate::maintenance::verify) fn has_copies(&self) -> bool {
        let mut references = graph().copied_into(self.stored.model.documents());
        let path = self.stored.path();
        references.any(|reference| !reference.keys_in_source && reference.key_path() == path)
    }

    /// Whether anything is left to check for this reference.
    pub(in crate::maintenance::verify) fn is_unchecked(&self) -> bool {
        !self.has_copies() && (self.checks_targets || self.stored.required)
    }
}
