//! Creates names of databases that are readable, unique, and valid on all platforms.

use std::{
    process,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::SystemTime,
};

/// Largest length of a name that the server accepts.
const MAX: usize = 63;

/// A part of the name that identifies this process. This part contains the time of the first use,
/// because process ids are reused on a long-running server and are the same in all containers.
static PROCESS: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    format!("{}_{:x}", process::id(), now.as_millis())
});
static COUNTER: AtomicU32 = AtomicU32::new(1);

/// Returns a unique name for the database of a test.
pub(super) fn unique(test: &str) -> String {
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let end = format!("_{}_{number}", *PROCESS);
    let mut name = sanitized(test);
    name.truncate(MAX - end.len());
    name + &end
}

/// Converts the name of a test to a valid part of a name. Letters are converted to lower case,
/// because the server rejects two names that differ only in case.
fn sanitized(test: &str) -> String {
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    // Paths such as `module::test` are common. The characters `$` and `.` are forbidden, and others
    // are forbidden on Windows.
    test.chars().map(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_short_and_plain() {
        let long = "Größe::of a test.name$that/is longer than any database name may ever be";
        let (one, two) = (unique(long), unique(long));
        assert_ne!(one, two);
        assert_eq!(one.len(), MAX);
        assert!(one.starts_with("gr__e__of_a_test_name_that"), "{one}");
        assert!(
            one.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        );
    }
}
