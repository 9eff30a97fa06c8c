//! The derived fields of models. Their values are computed from other documents.

use mongo_odm::{
    Cardinality, CollectionSchema, DerivedKind, DerivedSchema, FieldSchema, ModelSchema, Schema,
    shape::RollupKind,
};

/// A derived field: a copy, a summary, a recent list, or the array of a two-way reference.
#[derive(Debug)]
pub(super) struct DerivedField {
    pub(super) collection: String,
    pub(super) model: String,
    /// The stored path of the field.
    pub(super) path: String,
    /// The model from which the values are derived.
    pub(super) source: String,
    /// The way in which the values are derived; `None` for the array of a two-way reference.
    pub(super) derived: Option<DerivedSchema>,
}

impl DerivedField {
    /// Returns the name of the relation. The result is `None` for the array of a two-way reference.
    pub(super) fn relation(&self) -> Option<&str> {
        self.derived.as_ref()?.relation.as_deref()
    }

    /// Whether the field is a copy.
    pub(super) fn is_copy(&self) -> bool {
        let kind = self.derived.as_ref().map(|derived| derived.kind);
        kind == Some(DerivedKind::Copy)
    }

    /// Whether loading or joining the source returns the same values as the field. Returns false for a summary.
    pub(super) fn is_of_documents(&self) -> bool {
        let kind = self.derived.as_ref().map(|derived| derived.kind);
        matches!(kind, Some(DerivedKind::Copy | DerivedKind::Recent))
    }

    /// Returns the attribute that declares the field.
    pub(super) fn attribute(&self) -> String {
        let (source, derived) = (&self.source, self.derived.as_ref());
        let path = |path: Option<&String>| path.cloned().unwrap_or_default();
        let from = path(derived.map(|it| &it.from.path));
        let via = derived.and_then(|it| it.via.as_ref());
        let of = format!(
            "of = \"{source}\", via = \"{}\"",
            path(via.map(|it| &it.path))
        );
        match derived.map(|it| it.kind) {
            Some(DerivedKind::Copy) => format!("#[denorm(from = \"{source}.{from}\")]"),
            Some(DerivedKind::Recent) => format!("#[recent({of})]"),
            Some(DerivedKind::Rollup(RollupKind::Count)) => format!("#[rollup(count, {of})]"),
            Some(DerivedKind::Rollup(kind)) => {
                format!("#[rollup({}, {of}, field = \"{from}\")]", kind.word())
            }
            _ => format!("an attribute with {of}"),
        }
    }
}

/// Lists the derived fields of a schema. A field that several models of a collection declare is listed once.
pub(super) fn derived_fields(schema: &Schema) -> Vec<DerivedField> {
    let mut all = Vec::new();
    for collection in &schema.collections {
        for model in &collection.models {
            for field in &model.fields {
                add(&mut all, (collection, model), field);
            }
        }
    }
    all
}

fn add(all: &mut Vec<DerivedField>, of: (&CollectionSchema, &ModelSchema), field: &FieldSchema) {
    let derived = field.derived.as_ref().filter(|it| it.relation.is_some());
    let sources = derived.map(|derived| (derived.from.model.clone(), Some(derived.clone())));
    let two_way = field.references.iter();
    let two_way = two_way.filter(|it| it.inverse.is_some() && it.cardinality == Cardinality::Many);
    let two_way = two_way.map(|it| (it.to.model.clone(), None));
    for (source, derived) in sources.into_iter().chain(two_way) {
        let new = DerivedField {
            collection: of.0.name.clone(),
            model: of.1.name.clone(),
            path: field.path.clone(),
            source,
            derived,
        };
        let is_known = |known: &DerivedField| {
            (&known.collection, &known.path) == (&new.collection, &new.path)
                && known.relation() == new.relation()
        };
        if !all.iter().any(is_known) {
            all.push(new);
        }
    }
    for field in &field.fields {
        add(all, of, field);
    }
}
