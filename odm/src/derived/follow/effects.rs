//! The derived data that a write can affect.

use std::sync::Arc;

use mongodb::{bson::RawDocument, options::UpdateModifications};

use super::{
    copy_options::FanOut,
    exists_check::ExistsCheck,
    inbound_copies::{CorrectedCopies, InboundCopies},
    source_change::{Change, entries},
};
use crate::{
    client::{odm::Exec, place::Place},
    derived::{
        outbox::{Phase, record_all},
        values::{Image, Images},
    },
    error::Result,
    graph::{ExtendedReference, graph},
    model::shape::ModelShape,
    value::path::covers,
};

/// The derived data that a write can affect. Most writes affect no derived data.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    pub(crate) model: &'static ModelShape,
    /// The extended references whose sources are in the written documents.
    pub(crate) images: Images,
    /// The extended references that have copies inside the written documents.
    pub(crate) inbound: InboundCopies,
    /// The references with `exists` inside the written documents.
    pub(crate) existing: ExistsCheck,
}

impl Effects {
    /// Returns the effects of writes to a model, without the effects that only other programs declare.
    ///
    /// # Errors
    ///
    /// [`Error::Declaration`](crate::Error::Declaration) if the model's declarations contradict other declarations
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
            existing: ExistsCheck::of(model.documents()),
        })
    }

    /// Returns empty effects, for the start of a delete. `on_delete` later collects the effects for the documents that
    /// it finds.
    pub(crate) fn none(model: &'static ModelShape) -> Self {
        Self {
            model,
            images: Images::default(),
            inbound: InboundCopies::default(),
            existing: ExistsCheck::default(),
        }
    }

    /// Adds the extended references for which the write has to enqueue jobs that other programs run. `foreign` contains
    /// the extended references that have their copies in other documents. [`Exec::left_within`] lists the extended
    /// references that have copies or references inside the written documents.
    async fn with_left(
        mut self,
        foreign: Vec<Arc<ExtendedReference>>,
        exec: &Exec,
    ) -> Result<Self> {
        self.images = self.images.with_followers(foreign);
        self.inbound.left = exec.left_within(self.model.documents()).await?;
        Ok(self)
    }

    /// Keeps only the effects on derived data that depends on the fields that an update writes.
    fn touched_by(
        self,
        update: &UpdateModifications,
        mut foreign: Vec<Arc<ExtendedReference>>,
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
            // The update also writes copies inside the documents, and these copies may in turn be sources of other
            // copies.
            images: images
                .with_followers(inbound.followers())
                .with_followers(foreign),
            inbound,
            existing: self.existing.touched_by(update),
        }
    }

    /// Returns the effects of a write, including the effects that only other programs declare. Checks this program's
    /// declarations for contradictions before sending a statement.
    ///
    /// # Errors
    ///
    /// The errors of [`of`](Self::of), [`Error::ExistsNeedsTransactions`](crate::Error::ExistsNeedsTransactions), and
    /// server errors.
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

    /// Returns the effects of an update. They depend on the fields that the update writes.
    ///
    /// # Errors
    ///
    /// The errors of [`of_write`](Self::of_write), and [`Error::Invalid`](crate::Error::Invalid) if the update writes a
    /// copy without its key.
    pub(crate) async fn of_update(
        model: &'static ModelShape,
        update: &UpdateModifications,
        fan_out: &FanOut,
        exec: &Exec,
    ) -> Result<Self> {
        let effects = Self::of(model, fan_out)?;
        effects.inbound.refuse_direct(update)?;
        let foreign = exec.foreign(model.documents()).await?;
        // The list of foreign references is cloned because it is needed twice. `with_left` adds all foreign references.
        // `touched_by` then drops the references that depend on copies in the updated documents, because the operators
        // do not contain the paths of these copies. The clone is used to add the dropped references again.
        let effects = effects.with_left(foreign.clone(), exec).await?;
        let effects = effects.touched_by(update, foreign);
        effects.existing.refuse_standalone(exec).await?;
        Ok(effects)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.images.is_empty() && self.inbound.is_empty() && self.existing.is_empty()
    }

    /// Whether a field of the written documents contains keys of copies, or references with `exists`.
    pub(crate) fn has_key_in(&self, field: &str) -> bool {
        let inbound = &self.inbound;
        let mut copies = inbound.references.iter().chain(&inbound.left);
        copies.any(|reference| covers(field, &reference.key_path()))
            || self.existing.has_key_in(field)
    }

    /// Whether the write can enqueue jobs. Snapshots need no jobs, because they keep their first value.
    pub(crate) fn leaves_jobs(&self) -> bool {
        let inbound = &self.inbound;
        let copies = [&self.images.references, &inbound.references, &inbound.left];
        copies.iter().any(|it| !it.is_empty()) || self.existing.has_jobs()
    }

    pub(crate) const fn place(&self) -> Place {
        Place::of(self.model)
    }

    /// Returns the image of a stored document. Sends a `find` if copies in the document were corrected after the
    /// document was read.
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
        // If no extended reference needs an image, `by_ids` returns nothing.
        Ok(now.unwrap_or(image))
    }

    /// Whether the jobs of a write must be stored before the write itself. If the server has no transactions, a crash
    /// between the two steps leaves only an unnecessary job, which is harmless. In the opposite order, a crash could
    /// leave a change without a job.
    pub(crate) fn must_precede(&self, exec: &Exec) -> bool {
        !exec.in_transaction() && !self.images.is_empty()
    }

    /// Writes the jobs for the given documents before the documents are changed, if
    /// [`must_precede`](Self::must_precede) requires it.
    pub(crate) async fn precede(&self, before: &[Image], exec: &Exec) -> Result<()> {
        if !self.must_precede(exec) {
            return Ok(());
        }
        let changes = before.iter();
        let changes = changes.flat_map(|image| Change::announced(&self.images, image));
        let changes: Vec<_> = changes.collect();
        // The phase is `Run`, because outside transactions only the job writes the copies (`Reach`).
        record_all(&entries(&changes, Phase::Run), exec).await
    }
}
