//! Deletes documents, and applies the delete rules of references to these documents.

use std::sync::Arc;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{DeleteOptions, UpdateModifications},
};

use super::{
    batched_write::{AT_ONCE, Batched, in_batches},
    conflict::ExpectedVersion,
    operation::{Common, Operation, Start, Transaction},
    report::DeleteReport,
};
use crate::{
    client::{
        command::{DeleteCommand, FindCommand, SharedStatement, UpdateCommand},
        id_batches::IdBatches,
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{
        after_commit::Outcome,
        follow::{self, DeletedDocuments, Deletion, Effects, FanOut, Follow, InboundCopies},
        values::{Images, key_condition},
    },
    error::{Error, Result},
    graph::graph,
    model::shape::ModelShape,
    setters::copy_options,
};

/// A delete of the first document that matches a filter, or of all matching documents.
#[derive(Clone, Debug)]
pub(crate) struct DeleteWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) filter: Document,
    pub(crate) many: bool,
    /// The effect on the documents: they are purged, marked, archived or restored.
    pub(crate) deletion: Deletion,
    /// Whether a purge also removes archived documents, or removes only archived documents.
    pub(crate) archived: Archived,
    pub(crate) options: DeleteOptions,
    pub(crate) fan_out: FanOut,
    /// The id and the version that the document must have, if the call contains `if_version` or `if_unchanged`.
    pub(crate) expected: Option<ExpectedVersion>,
    /// The documents that other batches of the same call delete.
    pub(crate) also: Option<Arc<DeletedDocuments>>,
}

/// Whether a purge also removes archived documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Archived {
    /// The delete applies only to the documents that its [`Deletion`] selects.
    #[default]
    Kept,
    /// The purge also removes archived documents that match the filter.
    Also,
    /// The purge removes only archived documents.
    Only,
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
        let affects_others = self.affects_other_documents(exec).await?;
        let needs_transaction = self.needs_transaction();
        if needs_transaction && exec.is_on_standalone().await? {
            return Err(Error::NoTransactions);
        }
        if !affects_others && !needs_transaction {
            let deleted = match self.own_statement(exec)? {
                SharedStatement::Delete(delete) => exec.send(*delete).await?,
                SharedStatement::Update(update) => exec.send(*update).await?.matched,
            };
            self.check_version(deleted, exec).await?;
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
        let finds = self.places().map(|place| {
            let find = self.find_in(place);
            if self.many { find.all() } else { find.first() }
        });
        let finds = (finds.collect(), self.deletion.clone());
        let (also, fan_out) = (self.also.clone().unwrap_or_default(), &self.fan_out);
        let outcome = follow::delete(self.model, finds, fan_out, &also, &exec).await?;
        self.check_version(outcome.value, &exec).await?;
        Ok(outcome.map(DeleteReport::of))
    }
}

impl Batched for DeleteWrite {
    // A later batch can delete its documents only after the jobs of earlier batches have deleted the children of other
    // documents.
    const JOBS: usize = 1;

    fn parts(&self) -> Vec<Self> {
        let parts = match (self.archived, self.model.archive) {
            (Archived::Also, Some(_)) => vec![Archived::Kept, Archived::Only],
            (archived, _) => vec![archived],
        };
        let of = |archived| Self {
            archived,
            ..self.clone()
        };
        parts.into_iter().map(of).collect()
    }

    fn find(&self) -> FindCommand {
        let place = self.places().next();
        self.find_in(place.unwrap_or_else(|| self.place()))
    }

    /// Checks the `restrict` rules of all documents before the first batch, if there are several batches.
    ///
    /// Without this check, a later batch could fail after earlier ones were committed.
    async fn check_restrict(&mut self, batches: &mut IdBatches<'_>, exec: &Exec) -> Result<()> {
        let is_last = batches.peek().await?.is_none_or(Vec::is_empty);
        if self.also.is_none() {
            let find = self.find();
            // A reference that contains the key of an archived document does not refer to this document. The reference
            // refers to another document that has the same key, or it is dangling.
            let can_be_restricted = self.deletion.can_be_restricted() && !find.place.sees_archive();
            let also = if is_last || !can_be_restricted {
                DeletedDocuments::default()
            } else {
                follow::check_restrict(self.model, &find, exec).await?
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
    /// Whether the delete needs a transaction, because it moves the documents to an archive or passes them to hooks.
    fn needs_transaction(&self) -> bool {
        self.model.archive.is_some()
            || follow::delete_calls_hooks(self.model, &self.deletion, &self.fan_out)
    }

    /// Returns the delete as one statement, or `None` if it needs further statements, or steps after the server's
    /// reply.
    pub(super) async fn statement(&self, exec: &Exec) -> Result<Option<SharedStatement>> {
        let has_steps = self.expected.is_some() || self.needs_transaction();
        if has_steps || self.affects_other_documents(exec).await? {
            return Ok(None);
        }
        Ok(Some(self.own_statement(exec)?))
    }

    /// Returns the statement that deletes or marks the documents of a model without dependents.
    fn own_statement(&self, exec: &Exec) -> Result<SharedStatement> {
        let update = self.deletion.update(self.model, true, exec)?;
        Ok(match update {
            None => self.delete_command().into(),
            Some(update) => self.update_command(update).into(),
        })
    }

    fn place(&self) -> Place {
        self.deletion.place(self.model).for_tenant_of_handle()
    }

    /// Fails if the write has deleted nothing because the stored document does not have the expected version.
    async fn check_version(&self, deleted: u64, exec: &Exec) -> Result<()> {
        let Some(expected) = self.expected.clone().filter(|_| deleted == 0) else {
            return Ok(());
        };
        let sees = self.deletion.visibility();
        expected.check(self.model, sees, exec).await
    }

    /// Lists the places in which the query finds the documents.
    fn places(&self) -> impl Iterator<Item = Place> {
        let place = self.place();
        let is_archive = |archived: bool| match self.archived {
            Archived::Kept => !archived,
            Archived::Also => true,
            Archived::Only => archived,
        };
        let archive = place.clone().seeing(Visibility::Deleted);
        let own = is_archive(false).then_some(place);
        let archive = (is_archive(true) && self.model.archive.is_some()).then_some(archive);
        own.into_iter().chain(archive)
    }

    fn find_in(&self, place: Place) -> FindCommand {
        let mut find = FindCommand::new(place, self.filter.clone());
        copy_options!(self.options => find.options, [collation, hint, let_vars, comment]);
        find
    }

    fn delete_command(&self) -> DeleteCommand {
        DeleteCommand {
            place: self.place(),
            filter: self.filter.clone(),
            many: self.many,
            options: self.options.clone(),
        }
    }

    /// Returns the `update` that marks or restores the documents.
    fn update_command(&self, update: Document) -> UpdateCommand {
        let (place, filter) = (self.place(), self.filter.clone());
        let mut command = if self.many {
            UpdateCommand::many(place, filter, update)
        } else {
            UpdateCommand::one(place, filter, update)
        };
        copy_options!(self.options => command.options, [collation, hint, let_vars, comment, write_concern]);
        command
    }

    /// Whether other documents copy from the deleted documents, or refer to them by a reference that has a delete rule.
    /// Also returns true if the documents contain copies that belong to the actor of the call.
    async fn affects_other_documents(&self, exec: &Exec) -> Result<bool> {
        graph().check(self.model.collection)?;
        let documents = self.model.documents();
        let mut rules = graph().rules(documents);
        Ok(!Images::of(documents).is_empty()
            || rules.next().is_some()
            || !exec.foreign(documents).await?.is_empty()
            || self.changes_copies(exec).await?)
    }

    /// Whether the update that marks or restores the documents also changes copies in them, because it stores the
    /// actor.
    async fn changes_copies(&self, exec: &Exec) -> Result<bool> {
        let Some(update) = self.deletion.update(self.model, true, exec)? else {
            return Ok(false);
        };
        let update = UpdateModifications::Document(update);
        let inbound = InboundCopies::of_update(self.model.documents(), &update, exec).await?;
        Ok(!inbound.is_empty())
    }
}
