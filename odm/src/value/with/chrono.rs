//! Stores values of the `chrono` crate's date types as BSON dates or as text.

use std::fmt::Display;

use chrono::{DateTime, Datelike, FixedOffset, Offset, SecondsFormat, TimeZone, Utc};
use mongodb::bson::Bson;

use super::{Foreign, Native, bson_date};
use crate::value::bson_form::BsonForm;

/// Converts dates to text. The dates can be in UTC, have an offset, or be in the machine's time zone.
#[diagnostic::do_not_recommend]
impl<Zone: TimeZone<Offset: Display>> Foreign for DateTime<Zone>
where
    Self: From<DateTime<FixedOffset>>,
{
    /// Rejects dates that RFC 3339 cannot represent. `chrono` would write a year with a sign, which it does not read.
    ///
    /// RFC 3339 has offsets in minutes. `chrono` would round an offset with seconds, but keep the local time, so the text
    /// would be another moment. Therefore the offset loses its seconds before `chrono` computes the local time.
    fn to_text(&self) -> Result<String, String> {
        let offset = self.offset().fix();
        let seconds = offset.local_minus_utc();
        let offset = FixedOffset::east_opt(seconds - seconds % 60).unwrap_or(offset);
        let date = self.with_timezone(&offset);
        if !(0..=9_999).contains(&date.year()) {
            let year = date.year();
            return Err(format!(
                "the year {year} is not in the years 0 to 9999, so the date has no text"
            ));
        }
        Ok(date.to_rfc3339_opts(SecondsFormat::AutoSi, true))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_offset_with_seconds_is_the_same_moment() {
        for (seconds, text) in [
            (-2_670, "1969-12-31T23:16:00-00:44"),
            (1_172, "1970-01-01T00:19:00+00:19"),
            (7_200, "1970-01-01T02:00:00+02:00"),
            (30, "1970-01-01T00:00:00Z"),
        ] {
            let zone = FixedOffset::east_opt(seconds).unwrap();
            let date = DateTime::<Utc>::UNIX_EPOCH.with_timezone(&zone);
            assert_eq!(date.to_text().unwrap(), text);
            assert_eq!(DateTime::<FixedOffset>::from_text(text).unwrap(), date);
        }
    }

    #[test]
    fn only_the_years_of_four_digits_have_a_text() {
        for date in [DateTime::<Utc>::MAX_UTC, DateTime::<Utc>::MIN_UTC] {
            let message = date.to_text().unwrap_err();
            assert!(message.contains("not in the years 0 to 9999"), "{message}");
            let zone = FixedOffset::east_opt(3_600).unwrap();
            assert!(date.with_timezone(&zone).to_text().is_err());
        }
        for text in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"] {
            let date = DateTime::<Utc>::from_text(text).unwrap();
            assert_eq!(date.to_text().unwrap(), text);
        }
    }
}
