//! Which lines of the application were warned of what.

use std::{
    collections::HashSet,
    panic::Location,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::Exec;

/// A line of the application.
pub(crate) type Line = &'static Location<'static>;

type Warned = HashSet<(Line, String)>;

static WARNED: Mutex<Option<Warned>> = Mutex::new(None);

fn warned() -> MutexGuard<'static, Option<Warned>> {
    WARNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a line is warned of something for the first time.
pub(crate) fn is_first(at: Line, about: &str) -> bool {
    warned()
        .get_or_insert_default()
        .insert((at, about.to_owned()))
}

/// Forgets that a line was warned of something: there was nothing to warn of.
pub(super) fn forget(at: Line, about: &str) {
    if let Some(warned) = warned().as_mut() {
        warned.remove(&(at, about.to_owned()));
    }
}

impl Exec {
    /// Returns the line that a call is watched for.
    pub(crate) fn watched(&self) -> Option<Line> {
        self.caller()
            .filter(|_| self.settings().warn_of_slow_statements)
    }
}
