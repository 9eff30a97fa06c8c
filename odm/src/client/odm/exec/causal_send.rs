//! Sends the statements of causally consistent handles.

use mongodb::Database;

use crate::client::{command::Command, odm::causal::CausalTime};

/// Sends a statement in a session that starts at the time of the handle.
pub(super) async fn send_after<C: Command>(
    time: &CausalTime,
    command: C,
    database: &Database,
) -> mongodb::error::Result<C::Reply> {
    let starting = database.client().start_session();
    let mut session = starting.causal_consistency(true).await?;
    time.advance(&mut session);
    let sent = command.send(database, Some(&mut session)).await;
    // The reply to a failed statement also contains a time.
    time.note(&session);
    Ok(C::keep_session(sent?, session))
}
