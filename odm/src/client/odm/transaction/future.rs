//! The future of a transaction.
//!
//! The type of this future has no trait bounds, so that the compiler reports an unsuitable closure only once, at the
//! call, and not again at the `.await`.
//!
//! The closure may borrow values, so it cannot be moved into the boxed future that retries the transaction. Instead,
//! this future polls the retry loop and the closure in turn: the loop passes a started transaction to the closure and
//! waits for the closure's result (`Turn`).

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
};

use futures_util::future::BoxFuture;
use tracing::Span;

use crate::{
    client::odm::{Odm, Tx, trace},
    error::{Error, Result},
};

/// The future of a transaction, which [`Odm::transaction`](crate::Odm::transaction) returns.
#[must_use = "a transaction runs when it is awaited"]
pub struct TransactionRun<F, Running, T> {
    odm: Odm,
    body: F,
    call: fn(&mut F, Tx) -> Running,
    poll: fn(Pin<&mut Running>, &mut Context<'_>) -> Poll<Result<T>>,
    /// The closure's future in the current attempt. This future is dropped before the session.
    running: Option<Pin<Box<Running>>>,
    /// The value that the closure returned in the latest attempt.
    value: Option<T>,
    /// The loop that starts and ends each attempt, and decides whether to start another attempt.
    tries: BoxFuture<'static, Result<()>>,
    turn: Turn,
    span: Option<Span>,
}

impl<F, Running, T> TransactionRun<F, Running, T> {
    /// Creates the future. `tries` creates the retry loop, which passes each started transaction to the `Turn`.
    pub(super) fn new(
        odm: Odm,
        body: F,
        call: fn(&mut F, Tx) -> Running,
        poll: fn(Pin<&mut Running>, &mut Context<'_>) -> Poll<Result<T>>,
        tries: impl FnOnce(Turn) -> BoxFuture<'static, Result<()>>,
    ) -> Self {
        let turn = Turn::default();
        Self {
            odm,
            body,
            call,
            poll,
            running: None,
            value: None,
            tries: tries(turn.clone()),
            turn,
            span: None,
        }
    }
}

/// No field is pinned inside the struct.
impl<F, Running, T> Unpin for TransactionRun<F, Running, T> {}

impl<F, Running, T> Future for TransactionRun<F, Running, T> {
    type Output = Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        let this = self.get_mut();
        // The span starts here, so that its parent is the span of the caller.
        let span = this
            .span
            .get_or_insert_with(|| trace::call_span("transaction"));
        let _entered = span.enter();
        loop {
            if let Poll::Ready(done) = this.tries.as_mut().poll(context) {
                let value = this.value.take().ok_or(Error::TransactionEnded);
                return Poll::Ready(done.and(value));
            }
            if let Some(tx) = this.turn.take_begun() {
                this.running = Some(Box::pin((this.call)(&mut this.body, tx)));
            }
            let Some(running) = &mut this.running else {
                return Poll::Pending;
            };
            let outcome = ready!(this.odm.inside(|| (this.poll)(running.as_mut(), context)));
            this.running = None;
            this.turn.end(outcome.map(|value| this.value = Some(value)));
        }
    }
}

impl<F, Running, T> fmt::Debug for TransactionRun<F, Running, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TransactionRun")
    }
}

/// The value through which the retry loop and the closure exchange transactions and results.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn(Arc<Mutex<Step>>);

#[derive(Debug, Default)]
enum Step {
    /// One side has received the value and is working on it.
    #[default]
    Taken,
    Begun(Tx),
    Ended(Result<()>),
}

impl Turn {
    /// Passes a started transaction to the closure, and waits for the closure's result. No waker is necessary, because
    /// `TransactionRun::poll` polls the loop again after the closure.
    pub(super) fn body(&self, tx: Tx) -> impl Future<Output = Result<()>> + Send + use<> {
        self.put(Step::Begun(tx));
        let turn = self.clone();
        poll_fn(
            move |_| match turn.take_if(|step| matches!(step, Step::Ended(_))) {
                Step::Ended(outcome) => Poll::Ready(outcome),
                _ => Poll::Pending,
            },
        )
    }

    fn take_begun(&self) -> Option<Tx> {
        match self.take_if(|step| matches!(step, Step::Begun(_))) {
            Step::Begun(tx) => Some(tx),
            _ => None,
        }
    }

    fn end(&self, outcome: Result<()>) {
        self.put(Step::Ended(outcome));
    }

    fn put(&self, step: Step) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = step;
    }

    fn take_if(&self, is_wanted: impl FnOnce(&Step) -> bool) -> Step {
        let mut step = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if is_wanted(&step) {
            std::mem::take(&mut step)
        } else {
            Step::Taken
        }
    }
}
