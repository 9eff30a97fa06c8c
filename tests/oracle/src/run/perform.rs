//! Makes the calls of a program.

use std::{sync::Arc, time::Duration};

use mongo_odm::{Error, ErrorKind, Odm, Result, Tx};
use tokio::time::timeout;

use super::{Refused, party::Party};
use crate::{
    adapter::{Adapter, Report},
    naive::Refusal,
    program::Call,
};

/// Returns whether an error is the one that the library returns for a given reason.
pub(super) fn is_kind(refusal: Refusal, error: &Refused) -> bool {
    let kind = match refusal {
        Refusal::Duplicate => ErrorKind::DuplicateKey,
        Refusal::Deleted => ErrorKind::Deleted,
        Refusal::Conflict => ErrorKind::Conflict,
        Refusal::Invalid => {
            let kinds = [
                ErrorKind::Invalid,
                ErrorKind::InvalidDocument,
                ErrorKind::BoundExceeded,
            ];
            return kinds.iter().any(|it| it.code() == error.code);
        }
        Refusal::Restricted => ErrorKind::Restricted,
        Refusal::Bound => ErrorKind::BoundExceeded,
        Refusal::NoTarget => ErrorKind::NoTarget,
        Refusal::Missing => {
            return [ErrorKind::Missing, ErrorKind::NotFound]
                .iter()
                .any(|it| it.code() == error.code);
        }
        Refusal::Reassigned => ErrorKind::Reassigned,
        // If the missing source must exist, the error is `NoTarget`. A hook cannot decode a document without a required
        // copy.
        Refusal::Unreadable => {
            return [ErrorKind::Invalid, ErrorKind::NoTarget, ErrorKind::Decode]
                .iter()
                .any(|it| it.code() == error.code);
        }
        Refusal::OneOf => {
            let bound = error.code == ErrorKind::BoundExceeded.code();
            return bound || is_kind(Refusal::Unreadable, error);
        }
        Refusal::Unclear => return true,
    };
    error.code == kind.code()
}

impl Party {
    fn handle_of(&self, call: &Call) -> &Odm {
        &self.handles[call.handle % self.handles.len()]
    }

    /// Makes a call.
    pub(super) async fn call(&self, call: &Call) -> Result<Report, Refused> {
        let (odm, model) = (self.handle_of(call), &self.models[call.model]);
        let bulk = call.in_bulk.then(|| odm.bulk_write());
        let sent = match bulk.and_then(|bulk| model.send_in_bulk(odm, bulk, call)) {
            Some(sent) => sent,
            None => model.send(odm, &call.write, call.follow),
        };
        sent.await.map_err(|error| Refused::from(&error))
    }

    /// Makes calls in a transaction and returns their reports.
    pub(super) async fn transaction(
        &self,
        calls: &[Call],
        commits: bool,
    ) -> Result<Vec<Report>, Refused> {
        let handle = self.handle_of(&calls[0]);
        let (models, calls) = (Arc::clone(&self.models), Arc::new(calls.to_vec()));
        handle
            .transaction(move |tx| {
                let (models, calls) = (Arc::clone(&models), Arc::clone(&calls));
                async move { all(&tx, &models, &calls, commits).await }
            })
            .await
            .map_err(|error| Refused::from(&error))
    }

    /// Makes a call and drops it after a while.
    pub(super) async fn dropped(&self, call: &Call, micros: u64) {
        let _ = timeout(Duration::from_micros(micros), self.call(call)).await;
        self.handle_of(call).finish_writes().await;
    }

    /// Makes calls in a transaction and drops it after a while.
    pub(super) async fn dropped_transaction(&self, calls: &[Call], micros: u64) {
        let _ = timeout(Duration::from_micros(micros), self.transaction(calls, true)).await;
        self.handle_of(&calls[0]).finish_writes().await;
    }
}

async fn all(
    tx: &Tx,
    models: &[Box<dyn Adapter>],
    calls: &[Call],
    commits: bool,
) -> Result<Vec<Report>> {
    let mut reports = Vec::new();
    for call in calls {
        let model = &models[call.model];
        let bulk = call.in_bulk.then(|| tx.bulk_write());
        let sent = match bulk.and_then(|bulk| model.send_in_bulk(tx, bulk, call)) {
            Some(sent) => sent,
            None => model.send(tx, &call.write, call.follow),
        };
        reports.push(sent.await?);
    }
    if commits {
        Ok(reports)
    } else {
        Err(Error::custom("the program gives up"))
    }
}
