//! The lines between fields in a diagram: references and derived data.

use mongo_odm::{
    Cardinality, CollectionSchema, DerivedKind, FieldAddress, FieldSchema, ModelSchema,
    ReferenceSchema, Schema,
};

use super::words::rows;

/// A line between two fields in a diagram.
#[derive(Debug)]
pub(super) struct Line<'s> {
    pub(super) kind: LineKind,
    /// The field that contains the keys. For derived data, the source field.
    pub(super) from: End<'s>,
    /// The field to which the keys refer. For derived data, the derived field.
    pub(super) to: End<'s>,
    /// The field with the attribute that declares the reference or the derivation.
    pub(super) field: &'s FieldSchema,
    /// The cardinalities at `from` and at `to`. The value is `None` for derived data.
    pub(super) many: Option<(Cardinality, Cardinality)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LineKind {
    Reference,
    TwoWay,
    Links,
    Copy,
    Snapshot,
    Summary,
}

impl LineKind {
    pub(super) fn is_derived(self) -> bool {
        matches!(self, Self::Copy | Self::Snapshot | Self::Summary)
    }
}

/// The end of a line, which is a field in one of the models that [`models`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct End<'s> {
    pub(super) model: usize,
    pub(super) path: &'s str,
}

/// Lists all models of a schema, each with its collection.
pub(super) fn models(schema: &Schema) -> Vec<(&CollectionSchema, &ModelSchema)> {
    let mut all = Vec::new();
    for collection in &schema.collections {
        all.extend(collection.models.iter().map(|model| (collection, model)));
    }
    all
}

/// Lists the lines of a schema, in the order of models and fields.
pub(super) fn lines(schema: &Schema) -> Vec<Line<'_>> {
    let models = models(schema);
    let mut lines = Vec::new();
    for (number, (_, model)) in models.iter().enumerate() {
        for (_, field) in rows(model) {
            let here = End {
                model: number,
                path: &field.path,
            };
            for reference in &field.references {
                lines.extend(to(&models, here, field, reference));
            }
            lines.extend(follows(&models, here, field));
            lines.extend(linked(&models, here, field));
        }
    }
    lines
}

/// Returns the line ends for the address of a field. An address without a model belongs to an enum over all models of
/// the collection, so the result contains several ends.
fn find<'s>(
    models: &[(&'s CollectionSchema, &'s ModelSchema)],
    address: &'s FieldAddress,
) -> Vec<End<'s>> {
    let (of_it, of_others): (Vec<_>, Vec<_>) = models
        .iter()
        .enumerate()
        .filter(|(_, (collection, _))| collection.name == address.collection)
        .partition(|(_, (_, model))| model.name == address.model);
    let found = if of_it.is_empty() { of_others } else { of_it };
    let path = &address.path;
    let ends = found.into_iter().map(|(model, _)| End { model, path });
    ends.collect()
}

fn to<'s>(
    models: &[(&'s CollectionSchema, &'s ModelSchema)],
    here: End<'s>,
    field: &'s FieldSchema,
    reference: &'s ReferenceSchema,
) -> Vec<Line<'s>> {
    let ends = find(models, &reference.to).into_iter();
    ends.filter_map(|to| line(models, here, to, field, reference))
        .collect()
}

fn line<'s>(
    models: &[(&'s CollectionSchema, &'s ModelSchema)],
    here: End<'s>,
    to: End<'s>,
    field: &'s FieldSchema,
    reference: &'s ReferenceSchema,
) -> Option<Line<'s>> {
    let there = reference.inverse.as_ref().and_then(|inverse| {
        let (_, model) = models.get(to.model)?;
        let mut rows = rows(model).into_iter().map(|(_, field)| field);
        rows.find(|field| field.path == *inverse)
    });
    let mut line = Line {
        kind: LineKind::Reference,
        from: here,
        to,
        field,
        many: Some((reference.referrers, reference.cardinality)),
    };
    if let Some(there) = there {
        line.to.path = &there.path;
        line.kind = LineKind::TwoWay;
        let back = there.references.iter().find(|back| back.inverse.is_some());
        let at_here = back.map_or(reference.referrers, |back| back.cardinality);
        line.many = Some((at_here, reference.cardinality));
        // A two-way reference is drawn as one line. Of its two ends, only the one that has the smaller position adds
        // the line.
        if line.to < line.from {
            return None;
        }
    }
    Some(line)
}

fn follows<'s>(
    models: &[(&'s CollectionSchema, &'s ModelSchema)],
    here: End<'s>,
    field: &'s FieldSchema,
) -> Option<Line<'s>> {
    let derived = field.derived.as_ref()?;
    Some(Line {
        kind: match derived.kind {
            DerivedKind::Copy => LineKind::Copy,
            DerivedKind::Snapshot => LineKind::Snapshot,
            _ => LineKind::Summary,
        },
        from: *find(models, &derived.from).first()?,
        to: here,
        field,
        many: None,
    })
}

/// Returns the line for a model that has links. The line connects the model with the next model of its collection.
/// Together, these lines form a chain. If there is only one model, the line connects the model to itself.
fn linked<'s>(
    models: &[(&'s CollectionSchema, &'s ModelSchema)],
    here: End<'s>,
    field: &'s FieldSchema,
) -> Option<Line<'s>> {
    field.links?;
    let (collection, _) = models.get(here.model)?;
    let all: Vec<_> = models
        .iter()
        .enumerate()
        .filter(|(_, (other, _))| other.name == collection.name)
        .filter_map(|(model, (_, shown))| {
            let field = shown.fields.iter().find(|field| field.links.is_some())?;
            let path = &field.path;
            Some(End { model, path })
        })
        .collect();
    let next = all.iter().find(|end| end.model > here.model).copied();
    let to = match next {
        Some(next) => next,
        None if all.len() > 1 => return None,
        None => End {
            path: "_id",
            ..here
        },
    };
    Some(Line {
        kind: LineKind::Links,
        from: here,
        to,
        field,
        many: Some((Cardinality::Many, Cardinality::Many)),
    })
}
