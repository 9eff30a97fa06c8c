//! The references of models, found in their shapes.

use crate::{
    copy::{Rule, graph},
    path::{ElementPath, join},
    shape::{FieldShape, ModelShape, ReferenceShape, TargetShape},
    verify::pair::TwoWay,
};

/// One reference of a model: where its keys are, and what they lead to.
#[derive(Clone, Debug)]
pub(in crate::verify) struct DeclaredReference {
    /// `LogMsg.host -> Host`, `Comment.subject.id -> Part | Host`
    pub(in crate::verify) name: String,
    pub(in crate::verify) model: &'static ModelShape,
    /// Where the struct with the key stands.
    pub(super) place: ElementPath,
    /// The path of the key in that struct.
    pub(super) key: String,
    /// Whether the field itself is an array of keys.
    pub(super) many: bool,
    /// The path in that struct of what tells the target, if there are several.
    pub(super) kind: Option<String>,
    pub(super) targets: Vec<Target>,
    /// Whether the key must not be null.
    pub(in crate::verify) required: bool,
    /// Whether to look where the keys lead; other checks do so for references with copies and pairs.
    pub(super) leads: bool,
    /// How many models have documents in the same place, and how many of them declare it.
    models: usize,
    declared: usize,
    /// The name by which jobs know what is done about it when its target is deleted.
    pub(super) rule: Option<String>,
}

/// What the keys of a reference may lead to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) model: &'static ModelShape,
    /// The path in it that the keys equal.
    pub(super) path: String,
    /// What is stored beside the keys that lead to it; nothing where there is one target.
    pub(super) kinds: &'static [&'static str],
}

impl DeclaredReference {
    /// Lists the references of some models, each once.
    pub(in crate::verify) fn all(models: &[&'static ModelShape], pairs: &[TwoWay]) -> Vec<Self> {
        let mut found = Vec::new();
        for model in models {
            let same = |other: &&&ModelShape| is_same_place(other, model);
            let mut walk = ReferenceWalk {
                model,
                models: models.iter().filter(same).count(),
                above: Vec::new(),
                found: Vec::new(),
            };
            walk.fields(model.fields, &ElementPath::root());
            merge(&mut found, walk.found);
        }
        for reference in &mut found {
            // A document of a model without the reference may lack the key.
            reference.required &= reference.models == reference.declared;
            let is_paired = pairs
                .iter()
                .flat_map(|pair| [&pair.left, &pair.right])
                .any(|side| reference.is_at(side.model, &side.path));
            reference.leads = !is_paired && !reference.has_copies();
        }
        found
    }

    /// Lists the models that it may lead to.
    pub(super) fn targets(&self) -> impl Iterator<Item = &'static ModelShape> {
        self.targets.iter().map(|target| target.model)
    }

    /// Returns the stored path of the keys.
    pub(super) fn path(&self) -> String {
        self.place.path(&self.key)
    }

    /// Whether no other model has documents in the same place.
    pub(super) const fn is_alone(&self) -> bool {
        self.models == 1
    }

    pub(in crate::verify) fn is_at(&self, model: &ModelShape, path: &str) -> bool {
        self.model.meets(model) && self.path() == path
    }

    /// Whether copies stand beside it, whose check looks at it too.
    pub(in crate::verify) fn has_copies(&self) -> bool {
        let mut references = graph().within(self.model.documents());
        references.any(|reference| !reference.keys_in_source && reference.key_path() == self.path())
    }

    /// Whether the check of references has anything to look for.
    pub(in crate::verify) fn is_unchecked(&self) -> bool {
        !self.has_copies() && (self.leads || self.required)
    }

    /// Returns the number of the target of a kind.
    pub(super) fn target_of(&self, kind: Option<&str>) -> Option<usize> {
        if self.kind.is_none() {
            return Some(0);
        }
        let kind = kind?;
        self.targets.iter().position(|it| it.kinds.contains(&kind))
    }
}

/// Whether documents of two models cannot be told apart by where they are.
fn is_same_place(left: &ModelShape, right: &ModelShape) -> bool {
    left.documents() == right.documents()
}

/// Two models of one collection may declare the same reference.
fn merge(all: &mut Vec<DeclaredReference>, of_model: Vec<DeclaredReference>) {
    for new in of_model {
        match all.iter_mut().find(|old| is_same(old, &new)) {
            None => all.push(new),
            Some(old) => {
                old.required &= new.required;
                old.declared += 1;
                old.rule = old.rule.take().or(new.rule);
            }
        }
    }
}

fn is_same(left: &DeclaredReference, right: &DeclaredReference) -> bool {
    let targets = |it: &DeclaredReference| it.targets.iter().map(shown).collect::<Vec<_>>();
    is_same_place(left.model, right.model)
        && left.path() == right.path()
        && targets(left) == targets(right)
}

struct ReferenceWalk {
    model: &'static ModelShape,
    /// How many models have documents in the same place.
    models: usize,
    /// The structs that the walk is in.
    above: Vec<&'static [FieldShape]>,
    found: Vec<DeclaredReference>,
}

impl ReferenceWalk {
    fn fields(&mut self, fields: &'static [FieldShape], place: &ElementPath) {
        self.above.push(fields);
        for field in fields {
            if let Some(reference) = &field.reference {
                self.one_target(field, reference, place);
            }
            if !field.targets.is_empty() {
                self.several_targets(fields, field, place);
            }
            if let Some(embed) = field.embed {
                let below = if field.flatten {
                    place.clone()
                } else {
                    place.below(field.stored, field.array)
                };
                let inner = embed().fields;
                // A struct that embeds itself has no end.
                if !self.above.iter().any(|above| std::ptr::eq(*above, inner)) {
                    self.fields(inner, &below);
                }
            }
        }
        self.above.pop();
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
            (place.below(field.stored, true), inner)
        } else {
            (place.clone(), join(field.stored, &inner))
        };
        let target = Target {
            model: (reference.target)(),
            path: reference.target_path(),
            kinds: &[],
        };
        let title = self.title(&place, &key);
        let relation = Rule::relation(
            (self.model.documents(), &place.path(&key)),
            (target.model.documents(), &target.path),
        );
        let acts = graph().rules_of(&relation).next().is_some();
        self.add(DeclaredReference {
            // Elements of an array may be `Option`s, which no shape tells.
            required: !reference.optional && !many,
            models: self.models,
            declared: 1,
            rule: acts.then_some(relation),
            name: format!("{title} -> {}", shown(&target)),
            model: self.model,
            place,
            key,
            many,
            kind: None,
            targets: vec![target],
            leads: true,
        });
    }

    /// The first field of an enum of references tells what the second leads to.
    fn several_targets(
        &mut self,
        fields: &'static [FieldShape],
        field: &'static FieldShape,
        place: &ElementPath,
    ) {
        let target = |target: &TargetShape| Target {
            model: (target.model)(),
            path: (target.key)(),
            kinds: target.kinds,
        };
        let targets: Vec<Target> = field.targets.iter().map(target).collect();
        let names: Vec<String> = targets.iter().map(shown).collect();
        let title = self.title(place, field.stored);
        self.add(DeclaredReference {
            name: format!("{title} -> {}", names.join(" | ")),
            model: self.model,
            place: place.clone(),
            key: field.stored.to_owned(),
            many: false,
            kind: fields.first().map(|kind| kind.stored.to_owned()),
            targets,
            required: true,
            models: self.models,
            declared: 1,
            leads: true,
            rule: None,
        });
    }

    fn title(&self, place: &ElementPath, key: &str) -> String {
        format!("{}.{}", self.model.name, place.path(key))
    }

    /// A reference may be declared at the field that embeds it, too; what is declared at the key itself
    /// says whether that can be null.
    fn add(&mut self, new: DeclaredReference) {
        match self.found.iter_mut().find(|old| is_same(old, &new)) {
            None => self.found.push(new),
            Some(old) => {
                old.required = new.required;
                old.rule = old.rule.take().or(new.rule);
            }
        }
    }
}

/// Names a target: its model, and the path that the keys equal unless that is `_id`.
fn shown(target: &Target) -> String {
    match target.path.as_str() {
        "_id" => target.model.name.to_owned(),
        path => format!("{}.{path}", target.model.name),
    }
}
