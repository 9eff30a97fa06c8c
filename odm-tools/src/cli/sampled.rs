//! How much of the collections was looked at.

use std::fmt;

use serde_json::{Value, json};

use crate::survey::CollectionSurvey;

/// How many documents of how many were looked at.
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
            // The count of the server may be behind.
            all.documents += it.documents.unwrap_or_default().max(it.sampled);
        }
        all
    }
}

/// Shows `200 of 300 documents sampled`, and of all that they are all.
impl fmt::Display for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sampled, documents } = self;
        if sampled == documents {
            write!(f, "all {documents} documents looked at")
        } else {
            write!(f, "{sampled} of {documents} documents sampled")
        }
    }
}

/// Says of each collection how much of it was looked at.
pub(super) fn json(it: &CollectionSurvey) -> Value {
    json!({
        "name": it.name, "documents": it.documents, "sampled": it.sampled, "is_complete": it.is_complete,
        "notes": it.notes,
    })
}

/// Lists the collections of which a part alone was looked at: `orders: 1000 of 5000 documents sampled`.
pub(super) fn partial(collections: &[CollectionSurvey]) -> impl Iterator<Item = String> {
    let partial = collections.iter().filter(|it| !it.is_complete);
    partial.map(|it| format!("`{}`: {}", it.name, Sampled::of([it])))
}
