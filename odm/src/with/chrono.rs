//! The dates of `chrono`.

use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};
use mongodb::bson::Bson;

use super::{Foreign, Native, date};

#[diagnostic::do_not_recommend]
impl Foreign for DateTime<Utc> {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }

    fn from_text(text: &str) -> Result<Self, String> {
        DateTime::<FixedOffset>::from_text(text).map(|date| date.to_utc())
    }
}

#[diagnostic::do_not_recommend]
impl Native for DateTime<Utc> {
    const BSON_TYPE: &'static str = date::BSON_TYPE;

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(date::of_millis(self.timestamp_millis()))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        Self::from_timestamp_millis(date::millis(value)?)
    }
}

#[diagnostic::do_not_recommend]
impl Foreign for DateTime<FixedOffset> {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }

    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse_from_rfc3339(text).map_err(|error| error.to_string())
    }
}

/// The offset is not stored: what is read has none.
#[diagnostic::do_not_recommend]
impl Native for DateTime<FixedOffset> {
    const BSON_TYPE: &'static str = date::BSON_TYPE;

    fn to_bson(&self) -> Result<Bson, String> {
        self.to_utc().to_bson()
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        DateTime::<Utc>::from_bson(value).map(|date| date.fixed_offset())
    }
}
