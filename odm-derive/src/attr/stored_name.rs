//! Computes the stored names of fields and variants from the serde attributes `rename` and `rename_all`.
//!
//! Serde does not export its rules for `rename_all`, so this module reimplements them.

use syn::LitStr;

/// A `rename_all` rule, which converts the name of a Rust field or variant to its stored name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Snake,
    Upper,
    UpperSnake,
    Pascal,
    Camel,
    Kebab,
    UpperKebab,
}

impl Case {
    /// Returns the rule that has this name. Serde reports unknown names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "lowercase" => Self::Lower,
            "snake_case" => Self::Snake,
            "UPPERCASE" => Self::Upper,
            "SCREAMING_SNAKE_CASE" => Self::UpperSnake,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::UpperKebab,
            _ => return None,
        })
    }

    /// Returns the stored name of a field.
    pub(crate) fn apply(self, field: &str) -> String {
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::UpperSnake => field.to_ascii_uppercase(),
            Self::Pascal => pascal(field, true),
            Self::Camel => pascal(field, false),
            Self::Kebab => field.replace('_', "-"),
            Self::UpperKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Returns the stored name of a variant.
    pub(crate) fn apply_to_variant(self, variant: &str) -> String {
        match self {
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Pascal => variant.to_owned(),
            Self::Camel => {
                let mut letters = variant.chars();
                let first = letters.next().map(|first| first.to_ascii_lowercase());
                first.into_iter().chain(letters).collect()
            }
            Self::Snake | Self::UpperSnake | Self::Kebab | Self::UpperKebab => {
                self.apply(&snake(variant))
            }
        }
    }
}

/// Returns the stored name of a field or a variant. The name is given by `rename`, or follows from the `rename_all`
/// rule. `apply` is [`Case::apply`] or [`Case::apply_to_variant`].
pub(super) fn stored_name(
    rename: Option<&LitStr>,
    rename_all: Option<Case>,
    name: String,
    apply: fn(Case, &str) -> String,
) -> String {
    let renamed = rename.map(LitStr::value);
    renamed.unwrap_or_else(|| match rename_all {
        Some(case) => apply(case, &name),
        None => name,
    })
}

/// Converts a variant name to snake case: `spare_part` for `SparePart`.
fn snake(variant: &str) -> String {
    let mut name = String::with_capacity(variant.len() + 2);
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Converts a field name to Pascal case, or to camel case if `capital` is false.
fn pascal(field: &str, capital: bool) -> String {
    let mut name = String::with_capacity(field.len());
    let mut word_starts = true;
    for letter in field.chars() {
        match (letter, word_starts) {
            ('_', _) => word_starts = true,
            (letter, _) if name.is_empty() && !capital => {
                name.push(letter.to_ascii_lowercase());
                word_starts = false;
            }
            (letter, true) => {
                name.push(letter.to_ascii_uppercase());
                word_starts = false;
            }
            (letter, false) => name.push(letter),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn names_are_those_of_serde() {
        for (rule, expected) in [
            ("lowercase", "due_date"),
            ("UPPERCASE", "DUE_DATE"),
            ("PascalCase", "DueDate"),
            ("camelCase", "dueDate"),
            ("snake_case", "due_date"),
            ("SCREAMING_SNAKE_CASE", "DUE_DATE"),
            ("kebab-case", "due-date"),
            ("SCREAMING-KEBAB-CASE", "DUE-DATE"),
        ] {
            assert_eq!(
                Case::named(rule)
                    .map(|case| case.apply("due_date"))
                    .as_deref(),
                Some(expected)
            );
        }
        for (rule, expected) in [
            ("lowercase", "sparepart"),
            ("UPPERCASE", "SPAREPART"),
            ("PascalCase", "SparePart"),
            ("camelCase", "sparePart"),
            ("snake_case", "spare_part"),
            ("SCREAMING_SNAKE_CASE", "SPARE_PART"),
            ("kebab-case", "spare-part"),
            ("SCREAMING-KEBAB-CASE", "SPARE-PART"),
        ] {
            assert_eq!(
                Case::named(rule)
                    .map(|case| case.apply_to_variant("SparePart"))
                    .as_deref(),
                Some(expected)
            );
        }
        assert_eq!(Case::Camel.apply("_id"), "id");
        assert_eq!(Case::named("Train-Case"), None);
    }
}
