//! What is recorded of each statement: a span below that of the operation that it is a part of.

use std::time::Instant;

use tracing::{Span, field::Empty};

use crate::error::Error;

/// Returns the span of a statement. What it has brought is recorded when it is answered.
pub(super) fn statement(collection: &str, command: &'static str) -> Span {
    tracing::debug_span!(
        "statement",
        collection,
        command,
        documents = Empty,
        bytes = Empty,
        micros = Empty,
        error = Empty,
    )
}

/// Records the answer: how long it took, and how many documents it is about, where it says so.
pub(super) fn answered(span: &Span, began: Instant, answer: Result<Option<u64>, &Error>) {
    if span.is_disabled() {
        return;
    }
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    span.record("micros", micros);
    match answer {
        Ok(Some(documents)) => _ = span.record("documents", documents),
        Ok(None) => {}
        Err(error) => _ = span.record("error", tracing::field::display(error)),
    }
}

/// What a cursor has brought so far.
#[derive(Debug)]
pub(super) struct Brought {
    span: Span,
    documents: u64,
    bytes: u64,
}

impl Brought {
    pub(super) const fn new(span: Span) -> Self {
        Self {
            span,
            documents: 0,
            bytes: 0,
        }
    }

    /// Adds a batch.
    pub(super) fn add(&mut self, batch: &mongodb::raw_batch_cursor::RawBatch) {
        if self.span.is_disabled() {
            return;
        }
        let documents = batch.doc_slices().map_or(0, |all| all.into_iter().count());
        self.documents += documents as u64;
        self.bytes += batch.as_raw_document().as_bytes().len() as u64;
        self.span.record("documents", self.documents);
        self.span.record("bytes", self.bytes);
    }
}
