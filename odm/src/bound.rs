//! Bounds of arrays: no write through the library makes an array larger than its `max`.
//!
//! Source of the rule: "6 Rules of Thumb for `MongoDB` Schema Design", rule 3, arrays should not grow
//! without bound.

mod update;

use mongodb::bson::{RawBsonRef, RawDocument};

pub(crate) use update::{BoundCheck, check_filter, check_update};

use crate::{
    error::{Error, Result},
    shape::{FieldShape, ModelShape, walk},
};

/// An array with a bound.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) path: String,
    pub(crate) max: u32,
}

/// Lists the bounded arrays of a model.
pub(crate) fn bounds(model: &'static ModelShape) -> Vec<Bound> {
    if !has_bounds(model.fields, 0) {
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

/// Whether a model bounds anything; most do not, and are done here without an allocation.
fn has_bounds(fields: &'static [FieldShape], depth: usize) -> bool {
    depth < 16
        && fields.iter().any(|field| {
            field.max.is_some()
                || field
                    .embed
                    .is_some_and(|embed| has_bounds(embed().fields, depth + 1))
        })
}

impl Bound {
    pub(crate) fn exceeded(&self, model: &'static ModelShape, len: Option<usize>) -> Error {
        Error::BoundExceeded {
            model: model.name,
            field: self.path.clone(),
            max: self.max,
            len,
        }
    }

    pub(crate) fn allows(&self, len: usize) -> bool {
        u32::try_from(len).is_ok_and(|len| len <= self.max)
    }
}

/// Checks every bounded array of a whole document.
pub(crate) fn check_stored(model: &'static ModelShape, document: &RawDocument) -> Result<()> {
    for bound in bounds(model) {
        let longest = longest(document, &bound.path);
        if !bound.allows(longest) {
            return Err(bound.exceeded(model, Some(longest)));
        }
    }
    Ok(())
}

/// Returns the length of the longest array at a path, through arrays above it.
fn longest(document: &RawDocument, path: &str) -> usize {
    let (head, rest) = match path.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (path, None),
    };
    match (document.get(head), rest) {
        (Ok(Some(RawBsonRef::Array(items))), None) => items.into_iter().count(),
        (Ok(Some(RawBsonRef::Document(inner))), Some(rest)) => longest(inner, rest),
        (Ok(Some(RawBsonRef::Array(items))), Some(rest)) => {
            let inner = items
                .into_iter()
                .flatten()
                .filter_map(mongodb::bson::RawBsonRef::as_document);
            inner.map(|inner| longest(inner, rest)).max().unwrap_or(0)
        }
        _ => 0,
    }
}
