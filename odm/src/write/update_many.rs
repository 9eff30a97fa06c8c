//! Updates many documents, in batches if the update has effects.
//!
//! In a transaction of the application or with `atomic`, there is only one batch. If its ids do not fit into one
//! statement, they are sent in several statements of the transaction.

use mongodb::bson::{Bson, doc};

use super::{
    BoundedUpdate,
    batched_write::{Batched, in_batches},
    hooked_update::update_each,
    operation::{Common, Operation, Start, Transaction},
    report::{Total, UpdateReport},
    send_updates::{send, update_documents},
};
use crate::{
    batches::{parts_of, size_of},
    client::{
        command::{FindCommand, UpdateCommand},
        odm::Exec,
    },
    derived::{
        after_commit::{Outcome, ready},
        follow::{Effects, FanOut, Follow},
    },
    error::{Error, Result},
};

/// An update of all documents that match a filter.
#[derive(Clone, Debug)]
pub(crate) struct UpdateManyWrite {
    update: BoundedUpdate,
    /// The ids of a batch, or `None` for all documents.
    batch: Option<Vec<Bson>>,
}

impl UpdateManyWrite {
    pub(crate) const fn new(update: BoundedUpdate) -> Self {
        let batch = None;
        Self { update, batch }
    }

    pub(super) const fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.update.fan_out
    }

    /// Returns the update as one statement, or `None` if it needs further statements.
    pub(super) async fn statement(&self, exec: &Exec) -> Result<Option<UpdateCommand>> {
        let update = &self.update;
        let has_steps = update.is_empty() || update.hooks().is_some() || !update.is_safe();
        if has_steps || !update.effects(exec).await?.is_empty() {
            return Ok(None);
        }
        Ok(Some(update.many()))
    }
}

impl Operation for UpdateManyWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.update.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        let update = &self.update;
        if update.is_empty() {
            return Ok(Start::Done(UpdateReport::default()));
        }
        let has_hooks = update.hooks().is_some();
        if has_hooks && exec.is_on_standalone().await? {
            return Err(Error::NoTransactions);
        }
        let effects = if has_hooks {
            // The hooks can change other fields.
            Effects::of_write(update.model, &update.fan_out, exec).await?
        } else {
            update.effects(exec).await?
        };
        if !has_hooks && effects.is_empty() && !update.needs_look() {
            let send = |update: BoundedUpdate, exec| async move { send(&update, &exec).await };
            let report = if update.is_safe() {
                send(update.clone(), exec.clone()).await?
            } else {
                // In a transaction, the update changes exactly the documents that were checked for room.
                exec.transact(update.clone(), send).await?
            };
            return Ok(Start::Done(report));
        }
        if update.needs_look() && exec.is_on_standalone().await? {
            return Err(Error::NoTransactions);
        }
        if exec.in_transaction() || update.fan_out.how == Follow::Atomic {
            return Ok(Start::Run(effects, Transaction::IfSupported));
        }
        ready(&effects, &update.fan_out, exec).await?;
        Ok(Start::Done(in_batches(self.clone(), exec).await?))
    }

    async fn apply(mut self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let ids = match self.batch.take() {
            Some(ids) => ids,
            None => exec.ids(self.find().all()).await?,
        };
        if let Some(hooks) = self.update.hooks() {
            return update_each(&hooks, self.update, &ids, &exec).await;
        }
        let parts: Vec<Vec<Bson>> = if ids.is_empty() {
            // The statement is sent nevertheless, because the server can reject it.
            vec![ids]
        } else {
            // Usually there is only one part.
            let most = self.update.most_at_once(&ids);
            let parts = parts_of(&ids, most, exec.settings().key_bytes(), size_of);
            parts.map(<[Bson]>::to_vec).collect()
        };
        let mut outcome = Outcome::new(UpdateReport::default());
        for ids in parts {
            let (update, effects) = (self.update.clone(), effects.clone());
            let images = &effects.images;
            let before = images.by_ids(&effects.place(), &ids, &exec).await?;
            let sent = update_documents(update, effects, (ids, before), exec.clone());
            let report = outcome.add(Box::pin(sent).await?);
            outcome.value.count(&report);
        }
        Ok(outcome)
    }
}

impl Batched for UpdateManyWrite {
    // The largest number of jobs that run together.
    const JOBS: usize = 1_000;

    fn find(&self) -> FindCommand {
        self.update.find().ids().sort(doc! { "_id": 1 })
    }

    async fn batch(&self, ids: Vec<Bson>, exec: &Exec) -> Result<(Self, Effects)> {
        // Another program may have declared copies since the last batch.
        let effects = self.update.effects(exec).await?;
        let (update, batch) = (self.update.clone(), Some(ids));
        Ok((Self { update, batch }, effects))
    }
}
