//! Updates many documents, some at a time where something follows.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, doc},
    options::WriteConcern,
};

use super::{
    BoundedUpdate, UpdateReport,
    after::{Outcome, ready},
    id_batches::IdBatches,
};
use crate::{
    client::{
        command::{FindCommand, and},
        odm::{Exec, Write},
    },
    derived::{
        follow::{Change, Effects, FanOut, Follow, follow},
        values::{Image, key_condition},
    },
    error::{Error, Result},
    model::shape::ModelShape,
};

/// How many documents one transaction updates.
const AT_ONCE: u32 = 500;

/// An update of all documents that match.
#[derive(Clone, Debug)]
pub(crate) struct UpdateManyWrite {
    pub(crate) update: BoundedUpdate,
    pub(crate) fan_out: FanOut,
}

impl Write for UpdateManyWrite {
    type Report = UpdateReport;

    fn model(&self) -> &'static ModelShape {
        self.update.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.update.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<UpdateReport>> {
        Box::pin(async move {
            let update = &self.update;
            let effects =
                Effects::of_update(update.model, &update.update, &self.fan_out, &exec).await?;
            if !effects.is_empty() || update.needs_look() {
                ready(&effects, &self.fan_out, &exec).await?;
                return self.in_parts(effects, &exec).await;
            }
            let is_safe = update.is_safe();
            let send = |update: BoundedUpdate, exec| async move { send(&update, &exec).await };
            if is_safe {
                return send(self.update, exec).await;
            }
            // In a transaction, the documents that were seen to have room are those that are updated.
            exec.transact(self.update, send).await
        })
    }
}

/// Sends the update, unless a document without room is among those that match.
async fn send(update: &BoundedUpdate, exec: &Exec) -> Result<UpdateReport> {
    update.refuse_without_room(exec).await?;
    Ok(exec.send(update.many()).await?.into())
}

impl UpdateManyWrite {
    /// Updates the documents with what follows, and looks at those whose bounds only the updated document tells: atomic for each part of 500, and as a whole in a
    /// transaction of the caller or with `atomic`.
    async fn in_parts(self, effects: Effects, exec: &Exec) -> Result<UpdateReport> {
        if self.update.needs_look() && exec.is_on_standalone().await? {
            return Err(Error::NoTransactions);
        }
        let fan_out = self.fan_out.clone();
        if exec.in_transaction() || fan_out.how == Follow::Atomic {
            let run = |(update, effects): (Self, Effects), exec: Exec| async move {
                let ids = exec.ids(update.ids().all()).await?;
                update.part(effects, ids, exec).await
            };
            let outcome = exec.together((self, effects), run).await?;
            return Ok(report(outcome, &fan_out, exec).await);
        }
        let mut total = UpdateReport::default();
        match self.each_part(&mut total, exec).await {
            Err(error) if total.matched > 0 => Err(total.before(error, self.update.model)),
            done => done.map(|()| total),
        }
    }

    /// Updates the documents part by part, each in a transaction of its own.
    async fn each_part(&self, total: &mut UpdateReport, exec: &Exec) -> Result<()> {
        let fan_out = &self.fan_out;
        let mut batches = IdBatches::open(self.ids(), AT_ONCE, exec).await?;
        while let Some(ids) = batches.next().await? {
            if ids.is_empty() {
                continue;
            }
            let run = |(update, effects, ids): (Self, Effects, Vec<Bson>), exec| {
                update.part(effects, ids, exec)
            };
            // Another program may have declared copies since the last part.
            let now =
                Effects::of_update(self.update.model, &self.update.update, fan_out, exec).await?;
            let state = (self.clone(), now, ids);
            exec.note(|| format!("for each {AT_ONCE} documents"));
            let outcome = exec.together(state, run).await?;
            total.add(report(outcome, fan_out, exec).await);
        }
        Ok(())
    }

    /// Returns what finds the ids of the documents, in their order.
    fn ids(&self) -> FindCommand {
        self.update.find().ids().sort(doc! { "_id": 1 })
    }

    /// Updates those of some documents that still match.
    async fn part(
        self,
        effects: Effects,
        ids: Vec<Bson>,
        exec: Exec,
    ) -> Result<Outcome<UpdateReport>> {
        let before = effects.images.by_ids(&effects.place(), &ids, &exec).await?;
        self.update(effects, (ids, before), exec).await
    }

    /// Does so where it is known what copies take from the documents.
    pub(super) async fn update(
        mut self,
        effects: Effects,
        (ids, before): (Vec<Bson>, Vec<Image>),
        exec: Exec,
    ) -> Result<Outcome<UpdateReport>> {
        let (place, images) = (effects.place(), &effects.images);
        effects.precede(&before, &exec).await?;
        let update = &mut self.update;
        update.filter = and(doc! { "_id": key_condition(&ids) }, update.filter.clone());
        let prepared = effects.inbound.prepare(&mut update.update, &exec).await?;
        let referred_before = effects.existing.stored(&place, &ids, &exec).await?;
        let mut outcome = Outcome::of(send(update, &exec).await?);
        if update.needs_look() {
            update.refuse_exceeding_among(&ids, &exec).await?;
        }
        let referred = effects.existing.stored(&place, &ids, &exec).await?;
        effects
            .existing
            .require(&referred_before, &referred, &exec)
            .await?;
        if prepared.is_complete() {
            outcome.written = prepared.written(&ids);
        } else {
            let bypass = update.options.bypass_document_validation;
            let whole = FindCommand::new(place.clone(), doc! { "_id": key_condition(&ids) });
            for document in &exec.raw_documents(whole.all()).await? {
                let corrected = prepared.correct(document, bypass, &exec).await?;
                outcome.written.extend(corrected.written);
            }
        }
        // After the corrections, which are changes for the copies of these copies.
        let after = images.by_ids(&place, &ids, &exec).await?;
        let changes =
            Change::between(effects.model.documents(), images, before, &after).into_iter();
        let changes = changes.map(|it| it.after_correction(&outcome.written));
        outcome.followed = follow(changes.collect(), self.fan_out.how, &exec).await?;
        Ok(outcome)
    }
}

async fn report(outcome: Outcome<UpdateReport>, fan_out: &FanOut, exec: &Exec) -> UpdateReport {
    let (report, done) = outcome.finish(fan_out, exec).await;
    report.with(done)
}
