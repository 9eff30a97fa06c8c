//! The result of a bulk write.

use std::sync::Arc;

use crate::{
    error::{BulkCounts, Error, FailedOperation},
    model::shape::ModelShape,
    observe::stats::{Writes, Wrote},
    write::report::{BulkReport, Report},
};

/// The result of a bulk write in which some operations may have failed.
#[derive(Debug, Default)]
pub(crate) struct BulkOutcome {
    pub(crate) report: BulkReport,
    failed: Vec<FailedOperation>,
    /// The numbers of written documents of each model, for the statistics.
    wrote: Vec<(&'static ModelShape, Writes)>,
}

impl Wrote for Writes {
    fn wrote(&self) -> Writes {
        *self
    }
}

impl BulkOutcome {
    pub(super) const fn counts(&mut self) -> &mut BulkCounts {
        &mut self.report.counts
    }

    pub(super) fn has_failed(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Adds the numbers of documents that an operation has written.
    pub(super) fn add(&mut self, model: &'static ModelShape, wrote: &impl Wrote) {
        self.wrote.push((model, wrote.wrote()));
    }

    /// Adds the numbers of documents that an operation has written, the derived data that it has updated, and its
    /// remaining work.
    pub(super) fn add_report(&mut self, model: &'static ModelShape, report: impl Report) {
        self.add(model, &report);
        self.report.add_finished(report.into_finished());
    }

    /// Adds the numbers of documents that an operation has written before it failed.
    pub(super) fn add_partly(&mut self, model: &'static ModelShape, error: &Error) {
        let done = error.wrote();
        let counts = self.counts();
        counts.inserted += done.inserted;
        counts.modified += done.updated;
        counts.deleted += done.deleted;
        if let Error::PartlyUpdated { matched, .. } = error {
            counts.matched += matched;
        }
        self.add(model, &done);
    }

    /// Records a failed operation.
    pub(super) fn fail(&mut self, index: usize, reason: impl Into<Arc<Error>>) {
        let reason = reason.into();
        self.failed.push(FailedOperation { index, reason });
    }

    /// Records that several operations have failed for the same reason. An ordered bulk write reports only the first
    /// operation, because the other operations were not carried out.
    pub(super) fn fail_all(
        &mut self,
        indexes: &[usize],
        reason: impl Into<Arc<Error>>,
        ordered: bool,
    ) {
        let reason = reason.into();
        let most = if ordered { 1 } else { indexes.len() };
        for index in indexes.iter().take(most) {
            self.fail(*index, Arc::clone(&reason));
        }
    }

    /// Removes and returns the numbers of written documents of each model.
    pub(crate) fn take_wrote(&mut self) -> Vec<(&'static ModelShape, Writes)> {
        std::mem::take(&mut self.wrote)
    }

    /// Returns the report, or the error if operations have failed. `invalid` lists the operations that could not be
    /// sent.
    pub(crate) fn into_result(
        mut self,
        operations: usize,
        invalid: Vec<FailedOperation>,
    ) -> Result<BulkReport, Error> {
        self.failed.extend(invalid);
        if self.failed.is_empty() {
            return Ok(self.report);
        }
        Err(self.into_error(operations))
    }

    pub(super) fn into_error(mut self, operations: usize) -> Error {
        self.failed.sort_by_key(|it| it.index);
        Error::bulk_write(operations, self.report.counts, self.failed)
    }
}
