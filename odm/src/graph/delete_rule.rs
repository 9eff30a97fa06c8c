//! Delete rules, which references declare by `on_delete`, and the rules for `exists`.

use super::{KeyForm, NullForm};
use crate::{
    model::shape::{DocumentSet, ModelShape, OnDelete},
    value::path::ElementPath,
};

/// A reference that declares a delete rule or `exists`.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The name in messages, such as `Task.owner`.
    pub(crate) name: String,
    /// The name in jobs, which consists of stored paths, such as `tasks.owner -> people._id`.
    pub(crate) relation: String,
    pub(crate) owner: &'static ModelShape,
    pub(crate) place: ElementPath,
    /// The path of the key in the struct at `place`.
    pub(crate) key: String,
    pub(crate) form: KeyForm,
    /// The path of the struct that is set to null as a whole. Present only if the rule is declared on the field that
    /// embeds this struct.
    pub(crate) whole: Option<ElementPath>,
    pub(crate) target: &'static ModelShape,
    pub(crate) target_key: String,
    pub(crate) policy: OnDelete,
    /// The form in which serde stores a null value of the key, or of the struct that contains the key.
    pub(crate) null_form: NullForm,
    /// Whether writes must reject a key that does not exist in the target collection.
    pub(super) exists: bool,
}

impl Rule {
    /// Whether deleting a target changes the documents that refer to it.
    pub(crate) fn acts(&self) -> bool {
        !matches!(self.policy, OnDelete::Keep | OnDelete::Restrict)
    }

    /// Whether deleting a target enqueues a job for its key. For a rule with `exists`, writing this job also
    /// conflicts with concurrent writes that store the same key.
    pub(crate) fn has_jobs(&self) -> bool {
        self.acts() || self.exists
    }

    /// Whether writes must reject a key that does not exist.
    pub(crate) const fn checks_keys(&self) -> bool {
        self.exists
    }

    pub(crate) fn key_path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Returns the relation for a rule, which consists of the stored paths of the reference and of its target.
    pub(crate) fn relation(
        owner: (DocumentSet<'_>, &str),
        target: (DocumentSet<'_>, &str),
    ) -> String {
        format!("{}.{} -> {}.{}", owner.0, owner.1, target.0, target.1)
    }
}
