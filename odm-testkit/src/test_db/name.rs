//! Names of databases: readable, unique, and allowed everywhere.

use std::{
    process,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::SystemTime,
};

/// The server refuses longer ones.
const MAX: usize = 63;

/// On a server that lives on, a process id comes again, and in containers it is the same in all
/// of them: so the time of the first use in this process is part of the name.
static PROCESS: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    format!("{}_{:x}", process::id(), now.as_millis())
});
static COUNTER: AtomicU32 = AtomicU32::new(1);

/// Returns a name for the database of a test that no other database has.
pub(super) fn unique(test: &str) -> String {
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let end = format!("_{}_{number}", *PROCESS);
    let mut name = sanitized(test);
    name.truncate(MAX - end.len());
    name + &end
}

/// Lower case, because two names that differ in case only are refused.
fn sanitized(test: &str) -> String {
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    // A path such as `module::test` is common; `$` and `.` are forbidden, others on Windows.
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
