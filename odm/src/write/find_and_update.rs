//! Updates one document and returns it.

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

/// An update of the first document that matches, which is returned as it was or as it is.
#[derive(Clone, Debug)]
pub(crate) struct FindAndUpdateWrite {
    pub(crate) update: BoundedUpdate,
    /// The options of the driver, which say what is returned.
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

    /// Updates the document, and reads beside it what the caller asked for.
    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<Self::Report>> {
        let first = self.update.find().sort(self.options.sort.clone());
        let Some(id) = exec.ids(first.first()).await?.pop() else {
            return Ok(Outcome::new(None));
        };
        let wants_new = matches!(self.options.return_document, Some(ReturnDocument::After));
        let asked = self.asked(&id, &effects);
        let old = if wants_new {
            None
        } else {
            exec.raw_documents(asked.clone()).await?.pop()
        };
        let mut update = self.update;
        update.pin(id);
        let outcome = Box::pin(UpdateOneWrite(update).apply(effects, exec.clone())).await?;
        let found = match outcome.value.matched {
            0 => None,
            _ if wants_new => exec.raw_documents(asked).await?.pop(),
            _ => old,
        };
        Ok(outcome.map(|_| found))
    }
}

impl FindAndUpdateWrite {
    /// Whether the server can do all of it at once. With the guard in its filter, a sorted push would pass
    /// over the first document.
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

    fn asked(&self, id: &Bson, effects: &Effects) -> FindCommand {
        let mut find = FindCommand::new(effects.place(), doc! { "_id": id }).first();
        find.options.projection.clone_from(&self.options.projection);
        find.options.comment.clone_from(&self.options.comment);
        find.options.max_time = self.options.max_time;
        find
    }
}
