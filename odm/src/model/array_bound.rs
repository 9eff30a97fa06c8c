//! Bounds on arrays. No write through the library makes an array longer than its `max`.
//!
//! Rule 3 of "6 Rules of Thumb for `MongoDB` Schema Design" is that arrays should not grow without bound.
//!
//! - If an update pushes `n` elements into a bounded array, the library adds a condition to the filter. The condition
//!   requires that the array has no element at the position `max - n`, and so has room for `n` more elements. The
//!   condition is exact and atomic, and does not require a further statement.
//! - For some updates, only the updated document shows the length of the array: `$addToSet`, a pipeline, or a push
//!   into an array inside another array's element. The library runs these updates in a transaction. The transaction
//!   checks the updated document, and rolls back if an array is too long.

mod check_update;
mod pipeline_paths;
mod push_guard;

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

pub(crate) use check_update::{check_filter, check_update};
pub(crate) use pipeline_paths::{assigned_paths, replaced_paths};

use super::shape::{ModelShape, any_field, walk};
use crate::{
    error::{BrokenRule, Error, Result},
    value::path::each_raw_end,
};

/// An array that has a bound: its path and its maximum length.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) path: String,
    pub(crate) max: u32,
}

/// The way in which the library enforces the bounds for an update.
#[derive(Clone, Debug)]
pub(crate) enum BoundCheck {
    /// The update cannot exceed a bound.
    Safe,
    /// The update is safe for documents that match these conditions. The conditions are exact, because an array has
    /// room for `n` more elements if and only if it has no element at the position `max - n`.
    Guarded(Vec<(Bound, Document)>),
    /// The library must check the document after the update.
    AfterImage,
}

impl BoundCheck {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::AfterImage, _) | (_, Self::AfterImage) => Self::AfterImage,
            (Self::Safe, other) | (other, Self::Safe) => other,
            (Self::Guarded(mut left), Self::Guarded(right)) => {
                left.extend(right);
                Self::Guarded(left)
            }
        }
    }
}

/// Lists the arrays of a model that have a bound.
pub(crate) fn bounds(model: &'static ModelShape) -> Vec<Bound> {
    // Most models have no such array, and this check does not allocate.
    if !any_field(model.fields, |field| field.max.is_some()) {
        return Vec::new();
    }
    let fields = walk(model.fields).into_iter();
    fields
        .filter_map(|field| {
            Some(Bound {
                path: field.path,
                max: field.shape.max?,
            })
        })
        .collect()
}

impl Bound {
    pub(crate) fn exceeded(
        &self,
        model: &'static ModelShape,
        id: Option<Bson>,
        len: Option<usize>,
    ) -> Error {
        Error::BoundExceeded {
            model: model.name,
            id: id.map(Box::new),
            field: self.path.clone(),
            max: self.max,
            len,
        }
    }

    pub(crate) fn allows(&self, len: usize) -> bool {
        u32::try_from(len).is_ok_and(|len| len <= self.max)
    }
}

/// Replaces the error of a validator with [`Error::BoundExceeded`] if the validator rejected a document only because of
/// a bound. `sync_validators` generates a rule for each bound, and the validator checks a document before the library
/// does.
pub(crate) fn explained(model: &'static ModelShape, error: Error) -> Error {
    let Error::InvalidDocument { id, rules, .. } = &error else {
        return error;
    };
    let bounds = bounds(model);
    let bound_of = |rule: &BrokenRule| {
        let steps = rule.path.split('.');
        let names = steps.filter(|step| step.parse::<usize>().is_err());
        let path = names.collect::<Vec<_>>().join(".");
        let bound = bounds.iter().find(|bound| bound.path == path);
        bound.filter(|_| rule.rule == "maxItems")
    };
    let exceeded: Option<Vec<&Bound>> = rules.iter().map(bound_of).collect();
    match exceeded.as_deref() {
        Some([bound, ..]) => bound.exceeded(model, id.as_deref().cloned(), None),
        Some([]) | None => error,
    }
}

/// Returns a filter for documents in which an array is too long. An array is too long if it has an element at the
/// position `max`.
pub(crate) fn exceeding_filter(bounds: &[Bound]) -> Document {
    let too_long = |bound: &Bound| {
        let beyond = format!("{}.{}", bound.path, bound.max);
        Bson::Document(doc! { beyond: { "$exists": true } })
    };
    doc! { "$or": bounds.iter().map(too_long).collect::<Vec<_>>() }
}

/// Checks every bounded array of a whole document.
pub(crate) fn check_stored(model: &'static ModelShape, document: &RawDocument) -> Result<()> {
    for bound in bounds(model) {
        let longest = longest(document, &bound.path);
        if !bound.allows(longest) {
            let id = document.get("_id").ok().flatten();
            let id = id.and_then(|id| Bson::try_from(id).ok());
            return Err(bound.exceeded(model, id, Some(longest)));
        }
    }
    Ok(())
}

/// Returns the length of the longest array at a path. There can be several arrays if the path passes through outer
/// arrays.
pub(crate) fn longest(document: &RawDocument, path: &str) -> usize {
    let mut longest = 0;
    each_raw_end(document, path, &mut |end| {
        if let RawBsonRef::Array(items) = end {
            longest = longest.max(items.into_iter().count());
        }
    });
    longest
}
