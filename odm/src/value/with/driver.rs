//! Stores values of the driver's types in their BSON types or as text.

use mongodb::bson::{Binary, Bson, DateTime, Decimal128, Uuid, oid::ObjectId, spec::BinarySubtype};

use super::{Foreign, Native};
use crate::{mongosh::RFC_3339, value::bson_form::BsonForm};

#[diagnostic::do_not_recommend]
impl Foreign for ObjectId {
    const OF_DRIVER: bool = true;

    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_hex())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse_str(text).map_err(|_| {
            format!("\"{text}\" is not the text of an ObjectId, which has 24 hexadecimal digits")
        })
    }
}

#[diagnostic::do_not_recommend]
impl Native for ObjectId {
    const BSON_TYPE: &'static str = "an ObjectId";
    const FORM: BsonForm = BsonForm::Types(&["objectId"]);

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(Bson::ObjectId(*self))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        value.as_object_id()
    }
}

#[diagnostic::do_not_recommend]
impl Foreign for DateTime {
    const OF_DRIVER: bool = true;

    /// Rejects dates that RFC 3339 cannot represent.
    fn to_text(&self) -> Result<String, String> {
        let millis = self.timestamp_millis();
        if !RFC_3339.contains(&millis) {
            return Err(format!(
                "the date of {millis} milliseconds after 1970 is not in the years 0 to 9999, so it has no text"
            ));
        }
        self.try_to_rfc3339_string()
            .map_err(|error| error.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let parse = |text: &str| {
            Self::parse_rfc3339_str(text)
                .map_err(|_| format!("\"{text}\" is not a date in the format of RFC 3339"))
        };
        let date = parse(text)?;
        let Some((start, rest)) = text.split_once('.') else {
            return Ok(date);
        };
        // The driver rounds dates before 1970 up, so the fraction is added to the second before it.
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let (digits, zone) = rest.split_at(end.unwrap_or(rest.len()));
        let second = parse(&format!("{start}{zone}"))?.timestamp_millis();
        let millis = format!("{digits:0<3}");
        let millis: i64 = millis.get(..3).and_then(|it| it.parse().ok()).unwrap_or(0);
        Ok(Self::from_millis(second.saturating_add(millis)))
    }
}

#[diagnostic::do_not_recommend]
impl Native for DateTime {
    const BSON_TYPE: &'static str = "a BSON date";
    const FORM: BsonForm = BsonForm::Types(&["date"]);

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(Bson::DateTime(*self))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        value.as_datetime().copied()
    }
}

#[diagnostic::do_not_recommend]
impl Foreign for Decimal128 {
    const OF_DRIVER: bool = true;

    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        // The driver reads a text without digits as zero.
        let number = text.trim_start_matches(['+', '-', '.']);
        let begins =
            number.starts_with(|first: char| first.is_ascii_digit() || "iInN".contains(first));
        let decimal = text.parse().ok().filter(|_| begins);
        decimal.ok_or_else(|| format!("\"{text}\" is not a decimal number"))
    }
}

#[diagnostic::do_not_recommend]
impl Native for Decimal128 {
    const BSON_TYPE: &'static str = "a Decimal128";
    const FORM: BsonForm = BsonForm::Types(&["decimal"]);

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(Bson::Decimal128(*self))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        match value {
            Bson::Decimal128(decimal) => Some(*decimal),
            _ => None,
        }
    }
}

#[diagnostic::do_not_recommend]
impl Foreign for Uuid {
    const OF_DRIVER: bool = true;

    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        Self::parse_str(text).map_err(|_| format!("\"{text}\" is not a UUID"))
    }
}

#[diagnostic::do_not_recommend]
impl Native for Uuid {
    const BSON_TYPE: &'static str = "binary data of subtype 4";
    const FORM: BsonForm = BsonForm::Types(&["binData"]);

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(Bson::Binary(Binary {
            subtype: BinarySubtype::Uuid,
            bytes: self.bytes().to_vec(),
        }))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        match value {
            Bson::Binary(binary) if binary.subtype == BinarySubtype::Uuid => {
                let bytes = binary.bytes.as_slice().try_into().ok()?;
                Some(Self::from_bytes(bytes))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_rounded_down() {
        let millis = |text| DateTime::from_text(text).map(DateTime::timestamp_millis);
        for (text, expected) in [
            ("1970-01-01T00:00:00.9999Z", 999),
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.9995Z", -1),
            ("1969-12-31T23:59:59.9Z", -100),
            ("1969-12-31T23:59:59.998+00:00", -2),
            ("1970-01-01T01:59:58.0009+02:00", -2_000),
        ] {
            assert_eq!(millis(text), Ok(expected), "{text}");
        }
        for text in [
            "1970-01-01",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00.1.2Z",
        ] {
            assert!(millis(text).is_err(), "{text}");
        }
    }
}
