//! Converts times to BSON dates, which have a precision of one millisecond.

use mongodb::bson::{Bson, DateTime};

use crate::value::bson_form::BsonForm;

/// The name of the BSON type in error messages.
pub(super) const BSON_TYPE: &str = "a BSON date";
pub(super) const FORM: BsonForm = BsonForm::Types(&["date"]);

/// Converts a time in nanoseconds to a BSON date. The time is rounded down to the millisecond.
#[cfg(any(feature = "time", feature = "jiff"))]
pub(super) fn of_nanos(nanos: i128) -> Result<Bson, String> {
    i64::try_from(nanos.div_euclid(1_000_000))
        .map(of_millis)
        .map_err(|_| "outside of the range of a BSON date".to_owned())
}

pub(super) fn of_millis(millis: i64) -> Bson {
    DateTime::from_millis(millis).into()
}

pub(super) fn millis(value: &Bson) -> Option<i64> {
    value.as_datetime().map(|date| date.timestamp_millis())
}
