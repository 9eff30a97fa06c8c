//! Finds the references that models declare, by walking over their shapes.

use super::{StoredReference, Target};
use crate::{
    graph::KeyForm,
    model::shape::{FieldShape, ModelShape, ReferenceShape, StructShape, TargetShape},
    value::path::{ElementPath, join},
};

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
