//! References in stored documents: their paths, their targets, and a check that finds dangling references.

mod dangling;
mod inverse;
mod slot;
mod walk;

pub(crate) use dangling::dangling_slots;
pub(crate) use inverse::inverse_of;
pub use slot::StoredSlot;
pub(crate) use slot::each_slot;

use super::{KeyForm, Nulls, Rule};
use crate::{model::shape::ModelShape, value::path::ElementPath};

/// A reference that a model declares: the path of its keys, and its possible targets.
#[derive(Clone, Debug)]
pub struct StoredReference {
    /// The name in messages, such as `LogMsg.host -> Host` or `Comment.subject.id -> Part | Host`.
    pub name: String,
    /// The model that declares the reference.
    pub model: &'static ModelShape,
    /// The path of the struct that contains the key.
    pub(crate) place: ElementPath,
    /// The path of the key, relative to the struct at `place`.
    pub(crate) key: String,
    pub(crate) form: KeyForm,
    /// The path of the field that stores the target's kind, relative to the struct at `place`. Present only in a
    /// polymorphic reference.
    pub(crate) kind: Option<String>,
    /// The models that the key may refer to.
    pub targets: Vec<Target>,
    /// Whether the key must be present and must not be null.
    pub(in crate::graph) required: bool,
    /// Whether writes must reject dangling keys.
    pub(in crate::graph) exists: bool,
    /// Number of models to which the documents of `model` can belong.
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
    /// Lists the models of all possible targets.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &'static ModelShape> {
        self.targets.iter().map(|target| target.model)
    }

    /// Returns the path of the array in the struct at `place`, if the field itself is an array of keys.
    pub fn array_of_keys(&self) -> Option<String> {
        match self.form {
            KeyForm::Single => None,
            KeyForm::Array => Some(self.place.relative(&self.key)),
        }
    }

    /// Returns whether a key may be null, in a struct that exists.
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

    /// Lists the stored paths that determine the target: the path of the kind, if the reference is polymorphic, and the
    /// path of the key.
    pub(crate) fn paths(&self) -> impl Iterator<Item = String> {
        let kind = self.kind.iter().map(|kind| self.place.path(kind));
        kind.chain([self.path()])
    }

    /// Whether no other model shares the documents of this model.
    pub(crate) const fn is_alone(&self) -> bool {
        self.models == 1
    }

    /// Returns the relation of the jobs that apply this reference's delete rule. Returns `None` for a polymorphic
    /// reference, because it cannot have a delete rule.
    pub(crate) fn relation(&self) -> Option<String> {
        let [target] = self.targets.as_slice() else {
            return None;
        };
        Some(Rule::relation(
            (self.model.documents(), &self.path()),
            (target.model.documents(), &target.path),
        ))
    }

    /// Returns the position of the target that a stored kind selects.
    pub(crate) fn target_of(&self, kind: Option<&str>) -> Option<usize> {
        if self.kind.is_none() {
            return Some(0);
        }
        let kind = kind?;
        self.targets.iter().position(|it| it.kinds.contains(&kind))
    }
}
