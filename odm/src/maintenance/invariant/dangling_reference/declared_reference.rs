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
    /// The check that finds dangling keys in this reference.
    pub(super) dangling: DanglingCheck,
    /// The relation of the jobs that apply the reference's delete rule.
    pub(super) rule: Option<String>,
}

/// The check that finds the dangling keys of a reference.
#[derive(Clone, Copy, Debug)]
pub(in crate::maintenance::invariant) enum DanglingCheck {
    /// The check of the reference's copies. It also finds nulls that are not allowed.
    Copies,
    /// The check of the two-way reference to which this reference belongs.
    Pair,
    /// A separate check of this reference.
    Reference,
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
        let mut sides = pairs.iter().flat_map(|pair| [&pair.left, &pair.right]);
        let dangling = if has_copies(stored.model, &stored.path()) {
            DanglingCheck::Copies
        } else if sides.any(|side| stored.is_at(side.model, &side.path)) {
            DanglingCheck::Pair
        } else {
            DanglingCheck::Reference
        };
        Self {
            stored,
            dangling,
            rule,
        }
    }

    /// Returns whether this reference requires a separate check. The checks of copies and two-way references do not
    /// fully cover such a reference.
    pub(in crate::maintenance::invariant) fn needs_check(&self) -> bool {
        match self.dangling {
            DanglingCheck::Copies => false,
            DanglingCheck::Pair => self.stored.nulls() == Nulls::Forbidden,
            DanglingCheck::Reference => true,
        }
    }
}
