//! Delete rules of references: `on_delete` and `exists`.

use crate::{
    model::shape::{DocumentSet, ModelShape, OnDelete},
    value::path::ElementPath,
};

/// A reference with a delete rule, or with `exists`.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The name in messages: `Task.owner`.
    pub(crate) name: String,
    /// The name in jobs, which consists of stored paths: `tasks.owner -> people._id`.
    pub(crate) relation: String,
    pub(crate) owner: &'static ModelShape,
    pub(crate) place: ElementPath,
    /// The path of the key in the struct at `place`.
    pub(crate) key: String,
    /// Whether the field itself is an array of keys.
    pub(crate) many: bool,
    /// The place of the struct that becomes null, if the rule is declared at the field that embeds it.
    pub(crate) whole: Option<ElementPath>,
    pub(crate) target: &'static ModelShape,
    pub(crate) target_key: String,
    pub(crate) policy: OnDelete,
    /// Whether serde does not store the null value of the key, or of the struct that contains the key.
    pub(crate) unsets: bool,
    /// Whether a write must reject a key that no document has.
    pub(crate) exists: bool,
}

impl Rule {
    /// Whether deleting a target changes the owners.
    pub(crate) fn acts(&self) -> bool {
        !matches!(self.policy, OnDelete::Keep | OnDelete::Restrict)
    }

    /// Whether deleting a target writes a job for its key. With `exists`, the job also causes a conflict with a
    /// concurrent write of the same key.
    pub(crate) fn has_jobs(&self) -> bool {
        self.acts() || self.exists
    }

    pub(crate) fn key_path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Returns the name of a rule, which consists of the stored paths of the reference and its target.
    pub(crate) fn relation(
        owner: (DocumentSet<'_>, &str),
        target: (DocumentSet<'_>, &str),
    ) -> String {
        format!("{}.{} -> {}.{}", owner.0, owner.1, target.0, target.1)
    }
}
