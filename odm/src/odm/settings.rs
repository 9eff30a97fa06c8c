//! Settings of a handle.

/// How joins are split, and how much one call may load.
///
/// The defaults come from measurements on a server with two cores; the README says how to repeat
/// them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// From how many distinct keys on a join is split into ranges; 2,000 by default.
    pub split_from: usize,
    /// The least and the most keys of one range; 2,500 and 10,000 by default.
    pub range: (usize, usize),
    /// How many ranges are in flight at once, outside transactions; 2 by default. Splitting gains
    /// nothing on a server without idle cores.
    pub in_flight: usize,
    /// The largest number of bytes of keys in one statement; 8 MiB by default, the server's limit
    /// is 16.
    pub range_bytes: usize,
    /// How many documents one load or join may decode before it fails; no limit by default.
    pub max_documents: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            split_from: 2_000,
            range: (2_500, 10_000),
            in_flight: 2,
            range_bytes: 8 << 20,
            max_documents: None,
        }
    }
}

impl Settings {
    /// Sets from how many distinct keys on a join is split.
    #[must_use]
    pub const fn split_from(mut self, keys: usize) -> Self {
        self.split_from = keys;
        self
    }

    /// Sets how many ranges of a join are in flight at once, outside transactions.
    #[must_use]
    pub const fn in_flight(mut self, ranges: usize) -> Self {
        self.in_flight = ranges;
        self
    }

    /// Sets the least and the most keys of one range.
    #[must_use]
    pub const fn range(mut self, least: usize, most: usize) -> Self {
        self.range = (least, most);
        self
    }

    /// Sets how many documents one load or join may decode before it fails.
    #[must_use]
    pub const fn max_documents(mut self, documents: usize) -> Self {
        self.max_documents = Some(documents);
        self
    }
}
