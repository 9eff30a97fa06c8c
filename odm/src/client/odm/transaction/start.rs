//! Starts transactions with their read and write concerns, and recognizes servers that do not support transactions.

use mongodb::{
    ClientSession,
    error::ErrorKind,
    options::{ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};

use crate::{
    client::{
        command::RunCommand,
        odm::{Exec, Odm, statement_retry::ask_before_write},
    },
    error::{Error, Result},
};

/// Starts a transaction. If the driver cannot reach the deployment at the moment, it reports that the deployment does
/// not support transactions. After this error, the function sends a `hello` until the server answers, and then tries
/// again.
pub(super) async fn start(session: &mut ClientSession, odm: &Odm) -> Result<()> {
    let mut begun = begin(session).await;
    if begun.as_ref().is_err_and(is_unsupported) {
        let exec = Exec::on(odm.clone());
        ask_before_write(|| exec.send(RunCommand::hello())).await?;
        begun = begin(session).await;
    }
    begun.map_err(no_transactions)
}

async fn begin(session: &mut ClientSession) -> Result<()> {
    let begun = session
        .start_transaction()
        .read_concern(ReadConcern::snapshot())
        // Transactions run only on the primary, even if the connection string sets a different read preference.
        .selection_criteria(SelectionCriteria::ReadPreference(ReadPreference::Primary))
        .write_concern(WriteConcern::majority())
        .await;
    begun.map_err(Error::from)
}

fn is_unsupported(error: &Error) -> bool {
    let kind = error.driver().map(|driver| driver.kind.as_ref());
    matches!(kind, Some(ErrorKind::Transaction { .. }))
}

/// Converts the error of a standalone server to [`Error::NoTransactions`], and returns other errors unchanged. The
/// function compares the server's message, "Transaction numbers are only allowed on a replica set member or mongos",
/// because all errors of the type `IllegalOperation` have the same code. For a write, the driver replaces the message
/// with advice about retryable writes, which would not help here.
pub(super) fn no_transactions(error: Error) -> Error {
    match error.driver().map(|driver| driver.kind.as_ref()) {
        Some(ErrorKind::Command(command))
            if command.code == 20
                && ["Transaction numbers", "retryable writes"]
                    .iter()
                    .any(|text| command.message.contains(text)) =>
        {
            Error::NoTransactions
        }
        _ => error,
    }
}
