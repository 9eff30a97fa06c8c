//! Writes to models whose fields are copied elsewhere, or that hold copies themselves.

mod delete;
mod finish;
mod insert;
mod options;
mod save;
mod update;
mod update_many;
mod upsert;

pub(crate) use delete::{concerns, delete_many};
pub(crate) use finish::{Arrived, are_there};
pub(crate) use insert::insert;
pub use options::CopyOptions;
pub(crate) use options::FanOut;
pub(crate) use save::save;
pub(crate) use update::{find_and_update, update_one};
pub(crate) use update_many::update_many;
pub(crate) use upsert::upsert;

use mongodb::{bson::RawDocument, options::UpdateModifications};

use crate::{
    action::Write,
    copy::{self, Corrected, Image, Images, OwnCopies, Tie, graph},
    error::Result,
    odm::Exec,
    shape::ModelShape,
    statement::{Plan, Statement},
};

/// What a write has to look after beside its own documents.
#[derive(Clone, Debug)]
pub(crate) struct Duties {
    pub(crate) collection: &'static str,
    /// What of the documents is copied elsewhere.
    pub(crate) images: Images,
    /// What the documents copy from elsewhere.
    pub(crate) own: OwnCopies,
}

impl Duties {
    /// Returns the duties of writes to a model; most have none. `foreign` are the ties that only other
    /// programs declare: a plan shows none.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the declarations of the model contradict others.
    pub(crate) fn of(model: &ModelShape, foreign: Vec<&'static Tie>) -> Result<Option<Self>> {
        graph().check(model.collection)?;
        Ok(Self {
            collection: model.collection,
            images: Images::of(model.collection).with(foreign),
            own: OwnCopies::of(model.collection),
        }
        .unless_none())
    }

    /// Returns the duties of an update; it has none if it touches nothing that is or was copied.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of), and for an update that writes to a copy itself.
    pub(crate) fn of_update(
        model: &ModelShape,
        update: &UpdateModifications,
        mut foreign: Vec<&'static Tie>,
    ) -> Result<Option<Self>> {
        let Some(all) = Self::of(model, foreign.clone())? else {
            return Ok(None);
        };
        all.own.refuse_direct(update)?;
        let own = all.own.touched_by(update);
        let images = all.images.touched_by(update);
        foreign.retain(|next| own.ties.iter().any(|tie| tie.feeds(next)));
        Ok(Self {
            collection: all.collection,
            // The copies that the update brings along may be copied in turn.
            images: images.with(own.followers()).with(foreign),
            own,
        }
        .unless_none())
    }

    /// Returns the duties of a write that is about to be sent, with the ties of other programs. What is
    /// wrong with the declarations is told first: it needs no server.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of), and what the server reports.
    pub(crate) async fn to_write(model: &ModelShape, exec: &Exec) -> Result<Option<Self>> {
        let own = Self::of(model, Vec::new())?;
        let foreign = exec.foreign(model.collection).await?;
        if foreign.is_empty() {
            return Ok(own);
        }
        Self::of(model, foreign)
    }

    /// Returns the duties of an update that is about to be sent, as [`to_write`](Self::to_write).
    ///
    /// # Errors
    ///
    /// As [`of_update`](Self::of_update), and what the server reports.
    pub(crate) async fn to_update(
        model: &ModelShape,
        update: &UpdateModifications,
        exec: &Exec,
    ) -> Result<Option<Self>> {
        let own = Self::of_update(model, update, Vec::new())?;
        let foreign = exec.foreign(model.collection).await?;
        if foreign.is_empty() {
            return Ok(own);
        }
        Self::of_update(model, update, foreign)
    }

    fn unless_none(self) -> Option<Self> {
        (!self.images.is_empty() || !self.own.is_empty()).then_some(self)
    }

    /// Takes what is copied out of a document as it is stored now: one `find` if its copies were
    /// corrected after it was read.
    async fn image_now(
        &self,
        stored: &RawDocument,
        corrected: &Corrected,
        exec: &Exec,
    ) -> Result<Image> {
        let image = self.images.take(stored)?;
        let ids: Vec<_> = image.get("_id").cloned().into_iter().collect();
        if !corrected.changed {
            return Ok(image);
        }
        let now = self.images.by_ids(self.collection, &ids, exec).await?.pop();
        Ok(now.unwrap_or(image))
    }

    /// Shows an update with what follows it.
    pub(crate) fn plan(&self, write: &Write, statement: Statement) -> Plan {
        let Self {
            collection,
            images,
            own,
        } = self;
        copy::plan::of_update(
            images,
            own,
            collection,
            &write.filter,
            &write.update,
            statement,
        )
    }

    /// Prepares the server for what follows.
    pub(crate) async fn ready(&self, fan_out: &FanOut, exec: &Exec) -> Result<()> {
        if self.images.is_empty() {
            return Ok(());
        }
        exec.odm().ready_for(&self.images.ties, fan_out.force).await
    }
}
