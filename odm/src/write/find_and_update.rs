//! Updates one document, and returns it.

use mongodb::{
    bson::{Bson, RawDocumentBuf, doc},
    options::{FindOneAndUpdateOptions, ReturnDocument},
};

use super::{
    BoundedUpdate, UpdateOneWrite,
    operation::{Common, Operation, Start, Transaction},
};
use crate::{
    client::{command::FindCommand, odm::Exec, place::Visibility},
    derived::{after_commit::Outcome, follow::Effects},
    error::Result,
};

/// An update of the first document that matches a filter. The write returns the document as it was before the update,
/// or as it is afterwards.
#[derive(Clone, Debug)]
pub(crate) struct FindAndUpdateWrite {
    pub(crate) update: BoundedUpdate,
    /// The options of the driver, including the projection, the sort, and the version of the document to return.
    pub(crate) options: FindOneAndUpdateOptions,
}

impl Operation for FindAndUpdateWrite {
    type Report = Option<RawDocumentBuf>;

    fn common(&self) -> Common<'_> {
        Common {
            write_concern: self.options.write_concern.as_ref(),
            ..self.update.common()
        }
    }

    async fn start(&self, exec: &Exec) -> Result<Start<Self::Report>> {
        if self.update.hooks().is_some() {
            let (model, fan_out) = (self.update.model, &self.update.fan_out);
            let effects = Effects::of_write(model, fan_out, exec).await?;
            return Ok(Start::Run(effects, Transaction::Required));
        }
        let effects = self.update.effects(exec).await?;
        if effects.is_empty() && self.is_one_statement() {
            return Ok(Start::Done(self.send(exec).await?));
        }
        let transaction = if effects.is_empty() || self.update.needs_look() {
            Transaction::Required
        } else {
            // The update is pinned to the document that was found, so its guard protects the bound.
            Transaction::IfSupported
        };
        Ok(Start::Run(effects, transaction))
    }

    /// Updates the document, and reads the requested fields before or after the update.
    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<Self::Report>> {
        let first = self.update.find().sort(self.options.sort.clone());
        let Some(id) = exec.ids(first.first()).await?.pop() else {
            self.check_version(&exec).await?;
            return Ok(Outcome::new(None));
        };
        let wants_new = matches!(self.options.return_document, Some(ReturnDocument::After));
        let result = self.result_query(&id, &effects);
        let old = if wants_new {
            None
        } else {
            exec.raw_documents(result.clone()).await?.pop()
        };
        let mut update = self.update;
        update.pin(id);
        let outcome = Box::pin(UpdateOneWrite(update).apply(effects, exec.clone())).await?;
        let found = match outcome.value.matched {
            0 => None,
            _ if wants_new => exec.raw_documents(result).await?.pop(),
            _ => old,
        };
        Ok(outcome.map(|_| found))
    }
}

impl FindAndUpdateWrite {
    pub(crate) fn new(mut update: BoundedUpdate, options: FindOneAndUpdateOptions) -> Self {
        if update.is_empty() {
            // An empty patch changes nothing and calls no hooks, but the call returns the document.
            update.update = doc! { "$set": {} }.into();
            update.fan_out.skips_hooks = true;
        }
        Self { update, options }
    }

    /// Creates a write that returns the document as it is after the given update.
    pub(crate) fn returning(update: BoundedUpdate) -> Self {
        let mut options = update.find_and_update().options;
        options.return_document = Some(ReturnDocument::After);
        options
            .write_concern
            .clone_from(&update.options.write_concern);
        Self::new(update, options)
    }

    /// Whether one `findAndModify` is enough.
    ///
    /// One statement is not enough for a sorted update that has a guard. The filter of the statement contains the
    /// guard. So if the guard excluded the first document, the server would update the next document instead of
    /// failing.
    fn is_one_statement(&self) -> bool {
        self.update.is_safe() || (!self.update.needs_look() && self.options.sort.is_none())
    }

    async fn send(&self, exec: &Exec) -> Result<Option<RawDocumentBuf>> {
        let mut find = self.update.find_and_update();
        let array_filters = find.options.array_filters.take();
        find.options = self.options.clone();
        find.options.array_filters = array_filters;
        let sent = exec.send(find).await;
        let found = sent.map_err(|error| self.update.explained(error))?;
        if found.is_none() {
            self.update.refuse_guarded(exec).await?;
            self.check_version(exec).await?;
        }
        Ok(found)
    }

    /// Fails if no document matches because the stored document does not have the expected version.
    async fn check_version(&self, exec: &Exec) -> Result<()> {
        match self.update.expected.clone() {
            Some(it) => it.check(self.update.model, Visibility::Live, exec).await,
            None => Ok(()),
        }
    }

    fn result_query(&self, id: &Bson, effects: &Effects) -> FindCommand {
        let mut find = FindCommand::new(effects.place(), doc! { "_id": id }).first();
        find.options.projection.clone_from(&self.options.projection);
        find.options.comment.clone_from(&self.options.comment);
        find.options.max_time = self.options.max_time;
        find
    }
}
