//! Updates many documents, in batches if the update has effects.

use mongodb::bson::{Bson, RawDocument, doc};

use super::{
    BoundedUpdate,
    batched_write::{Batched, in_batches},
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
};
use crate::{
    client::{
        command::{FindCommand, and},
        odm::Exec,
    },
    derived::{
        after_commit::{Outcome, ready},
        follow::{Change, Effects, Follow, follow},
        values::{Image, key_condition},
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
}

impl Operation for UpdateManyWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.update.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        let update = &self.update;
        let effects = update.effects(exec).await?;
        if effects.is_empty() && !update.needs_look() {
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
        let images = &effects.images;
        let before = images.by_ids(&effects.place(), &ids, &exec).await?;
        update_documents(self.update, effects, (ids, before), exec).await
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

/// Sends the update. Fails if the array of a matching document is full.
async fn send(update: &BoundedUpdate, exec: &Exec) -> Result<UpdateReport> {
    update.refuse_without_room(exec).await?;
    Ok(exec.send(update.many()).await?.into())
}

/// Updates the documents that still match. `before` contains the images of the documents before the update.
pub(super) async fn update_documents(
    mut update: BoundedUpdate,
    effects: Effects,
    (ids, before): (Vec<Bson>, Vec<Image>),
    exec: Exec,
) -> Result<Outcome<UpdateReport>> {
    let (place, images, existing) = (effects.place(), &effects.images, &effects.existing);
    effects.precede(&before, &exec).await?;
    update.filter = and(doc! { "_id": key_condition(&ids) }, update.filter);
    let prepared = effects.inbound.prepare(&mut update.update, &exec).await?;
    let referred_before = existing.stored(&place, &ids, &exec).await?;
    let mut outcome = Outcome::new(send(&update, &exec).await?);
    if update.needs_look() {
        update.refuse_exceeding_among(&ids, &exec).await?;
    }
    let referred = existing.stored(&place, &ids, &exec).await?;
    existing.require(&referred_before, &referred, &exec).await?;
    if prepared.is_complete() {
        outcome.written = prepared.written(&ids);
    } else {
        let bypass = update.options.bypass_document_validation;
        let whole = FindCommand::new(place.clone(), doc! { "_id": key_condition(&ids) });
        let stored = exec.raw_documents(whole.all()).await?;
        let stored: Vec<&RawDocument> = stored.iter().map(|raw| &**raw).collect();
        outcome.written = prepared.correct(&stored, bypass, &exec).await?.written;
    }
    // The images are read after the corrections, because other documents can copy the corrected fields.
    let after = images.by_ids(&place, &ids, &exec).await?;
    let changes = Change::between(effects.model.documents(), images, before, &after);
    let changes = changes.into_iter();
    let changes = changes.map(|it| it.after_correction(&outcome.written));
    outcome.followed = follow(changes.collect(), update.fan_out.how, &exec).await?;
    Ok(outcome)
}
