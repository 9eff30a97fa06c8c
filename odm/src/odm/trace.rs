//! The spans of `tracing`: one for what an application asks for, and below it one for each statement.

use std::time::Instant;

use tracing::{Instrument, Span, field::Empty};

use super::Running;
use crate::{
    error::{Error, Result},
    shape::ModelShape,
};

/// Runs what an application asks of a model, `Part::update` for instance, in a span of its own.
pub(crate) fn traced<T>(
    model: &'static ModelShape,
    name: &'static str,
    asked: impl Future<Output = Result<T>> + Send + 'static,
) -> Running<T> {
    // The span is made when it is awaited: it is then below that of the caller.
    Box::pin(async move { asked.instrument(operation(model.name, name, None)).await })
}

/// Runs what an application asks of a relation, `Product.parts` for instance, in a span of its own.
pub(crate) fn traced_relation<T>(
    relation: &'static str,
    name: &'static str,
    asked: impl Future<Output = Result<T>> + Send + 'static,
) -> Running<T> {
    let model = relation.split('.').next().unwrap_or(relation);
    Box::pin(async move {
        let span = operation(model, name, Some(relation));
        asked.instrument(span).await
    })
}

/// Runs what an application asks of a whole database in a span of its own.
pub(crate) fn traced_call<T>(
    name: &'static str,
    asked: impl Future<Output = Result<T>> + Send + 'static,
) -> Running<T> {
    Box::pin(async move {
        let span = tracing::debug_span!("operation", name);
        asked.instrument(span).await
    })
}

fn operation(model: &str, name: &'static str, relation: Option<&str>) -> Span {
    tracing::debug_span!("operation", model, name, relation)
}

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
