//! Reports which share of the documents in the collections was read.

use std::fmt;

use serde_json::{Value, json};

use crate::survey::CollectionSurvey;

/// The number of sampled documents, and the number of all documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    pub(super) sampled: u64,
    pub(super) documents: u64,
}

impl Sampled {
    pub(super) fn of<'c>(collections: impl IntoIterator<Item = &'c CollectionSurvey>) -> Self {
        let mut all = Self {
            sampled: 0,
            documents: 0,
        };
        for it in collections {
            all.sampled += it.sampled;
            // The server's count can be smaller than the sample, for example after a crash.
            all.documents += it.documents.unwrap_or_default().max(it.sampled);
        }
        all
    }
}

/// Writes `200 of 300 documents sampled`, or that all documents were read.
impl fmt::Display for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sampled, documents } = self;
        if sampled == documents {
            write!(f, "all {documents} documents read")
        } else {
            write!(f, "{sampled} of {documents} documents sampled")
        }
    }
}

/// Returns, as JSON, the share of one collection that was read.
pub(super) fn json(it: &CollectionSurvey) -> Value {
    json!({
        "name": it.name, "documents": it.documents, "sampled": it.sampled, "is_complete": it.is_complete,
        "notes": it.notes,
    })
}

/// Lists the collections of which only a part was read: `orders: 1000 of 5000 documents sampled`.
pub(super) fn partial(collections: &[CollectionSurvey]) -> impl Iterator<Item = String> {
    let partial = collections.iter().filter(|it| !it.is_complete);
    partial.map(|it| format!("`{}`: {}", it.name, Sampled::of([it])))
}
