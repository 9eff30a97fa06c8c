//! Deletes documents, and applies the delete rules of references to these documents.

use std::sync::Arc;

use mongodb::{
    bson::{Bson, Document, doc},
    options::DeleteOptions,
};

use super::{
    batched_write::{AT_ONCE, Batched, in_batches},
    operation::{Common, Operation, Start, Transaction},
    report::DeleteReport,
};
use crate::{
    client::{
        command::{DeleteCommand, FindCommand},
        id_batches::IdBatches,
        odm::Exec,
        place::Place,
    },
    derived::{
        after_commit::Outcome,
        follow::{self, DeletedDocuments, Effects, FanOut, Follow},
        values::{Images, key_condition},
    },
    error::Result,
    graph::graph,
    model::shape::ModelShape,
};

/// A delete of all documents that match a filter, or of the first one.
#[derive(Clone, Debug)]
pub(crate) struct DeleteWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) filter: Document,
    pub(crate) many: bool,
    pub(crate) options: DeleteOptions,
    pub(crate) fan_out: FanOut,
    /// The documents that other batches of the same call delete.
    pub(crate) also: Option<Arc<DeletedDocuments>>,
}

impl Operation for DeleteWrite {
    type Report = DeleteReport;

    fn common(&self) -> Common<'_> {
        Common {
            model: self.model,
            write_concern: self.options.write_concern.as_ref(),
            fan_out: &self.fan_out,
        }
    }

    async fn start(&self, exec: &Exec) -> Result<Start<DeleteReport>> {
        if !self.affects_other_documents(exec).await? {
            let (filter, options) = (self.filter.clone(), self.options.clone());
            let deleted = exec
                .send(DeleteCommand {
                    place: Place::of(self.model),
                    filter,
                    many: self.many,
                    options,
                })
                .await?;
            return Ok(Start::Done(DeleteReport::of(deleted)));
        }
        if !exec.is_paper() {
            let references = Images::of(self.model.documents()).references;
            let force = self.fan_out.force;
            exec.odm().ready_for(&references, force).await?;
        }
        if exec.in_transaction() || self.fan_out.how == Follow::Atomic || !self.many {
            let effects = Effects::none(self.model);
            return Ok(Start::Run(effects, Transaction::IfSupported));
        }
        Ok(Start::Done(in_batches(self.clone(), exec).await?))
    }

    async fn apply(self, _: Effects, exec: Exec) -> Result<Outcome<DeleteReport>> {
        let find = if self.many {
            self.find().all()
        } else {
            self.find().first()
        };
        let (also, how) = (self.also.unwrap_or_default(), self.fan_out.how);
        let (deleted, followed) = follow::delete(self.model, find, how, &also, &exec).await?;
        let mut outcome = Outcome::new(DeleteReport::of(deleted));
        outcome.followed = followed;
        Ok(outcome)
    }
}

impl Batched for DeleteWrite {
    // A later batch can delete documents only if the jobs of earlier batches have deleted the children of others.
    const JOBS: usize = 1;

    fn find(&self) -> FindCommand {
        let mut find = FindCommand::new(Place::of(self.model), self.filter.clone());
        find.options.collation.clone_from(&self.options.collation);
        find.options.hint.clone_from(&self.options.hint);
        find.options.let_vars.clone_from(&self.options.let_vars);
        find.options.comment.clone_from(&self.options.comment);
        find
    }

    /// Checks the `restrict` rules of all documents before the first batch, if there are several batches.
    ///
    /// Without this check, a later batch could fail after earlier ones were committed.
    async fn check_restrict(&mut self, batches: &mut IdBatches<'_>, exec: &Exec) -> Result<()> {
        let is_last = batches.peek().await?.is_none_or(Vec::is_empty);
        if self.also.is_none() {
            let also = if is_last {
                DeletedDocuments::default()
            } else {
                follow::check_restrict(self.model, &self.find(), exec).await?
            };
            self.also = Some(Arc::new(also));
        }
        Ok(())
    }

    async fn batch(&self, ids: Vec<Bson>, _: &Exec) -> Result<(Self, Effects)> {
        let mut batch = self.clone();
        // The original filter is kept, because a document may have changed since its id was read.
        batch.filter = doc! { "$and": [{ "_id": key_condition(&ids) }, batch.filter] };
        Ok((batch, Effects::none(self.model)))
    }

    fn note(&self) -> String {
        let look = if follow::is_restricted(self.model.documents()) {
            "; with several batches, `restrict` rules are checked before the first one"
        } else {
            ""
        };
        format!("for each {AT_ONCE} documents{look}")
    }
}

impl DeleteWrite {
    /// Whether other documents copy from the deleted documents, or refer to them by a reference that has a delete rule.
    async fn affects_other_documents(&self, exec: &Exec) -> Result<bool> {
        graph().check(self.model.collection)?;
        let documents = self.model.documents();
        let mut rules = graph().rules(documents);
        Ok(!Images::of(documents).is_empty()
            || rules.next().is_some()
            || !exec.foreign(documents).await?.is_empty())
    }
}
