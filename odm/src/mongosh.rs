//! Formats values and documents in mongosh notation, for plans and messages.

use std::{
    fmt::Write,
    ops::{Deref, DerefMut, Range},
};

use mongodb::bson::{Bson, DateTime, Document, spec::BinarySubtype};

/// The dates that RFC 3339 can represent, in milliseconds since 1970: the years 0 to 9999. The driver would write a
/// later date as the last moment of the year 9999.
pub(crate) const RFC_3339: Range<i64> = -62_167_219_200_000..253_402_300_800_000;

/// Formats a value in mongosh notation.
pub fn value(value: &Bson) -> String {
    let mut text = Text::default();
    write_value(&mut text, value);
    text.text
}

/// Formats a document in mongosh notation.
pub fn document(document: &Document) -> String {
    let mut text = Text::default();
    write_document(&mut text, document);
    text.text
}

/// The text that has been written so far.
#[derive(Default)]
struct Text {
    text: String,
    /// Whether long arrays are written in full.
    is_whole: bool,
}

impl Deref for Text {
    type Target = String;

    fn deref(&self) -> &String {
        &self.text
    }
}

impl DerefMut for Text {
    fn deref_mut(&mut self) -> &mut String {
        &mut self.text
    }
}

/// Formats the first few values and the number of remaining values: `1, 2, 3 and 7 more`.
pub(crate) fn first_few(values: &[Bson]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = values.iter().take(SHOWN).map(value).collect();
    let shown = shown.join(", ");
    match values.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Formats a whole number with commas: `12,345`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number and its noun: `1 finding`, `2 findings`.
pub(crate) fn several(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// Largest number of array elements that are shown, so that a plan that contains a large `$in` stays
/// readable. The lists of a validator are shown in full.
const SHOWN: usize = 20;

fn write_document(out: &mut Text, document: &Document) {
    out.push('{');
    for (at, (key, item)) in document.iter().enumerate() {
        out.push_str(if at == 0 { " " } else { ", " });
        write_key(out, key);
        out.push_str(": ");
        let was_whole = out.is_whole;
        // A validator with a shortened list would be a different validator.
        out.is_whole |= key == "$jsonSchema";
        write_value(out, item);
        out.is_whole = was_whole;
    }
    out.push_str(if document.is_empty() { "}" } else { " }" });
}

fn write_key(out: &mut Text, key: &str) {
    let plain = key
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        && !key.starts_with(|c: char| c.is_ascii_digit())
        && !key.is_empty();
    if plain {
        out.push_str(key);
    } else {
        write_string(out, key);
    }
}

fn write_array(out: &mut Text, items: &[Bson]) {
    out.push('[');
    let shown = if out.is_whole { items.len() } else { SHOWN };
    for (at, item) in items.iter().take(shown).enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write_value(out, item);
    }
    if items.len() > shown {
        // This text is deliberately not valid JavaScript. So nobody can run the shortened statement, whose effect would
        // differ from that of the complete statement.
        let _ = write!(out, ", ... {} more", items.len() - shown);
    }
    out.push(']');
}

fn write_string(out: &mut Text, text: &str) {
    out.push('"');
    for (at, part) in text.split('\0').enumerate() {
        if at > 0 {
            // `Debug` would write `\0`. If a digit follows, JavaScript interprets this as an octal escape sequence.
            out.push_str("\\u{0}");
        }
        // All other escape sequences that `Debug` writes have the same meaning in JavaScript.
        let quoted = format!("{part:?}");
        let inner = quoted
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        out.push_str(inner.unwrap_or_default());
    }
    out.push('"');
}

/// Writes a double in a form that mongosh also stores as a double. mongosh would store the literal `5.0` as a 32-bit
/// integer.
fn write_double(out: &mut Text, double: f64) {
    let _ = if double.is_nan() {
        write!(out, "NaN")
    } else if double.is_infinite() {
        let sign = if double.is_sign_negative() { "-" } else { "" };
        write!(out, "{sign}Infinity")
    } else if double.fract() == 0.0 {
        let digits = format!("{double:?}");
        write!(out, "Double({})", digits.trim_end_matches(".0"))
    } else {
        write!(out, "{double:?}")
    };
}

fn write_date(out: &mut Text, date: DateTime) {
    let millis = date.timestamp_millis();
    let text = date.try_to_rfc3339_string().ok();
    let _ = match text.filter(|_| RFC_3339.contains(&millis)) {
        Some(text) => write!(out, "ISODate(\"{text}\")"),
        None => write!(out, "new Date({millis})"),
    };
}

fn write_value(out: &mut Text, value: &Bson) {
    let written = match value {
        Bson::Document(document) => return write_document(out, document),
        Bson::Array(items) => return write_array(out, items),
        Bson::String(text) => return write_string(out, text),
        Bson::Null => write!(out, "null"),
        Bson::Boolean(value) => write!(out, "{value}"),
        Bson::Int32(int) => write!(out, "{int}"),
        Bson::Int64(int) => write!(out, "NumberLong(\"{int}\")"),
        Bson::Double(double) => return write_double(out, *double),
        Bson::Decimal128(decimal) => write!(out, "NumberDecimal(\"{decimal}\")"),
        Bson::ObjectId(id) => write!(out, "ObjectId(\"{id}\")"),
        Bson::DateTime(date) => return write_date(out, *date),
        Bson::RegularExpression(regex) => write!(out, "{regex}"),
        Bson::Binary(binary) if binary.subtype == BinarySubtype::Uuid => match binary.to_uuid() {
            Ok(uuid) => write!(out, "UUID(\"{uuid}\")"),
            Err(_) => write!(out, "{value}"),
        },
        other => write!(out, "{other}"),
    };
    debug_assert!(written.is_ok(), "writing to a String does not fail");
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_nul_before_a_digit_is_no_octal_escape() {
        let text = Bson::from("a\0".to_owned() + "1\0\"\\");
        assert_eq!(value(&text), r#""a\u{0}1\u{0}\"\\""#);
    }

    #[test]
    fn other_strings_have_the_escapes_of_javascript() {
        assert_eq!(value(&"it's\n\u{1}\"ü\"".into()), r#""it's\n\u{1}\"ü\"""#);
        assert_eq!(value(&"".into()), r#""""#);
    }

    #[test]
    fn each_kind_of_number_is_pasted_as_that_kind() {
        let numbers: [(Bson, &str); 11] = [
            (5_i32.into(), "5"),
            (5_i64.into(), r#"NumberLong("5")"#),
            (5.0.into(), "Double(5)"),
            (100.0.into(), "Double(100)"),
            ((-0.0).into(), "Double(-0)"),
            (1e300.into(), "Double(1e300)"),
            (0.5.into(), "0.5"),
            (1e-7.into(), "1e-7"),
            (f64::INFINITY.into(), "Infinity"),
            (f64::NEG_INFINITY.into(), "-Infinity"),
            (f64::NAN.into(), "NaN"),
        ];
        for (number, text) in numbers {
            assert_eq!(value(&number), text);
        }
    }

    #[test]
    fn a_date_that_has_no_text_is_shown_by_its_milliseconds() {
        let shown = |millis| value(&DateTime::from_millis(millis).into());
        assert_eq!(
            shown(RFC_3339.end - 1),
            r#"ISODate("9999-12-31T23:59:59.999Z")"#
        );
        for millis in [RFC_3339.start - 1, RFC_3339.end, i64::MAX] {
            assert_eq!(shown(millis), format!("new Date({millis})"));
        }
    }

    #[test]
    fn only_the_lists_of_a_validator_are_shown_as_a_whole() {
        let many: Vec<i32> = (0..25).collect();
        let both = doc! {
            "validator": { "$jsonSchema": { "required": many.clone() } }, "filter": { "$in": many },
        };
        let text = document(&both);
        assert!(text.contains("23, 24] } }, filter"), "{text}");
        assert!(text.contains("18, 19, ... 5 more]"), "{text}");
    }
}
