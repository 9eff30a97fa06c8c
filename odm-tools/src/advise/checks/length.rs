//! Classifies arrays by their length.

use super::growth::{Growing, growing};
use crate::advise::{
    seen::{SeenArray, SeenCollection},
    thresholds::Thresholds,
};

/// The length class of the arrays at one path. The classes are mutually exclusive, so the arrays at one path cause at
/// most one finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Length {
    Fine,
    NearBound(u64),
    Long,
    Growing(Growing),
    VeryLong,
    Unbounded,
    Outlier,
    ManyReferences,
}

/// Classifies the arrays at a path by the `max` that the model declares and by the thresholds.
pub(super) fn length_of(seen: &SeenCollection, array: &SeenArray, t: &Thresholds) -> Length {
    let too_large = array
        .largest
        .as_ref()
        .is_some_and(|it| it.bytes > t.array_bytes);
    if array.longest > t.unbounded_array || too_large {
        return Length::Unbounded;
    }
    let field = seen.field(&array.path);
    let shape = field.map(|field| field.stored.shape);
    if shape.is_some_and(|shape| shape.recent_shape().is_some()) {
        return Length::Fine;
    }
    if let Some(max) = shape.and_then(|shape| shape.max) {
        return match u64::from(max) {
            max if is_near(array.longest, max, t) => Length::NearBound(max),
            _ => Length::Fine,
        };
    }
    let refers = field.is_some_and(|field| {
        let reference = field.stored.shape.reference.as_ref();
        field.is_many() && reference.is_some_and(|reference| reference.inverse.is_some())
    });
    if refers && array.longest > t.many_references {
        return Length::ManyReferences;
    }
    // Arrays that all have the same length, such as vectors, do not grow.
    if array.is_fixed {
        return Length::Fine;
    }
    let is_long = array.p99 >= t.long_array || array.longest > t.very_long_array;
    if array.longest >= t.long_array && array.longest > t.outlier.saturating_mul(array.p95.max(1)) {
        Length::Outlier
    } else if array.longest > t.very_long_array {
        Length::VeryLong
    } else if is_long {
        Length::Long
    } else {
        growing(array, t).map_or(Length::Fine, Length::Growing)
    }
}

#[allow(clippy::cast_precision_loss, reason = "a part is a rough figure")]
fn is_near(longest: u64, max: u64, t: &Thresholds) -> bool {
    // Arrays that have a very small `max` are not reported, because it is normal that they are full.
    max >= 10 && longest as f64 >= max as f64 * t.near_bound
}
