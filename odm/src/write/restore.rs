//! Restores a deleted document.

use super::{
    delete::DeleteWrite,
    operation::{Common, Operation, Start},
    report::RestoreReport,
};
use crate::{
    client::odm::Exec,
    derived::{after_commit::Outcome, follow::Effects},
    error::Result,
};

/// A restore of one document. It has the same steps as a delete that marks the document.
#[derive(Clone, Debug)]
pub(crate) struct RestoreWrite(pub(crate) DeleteWrite);

impl Operation for RestoreWrite {
    type Report = RestoreReport;

    fn common(&self) -> Common<'_> {
        self.0.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<RestoreReport>> {
        Ok(match self.0.start(exec).await? {
            Start::Done(report) => Start::Done(report.into()),
            Start::Run(effects, transaction) => Start::Run(effects, transaction),
        })
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<RestoreReport>> {
        let outcome = self.0.apply(effects, exec).await?;
        Ok(outcome.map(RestoreReport::from))
    }
}
