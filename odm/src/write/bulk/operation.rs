//! One operation of a bulk write.

use std::mem::discriminant;

use mongodb::{
    bson::{Bson, RawDocumentBuf},
    options::{InsertManyOptions, WriteConcern},
};

use super::outcome::BulkOutcome;
use crate::{
    client::{
        command::SharedStatement,
        odm::{Exec, Write},
    },
    derived::follow::{Effects, FanOut, Follow},
    error::Result,
    model::shape::ModelShape,
    write::{DeleteWrite, InsertWrite, SaveWrite, UpdateManyWrite, UpdateOneWrite, UpsertWrite},
};

/// One operation of a bulk write.
#[derive(Clone, Debug)]
pub(crate) enum BulkOperation {
    Insert(InsertWrite),
    Save(SaveWrite),
    Update(UpdateOneWrite),
    UpdateMany(UpdateManyWrite),
    Upsert(UpsertWrite),
    Delete(DeleteWrite),
}

/// How an operation can share a command with other operations.
#[derive(Clone, Debug)]
pub(super) enum Sharing {
    /// Other documents can be inserted together with the document.
    Insert {
        /// Whether the insert stores the snapshots of the struct.
        snapshots_are_given: bool,
    },
    /// The operation consists of one statement.
    Statement {
        /// Whether the statement deletes documents, or marks them as deleted.
        deletes: bool,
        /// The id of the document, if the operation must fail for a deleted document.
        checked_id: Option<Bson>,
        statement: SharedStatement,
    },
}

impl Sharing {
    /// Whether operations of both forms can share a command.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let form = |sharing: &Self| match sharing {
            Self::Insert {
                snapshots_are_given,
            } => (*snapshots_are_given, None),
            Self::Statement {
                deletes, statement, ..
            } => (*deletes, Some(discriminant(statement))),
        };
        form(self) == form(other)
    }
}

macro_rules! each {
    ($operation:expr, $write:ident => $result:expr) => {
        match $operation {
            BulkOperation::Insert($write) => $result,
            BulkOperation::Save($write) => $result,
            BulkOperation::Update($write) => $result,
            BulkOperation::UpdateMany($write) => $result,
            BulkOperation::Upsert($write) => $result,
            BulkOperation::Delete($write) => $result,
        }
    };
}

impl BulkOperation {
    pub(crate) fn model(&self) -> &'static ModelShape {
        each!(self, write => Write::model(write))
    }

    pub(super) fn write_concern(&self) -> Option<&WriteConcern> {
        each!(self, write => Write::write_concern(write))
    }

    /// Requires that all copies be written in the transaction of their source.
    pub(crate) fn follow_at_once(&mut self) {
        let fan_out = match self {
            Self::Insert(write) => &mut write.fan_out,
            Self::Save(write) => &mut write.fan_out,
            Self::Update(write) => &mut write.0.fan_out,
            Self::UpdateMany(write) => write.fan_out_mut(),
            Self::Upsert(write) => &mut write.0.fan_out,
            Self::Delete(write) => &mut write.fan_out,
        };
        fan_out.follow_at_once();
    }

    /// Returns how the operation can share a command with other operations, or `None` if it runs as a single call.
    pub(super) async fn sharing(&self, ordered: bool, exec: &Exec) -> Result<Option<Sharing>> {
        let statement = match self {
            Self::Insert(write) => {
                let can_join = can_join_inserts(write, ordered, exec).await?;
                return Ok(can_join.then_some(Sharing::Insert {
                    snapshots_are_given: write.fan_out.snapshots_are_given,
                }));
            }
            Self::Save(write) => write.statement(exec).await?.map(SharedStatement::from),
            Self::Update(write) => write.statement(exec).await?.map(SharedStatement::from),
            Self::UpdateMany(write) => write.statement(exec).await?.map(SharedStatement::from),
            Self::Upsert(write) => write.statement(exec).await?.map(SharedStatement::from),
            Self::Delete(write) => write.statement(exec).await?,
        };
        let checked_id = match self {
            Self::Save(write) => write.id_if_checked().cloned(),
            _ => None,
        };
        let deletes = matches!(self, Self::Delete(_));
        // A statement on one document of a sharded collection needs the shard key, which a single call adds. A model
        // without a declared key can be sharded by the `_id`.
        let is_declared = !self.model().shard_keys().is_empty();
        let statement = statement.filter(|it| it.is_shareable() && !is_declared);
        let lacks_id = statement
            .as_ref()
            .is_some_and(SharedStatement::finds_one_without_id);
        if lacks_id && !exec.is_paper() && exec.odm().is_cluster().await? {
            return Ok(None);
        }
        Ok(statement.map(|statement| Sharing::Statement {
            deletes,
            checked_id,
            statement,
        }))
    }

    /// Runs the operation as a single call.
    pub(super) async fn run(
        self,
        index: usize,
        outcome: &mut BulkOutcome,
        exec: &Exec,
    ) -> Result<()> {
        let (model, exec) = (self.model(), exec.clone());
        match self {
            Self::Insert(write) => {
                let done = write.run(exec).await?.report;
                outcome.counts().inserted += done.inserted;
                outcome.add_report(model, done);
            }
            Self::Save(write) => {
                let inserted = (write.options.upsert == Some(true)).then(|| write.id.clone());
                let done = write.run(exec).await?;
                let inserted = inserted.filter(|_| done.matched == 0);
                count(outcome, index, (done.matched, done.modified, inserted));
                outcome.add_report(model, done);
            }
            Self::Update(write) => {
                let done = write.run(exec).await?;
                count(outcome, index, (done.matched, done.modified, None));
                outcome.add_report(model, done);
            }
            Self::UpdateMany(write) => {
                let done = write.run(exec).await?;
                count(outcome, index, (done.matched, done.modified, None));
                outcome.add_report(model, done);
            }
            Self::Upsert(write) => {
                let done = write.run(exec).await?;
                let upserted = done.upserted_id.clone();
                count(outcome, index, (done.matched, done.modified, upserted));
                outcome.add_report(model, done);
            }
            Self::Delete(write) => {
                let done = write.run(exec).await?;
                outcome.counts().deleted += done.deleted;
                outcome.add_report(model, done);
            }
        }
        Ok(())
    }
}

fn count(
    outcome: &mut BulkOutcome,
    index: usize,
    (matched, modified, upserted): (u64, u64, Option<Bson>),
) {
    let counts = outcome.counts();
    counts.matched += matched;
    counts.modified += modified;
    if let Some(id) = upserted {
        counts.upserted.insert(index, id);
    }
}

/// Largest size of a document, in bytes. The driver sends neither a larger document nor the other documents of its
/// command.
const DOCUMENT_BYTES: usize = 16 << 20;

/// Whether one command can insert the document of this insert together with the documents of other inserts.
///
/// A transaction stores all of its documents or none. So in an ordered bulk write, an insert with effects is a
/// transaction of its own: an error of a later operation must not undo the insert.
async fn can_join_inserts(write: &InsertWrite, ordered: bool, exec: &Exec) -> Result<bool> {
    let InsertManyOptions {
        bypass_document_validation,
        write_concern,
        comment,
        ..
    } = &write.options;
    let has_options =
        bypass_document_validation.is_some() || write_concern.is_some() || comment.is_some();
    let is_too_large = |raw: &RawDocumentBuf| raw.as_bytes().len() > DOCUMENT_BYTES;
    let has_steps = write.hooks.is_some() || write.documents.iter().any(is_too_large);
    if !write.one || has_options || has_steps {
        return Ok(false);
    }
    let effects = Effects::of_write(write.model, &write.fan_out, exec).await?;
    let is_undone_alone = ordered && !exec.in_transaction();
    Ok(effects.is_empty() || (!is_undone_alone && has_default_options(&write.fan_out)))
}

fn has_default_options(fan_out: &FanOut) -> bool {
    fan_out.how == Follow::default() && !fan_out.force && fan_out.progress.is_none()
}
