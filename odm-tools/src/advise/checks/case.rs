//! Finds case-insensitive regular expressions in filters.

use mongodb::bson::{Bson, Document};

use mongo_odm::__tools::path::without_positions;

/// The part of a value that a regular expression matches. The remedy for a variant also works for the preceding
/// variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    #[default]
    Whole,
    Beginning,
    Any,
}

/// Lists the paths to which a filter applies case-insensitive regular expressions, each with the part of the value that
/// the expression matches.
pub(super) fn ignoring_case(filter: &Document) -> Vec<(String, Part)> {
    let mut found = Vec::new();
    for (name, condition) in filter {
        match (name.as_str(), condition) {
            ("$and" | "$or" | "$nor", Bson::Array(clauses)) => {
                let clauses = clauses.iter().filter_map(Bson::as_document);
                found.extend(clauses.flat_map(ignoring_case));
            }
            (path, condition) if !path.starts_with('$') => {
                let part = pattern_without_case(condition).map(part_of);
                found.extend(part.map(|part| (without_positions(path), part)));
            }
            _ => {}
        }
    }
    found
}

/// Returns the regular expression of a condition if the expression is case-insensitive.
fn pattern_without_case(condition: &Bson) -> Option<&str> {
    let ignores = |options: &str| options.contains('i');
    match condition {
        Bson::RegularExpression(regex) => {
            ignores(regex.options.as_str()).then_some(regex.pattern.as_str())
        }
        Bson::Document(operators) => match operators.get("$regex")? {
            Bson::String(pattern) => {
                let options = operators.get_str("$options");
                options.is_ok_and(ignores).then_some(pattern.as_str())
            }
            Bson::RegularExpression(regex) => {
                let own = ignores(regex.options.as_str());
                let is_so = own || operators.get_str("$options").is_ok_and(ignores);
                is_so.then_some(regex.pattern.as_str())
            }
            _ => None,
        },
        _ => None,
    }
}

fn part_of(pattern: &str) -> Part {
    let Some(rest) = pattern.strip_prefix('^') else {
        return Part::Any;
    };
    let whole = rest.strip_suffix('$').filter(|it| is_plain(it));
    whole.map_or(Part::Beginning, |_| Part::Whole)
}

/// Whether a pattern contains only literal characters, so that it matches exactly one string.
fn is_plain(pattern: &str) -> bool {
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        let is_fine = match letter {
            '\\' => letters.next().is_some_and(|it| !it.is_ascii_alphanumeric()),
            other => !".^$|?*+()[]{}".contains(other),
        };
        if !is_fine {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_pattern_says_what_of_a_value_it_is_about() {
        for (pattern, part) in [
            ("^bern$", Part::Whole),
            (r"^st\. gallen$", Part::Whole),
            ("^bern|basel$", Part::Beginning),
            ("^bern", Part::Beginning),
            (r"^\w$", Part::Beginning),
            ("bern", Part::Any),
        ] {
            assert_eq!(part_of(pattern), part, "{pattern}");
        }
    }

    #[test]
    fn what_ignores_case_is_found_in_clauses() {
        let filter = doc! {
            "a": { "$regex": "^x$", "$options": "i" },
            "b": { "$regex": "^x$" },
            "$or": [{ "lines.0.c": { "$regex": "x", "$options": "si" } }, { "d": 1 }],
        };
        let found = ignoring_case(&filter);
        let expected = [("a", Part::Whole), ("lines.c", Part::Any)];
        let expected = expected.map(|(path, part)| (path.to_owned(), part));
        assert_eq!(found, expected);
    }
}
