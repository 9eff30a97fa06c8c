//! Counts events by name.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

/// Number of times that each act was done; failures are counted by their error.
#[derive(Debug, Default)]
pub(crate) struct Figures(Mutex<BTreeMap<String, u64>>);

impl Figures {
    pub(crate) fn add(&self, what: &str, count: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(what.to_owned()).or_default() += count;
    }

    /// Counts a line of a process's output: `did: inserted 7`, `failed: renamed, 91 ShutdownInProgress`.
    pub(crate) fn read(&self, line: &str) {
        if line.starts_with("failed: ") || line.starts_with("abandoned: ") {
            self.add(line, 1);
            return;
        }
        let did = line.strip_prefix("did: ");
        let Some((what, count)) = did.and_then(|did| did.rsplit_once(' ')) else {
            return;
        };
        if let Ok(count) = count.parse() {
            self.add(what, count);
        }
    }

    /// Returns how often the acts were done whose name starts with `what`.
    pub(crate) fn sum(&self, what: &str) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let done = counts.iter().filter(|(name, _)| name.starts_with(what));
        done.map(|(_, count)| count).sum()
    }

    /// Whether any act was done whose name starts with `what`.
    pub(crate) fn has(&self, what: &str) -> bool {
        self.sum(what) > 0
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.write_str("what happened:")?;
        for (what, count) in counts.iter() {
            write!(f, "\n{count:7} {what}")?;
        }
        Ok(())
    }
}
