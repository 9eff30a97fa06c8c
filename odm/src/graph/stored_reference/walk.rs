//! Finds the references that models declare, by walking over their shapes.

use crate::{
    graph::{KeyForm, Nulls, Rule},
    model::shape::{FieldShape, ModelShape, ReferenceShape, StructShape, TargetShape},
    value::path::{ElementPath, join},
};

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
    /// The path in the target that the keys refer to.
    pub path: String,
    /// The stored kinds that select this target. The list is empty if the reference has only one target.
    pub(crate) kinds: &'static [&'static str],
}

impl StoredReference {
    /// Lists the references that the given models declare. A reference that several models declare is listed once.
    pub fn all(models: &[&'static ModelShape]) -> Vec<Self> {
        let mut found = Vec::new();
        for model in models {
            let same = |other: &&&ModelShape| is_same_place(other, model);
            let mut walk = ReferenceWalk {
                model,
                models: models.iter().filter(same).count(),
                above: Vec::new(),
                found: Vec::new(),
            };
            walk.fields(model.fields, &ElementPath::root(), false);
            merge(&mut found, walk.found);
        }
        for reference in &mut found {
            // If another model describes the same documents but lacks the reference, a document may not contain the
            // key.
            reference.required &= reference.models == reference.declared;
        }
        found
    }

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

/// Whether two models share the same documents.
fn is_same_place(left: &ModelShape, right: &ModelShape) -> bool {
    left.documents() == right.documents()
}

/// Adds the references that a model declares. If another model in the same collection declares the same reference, the
/// two entries are merged.
fn merge(all: &mut Vec<StoredReference>, of_model: Vec<StoredReference>) {
    for new in of_model {
        match all.iter_mut().find(|old| is_same(old, &new)) {
            None => all.push(new),
            Some(old) => {
                old.required &= new.required;
                old.exists |= new.exists;
                old.declared += 1;
            }
        }
    }
}

fn is_same(left: &StoredReference, right: &StoredReference) -> bool {
    let targets = |it: &StoredReference| it.targets.iter().map(name_of_target).collect::<Vec<_>>();
    is_same_place(left.model, right.model)
        && left.path() == right.path()
        && targets(left) == targets(right)
}

struct ReferenceWalk {
    model: &'static ModelShape,
    /// Number of models to which the documents of `model` can belong.
    models: usize,
    /// The structs that contain the current field.
    above: Vec<&'static StructShape>,
    found: Vec<StoredReference>,
}

impl ReferenceWalk {
    /// Walks over the fields of a struct. `exists` tells whether the field that embeds a polymorphic reference has this
    /// attribute.
    fn fields(&mut self, fields: &'static [FieldShape], place: &ElementPath, exists: bool) {
        for field in fields {
            if let Some(reference) = &field.reference {
                self.one_target(field, reference, place);
            }
            if !field.targets.is_empty() {
                self.several_targets(fields, field, place, exists);
            }
            if let Some(embed) = field.embed {
                let below = if field.flatten {
                    place.clone()
                } else {
                    place.field_below(field.stored, field.array)
                };
                let inner = embed().shape;
                // Each struct is entered once, even if it embeds itself.
                if !self.above.iter().any(|above| above.is_same(inner)) {
                    let exists = field.polymorphic && (field.exists || exists);
                    self.above.push(inner);
                    self.fields(inner.fields, &below, exists);
                    self.above.pop();
                }
            }
        }
    }

    fn one_target(
        &mut self,
        field: &'static FieldShape,
        reference: &'static ReferenceShape,
        place: &ElementPath,
    ) {
        let inner = (reference.inner)();
        let many = field.array && inner.is_empty();
        let (place, key) = if field.array && !many {
            (place.field_below(field.stored, true), inner)
        } else {
            (place.clone(), join(field.stored, &inner))
        };
        let target = Target {
            model: (reference.target)(),
            path: reference.target_path(),
            kinds: &[],
        };
        let title = self.title(&place, &key);
        self.add(StoredReference {
            // Array elements may be `Option`s, which shapes do not record. So keys in an array are never required.
            required: !field.optional && !many,
            models: self.models,
            declared: 1,
            name: format!("{title} -> {}", name_of_target(&target)),
            model: self.model,
            place,
            key,
            form: if many {
                KeyForm::Array
            } else {
                KeyForm::Single
            },
            kind: None,
            targets: vec![target],
            exists: field.exists,
        });
    }

    /// Adds a polymorphic reference. Its first field stores the kind, which determines the target model of the second
    /// field.
    fn several_targets(
        &mut self,
        fields: &'static [FieldShape],
        field: &'static FieldShape,
        place: &ElementPath,
        exists: bool,
    ) {
        let target = |target: &TargetShape| Target {
            model: (target.model)(),
            path: (target.key)(),
            kinds: target.kinds,
        };
        let targets: Vec<Target> = field.targets.iter().map(target).collect();
        let names: Vec<String> = targets.iter().map(name_of_target).collect();
        let title = self.title(place, field.stored);
        self.add(StoredReference {
            name: format!("{title} -> {}", names.join(" | ")),
            model: self.model,
            place: place.clone(),
            key: field.stored.to_owned(),
            form: KeyForm::Single,
            kind: fields.first().map(|kind| kind.stored.to_owned()),
            targets,
            required: true,
            models: self.models,
            declared: 1,
            exists,
        });
    }

    fn title(&self, place: &ElementPath, key: &str) -> String {
        format!("{}.{}", self.model.name, place.path(key))
    }

    /// Adds a reference, unless the field that embeds it has already added it. In that case, only the declaration of
    /// the key itself decides whether the key can be null inside an existing struct.
    fn add(&mut self, new: StoredReference) {
        match self.found.iter_mut().find(|old| is_same(old, &new)) {
            None => self.found.push(new),
            Some(old) => {
                let exists = old.exists || new.exists;
                *old = StoredReference { exists, ..new };
            }
        }
    }
}

/// Returns the name of a target. The name consists of the model, and of the path if that is not `_id`.
fn name_of_target(target: &Target) -> String {
    match target.path.as_str() {
        "_id" => target.model.name.to_owned(),
        path => format!("{}.{path}", target.model.name),
    }
}
