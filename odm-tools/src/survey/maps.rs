//! Detects maps, which are documents that use values as field names: `{ "2024-05-01": 3, "2024-05-02": 4 }`.

/// Smallest number of field names with which a document always counts as a map.
pub(super) const FIELDS: usize = 1_000;

/// Smallest number of distinct field names at which a document counts as a map although the names do not look like
/// values.
const NAMES: usize = 20;

/// A field name that occurs in embedded documents at one path.
pub(super) struct Name<'n> {
    pub(super) text: &'n str,
    pub(super) present: u64,
    pub(super) only_type: Option<&'static str>,
}

/// Whether the field names in embedded documents are values.
pub(super) fn are_values(names: &[Name<'_>], documents: u64) -> bool {
    let values = names.iter().filter(|it| is_value(it.text)).count();
    let say_it = !names.is_empty() && values * 10 >= names.len() * 9;
    say_it
        || names.len() >= FIELDS
        || names.len() >= NAMES && are_rare(names, documents) && are_alike(names)
}

/// Whether the names occur, on average, in at most 25 % of the documents.
fn are_rare(names: &[Name<'_>], documents: u64) -> bool {
    let present: u64 = names.iter().map(|it| it.present).sum();
    present * 4 <= documents * names.len() as u64
}

/// Whether all fields have the same type.
fn are_alike(names: &[Name<'_>]) -> bool {
    let mut types = names.iter().map(|it| it.only_type);
    let first = types.next().flatten();
    first.is_some() && types.all(|name| name == first)
}

/// Whether a name is a number, a date, an id or an e-mail address. Names of these forms are always treated as values.
pub(crate) fn is_value(name: &str) -> bool {
    let all = |test: fn(char) -> bool| !name.is_empty() && name.chars().all(test);
    let is_number = all(|c| c.is_ascii_digit());
    let is_id = name.len() >= 16
        && all(|c| c.is_ascii_hexdigit() || c == '-')
        && name.contains(|c: char| c.is_ascii_digit());
    let is_date = name.len() >= 7
        && name.starts_with(|c: char| c.is_ascii_digit())
        && all(|c| c.is_ascii_digit() || "-/.:TZ+ ".contains(c));
    is_number || is_id || is_date || name.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_values() {
        for value in [
            "1",
            "2024-05-01",
            "0df078f33aa74a2e9696e0520c1a828a",
            "5ca4bbcea2dd94ee58162a68",
            "a@example.org",
            "550e8400-e29b-41d4-a716-446655440000",
        ] {
            assert!(is_value(value), "{value}");
        }
        for name in [
            "",
            "name",
            "deadbeef",
            "line1",
            "de",
            "feed-faced-decade-facade",
        ] {
            assert!(!is_value(name), "{name}");
        }
    }
}
