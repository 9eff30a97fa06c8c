//! Generates comments about properties of values that their Rust type does not express.

use mongo_odm::__tools::mongosh_value;
use mongodb::bson::Bson;

use super::tree::Node;

/// Returns a comment about values of several types at a path. The comment proposes a common type if
/// there is one.
pub(super) fn mixed(node: &Node<'_>) -> Option<String> {
    let types = &node.survey.types;
    if types.len() < 2 {
        return None;
    }
    let shown = types.iter().map(|it| {
        let example = mongosh_value(&it.example);
        format!("{} {} (`_id` {example})", it.count, it.name)
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let all = |of: &[&str]| types.iter().all(|it| of.contains(&it.name));
    let remedy = if all(&["int", "long"]) {
        " `i64` reads them all, and writes longs."
    } else if all(&["int", "long", "double"]) {
        " `f64` reads them all, and writes doubles."
    } else if all(&["date", "string"]) {
        " Dates as text are no dates to the server; `$toDate` makes dates of them."
    } else {
        ""
    };
    Some(format!("Values of several types: {shown}.{remedy}"))
}

/// Returns a comment if all strings at a path are dates, ids or numbers.
pub(super) fn of_texts(node: &Node<'_>) -> Option<&'static str> {
    let survey = node.survey;
    if survey.only_type() != Some("string") || survey.values.is_empty() {
        return None;
    }
    let all = |test: fn(&str) -> bool| {
        let mut texts = survey.values.iter().map(|(value, _)| value);
        texts.all(|value| value.as_str().is_some_and(test))
    };
    let has_point = |(value, _): &(Bson, u64)| value.as_str().is_some_and(|it| it.contains('.'));
    if all(is_date) {
        Some(
            "Dates as text: no operator for dates and no index that expires documents takes them. `$toDate` makes dates \
             of them, which are `DateTime`.",
        )
    } else if all(is_local_date) {
        Some(
            "Dates as text that sorts by days or months: `$dateFromString` makes dates of them, which are `DateTime`.",
        )
    } else if all(is_object_id) {
        Some(
            "Ids as text: they equal no `ObjectId`. `$toObjectId` makes ids of them that take 12 bytes and can be \
             references.",
        )
    } else if all(is_number) && survey.values.iter().any(has_point) {
        Some(
            "Numbers as text, which sort as text: `$toDouble` or `$toDecimal` makes numbers of them.",
        )
    } else {
        None
    }
}

/// Whether a string has the given form. In a form, `0` stands for any digit.
fn has_form(text: &str, form: &str) -> bool {
    let is_one = |(c, of): (char, char)| {
        if of == '0' {
            c.is_ascii_digit()
        } else {
            c == of
        }
    };
    text.len() == form.len() && text.chars().zip(form.chars()).all(is_one)
}

/// Whether a string is an ISO 8601 date, with or without a time.
fn is_date(text: &str) -> bool {
    let Some((day, time)) = text.split_at_checked(10) else {
        return false;
    };
    let is_time = match time.chars().next() {
        None => true,
        Some('T' | ' ') => time.get(1..6).is_some_and(|it| has_form(it, "00:00")),
        Some(_) => false,
    };
    has_form(day, "0000-00-00") && is_time
}

/// Whether a string is a date that begins with the day or the month.
fn is_local_date(text: &str) -> bool {
    let forms = ["00/00/0000", "00.00.0000", "00-00-0000"];
    forms.iter().any(|form| has_form(text, form))
}

fn is_object_id(text: &str) -> bool {
    let is_hex = text.chars().all(|c| c.is_ascii_hexdigit());
    text.len() == 24 && is_hex && text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a string is a number. Strings that begin with a zero are probably codes and do not count.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    all(whole) && all(fraction) && (whole == "0" || !whole.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_by_their_form() {
        for date in ["2024-05-01", "2024-05-01T10:00:00Z", "2024-05-01 10:00"] {
            assert!(is_date(date), "{date}");
        }
        for none in ["2024-05-01x", "24-05-01", "2024-05-01T", "größer als"] {
            assert!(!is_date(none), "{none}");
        }
        assert!(is_local_date("12/31/2024") && !is_local_date("12/31-2024"));
        assert!(
            is_object_id("5ca4bbcea2dd94ee58162a68") && !is_object_id("deadbeefdeadbeefdeadbeef")
        );
        for (text, expected) in [
            ("12.50", true),
            ("-0.5", true),
            ("007", false),
            ("1.2.3", false),
            (".5", false),
        ] {
            assert_eq!(is_number(text), expected, "{text}");
        }
    }
}
