//! Converts times to BSON dates, which have a precision of one millisecond.

use mongodb::bson::{Bson, DateTime};

use crate::value::bson_form::BsonForm;

/// The name of the BSON type in error messages.
pub(super) const BSON_TYPE: &str = "a BSON date";
pub(super) const FORM: BsonForm = BsonForm::Types(&["date"]);

/// Converts a time in nanoseconds to a BSON date. The time is rounded down to the millisecond. All times of `time` and
/// `jiff` are in the range of a BSON date.
#[cfg(any(feature = "time", feature = "jiff"))]
pub(crate) fn of_nanos(nanos: i128) -> DateTime {
    let millis = nanos.div_euclid(1_000_000);
    DateTime::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

pub(super) fn of_millis(millis: i64) -> Bson {
    DateTime::from_millis(millis).into()
}

pub(super) fn millis(value: &Bson) -> Option<i64> {
    value.as_datetime().map(|date| date.timestamp_millis())
}
