//! Runs each call of the tools in its own `tracing` span, as the library does for its own calls.

use std::{
    future::Future,
    task::{Context, Poll},
};

use futures_util::{Stream, future::BoxFuture, stream::poll_fn};
use mongo_odm::Result;
use tracing::{Instrument, Span};

/// The future that a builder turns into when it is awaited.
pub(crate) type Running<T> = BoxFuture<'static, Result<T>>;

/// Runs a call in a tracing span.
pub(crate) fn traced_call<T>(
    name: &'static str,
    call: impl Future<Output = Result<T>> + Send + 'static,
) -> Running<T> {
    // The span is created when the call is awaited, so that it becomes a child of the caller's span.
    Box::pin(async move { call.instrument(operation(name)).await })
}

/// Polls the stream of a call in a span that is created when the stream is first polled, and ends when the stream is
/// dropped.
pub(crate) fn traced_call_stream<T>(
    name: &'static str,
    items: impl Stream<Item = Result<T>> + Send + 'static,
) -> impl Stream<Item = Result<T>> + Send + 'static {
    let mut items = Box::pin(items);
    let mut span = None;
    poll_fn(
        move |context: &mut Context<'_>| -> Poll<Option<Result<T>>> {
            let _entered = span.get_or_insert_with(|| operation(name)).enter();
            items.as_mut().poll_next(context)
        },
    )
}

fn operation(name: &'static str) -> Span {
    tracing::debug_span!("operation", name)
}
