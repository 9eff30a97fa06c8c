//! Shortens and formats texts.

use std::fmt::Display;

use mongo_odm::{
    Statement,
    bson::{Bson, DateTime},
};

/// Largest number of characters in a line, not counting the margin.
const WIDTH: usize = 110;
/// Largest number of elements that are shown for a list in a plan.
const LISTED: usize = 4;

/// Breaks a text into lines. All lines except the first are indented by the margin.
pub(crate) fn wrap(text: &str, margin: usize) -> String {
    let mut wrapped = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(margin));
            column = 0;
        } else if column > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += length;
    }
    wrapped
}

/// Formats a statement with only the first few elements of each long list, and adds the length of
/// the longest list.
pub(crate) fn brief(mut statement: Statement) -> String {
    let mut longest = 0;
    for argument in &mut statement.arguments {
        match argument {
            // All stages of a pipeline are shown, but long lists in them are shortened.
            Bson::Array(stages) => stages
                .iter_mut()
                .for_each(|stage| shorten(stage, &mut longest)),
            argument => shorten(argument, &mut longest),
        }
    }
    match longest {
        0 => statement.to_string(),
        _ => format!("{statement} // {LISTED} of {} shown", thousands(longest)),
    }
}

fn shorten(value: &mut Bson, longest: &mut usize) {
    match value {
        Bson::Document(document) => {
            document
                .iter_mut()
                .for_each(|(_, value)| shorten(value, longest));
        }
        Bson::Array(items) => {
            if items.len() > LISTED {
                *longest = items.len().max(*longest);
                items.truncate(LISTED);
            }
            for item in items {
                shorten(item, longest);
            }
        }
        _ => {}
    }
}

/// Formats the first few items of a list.
pub fn few<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    const SHOWN: usize = 4;
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    let shown = items
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match items.len().checked_sub(SHOWN) {
        _ if items.is_empty() => "none".to_owned(),
        None | Some(0) => shown,
        Some(more) => format!("{shown} and {} more", thousands(more)),
    }
}

/// Formats a number with thousands separators.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a date as in RFC 3339.
pub fn date(date: DateTime) -> String {
    date.try_to_rfc3339_string()
        .unwrap_or_else(|_| date.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!(
            [0, 999, 1_000, 58_220].map(thousands),
            ["0", "999", "1,000", "58,220"]
        );
    }

    #[test]
    fn a_few_of_many_are_listed() {
        assert_eq!(few([1, 2]), "1, 2");
        assert_eq!(few(1..=9), "1, 2, 3, 4 and 5 more");
        assert_eq!(few([0; 0]), "none");
    }

    #[test]
    fn a_long_line_goes_on_below() {
        let wrapped = wrap(&["word"; 40].join(" "), 3);
        assert!(
            wrapped.lines().all(|line| line.len() <= WIDTH + 3),
            "{wrapped}"
        );
        assert_eq!(wrapped.split_whitespace().count(), 40);
    }
}
