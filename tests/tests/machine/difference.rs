//! The changes that a transaction makes to documents.

/// The documents that a transaction changes, compared to its snapshot.
///
/// A transaction does not write unchanged documents: an update that changes nothing takes no lock and does not
/// conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Difference<T, const N: usize>([Option<After<T>>; N]);

/// A document after a write, which may have removed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct After<T>(T);

impl<T: Copy + PartialEq, const N: usize> Difference<T, N> {
    /// The difference that changes `snapshot` to `after`.
    pub(crate) fn between(snapshot: &[T; N], after: &[T; N]) -> Self {
        Self(std::array::from_fn(|at| {
            (snapshot[at] != after[at]).then_some(After(after[at]))
        }))
    }

    /// The document after the write, or `None` if it is not written.
    pub(crate) fn get(&self, at: usize) -> Option<T> {
        self.0[at].map(|after| after.0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Whether both write the same document.
    pub(crate) fn is_conflict(&self, other: &Self) -> bool {
        let mut both = self.0.iter().zip(&other.0);
        both.any(|(one, other)| one.is_some() && other.is_some())
    }

    pub(crate) fn apply(&self, documents: &mut [T; N]) {
        for (document, write) in documents.iter_mut().zip(self.0) {
            *document = write.map_or(*document, |after| after.0);
        }
    }
}
