//! Bulk writes: several operations on any models in one call.
//!
//! Each operation is described by the type of the corresponding single call, so it has the same effects as that call.
//!
//! 1. `operation` determines which operations consist of one statement without effects, and so can share a command.
//! 2. `group` puts these operations into groups. In an ordered bulk write, only operations that follow each other share
//!    a group. In an unordered bulk write, all operations of the same type on one model share a group.
//! 3. A group of inserts is an `InsertWrite` of all documents (`inserts`). A group of updates or deletes is sent as a
//!    `BulkWriteCommand` (`statements`). All other operations run as single calls.
//! 4. The first error ends an ordered bulk write. In a transaction, the first error ends every bulk write, and the
//!    transaction cannot be committed.

mod group;
mod inserts;
mod operation;
mod outcome;
mod statements;

use futures_util::future::BoxFuture;
use mongodb::options::WriteConcern;

pub(crate) use operation::BulkOperation;
pub(crate) use outcome::BulkOutcome;

use crate::{
    client::odm::{Exec, Write},
    error::Result,
    model::shape::ModelShape,
    write::report::BulkReport,
};
use group::{Group, groups};

/// Several operations in one call.
#[derive(Clone, Debug)]
pub(crate) struct BulkWrite {
    /// The model of the first operation.
    pub(crate) model: &'static ModelShape,
    /// The operations, and their positions in the bulk write.
    pub(crate) operations: Vec<(usize, BulkOperation)>,
    /// Whether the operations run one after the other, until one fails.
    pub(crate) ordered: bool,
}

impl Write for BulkWrite {
    type Report = BulkOutcome;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        let mut operations = self.operations.iter();
        operations.find_map(|(_, operation)| operation.write_concern())
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<BulkOutcome>> {
        Box::pin(async move {
            let (operations, ordered) = (self.operations.len(), self.ordered);
            let is_whole = exec.in_transaction() || exec.is_paper();
            let mut outcome = BulkOutcome::default();
            for group in groups(self.operations, ordered, &exec).await {
                run_group(group, ordered, &mut outcome, &exec).await;
                if (ordered || is_whole) && outcome.has_failed() {
                    break;
                }
            }
            if is_whole && outcome.has_failed() {
                // Nothing that the transaction has written so far will be committed, even if the failed operation has
                // changed nothing.
                outcome.report = BulkReport::default();
                let error = outcome.into_error(operations);
                exec.poison(&error);
                return Err(error);
            }
            Ok(outcome)
        })
    }
}

async fn run_group(group: Group, ordered: bool, outcome: &mut BulkOutcome, exec: &Exec) {
    match group {
        Group::One(index, operation) => {
            let model = operation.model();
            if let Err(error) = operation.run(index, outcome, exec).await {
                outcome.add_partly(model, &error);
                outcome.fail(index, error.in_model(model));
            }
        }
        Group::Inserts(inserts) => inserts::insert(inserts, ordered, outcome, exec).await,
        Group::Statements(shared) => statements::send(shared, ordered, outcome, exec).await,
    }
}
