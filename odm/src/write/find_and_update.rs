//! Updates one document and returns it.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, RawDocumentBuf, doc},
    options::{FindOneAndUpdateOptions, ReturnDocument, WriteConcern},
};

use super::{
    BoundedUpdate, UpdateOneWrite, UpdateReport,
    after::Outcome,
    driver::{Transaction, drive},
};
use crate::{
    client::{
        command::{self, FindCommand},
        odm::{Exec, Write},
    },
    derived::follow::{Effects, FanOut},
    error::Result,
    model::{bound::BoundCheck, shape::ModelShape},
};

/// An update of the first document that matches, which is returned as it was or as it is.
#[derive(Clone, Debug)]
pub(crate) struct FindAndUpdateWrite {
    pub(crate) update: BoundedUpdate,
    /// The options of the driver, which say what is returned.
    pub(crate) options: FindOneAndUpdateOptions,
    pub(crate) fan_out: FanOut,
}

/// What was found, and what the update did.
type Found = (Option<RawDocumentBuf>, UpdateReport);

impl Write for FindAndUpdateWrite {
    type Report = Option<RawDocumentBuf>;

    fn model(&self) -> &'static ModelShape {
        self.update.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Self::Report>> {
        Box::pin(async move {
            let update = &self.update;
            let effects =
                Effects::of_update(update.model, &update.update, &self.fan_out, &exec).await?;
            if effects.is_empty() && self.is_one_statement() {
                return self.send(&exec).await;
            }
            let fan_out = self.fan_out.clone();
            let run = |(write, effects): (Self, Effects), exec| write.update(effects, exec);
            let ((found, _), _) = drive(
                (self, effects),
                fan_out,
                Transaction::ForStatements,
                run,
                &exec,
            )
            .await?;
            Ok(found)
        })
    }
}

impl FindAndUpdateWrite {
    /// Whether the server can do all of it at once. With the guard in its filter, a sorted push would pass
    /// over the first document.
    fn is_one_statement(&self) -> bool {
        match self.update.check() {
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

    /// Updates the document in a transaction, and reads beside it what the caller asked for.
    async fn update(self, effects: Effects, exec: Exec) -> Result<Outcome<Found>> {
        let first = self.update.find().sort(self.options.sort.clone());
        let Some(id) = exec.ids(first.first()).await?.pop() else {
            return Ok(Outcome::of((None, UpdateReport::default())));
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
        let fan_out = self.fan_out;
        let outcome = UpdateOneWrite { update, fan_out };
        let outcome = Box::pin(outcome.update(effects, exec.clone())).await?;
        let found = match outcome.value.matched {
            0 => None,
            _ if wants_new => exec.raw_documents(asked).await?.pop(),
            _ => old,
        };
        Ok(outcome.map(|report| (found, report)))
    }

    fn asked(&self, id: &Bson, effects: &Effects) -> command::FindCommand {
        let mut find = FindCommand::new(effects.place(), doc! { "_id": id }).first();
        find.options.projection.clone_from(&self.options.projection);
        find.options.comment.clone_from(&self.options.comment);
        find.options.max_time = self.options.max_time;
        find
    }
}
