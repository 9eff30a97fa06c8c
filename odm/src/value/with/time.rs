//! Stores values of the `time` crate's date type as BSON dates or as text.

use mongodb::bson::Bson;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{Foreign, Native, bson_date};
use crate::value::bson_form::BsonForm;

#[diagnostic::do_not_recommend]
impl Foreign for OffsetDateTime {
    fn to_text(&self) -> Result<String, String> {
        self.format(&Rfc3339).map_err(|error| error.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse(text, &Rfc3339).map_err(|error| error.to_string())
    }
}

/// A BSON date does not contain the offset. The value is read back in UTC.
#[diagnostic::do_not_recommend]
impl Native for OffsetDateTime {
    const BSON_TYPE: &'static str = bson_date::BSON_TYPE;
    const FORM: BsonForm = bson_date::FORM;

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(bson_date::of_nanos(self.unix_timestamp_nanos()).into())
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        let nanos = i128::from(bson_date::millis(value)?) * 1_000_000;
        Self::from_unix_timestamp_nanos(nanos).ok()
    }
}
