//! Formats numbers as text, and reads numbers from replies.

#[cfg(feature = "cli")]
use mongo_odm::__tools::mongosh_value;
use mongodb::bson::{Bson, Document};

/// Returns a number from a reply, or 0 if the reply does not contain the field. The server may send the number as an
/// integer of 32 or 64 bits.
pub(crate) fn number_in(reply: &Document, name: &str) -> u64 {
    let number = match reply.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    };
    u64::try_from(number).unwrap_or_default()
}

/// Formats a whole number with thousands separators: `12,345`.
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

/// Formats a count with its noun: `1 finding`, `2 findings`.
pub(crate) fn several(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// Formats the first few values of a list: `1, 2, 3 and 7 more`.
#[cfg(feature = "cli")]
pub(crate) fn some(values: &[Bson]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = values.iter().take(SHOWN).map(mongosh_value).collect();
    let shown = shown.join(", ");
    match values.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
