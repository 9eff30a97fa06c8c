//! Updates one document.

use super::{
    BoundedUpdate,
    hooked_update::update_first,
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
    send_update::update_expected,
};
use crate::{
    client::{command::UpdateCommand, odm::Exec},
    derived::{after_commit::Outcome, follow::Effects},
    error::Result,
};

/// An update of the first document that matches a filter.
#[derive(Clone, Debug)]
pub(crate) struct UpdateOneWrite(pub(crate) BoundedUpdate);

impl UpdateOneWrite {
    /// Returns the update as one statement, or `None` if it needs further statements, or steps after the server's
    /// reply.
    pub(super) async fn statement(&self, exec: &Exec) -> Result<Option<UpdateCommand>> {
        let update = &self.0;
        let has_steps = update.is_empty()
            || update.hooks().is_some()
            || !update.is_safe()
            || update.expected.is_some()
            || update.max_time.is_some();
        if has_steps || !update.effects(exec).await?.is_empty() {
            return Ok(None);
        }
        Ok(Some(update.one()))
    }
}

impl Operation for UpdateOneWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.0.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        if self.0.is_empty() {
            return Ok(Start::Done(UpdateReport::default()));
        }
        self.0.start(Transaction::None, exec).await
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        match self.0.hooks() {
            Some(hooks) => update_first(&hooks, self.0, &exec).await,
            None => update_expected(self.0, effects, &exec).await,
        }
    }
}
