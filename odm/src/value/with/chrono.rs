//! Stores values of the `chrono` crate's date types as BSON dates or as text.

use std::fmt::Display;

use chrono::{DateTime, FixedOffset, SecondsFormat, TimeZone, Utc};
use mongodb::bson::Bson;

use super::{Foreign, Native, bson_date};
use crate::value::bson_form::BsonForm;

/// Converts dates to text. The dates can be in UTC, have an offset, or be in the machine's time zone.
#[diagnostic::do_not_recommend]
impl<Zone: TimeZone<Offset: Display>> Foreign for DateTime<Zone>
where
    Self: From<DateTime<FixedOffset>>,
{
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let date = DateTime::parse_from_rfc3339(text).map_err(|error| error.to_string())?;
        Ok(date.into())
    }
}

/// A BSON date does not contain the offset. The value is read back as the same instant in UTC or in the
/// machine's time zone.
#[diagnostic::do_not_recommend]
impl<Zone: TimeZone<Offset: Display>> Native for DateTime<Zone>
where
    Self: From<DateTime<FixedOffset>>,
{
    const BSON_TYPE: &'static str = bson_date::BSON_TYPE;
    const FORM: BsonForm = bson_date::FORM;

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(bson_date::of_millis(self.timestamp_millis()))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        let date = DateTime::<Utc>::from_timestamp_millis(bson_date::millis(value)?)?;
        Some(date.fixed_offset().into())
    }
}
