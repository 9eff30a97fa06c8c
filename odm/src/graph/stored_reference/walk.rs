//! Finds the references that models declare, by walking over their shapes.

use super::{Inverse, StoredReference, Target};
use crate::{
    graph::{KeyForm, NullForm},
    model::shape::{
        FieldShape, ModelShape, OnDelete, ReferenceShape, StoredField, StructShape, TargetShape,
    },
    value::path::{ElementPath, join},
};

impl StoredReference {
    /// Lists the references that the given models declare. A reference that several models declare is listed once.
    pub fn all(models: &[&'static ModelShape]) -> Vec<Self> {
        Self::merged(Self::of_each(models))
    }

    /// Lists the references that the given models declare, model by model. A reference that several models declare is
    /// listed once for each of these models.
    pub(crate) fn of_each(models: &[&'static ModelShape]) -> Vec<Self> {
        let of_model = |model: &&'static ModelShape| {
            let same = |other: &&&ModelShape| other.documents() == model.documents();
            let mut walk = ReferenceWalk {
                model,
                models: models.iter().filter(same).count(),
                above: Vec::new(),
                found: Vec::new(),
            };
            walk.fields(model.fields, &ElementPath::root(), &Embedding::default());
            walk.found
        };
        models.iter().flat_map(of_model).collect()
    }

    /// Merges the entries of a reference that several models declare for the same documents.
    pub(in crate::graph) fn merged(of_each: Vec<Self>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for new in of_each {
            match all.iter_mut().find(|old| is_same(old, &new)) {
                None => all.push(new),
                Some(old) => {
                    old.required &= new.required;
                    old.exists |= new.exists;
                    if old.on_delete == OnDelete::Keep {
                        old.on_delete = new.on_delete;
                    }
                    old.declared += 1;
                }
            }
        }
        for reference in &mut all {
            // If another model describes the same documents but lacks the reference, a document might lack the key.
            reference.required &= reference.models == reference.declared;
        }
        all
    }
}

fn is_same(left: &StoredReference, right: &StoredReference) -> bool {
    let targets = |it: &StoredReference| it.targets().map(Target::name).collect::<Vec<_>>();
    left.model.documents() == right.model.documents()
        && left.path() == right.path()
        && targets(left) == targets(right)
}

/// The attributes on the fields that embed a struct. They apply to the reference inside that struct.
#[derive(Clone, Default)]
struct Embedding {
    /// Whether a polymorphic reference has `exists`.
    exists: bool,
    /// Whether one of the fields on the path is an `Option`.
    optional: bool,
    /// Number of structs on the path that are nested in another struct of the same type.
    repeats: usize,
    rule: Option<EmbeddedRule>,
    /// Whether one of the fields is a copy. A copy always equals its source, so delete rules inside the copy are
    /// ignored.
    is_copied: bool,
}

/// The delete rule on a field that embeds a struct.
#[derive(Clone)]
struct EmbeddedRule {
    policy: Option<OnDelete>,
    /// The path of the embedded struct.
    place: ElementPath,
    /// Whether serde omits the field when it is null.
    skips_null: bool,
}

impl Embedding {
    /// Returns the attributes that apply inside the struct that the given field embeds.
    fn inside(&self, field: &FieldShape, place: &ElementPath) -> Self {
        let rule = EmbeddedRule {
            policy: field.on_delete.or(own_policy(field)),
            place: place.clone(),
            skips_null: field.skips_null(),
        };
        let rule = Some(rule).filter(|it| it.policy.is_some() || field.exists);
        // If the embedded struct represents a reference, attributes of an outer field apply to that reference.
        let outer = self.rule.clone().filter(|_| field.reference.is_some());
        Self {
            exists: field.polymorphic && (field.exists || self.exists),
            optional: self.optional || field.optional,
            repeats: self.repeats,
            rule: outer.or(rule),
            is_copied: self.is_copied || field.copy_shape().is_some(),
        }
    }
}

/// Returns the delete rule of the field's own reference, if it has one.
fn own_policy(field: &FieldShape) -> Option<OnDelete> {
    let own = field.reference.as_ref().map(|of| of.on_delete);
    own.filter(|policy| *policy != OnDelete::Keep)
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
    /// Walks over the fields of a struct. `embedding` contains the attributes on the fields that embed the struct.
    fn fields(
        &mut self,
        fields: &'static [FieldShape],
        place: &ElementPath,
        embedding: &Embedding,
    ) {
        for field in fields {
            if let Some(reference) = &field.reference {
                self.one_target(field, reference, place, embedding);
            }
            self.several_targets(fields, field, place, embedding);
            if let Some(embed) = field.embed {
                let below = if field.flatten {
                    place.clone()
                } else {
                    place.field_below(field.stored, field.array)
                };
                let inner = embed().shape;
                // If a struct embeds itself, the walk enters it once more, because the struct's indexes also cover one
                // level of nesting.
                let is_repeated = self.above.iter().any(|above| above.is_same(inner));
                let repeats = embedding.repeats + usize::from(is_repeated);
                if repeats <= 1 {
                    let inside = Embedding {
                        repeats,
                        ..embedding.inside(field, &below)
                    };
                    self.above.push(inner);
                    self.fields(inner.fields, &below, &inside);
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
        embedding: &Embedding,
    ) {
        let inner = (reference.inner)();
        let stored_field = StoredField {
            path: place.path(field.stored),
            shape: field,
            arrays_above: place.arrays.len(),
            repeats: embedding.repeats,
        };
        let (place, key, form) = match (field.array, inner.is_empty()) {
            (true, true) => (place.clone(), field.stored.to_owned(), KeyForm::Array),
            (true, false) => {
                let place = place.field_below(field.stored, true);
                (place, inner, KeyForm::Single)
            }
            (false, _) => (place.clone(), join(field.stored, &inner), KeyForm::Single),
        };
        let target = Target {
            model: (reference.target)(),
            path: reference.target_path(),
            kinds: &[],
        };
        let rule = embedding.rule.as_ref();
        let on_delete = match field.embed {
            // The rule applies to the key field inside the embedded struct.
            Some(_) => None,
            None if embedding.is_copied => None,
            None => rule.and_then(|it| it.policy).or(own_policy(field)),
        };
        let whole = rule.filter(|it| it.policy.is_some());
        let skips_null = whole.map_or_else(|| field.skips_null(), |it| it.skips_null);
        self.add(StoredReference {
            // Array elements may be `Option`s, which shapes do not record. So keys in an array are never required.
            required: match form {
                KeyForm::Single => !field.optional,
                KeyForm::Array => false,
            },
            exists: field.exists,
            attribute: Some(reference.kind),
            inverse: Inverse::find(self.model, reference, stored_field),
            optional: embedding.optional || field.optional,
            on_delete: on_delete.unwrap_or_default(),
            whole: whole.map(|it| it.place.clone()),
            null_form: if skips_null {
                NullForm::LeftOut
            } else {
                NullForm::Stored
            },
            models: self.models,
            ..StoredReference::new(self.model, (place, key, form), target, Vec::new())
        });
    }

    /// Adds a polymorphic reference, if `field` stores its key. The first field of the struct stores the kind, which
    /// selects the target model.
    fn several_targets(
        &mut self,
        fields: &'static [FieldShape],
        field: &'static FieldShape,
        place: &ElementPath,
        embedding: &Embedding,
    ) {
        let mut targets = field.targets.iter().map(|target: &TargetShape| Target {
            model: (target.model)(),
            path: (target.key)(),
            kinds: target.kinds,
        });
        let Some(target) = targets.next() else {
            return;
        };
        let key = (place.clone(), field.stored.to_owned(), KeyForm::Single);
        self.add(StoredReference {
            kind: fields.first().map(|kind| kind.stored.to_owned()),
            required: true,
            exists: field.exists || embedding.exists,
            optional: embedding.optional || field.optional,
            models: self.models,
            ..StoredReference::new(self.model, key, target, targets.collect())
        });
    }

    /// Adds a reference, unless the walk has already added it for the field that embeds it. In that case, only the
    /// declaration of the key itself decides whether the key can be null inside an existing struct. The attribute of
    /// the outermost field applies.
    fn add(&mut self, new: StoredReference) {
        match self.found.iter_mut().find(|old| is_same(old, &new)) {
            None => self.found.push(new),
            Some(old) => {
                *old = StoredReference {
                    exists: old.exists || new.exists,
                    attribute: old.attribute.or(new.attribute),
                    inverse: old.inverse.take().or(new.inverse),
                    ..new
                };
            }
        }
    }
}
