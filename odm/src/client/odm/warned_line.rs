//! The source lines of the application that caused a warning. Each warning appears once per line.

use std::{
    collections::HashSet,
    panic::Location,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::Exec;

/// A source line of the application.
pub(crate) type Line = &'static Location<'static>;

type Warned = HashSet<(Line, String)>;

static WARNED: Mutex<Option<Warned>> = Mutex::new(None);

fn warned() -> MutexGuard<'static, Option<Warned>> {
    WARNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether this is the first warning of its type for a line, and records the warning.
pub(crate) fn is_first(at: Line, about: &str) -> bool {
    warned()
        .get_or_insert_default()
        .insert((at, about.to_owned()))
}

/// Removes the record for a line at which no warning was necessary.
pub(super) fn forget(at: Line, about: &str) {
    if let Some(warned) = warned().as_mut() {
        warned.remove(&(at, about.to_owned()));
    }
}

impl Exec {
    /// Returns the source line of the call if warnings are enabled for the handle.
    pub(crate) fn watched(&self) -> Option<Line> {
        self.caller()
            .filter(|_| self.settings().warn_of_slow_statements)
    }
}
