//! What follows a write: copies of what it has changed, copies in its own documents, jobs.

mod additions;
mod change;
mod copies;
mod estimate;
mod existing;
mod followed;
mod hot;
mod inbound_copies;
mod marks;
mod new_source;
mod on_delete;
mod options;
mod output;
mod recheck;
mod steps;
mod taken_values;

use super::{
    outbox::{Phase, record_all},
    values::{Image, Images},
};
use crate::{
    client::{odm::Exec, place::Place},
    error::Result,
    graph::{ExtendedReference, graph},
    model::shape::ModelShape,
};
pub(crate) use additions::fold;
use change::entries;
pub(crate) use change::{Change, acting_rules};
pub(crate) use copies::{count, followers, write};
pub(crate) use existing::{Existing, Referred};
pub(crate) use followed::{Follow, Followed};
pub(crate) use inbound_copies::{CorrectedCopies, InboundCopies, PreparedCopies, differs, keys_in};
pub(crate) use marks::mark;
pub(crate) use new_source::{Arrived, are_there, arrive, await_documents};
pub(crate) use on_delete::{Going, delete, first_owner, is_restricted, look_ahead, unlink};
pub use options::CopyOptions;
pub(crate) use options::FanOut;
pub(crate) use output::{refuse_known_output, refuse_output};
pub(crate) use recheck::recheck;
pub(crate) use steps::follow;
pub(crate) use taken_values::TakenValues;

use mongodb::{bson::RawDocument, options::UpdateModifications};

/// What a write has to look after beside its own documents; most have nothing.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    pub(crate) model: &'static ModelShape,
    /// What of the documents is copied elsewhere.
    pub(crate) images: Images,
    /// What the documents copy from elsewhere.
    pub(crate) inbound: InboundCopies,
    /// Which of their references must not lead nowhere.
    pub(crate) existing: Existing,
}

impl Effects {
    /// Returns the effects of writes to a model, as far as this program tells.
    ///
    /// # Errors
    ///
    /// [`Error::Declaration`](crate::Error::Declaration) if the declarations of the model contradict others.
    fn of(model: &'static ModelShape, fan_out: &FanOut) -> Result<Self> {
        graph().check(model.collection)?;
        let inbound = InboundCopies::of(model.documents());
        Ok(Self {
            model,
            images: Images::of(model.documents()),
            inbound: if fan_out.snapshots_are_given {
                inbound
            } else {
                inbound.with_snapshots(model.documents())
            },
            existing: Existing::of(model.documents()),
        })
    }

    /// Adds what is left to jobs: copies elsewhere that only other programs declare (`foreign`), and what of its own
    /// documents others write or may not know.
    async fn with_left(
        mut self,
        foreign: Vec<&'static ExtendedReference>,
        exec: &Exec,
    ) -> Result<Self> {
        self.images = self.images.with(foreign);
        self.inbound.left = exec.left_within(self.model.documents()).await?;
        Ok(self)
    }

    /// Keeps what an update touches.
    fn touched_by(
        self,
        update: &UpdateModifications,
        mut foreign: Vec<&'static ExtendedReference>,
    ) -> Self {
        let inbound = self.inbound.touched_by(update);
        let images = self.images.touched_by(update);
        foreign.retain(|next| {
            inbound
                .references
                .iter()
                .any(|reference| reference.feeds(next))
        });
        Self {
            model: self.model,
            // The copies that the update brings along may be copied in turn.
            images: images.with(inbound.followers()).with(foreign),
            inbound,
            existing: self.existing.touched_by(update),
        }
    }

    /// Returns the effects of a write, with the extended references of other programs. What is wrong with the
    /// declarations is told first: it needs no server.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of), [`Error::ExistsNeedsTransactions`](crate::Error::ExistsNeedsTransactions), and what the
    /// server reports.
    pub(crate) async fn of_write(
        model: &'static ModelShape,
        fan_out: &FanOut,
        exec: &Exec,
    ) -> Result<Self> {
        let effects = Self::of(model, fan_out)?;
        effects.existing.refuse_standalone(exec).await?;
        let foreign = exec.foreign(model.documents()).await?;
        effects.with_left(foreign, exec).await
    }

    /// Returns the effects of an update: of what it touches.
    ///
    /// # Errors
    ///
    /// As [`of_write`](Self::of_write), and for an update that writes to a copy itself.
    pub(crate) async fn of_update(
        model: &'static ModelShape,
        update: &UpdateModifications,
        fan_out: &FanOut,
        exec: &Exec,
    ) -> Result<Self> {
        let effects = Self::of(model, fan_out)?;
        effects.inbound.refuse_direct(update)?;
        let foreign = exec.foreign(model.documents()).await?;
        let effects = effects.with_left(foreign.clone(), exec).await?;
        let effects = effects.touched_by(update, foreign);
        effects.existing.refuse_standalone(exec).await?;
        Ok(effects)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.images.is_empty() && self.inbound.is_empty() && self.existing.is_empty()
    }

    /// Whether the write can leave jobs. A snapshot is taken once, and leaves none.
    pub(crate) fn leaves_jobs(&self) -> bool {
        let inbound = &self.inbound;
        let copies = [&self.images.references, &inbound.references, &inbound.left];
        copies.iter().any(|it| !it.is_empty()) || self.existing.has_jobs()
    }

    pub(crate) const fn place(&self) -> Place {
        Place::of(self.model)
    }

    /// Runs a part of a write: in a transaction with its effects, or by itself if it has none.
    pub(crate) async fn run<A, T, Running>(
        &self,
        argument: A,
        run: fn(A, Exec) -> Running,
        exec: &Exec,
    ) -> Result<T>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        Running: Future<Output = Result<T>> + Send + 'static,
    {
        if self.is_empty() {
            return Box::pin(run(argument, exec.clone())).await;
        }
        exec.together(argument, run).await
    }

    /// Takes what is copied out of a document as it is stored now: one `find` if its copies were
    /// corrected after it was read.
    pub(crate) async fn image_now(
        &self,
        stored: &RawDocument,
        corrected: &CorrectedCopies,
        exec: &Exec,
    ) -> Result<Image> {
        let image = self.images.take(stored)?;
        let ids: Vec<_> = image.get("_id").cloned().into_iter().collect();
        if !corrected.changed {
            return Ok(image);
        }
        let now = self.images.by_ids(&self.place(), &ids, exec).await?.pop();
        Ok(now.unwrap_or(image))
    }

    /// Whether the jobs of a write have to be there before it: without a transaction, a crash in between
    /// leaves jobs that find nothing to do, and never a source without one.
    pub(crate) fn must_precede(&self, exec: &Exec) -> bool {
        !exec.in_transaction() && !self.images.is_empty()
    }

    /// Writes the jobs of documents that are about to be changed, where they have to be there before.
    pub(crate) async fn precede(&self, before: &[Image], exec: &Exec) -> Result<()> {
        if !self.must_precede(exec) {
            return Ok(());
        }
        let changes = before.iter();
        let changes = changes.map(|image| Change::announced(&self.images, image));
        let changes: Vec<_> = changes.collect();
        record_all(&entries(&changes, Phase::Run), exec).await
    }
}
