//! Commits and aborts transactions. A commit is sent again while its result is unknown.

use std::time::Instant;

use mongodb::{ClientSession, bson::doc, error::UNKNOWN_TRANSACTION_COMMIT_RESULT};
use tracing::Instrument;

use crate::{
    client::{
        odm::{
            Odm,
            backoff::{RETRY_FOR, backoff},
            observed_statement::StatementOrigin,
            trace::{self, StatementTrace},
        },
        place::Place,
        plan::Statement,
    },
    error::{Error, Result},
};

impl Odm {
    pub(super) async fn abort(
        self,
        mut session: ClientSession,
        has_begun: bool,
    ) -> Result<ClientSession> {
        let seen = self.trace_end("abortTransaction", has_begun);
        let began = Instant::now();
        let aborting = session.abort_transaction().into_future();
        let aborted = aborting.instrument(seen.span.clone()).await;
        let aborted = aborted.map_err(Error::from);
        seen.answered(began, aborted.as_ref().map(|()| None));
        Ok(session)
    }

    /// Commits the transaction, and sends the commit again while its result is unknown. The server applies a commit
    /// only once.
    ///
    /// Unlike the driver, this function also sends a commit again after `MaxTimeMSExpired`, because the user cannot set
    /// a time limit for the commit. Without another commit or an abort, the transaction would stay open on the server,
    /// and would lock its documents for a minute (`transactionLifetimeLimitSeconds`).
    pub(super) async fn commit(
        &self,
        mut session: ClientSession,
        has_begun: bool,
        started: Instant,
    ) -> Result<(ClientSession, Result<()>)> {
        for attempt in 0.. {
            let seen = self.trace_end("commitTransaction", has_begun);
            let began = Instant::now();
            let committing = session.commit_transaction().into_future();
            let committed = committing.instrument(seen.span.clone()).await;
            let failed = || Place::database().failed("commitTransaction");
            let committed =
                committed.map_err(|error| Error::from(error).during(failed, began.elapsed()));
            seen.answered(began, committed.as_ref().map(|()| None));
            self.note_time(&session);
            match committed {
                Ok(()) => break,
                Err(error)
                    if error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT)
                        && started.elapsed() < RETRY_FOR =>
                {
                    tokio::time::sleep(backoff(attempt)).await;
                }
                Err(error) => return Ok((session, Err(error))),
            }
        }
        Ok((session, Ok(())))
    }

    /// Starts the trace of a commit or an abort. The driver sends the commit or abort only if a statement of the
    /// transaction was sent before.
    fn trace_end(&self, command: &'static str, has_begun: bool) -> StatementTrace {
        let statement = || Statement::on("", "adminCommand").argument(doc! { command: 1 });
        let recorded = has_begun
            .then(|| StatementOrigin::library(self).note(command, &Place::database(), statement));
        StatementTrace {
            span: trace::statement_span(self.database().name(), "", command),
            recorded: recorded.unwrap_or_default(),
        }
    }
}
