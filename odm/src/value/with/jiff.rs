//! Stores values of the `jiff` crate's date types as BSON dates or as text.

use jiff::{Timestamp, ZonedDateTime};
use mongodb::bson::Bson;

use super::{Foreign, Native, bson_date};
use crate::value::bson_form::BsonForm;

#[diagnostic::do_not_recommend]
impl Foreign for Timestamp {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: jiff::Error| error.to_string())
    }
}

#[diagnostic::do_not_recommend]
impl Native for Timestamp {
    const BSON_TYPE: &'static str = bson_date::BSON_TYPE;
    const FORM: BsonForm = bson_date::FORM;

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(bson_date::of_nanos(self.as_nanosecond()).into())
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        Self::from_millisecond(bson_date::millis(value)?).ok()
    }
}

#[diagnostic::do_not_recommend]
impl Foreign for ZonedDateTime {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: jiff::Error| error.to_string())
    }
}
