//! Delete rules of references.

use crate::{
    model::shape::{DocumentSet, ModelShape, OnDelete},
    value::path::ElementPath,
};

/// A reference with something to do when its target is deleted.
#[derive(Debug)]
pub(crate) struct Rule {
    /// `Task.owner`, for messages.
    pub(crate) name: String,
    /// `tasks.owner -> people._id`: by what is stored, for jobs.
    pub(crate) relation: String,
    pub(crate) owner: &'static ModelShape,
    pub(crate) place: ElementPath,
    /// The path of the key in the struct at `place`.
    pub(crate) key: String,
    /// Whether the field itself is an array of keys.
    pub(crate) many: bool,
    /// Where the struct stands that becomes null, if the rule was written where it is embedded.
    pub(crate) whole: Option<ElementPath>,
    pub(crate) target: &'static ModelShape,
    pub(crate) target_key: String,
    pub(crate) policy: OnDelete,
    /// Whether serde leaves out what becomes null: the key, or the struct with it.
    pub(crate) unsets: bool,
    /// Whether a write must not bring a key whose document is not there.
    pub(crate) exists: bool,
}

impl Rule {
    /// Whether there is something to do when a target is deleted.
    pub(crate) fn acts(&self) -> bool {
        !matches!(self.policy, OnDelete::Keep | OnDelete::Restrict)
    }

    /// Whether a delete of a target writes the job of its key: to say what there is to do, or so that whoever brings the
    /// key at the same moment has a conflict.
    pub(crate) fn has_jobs(&self) -> bool {
        self.acts() || self.exists
    }

    pub(crate) fn key_path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Names a rule by what is stored: the paths of the reference and of what it refers to.
    pub(crate) fn relation(
        owner: (DocumentSet<'_>, &str),
        target: (DocumentSet<'_>, &str),
    ) -> String {
        format!("{}.{} -> {}.{}", owner.0, owner.1, target.0, target.1)
    }
}
