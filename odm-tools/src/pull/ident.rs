//! Converts stored names to Rust names.

use std::collections::HashSet;

use any_ascii::any_ascii;
use heck::{ToSnakeCase, ToUpperCamelCase};

use crate::survey::singular;

/// Names that already have another meaning in the generated code.
const TAKEN: &[&str] = &[
    "AnyKey",
    "AsMut",
    "AsRef",
    "BTreeMap",
    "Binary",
    "Box",
    "Bson",
    "Clone",
    "Copy",
    "CopyOptions",
    "DateTime",
    "DbRef",
    "Debug",
    "Decimal128",
    "Default",
    "Described",
    "Deserialize",
    "Document",
    "Documents",
    "DoubleEndedIterator",
    "Drop",
    "Embedded",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Executor",
    "Extend",
    "Filter",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Id",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "Linked",
    "Model",
    "None",
    "ObjectId",
    "Odm",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Presence",
    "Projection",
    "Regex",
    "Result",
    "Self",
    "Send",
    "Serialize",
    "SingleCollection",
    "Sized",
    "Some",
    "Storable",
    "String",
    "Sync",
    "Timestamp",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Tx",
    "Unpin",
    "UpdateOperators",
    "Uuid",
    "Vec",
];

/// Keywords that are not allowed as raw identifiers.
const NEVER: &[&str] = &["self", "super", "crate", "Self"];

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// A set of names that are already used.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// Creates the set for the type names of a module.
    pub(super) fn of_types() -> Self {
        Self(TAKEN.iter().map(ToString::to_string).collect())
    }

    /// Reserves the first free name in a list, and returns it. If none is free, adds a number to the last name.
    pub(super) fn take<S: Into<String>>(&mut self, wanted: impl IntoIterator<Item = S>) -> String {
        let mut last = String::new();
        for name in wanted {
            last = name.into();
            if self.0.insert(last.clone()) {
                return last;
            }
        }
        let numbered = (2_u64..).map(|number| format!("{last}{number}"));
        let free = numbered
            .into_iter()
            .find(|name| self.0.insert(name.clone()));
        free.unwrap_or(last)
    }
}

/// Converts a stored name to the name of a field. The result can be a keyword, which [`raw`] escapes.
pub(super) fn field(stored: &str) -> String {
    let name = letters(&any_ascii(stored).to_snake_case());
    match name.as_str() {
        "" => "field".to_owned(),
        name if NEVER.contains(&name) => format!("{name}_"),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("field_{name}"),
        _ => name,
    }
}

/// Converts the plural name of a collection or a field to the name of a type: `OrderLine` for `order_lines`.
pub(super) fn type_of_many(stored: &str) -> String {
    type_of_one(&singular(&any_ascii(stored).to_snake_case()))
}

/// Converts a stored name to the name of a type or a variant. The name contains only ASCII letters, because the
/// compiler and clippy warn about other letters.
pub(super) fn type_of_one(stored: &str) -> String {
    let name = letters(&any_ascii(stored).to_upper_camel_case());
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("N{name}");
    }
    cased(&name)
}

/// Joins two names of types: `Order` and `Line` become `OrderLine`.
pub(super) fn joined(of: &str, one: &str) -> String {
    cased(&format!("{of}{one}"))
}

/// Changes the case of an acronym: `DDD` becomes `Ddd`, as clippy requires.
fn cased(name: &str) -> String {
    let is_acronym = name.len() > 2 && name.chars().all(|c| c.is_ascii_uppercase());
    match name.split_at_checked(1) {
        Some((first, rest)) if is_acronym => format!("{first}{}", rest.to_ascii_lowercase()),
        _ => name.to_owned(),
    }
}

/// Removes the characters that are not allowed in a Rust name.
fn letters(name: &str) -> String {
    let letters = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_');
    letters.collect()
}

/// Converts a keyword to a raw identifier. Other names are returned unchanged.
pub(super) fn raw(name: &str) -> String {
    if KEYWORDS.contains(&name) {
        return format!("r#{name}");
    }
    name.to_owned()
}

/// Converts a string to a Rust string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_one_of_rust() {
        for (stored, name) in [
            ("userId", "user_id"),
            ("_class", "class"),
            ("__v", "v"),
            ("type", "type"),
            ("self", "self_"),
            ("1st", "field_1st"),
            ("größe", "grosse"),
            ("e\u{301}", "e"),
            ("ﬁ", "fi"),
            ("名前", "ming_qian"),
            ("🦀", "crab"),
            ("a-b c", "a_b_c"),
            ("%", "field"),
            ("HTTPStatus", "http_status"),
        ] {
            assert_eq!(field(stored), name);
        }
        assert_eq!(raw("type"), "r#type");
        for (stored, name) in [
            ("order_lines", "OrderLine"),
            ("people", "Person"),
            ("2024_logs", "N2024Log"),
            ("orderLines", "OrderLine"),
            ("sample.users", "SampleUser"),
            ("A_B_C", "Abc"),
            ("größen", "Grossen"),
        ] {
            assert_eq!(type_of_many(stored), name);
        }
    }

    #[test]
    fn a_name_is_taken_once() {
        let mut names = Names::of_types();
        let taken = [0; 3].map(|_| names.take(["Option", "OptionDoc"]));
        assert_eq!(taken, ["OptionDoc", "OptionDoc2", "OptionDoc3"]);
    }
}
