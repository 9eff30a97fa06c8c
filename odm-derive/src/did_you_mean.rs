//! Suggests a known name for a mistyped one, and formats lists of names for error messages.

/// Returns the known name that the user probably meant. Either only a few letters differ, or one name is the
/// beginning of the other.
fn meant<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    let is_form = |name: &str| {
        let (short, long) = if name.len() < written.len() {
            (name, written)
        } else {
            (written, name)
        };
        short.len() > 2 && long.starts_with(short)
    };
    known
        .iter()
        .map(|name| (strsim::osa_distance(written, name), *name))
        .filter(|(distance, name)| *distance <= (written.len() / 3).max(1) || is_form(name))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Returns the remedy `did you mean ..?` if there is a similar known name.
pub(crate) fn did_you_mean(written: &str, known: &[&str]) -> Option<String> {
    meant(written, known).map(|name| format!("did you mean `{name}`?"))
}

/// Formats a list of names for an error message: `a`, `b` and `c`. `word` is written between the last two.
pub(crate) fn listing(names: &[&str], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [head @ .., last] => {
            let head: Vec<_> = head.iter().map(|name| format!("`{name}`")).collect();
            format!("{} {word} `{last}`", head.join(", "))
        }
    }
}
