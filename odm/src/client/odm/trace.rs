//! The `tracing` spans: one for each operation that the application calls, and a child span for each statement of the
//! operation.
//!
//! A stream's span begins when the stream is first polled, and ends when the stream is dropped.

use std::time::Instant;

use futures_util::{Stream, TryStreamExt, future::BoxFuture, stream::poll_fn};
use tracing::{Instrument, Span, field::Empty};

use super::{Running, observed_statement::Recorded};
use crate::{
    error::{Error, Result},
    model::shape::ModelShape,
};

/// Runs an operation on a model in its own span, for instance `Part::update`.
pub(crate) fn traced<'a, T>(
    model: &'static ModelShape,
    name: &'static str,
    asked: impl Future<Output = Result<T>> + Send + 'a,
) -> BoxFuture<'a, Result<T>> {
    // The span starts when the operation is awaited, so its parent is the caller's span.
    Box::pin(async move {
        let asked = asked.instrument(operation_span(model.name, name, None));
        asked.await.map_err(|error| error.in_model(model))
    })
}

/// Runs an operation on a relation in its own span, for instance `Product.parts`.
pub(crate) fn traced_relation<'a, T>(
    (relation, target): (&'static str, &'static ModelShape),
    name: &'static str,
    asked: impl Future<Output = Result<T>> + Send + 'a,
) -> BoxFuture<'a, Result<T>> {
    Box::pin(async move {
        let asked = asked.instrument(relation_span(relation, name));
        asked.await.map_err(|error| error.in_model(target))
    })
}

/// Runs an operation on the whole database in its own span.
pub(crate) fn traced_call<T>(
    name: &'static str,
    asked: impl Future<Output = Result<T>> + Send + 'static,
) -> Running<T> {
    Box::pin(async move { asked.instrument(call_span(name)).await })
}

/// Runs a stream over a model in its own span.
pub(crate) fn traced_stream<T>(
    model: &'static ModelShape,
    name: &'static str,
    asked: impl Stream<Item = Result<T>> + Send + 'static,
) -> impl Stream<Item = Result<T>> + Send + 'static {
    let asked = asked.map_err(|error| error.in_model(model));
    stream_in_span(move || operation_span(model.name, name, None), asked)
}

/// Runs a stream over a relation in its own span.
pub(crate) fn traced_relation_stream<T>(
    (relation, target): (&'static str, &'static ModelShape),
    name: &'static str,
    asked: impl Stream<Item = Result<T>> + Send + 'static,
) -> impl Stream<Item = Result<T>> + Send + 'static {
    let asked = asked.map_err(|error| error.in_model(target));
    stream_in_span(move || relation_span(relation, name), asked)
}

/// Runs a stream over the whole database in its own span.
pub(crate) fn traced_call_stream<T>(
    name: &'static str,
    asked: impl Stream<Item = Result<T>> + Send + 'static,
) -> impl Stream<Item = Result<T>> + Send + 'static {
    stream_in_span(move || call_span(name), asked)
}

/// Polls a stream inside a span. The span starts at the first poll and ends when the stream is dropped.
fn stream_in_span<S: Stream + Send + 'static>(
    make: impl Fn() -> Span + Send + 'static,
    asked: S,
) -> impl Stream<Item = S::Item> + Send + 'static {
    let mut asked = Box::pin(asked);
    let mut span = None;
    poll_fn(move |context| {
        let _entered = span.get_or_insert_with(&make).enter();
        asked.as_mut().poll_next(context)
    })
}

fn relation_span(relation: &'static str, name: &'static str) -> Span {
    let model = relation.split('.').next().unwrap_or(relation);
    operation_span(model, name, Some(relation))
}

pub(super) fn call_span(name: &'static str) -> Span {
    tracing::debug_span!("operation", name)
}

fn operation_span(model: &str, name: &'static str, relation: Option<&str>) -> Span {
    tracing::debug_span!("operation", model, name, relation)
}

/// Returns the span of a statement. The empty fields are recorded when the reply arrives.
///
/// The names of the fields follow the semantic conventions of OpenTelemetry for spans of database clients.
pub(super) fn statement_span(database: &str, collection: &str, command: &'static str) -> Span {
    tracing::debug_span!(
        "statement",
        otel.name = format_args!("{command} {collection}"),
        otel.kind = "client",
        db.system.name = "mongodb",
        db.namespace = database,
        db.collection.name = collection,
        db.operation.name = command,
        "error.type" = Empty,
        documents = Empty,
        bytes = Empty,
        micros = Empty,
        error = Empty,
    )
}

/// The trace of a statement: its span, and one record for each of the task's observers.
#[derive(Debug)]
pub(super) struct StatementTrace {
    pub(super) span: Span,
    pub(super) recorded: Recorded,
}

impl Default for StatementTrace {
    fn default() -> Self {
        Self {
            span: Span::none(),
            recorded: Recorded::default(),
        }
    }
}

impl StatementTrace {
    /// Records the time until the reply arrived, and the number of documents if the reply contains it.
    pub(super) fn answered(&self, began: Instant, answer: Result<Option<u64>, &Error>) {
        self.recorded.answered(began.elapsed(), answer);
        answered(&self.span, began, answer);
    }
}

fn answered(span: &Span, began: Instant, answer: Result<Option<u64>, &Error>) {
    if span.is_disabled() {
        return;
    }
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    span.record("micros", micros);
    match answer {
        Ok(Some(documents)) => _ = span.record("documents", documents),
        Ok(None) => {}
        Err(error) => {
            span.record("error.type", error.code());
            span.record("error", tracing::field::display(error));
        }
    }
}

/// The numbers of documents and bytes that a cursor has returned so far.
#[derive(Debug)]
pub(super) struct CursorTotals {
    seen: StatementTrace,
    documents: u64,
    bytes: u64,
}

impl CursorTotals {
    pub(super) const fn new(seen: StatementTrace) -> Self {
        Self {
            seen,
            documents: 0,
            bytes: 0,
        }
    }

    /// Adds a batch. `more` is the `getMore` that returned the batch, or `None` for the first batch.
    pub(super) fn add(
        &mut self,
        batch: &mongodb::raw_batch_cursor::RawBatch,
        more: Option<&Recorded>,
    ) {
        let StatementTrace { span, recorded } = &self.seen;
        let recorded = more.unwrap_or(recorded);
        if span.is_disabled() && recorded.is_empty() {
            return;
        }
        let documents = batch.doc_slices().map_or(0, |all| all.into_iter().count()) as u64;
        recorded.add_documents(documents);
        self.documents += documents;
        self.bytes += batch.as_raw_document().as_bytes().len() as u64;
        span.record("documents", self.documents);
        span.record("bytes", self.bytes);
    }
}
