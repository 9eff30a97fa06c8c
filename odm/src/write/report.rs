//! The reports of writes.

use mongodb::bson::{Bson, RawDocumentBuf};
use serde::Serialize;

use crate::{
    client::command::Updated,
    derived::{
        after_commit::FinishedWrite,
        outbox::Token,
        values::{CascadeReport, CopyReport},
    },
    error::{BulkCounts, Error},
    model::shape::ModelShape,
    observe::stats::{Writes, Wrote},
};

/// A report of a write.
pub(crate) trait Report: Wrote + Send + 'static {
    /// Adds the results of the steps after the commit.
    fn add_finished(&mut self, done: FinishedWrite);

    /// Returns the results of the steps after the commit.
    fn into_finished(self) -> FinishedWrite;
}

/// A report that adds up the counts of several batches.
pub(super) trait Total: Report + Default {
    /// Adds the counts of a further batch.
    fn count(&mut self, batch: &Self);

    /// Returns the error for a failed batch. If earlier batches were committed, the error contains their counts.
    fn after_batches(&self, error: Error, model: &'static ModelShape) -> Error;
}

/// The result of an insert.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InsertReport {
    /// Number of inserted documents.
    pub inserted: u64,
    /// Updates of existing copies of the inserted documents, listed by relation.
    pub copies: Vec<CopyReport>,
    #[serde(skip)]
    token: Token,
}

/// The result of an update or a save.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UpdateReport {
    /// Number of documents that matched the filter.
    pub matched: u64,
    /// Number of matched documents that changed.
    pub modified: u64,
    /// Updates of the copies of the changed documents, listed by relation.
    pub copies: Vec<CopyReport>,
    #[serde(skip)]
    token: Token,
}

/// The result of an upsert.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UpsertReport {
    /// Number of documents that matched the filter: 0 or 1.
    pub matched: u64,
    /// Number of matched documents that changed.
    pub modified: u64,
    /// The `_id` of the inserted document, if none matched.
    pub upserted_id: Option<Bson>,
    /// Updates of the copies of the document, listed by relation.
    pub copies: Vec<CopyReport>,
    #[serde(skip)]
    token: Token,
}

/// The result of a delete.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DeleteReport {
    /// Number of deleted documents that matched, not counting those in `cascaded`.
    pub deleted: u64,
    /// Effects of the delete rules on referring documents, listed by model.
    pub cascaded: Vec<CascadeReport>,
    /// Updates of the copies of the deleted documents, listed by relation.
    pub copies: Vec<CopyReport>,
    #[serde(skip)]
    token: Token,
}

/// The result of a restore.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RestoreReport {
    /// Number of restored documents: 1, or 0 if no deleted document has the id. Children are in `cascaded`.
    pub restored: u64,
    /// The documents that were restored together with the document to which they refer, listed by model.
    pub cascaded: Vec<CascadeReport>,
    /// Updates of the copies of the restored documents, listed by relation.
    pub copies: Vec<CopyReport>,
    #[serde(skip)]
    token: Token,
}

impl From<DeleteReport> for RestoreReport {
    fn from(report: DeleteReport) -> Self {
        Self {
            restored: report.deleted,
            cascaded: report.cascaded,
            copies: report.copies,
            token: report.token,
        }
    }
}

/// The result of a bulk write.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BulkReport {
    /// The numbers of written documents.
    pub counts: BulkCounts,
    /// Effects of the delete rules on referring documents, listed by model.
    pub cascaded: Vec<CascadeReport>,
    /// Updates of the copies of the written documents, listed by relation.
    pub copies: Vec<CopyReport>,
    #[serde(skip)]
    token: Token,
}

/// Implements the common parts of reports: the token, the copies, and the counts for the statistics.
macro_rules! report {
    ($report:ident, [$($cascaded:ident)?], $inserted:expr, $updated:expr, $deleted:expr) => {
        impl $report {
            /// Returns the token that identifies the remaining work. [`Odm::wait`](crate::Odm::wait) waits for that
            /// work.
            ///
            /// # Examples
            ///
            /// ```no_run
            /// # use mongo_odm::prelude::*;
            /// async fn remove_all<M: Model>(odm: &Odm) -> mongo_odm::Result<()> {
            ///     let report = M::delete_many(odm, Filter::all()).deferred().await?;
            ///     odm.wait(report.token()).await
            /// }
            /// ```
            pub const fn token(&self) -> &Token {
                &self.token
            }
        }

        impl Report for $report {
            fn add_finished(&mut self, done: FinishedWrite) {
                self.token.merge(done.token);
                for copies in done.copies {
                    copies.merge_into(&mut self.copies);
                }
                $(for cascaded in done.cascaded {
                    cascaded.merge_into(&mut self.$cascaded);
                })?
            }

            #[allow(clippy::needless_update, reason = "not all reports have all fields")]
            fn into_finished(self) -> FinishedWrite {
                FinishedWrite {
                    copies: self.copies,
                    $(cascaded: self.$cascaded,)?
                    token: self.token,
                    ..FinishedWrite::default()
                }
            }
        }

        impl Wrote for $report {
            fn wrote(&self) -> Writes {
                let count = |count: fn(&Self) -> u64| count(self);
                Writes {
                    inserted: count($inserted),
                    updated: count($updated),
                    deleted: count($deleted),
                }
            }
        }
    };
}

report!(InsertReport, [], |it| it.inserted, |_| 0, |_| 0);
report!(UpdateReport, [], |_| 0, |it| it.modified, |_| 0);
report!(
    UpsertReport,
    [],
    |it| it.upserted_id.is_some().into(),
    |it| it.modified,
    |_| 0
);
report!(DeleteReport, [cascaded], |_| 0, |_| 0, |it| it.deleted);
report!(RestoreReport, [cascaded], |_| 0, |it| it.restored, |_| 0);
report!(
    BulkReport,
    [cascaded],
    |it| it.counts.inserted + it.counts.upserted.len() as u64,
    |it| it.counts.modified,
    |it| it.counts.deleted
);

/// Counts one update if `findAndModify` has returned a document.
impl Wrote for Option<RawDocumentBuf> {
    fn wrote(&self) -> Writes {
        Writes {
            updated: u64::from(self.is_some()),
            ..Writes::default()
        }
    }
}

/// `find_one_and_update` returns the document instead of a report.
impl Report for Option<RawDocumentBuf> {
    fn add_finished(&mut self, _: FinishedWrite) {}

    fn into_finished(self) -> FinishedWrite {
        FinishedWrite::default()
    }
}

/// Counts the documents that earlier batches wrote before the error.
impl Wrote for Error {
    fn wrote(&self) -> Writes {
        let mut done = Writes::default();
        match self {
            Self::InsertMany { inserted, .. } => done.inserted = *inserted,
            Self::PartlyUpdated { modified, .. } => done.updated = *modified,
            Self::PartlyDeleted { deleted, .. } => done.deleted = *deleted,
            _ => {}
        }
        done
    }
}

impl From<Updated> for UpdateReport {
    fn from(done: Updated) -> Self {
        Self {
            matched: done.matched,
            modified: done.modified,
            ..Self::default()
        }
    }
}

impl From<Updated> for UpsertReport {
    fn from(done: Updated) -> Self {
        Self {
            matched: done.matched,
            modified: done.modified,
            upserted_id: done.upserted_id,
            ..Self::default()
        }
    }
}

impl UpdateReport {
    /// Returns a report for one document that matched.
    pub(super) fn of_one(is_modified: bool) -> Self {
        Self {
            matched: 1,
            modified: is_modified.into(),
            ..Self::default()
        }
    }
}

impl UpsertReport {
    /// Returns a report for one document that matched.
    pub(super) fn of_one(is_modified: bool) -> Self {
        Self {
            matched: 1,
            modified: is_modified.into(),
            ..Self::default()
        }
    }
}

impl DeleteReport {
    pub(super) fn of(deleted: u64) -> Self {
        Self {
            deleted,
            ..Self::default()
        }
    }
}

impl Total for UpdateReport {
    fn count(&mut self, batch: &Self) {
        self.matched += batch.matched;
        self.modified += batch.modified;
    }

    fn after_batches(&self, error: Error, model: &'static ModelShape) -> Error {
        if self.matched == 0 {
            return error;
        }
        Error::PartlyUpdated {
            model: model.name,
            collection: model.collection,
            matched: self.matched,
            modified: self.modified,
            source: Box::new(error),
        }
    }
}

impl Total for DeleteReport {
    fn count(&mut self, batch: &Self) {
        self.deleted += batch.deleted;
    }

    fn after_batches(&self, error: Error, model: &'static ModelShape) -> Error {
        if self.deleted == 0 {
            return error;
        }
        Error::PartlyDeleted {
            model: model.name,
            collection: model.collection,
            deleted: self.deleted,
            cascaded: self.cascaded.iter().map(|it| it.deleted).sum(),
            source: Box::new(error),
        }
    }
}
