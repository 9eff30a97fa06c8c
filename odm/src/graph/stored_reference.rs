//! References in stored documents: their paths, their targets, their delete rules, and a check that finds dangling
//! references.
//!
//! Two uses of references do not need a [`StoredReference`]:
//!
//! - Loads and joins get the path and the keys from types that the derive macro generates, because the compiler checks
//!   these types.
//! - A delete rule that only another program declares is an extended reference without fields
//!   (`Derivation::DeleteRule`). This program only stores a job for the key, as it does for copies that it does not
//!   declare.

mod dangling;
mod inverse;
mod slot;
mod walk;

pub(crate) use dangling::dangling_slots;
pub(crate) use inverse::Inverse;
pub use slot::StoredSlot;
pub(crate) use slot::each_slot;

use super::{DanglingKeys, KeyForm, NullForm, Nulls};
use crate::{
    model::shape::{DocumentSet, ModelShape, OnDelete, ReferenceKind},
    value::path::ElementPath,
};

/// A reference that a model declares: the path of its keys, its possible targets, and its delete rule.
#[derive(Clone, Debug)]
pub struct StoredReference {
    /// The name of the key field in messages, such as `LogMsg.host` or `Comment.subject.id`.
    pub(crate) title: String,
    /// The relation in the jobs of the delete rule. It consists of stored paths: `tasks.owner -> people._id`.
    pub(crate) relation: String,
    /// The model that declares the reference.
    pub model: &'static ModelShape,
    /// The path of the struct that contains the key.
    pub(crate) place: ElementPath,
    /// The path of the key, relative to the struct at `place`.
    pub(crate) key: String,
    pub(crate) form: KeyForm,
    /// The attribute that declares the reference, or `None` for polymorphic references and links.
    pub(crate) attribute: Option<ReferenceKind>,
    /// The two fields of the two-way reference, if this reference is part of one.
    pub(crate) inverse: Option<Inverse>,
    /// Whether a document may lack the key because the field, or a struct that contains it, is an `Option`.
    pub(crate) optional: bool,
    /// The path of the field that stores the target's kind, relative to the struct at `place`. Present only in a
    /// polymorphic reference.
    pub(crate) kind: Option<String>,
    /// The target, or the first target of a polymorphic reference.
    pub target: Target,
    /// The other targets of a polymorphic reference.
    others: Vec<Target>,
    /// The delete rule that applies to the reference if its target is deleted.
    pub(crate) on_delete: OnDelete,
    /// The path of the struct that `nullify` sets to null as a whole. Present only if the rule is declared on the field
    /// that embeds this struct.
    pub(crate) whole: Option<ElementPath>,
    /// The form in which serde stores a null value of the key, or of the struct that `nullify` sets to null.
    pub(crate) null_form: NullForm,
    /// Whether the key must be present and must not be null.
    required: bool,
    /// Whether the reference declares `exists`.
    exists: bool,
    /// Number of models that describe the same documents as `model`, including `model` itself.
    models: usize,
    /// Number of these models that declare the reference.
    declared: usize,
}

/// A possible target of a reference.
#[derive(Clone, Debug)]
pub struct Target {
    /// The model of the target.
    pub model: &'static ModelShape,
    /// The path of the target's field with which the keys are compared.
    pub path: String,
    /// The stored kinds that select this target. The list is empty if the reference has only one target.
    pub(crate) kinds: &'static [&'static str],
}

impl StoredReference {
    /// Returns a reference that is optional, and that declares neither a delete rule nor `exists`. `others` contains the
    /// other targets of a polymorphic reference.
    pub(super) fn new(
        model: &'static ModelShape,
        (place, key, form): (ElementPath, String, KeyForm),
        target: Target,
        others: Vec<Target>,
    ) -> Self {
        let path = place.path(&key);
        let targets = [&target].into_iter().chain(&others);
        let targets = targets.map(|it| format!("{}.{}", it.model.documents(), it.path));
        let targets: Vec<String> = targets.collect();
        Self {
            title: format!("{}.{path}", model.name),
            relation: format!("{}.{path} -> {}", model.documents(), targets.join(" | ")),
            model,
            place,
            key,
            form,
            attribute: None,
            inverse: None,
            optional: false,
            kind: None,
            target,
            others,
            on_delete: OnDelete::Keep,
            whole: None,
            null_form: NullForm::Stored,
            required: false,
            exists: false,
            models: 1,
            declared: 1,
        }
    }

    /// Returns the reference's name in messages, such as `LogMsg.host -> Host` or `Comment.subject.id -> Part | Host`.
    pub fn name(&self) -> String {
        let targets: Vec<String> = self.targets().map(Target::name).collect();
        format!("{} -> {}", self.title, targets.join(" | "))
    }

    /// Whether writes must reject dangling keys.
    pub(super) fn is_checked(&self) -> bool {
        self.targets().any(|target| self.checks(target))
    }

    /// Whether writes must reject a key for which the model of `target` has no document. References between models with
    /// tenants are always checked. Otherwise, a document could refer to a document of another tenant.
    pub(crate) fn checks(&self, target: &Target) -> bool {
        self.exists || self.is_between_tenants(target)
    }

    /// Whether both the documents with the reference and those of `target` belong to tenants.
    pub(crate) fn is_between_tenants(&self, target: &Target) -> bool {
        self.model.tenant().is_some() && target.model.tenant().is_some()
    }

    /// Whether the keys are links between documents of one collection.
    pub(crate) const fn is_link(&self) -> bool {
        self.attribute.is_none() && self.kind.is_none()
    }

    /// Lists all possible targets.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        [&self.target].into_iter().chain(&self.others)
    }

    /// Whether deleting a target changes the documents that refer to it.
    pub(in crate::graph) const fn acts(&self) -> bool {
        match self.on_delete {
            OnDelete::Cascade | OnDelete::Nullify | OnDelete::Pull => true,
            OnDelete::Keep | OnDelete::Restrict => false,
        }
    }

    /// Whether deleting a target enqueues a job for its key. For a checked reference, writing this job also
    /// conflicts with concurrent writes that store the same key.
    pub(super) fn has_jobs(&self) -> bool {
        self.acts() || self.is_checked()
    }

    /// Returns `KeyForm::Array` if a document can contain several keys, because the key or a struct around it is stored
    /// in an array.
    pub(crate) const fn keys_in_document(&self) -> KeyForm {
        if self.place.arrays.is_empty() {
            self.form
        } else {
            KeyForm::Array
        }
    }

    /// Returns whether writes reject keys whose targets do not exist.
    pub(crate) fn dangling_keys(&self) -> DanglingKeys {
        if self.is_checked() {
            DanglingKeys::Rejected
        } else {
            DanglingKeys::Allowed
        }
    }

    /// If the field itself is an array of keys, returns the path of this array, relative to the innermost array element
    /// that contains the field. Otherwise returns `None`.
    pub fn array_of_keys(&self) -> Option<String> {
        match self.form {
            KeyForm::Single => None,
            KeyForm::Array => Some(self.place.relative(&self.key)),
        }
    }

    /// Returns whether a key may be null, if the struct that contains it exists.
    pub(crate) const fn nulls(&self) -> Nulls {
        if self.required {
            Nulls::Forbidden
        } else {
            Nulls::Allowed
        }
    }

    /// Returns the stored path of the keys, relative to the document.
    pub fn path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Returns whether the reference is stored at this path in documents of this model.
    pub(crate) fn is_at<'m>(&self, model: impl Into<DocumentSet<'m>>, path: &str) -> bool {
        self.path() == path && self.model.overlaps(model)
    }

    /// Lists the stored paths that determine the target: the path of the kind, if the reference is polymorphic, and the
    /// path of the key.
    pub(crate) fn paths(&self) -> impl Iterator<Item = String> {
        let kind = self.kind.iter().map(|kind| self.place.path(kind));
        kind.chain([self.path()])
    }

    /// Whether no other model shares the documents of this model.
    const fn is_alone(&self) -> bool {
        self.models == 1
    }

    /// Returns the position of the target that a stored kind selects.
    pub(crate) fn target_of(&self, kind: Option<&str>) -> Option<usize> {
        if self.kind.is_none() {
            return Some(0);
        }
        let kind = kind?;
        self.targets().position(|it| it.kinds.contains(&kind))
    }
}

impl Target {
    /// Returns the target's name in messages. It consists of the model, and of the path if the path is not `_id`.
    fn name(&self) -> String {
        match self.path.as_str() {
            "_id" => self.model.name.to_owned(),
            path => format!("{}.{path}", self.model.name),
        }
    }
}
