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
    client::{command::FindCommand, odm::Exec},
    derived::{after_commit::Outcome, follow::Effects},
    error::Result,
    model::array_bound::BoundCheck,
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
        let effects = self.update.effects(exec).await?;
        if effects.is_empty() && self.is_one_statement() {
            return Ok(Start::Done(self.send(exec).await?));
        }
        Ok(Start::run(effects, Transaction::Required))
    }

    /// Updates the document, and reads the requested fields before or after the update.
    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<Self::Report>> {
        let first = self.update.find().sort(self.options.sort.clone());
        let Some(id) = exec.ids(first.first()).await?.pop() else {
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
    /// Whether one `findAndModify` is enough.
    ///
    /// One statement is not enough for a sorted push. The filter contains the guard, so the server would skip the first
    /// document if its array is full, and would update the next one.
    fn is_one_statement(&self) -> bool {
        match self.update.check {
            BoundCheck::Safe => true,
            BoundCheck::Guarded(_) => self.options.sort.is_none(),
            BoundCheck::AfterImage => false,
        }
    }

    async fn send(&self, exec: &Exec) -> Result<Option<RawDocumentBuf>> {
        let mut find = self.update.find_and_update();
        let array_filters = find.options.array_filters.take();
        find.options = self.options.clone();
        find.options.array_filters = array_filters;
        let found = exec.send(find).await?;
        if found.is_none() {
            self.update.refuse_without_room(exec).await?;
        }
        Ok(found)
    }

    fn result_query(&self, id: &Bson, effects: &Effects) -> FindCommand {
        let mut find = FindCommand::new(effects.place(), doc! { "_id": id }).first();
        find.options.projection.clone_from(&self.options.projection);
        find.options.comment.clone_from(&self.options.comment);
        find.options.max_time = self.options.max_time;
        find
    }
}
