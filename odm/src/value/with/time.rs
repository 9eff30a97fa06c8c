//! Stores values of the `time` crate's date type as BSON dates or as text.

use mongodb::bson::Bson;
use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339};

use super::{Foreign, Native, bson_date};
use crate::value::bson_form::BsonForm;

#[diagnostic::do_not_recommend]
impl Foreign for OffsetDateTime {
    /// RFC 3339 has offsets in minutes, and `time` rejects an offset with seconds. Therefore the offset loses its
    /// seconds. The text is still the same moment.
    fn to_text(&self) -> Result<String, String> {
        let (hours, minutes, _) = self.offset().as_hms();
        let offset = UtcOffset::from_hms(hours, minutes, 0).ok();
        let date = offset.and_then(|offset| self.checked_to_offset(offset));
        let text = date.unwrap_or(*self).format(&Rfc3339);
        text.map_err(|error| error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_offset_with_seconds_is_the_same_moment() {
        for (seconds, text) in [
            (-2_670, "1969-12-31T23:16:00-00:44"),
            (1_172, "1970-01-01T00:19:00+00:19"),
            (7_200, "1970-01-01T02:00:00+02:00"),
        ] {
            let offset = UtcOffset::from_whole_seconds(seconds).unwrap();
            let date = OffsetDateTime::UNIX_EPOCH.to_offset(offset);
            assert_eq!(date.to_text().unwrap(), text);
            assert_eq!(OffsetDateTime::from_text(text).unwrap(), date);
        }
    }
}
