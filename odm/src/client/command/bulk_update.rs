//! `update` commands that contain many updates. The driver has no method for such commands.

use mongodb::{
    Database,
    bson::{Document, doc},
    error::{Error, ErrorKind, WriteFailure},
    options::WriteConcern,
};

use super::{
    Command, Paper, Search, Sending, Session, Updated, in_session, mongosh_options::encoded,
    number, shared_methods::at_place, update::UpdateCommand,
};
use crate::{
    batches::{parts, size_of},
    client::{place::Place, plan::Statement},
    value::codec::decode_value,
};

/// The largest number of updates in one command.
pub(crate) const UPDATES_PER_COMMAND: usize = 1_000;

/// Several updates to one collection in one command.
#[derive(Clone, Debug)]
pub(crate) struct BulkUpdateCommand {
    pub(crate) place: Place,
    updates: Vec<UpdateCommand>,
    write_concern: Option<WriteConcern>,
}

impl BulkUpdateCommand {
    /// Splits the updates to one collection into commands that do not exceed the server's limits.
    pub(crate) fn split(updates: &[UpdateCommand]) -> Vec<Self> {
        let size = |update: &UpdateCommand| update.in_command().values().map(size_of).sum();
        let parts = parts(updates, UPDATES_PER_COMMAND, size).filter_map(|updates| {
            Some(Self {
                place: updates.first()?.place.clone(),
                updates: updates.to_vec(),
                write_concern: None,
            })
        });
        parts.collect()
    }

    fn command(&self) -> Document {
        let updates: Vec<Document> = self.updates.iter().map(UpdateCommand::in_command).collect();
        let mut command = doc! { "update": self.place.name(), "updates": updates };
        // All updates in a command have the same value for this option, so the first update determines it.
        let first = self.updates.first();
        if let Some(bypass) = first.and_then(|it| it.options.bypass_document_validation) {
            command.insert("bypassDocumentValidation", bypass);
        }
        if let Some(concern) = &self.write_concern {
            command.insert("writeConcern", encoded(concern));
        }
        command
    }
}

impl Command for BulkUpdateCommand {
    type Reply = Updated;

    const NAME: &'static str = "update";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(reply.modified)
    }

    at_place!();

    fn scoped(mut self, in_transaction: bool) -> Self {
        let concern = &mut self.write_concern;
        self.place.write_safely(in_transaction, concern);
        for update in &mut self.updates {
            update.filter = self.place.scope(std::mem::take(&mut update.filter));
        }
        self
    }

    /// Returns the filter of the first update. This filter is sufficient, because all updates in a command have filters
    /// of the same form.
    fn search(&self) -> Option<Search<'_>> {
        self.updates.first()?.search()
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Updated> {
        Box::pin(async move {
            let reply = in_session!(database.run_command(self.command()), session)?;
            refused(&reply)?;
            Ok(Updated {
                matched: number(&reply, "n"),
                modified: number(&reply, "nModified"),
                upserted_id: None,
            })
        })
    }

    fn assume(&self, _: &mut Paper) -> Updated {
        let matched = self.updates.len() as u64;
        Updated {
            matched,
            modified: matched,
            upserted_id: None,
        }
    }

    fn statement(&self) -> Statement {
        Statement::on("", "runCommand").argument(self.command())
    }
}

/// Fails with the first error in a reply.
///
/// The server reports rejected writes in a reply that contains `ok: 1`, and the driver's `run_command` does not return
/// them as errors. Without this check, the caller would not notice that a write has failed and that its transaction has
/// ended.
pub(super) fn refused(reply: &Document) -> mongodb::error::Result<()> {
    let first = reply.get_array("writeErrors").ok();
    let first = first.and_then(|errors| errors.first());
    let failure = if let Some(error) = first {
        decode_value(error.clone()).map(WriteFailure::WriteError)
    } else if let Ok(error) = reply.get_document("writeConcernError") {
        decode_value(labeled(error, reply).into()).map(WriteFailure::WriteConcernError)
    } else {
        return Ok(());
    };
    let failure = failure.map_err(Error::custom)?;
    Err(ErrorKind::Write(failure).into())
}

/// Copies the labels of a reply into the error, because the driver expects the labels there.
fn labeled(error: &Document, reply: &Document) -> Document {
    let mut labeled = error.clone();
    if let Some(labels) = reply.get("errorLabels") {
        labeled.insert("errorLabels", labels.clone());
    }
    labeled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reply_refuses_keeps_its_code_and_its_labels() {
        assert!(refused(&doc! { "ok": 1, "n": 2 }).is_ok());
        let reply = doc! {
            "ok": 1, "errorLabels": ["RetryableWriteError"],
            "writeConcernError": { "code": 91, "errmsg": "going down" },
        };
        let error = crate::Error::from(refused(&reply).unwrap_err());
        assert_eq!(error.server_code(), Some(91));
        assert!(error.contains_label("RetryableWriteError"), "{error:?}");

        let message = "E11000 duplicate key error collection: a.b index: c_1 dup key: { c: 5 }";
        let write = doc! { "index": 3, "code": 11000, "errmsg": message };
        let error = crate::Error::from(refused(&doc! { "writeErrors": [write] }).unwrap_err());
        assert!(error.is_duplicate_key());
        assert_eq!(error.server_code(), Some(11000));
    }
}
