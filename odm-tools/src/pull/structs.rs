//! Decides which structs and fields represent the documents of a model.

mod reference;
mod value;

use super::{
    bounds::bound,
    enums::EnumPlan,
    ident::Names,
    order::Order,
    remarks::mixed,
    rest::{RestPlan, declared, rest},
    targets::{Stub, Targets, field_names, id_type},
    tree::Node,
    types::wrapped,
};
use crate::survey::PathStep;

/// A struct to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct StructPlan {
    pub(super) name: String,
    pub(super) docs: Vec<String>,
    pub(super) fields: Vec<FieldPlan>,
    /// The flattened field, if the struct has one.
    pub(super) rest: Option<RestPlan>,
}

/// A field of a struct to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldPlan {
    pub(super) name: String,
    pub(super) stored: String,
    pub(super) ty: String,
    /// The type of the field without `Option`, `Presence` and `Vec`.
    pub(super) base: String,
    pub(super) is_array: bool,
    pub(super) serde: Option<&'static str>,
    pub(super) attributes: Vec<String>,
    pub(super) comments: Vec<String>,
    /// The position in the list of structs, if the type of the field is an embedded struct.
    pub(super) embedded: Option<usize>,
    /// The target model, if the field is a reference.
    pub(super) target: Option<String>,
}

/// The location of a struct inside its model.
#[derive(Clone, Copy, Debug)]
struct Place {
    depth: usize,
    /// Whether the struct is the value of a map. Fields of such a struct cannot have attributes
    /// such as `#[refs]`.
    in_map: bool,
}

/// The documents that one struct must be able to store.
#[derive(Clone, Copy, Debug)]
struct Level<'n> {
    /// Number of sampled documents that the struct describes.
    documents: u64,
    /// Path at which these documents are stored.
    steps: &'n [PathStep],
    place: Place,
}

/// A Rust type as text.
#[derive(Clone, Debug, Default)]
struct Typed {
    text: String,
    base: String,
    arrays: usize,
    embedded: Option<usize>,
    /// Comments that explain the type.
    comments: Vec<String>,
}

impl Typed {
    fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            base: text.clone(),
            text,
            ..Self::default()
        }
    }
}

/// Builds the structs and enums that belong to one model, before they are written as text.
pub(super) struct Planner<'p, 's> {
    pub(super) stub: &'p Stub<'s>,
    pub(super) stubs: &'p [Stub<'s>],
    pub(super) targets: &'p Targets<'s>,
    pub(super) names: &'p mut Names,
    pub(super) structs: Vec<StructPlan>,
    pub(super) enums: Vec<EnumPlan>,
}

impl Planner<'_, '_> {
    /// Builds the struct of the model itself.
    pub(super) fn root(&mut self, fields: &[(&str, Node<'_>)]) -> StructPlan {
        let place = Place {
            depth: 0,
            in_map: false,
        };
        let level = Level {
            documents: self.stub.sampled,
            steps: &[],
            place,
        };
        self.plan(self.stub.name.clone(), fields, level)
    }

    fn plan(&mut self, name: String, all: &[(&str, Node<'_>)], level: Level<'_>) -> StructPlan {
        let names = field_names(all.iter().map(|(stored, _)| *stored));
        let is_root = level.place.depth == 0;
        let rest = rest(all, &names, level.documents, is_root);
        let declared = declared(all);
        let mut fields = Vec::new();
        for (at, ((stored, node), field)) in all.iter().zip(names).enumerate() {
            if declared.contains(&at) {
                fields.push(self.field(&name, field, stored, node, level.place));
            }
        }
        let stored = fields.iter().map(|field| field.stored.as_str());
        let order = Order::new(stored, rest.as_ref().map(|it| it.at));
        let changes = order.changes(&self.stub.documents, level.steps);
        StructPlan {
            docs: changes.into_iter().collect(),
            name,
            fields,
            rest,
        }
    }

    fn field(
        &mut self,
        of: &str,
        name: String,
        stored: &str,
        node: &Node<'_>,
        place: Place,
    ) -> FieldPlan {
        let mut field = FieldPlan {
            name,
            stored: stored.to_owned(),
            ..FieldPlan::default()
        };
        if place.depth == 0 && stored == "_id" {
            field.ty = id_type(of, node);
            field.base.clone_from(&field.ty);
            field.comments.extend(mixed(node));
            return field;
        }
        let is_kind = place.depth == 0 && self.stub.kind.is_some_and(|(kind, _)| kind == stored);
        if is_kind {
            (field.ty, field.base) = ("Option<String>".to_owned(), "String".to_owned());
            let why = "The kind of the document: `None` is filled in by every write.";
            field.comments.push(why.to_owned());
            return field;
        }
        let typed = match self.reference(&mut field, node, place) {
            Some(typed) => typed,
            None => self.typed(of, stored, node, place),
        };
        (field.ty, field.serde) = wrapped(node, &typed.text);
        field.is_array = typed.arrays > 0;
        field.base = typed.base;
        field.embedded = typed.embedded;
        field.comments.extend(typed.comments);
        if !place.in_map && field.target.is_none() && typed.arrays == 1 {
            field
                .attributes
                .extend(bound(&mut field.comments, node).map(|max| format!("embed(max = {max})")));
        }
        field
    }
}
