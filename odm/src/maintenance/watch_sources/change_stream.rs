//! Follows one change stream. The watcher reads batches of events, and stores jobs and the resume token after each
//! batch.

use std::time::{Duration, Instant};

use mongodb::{
    bson::Bson,
    options::{AggregateOptions, ReadConcern},
};

use super::{
    event::{self, StreamMessage},
    jobs_for_all_keys, jobs_for_events,
    pipeline::pipeline,
    resume_token::{Bookmark, ResumePosition},
};
use crate::{
    client::{
        change_stream::{is_lost, position_after},
        command::AggregateCommand,
        odm::{Batch, Batches, Exec, Odm, each_document},
        place::Place,
    },
    error::Result,
};

/// Largest number of events that a watcher keeps in memory.
const AT_ONCE: u32 = 1_000;

/// The interval at which the watcher stores the resume token while there are no events. Without these updates, the
/// token might become so old that the oplog no longer contains its event.
const IDLE: Duration = Duration::from_secs(10);

/// The change stream of a watcher.
#[derive(Clone, Debug)]
pub(super) struct SourceStream {
    odm: Odm,
    sources: Vec<&'static str>,
    bookmark: Bookmark,
}

impl SourceStream {
    pub(super) fn new(odm: &Odm, sources: Vec<&'static str>) -> Self {
        Self {
            bookmark: Bookmark::new(odm, &sources),
            odm: odm.clone(),
            sources,
        }
    }

    /// Follows the stream until it ends. Sets `made_progress` once a batch has been processed.
    pub(super) async fn follow(&self, made_progress: &mut bool) -> Result<()> {
        let from = self.bookmark.read().await?;
        match self.follow_from(from.as_ref(), made_progress).await {
            Err(error) if is_lost(&error, from.is_some() && !*made_progress) => {
                tracing::warn!(%error, "the history of sources is lost; jobs are stored for all copies");
                self.start_over().await
            }
            ended => ended,
        }
    }

    async fn follow_from(
        &self,
        from: Option<&ResumePosition>,
        made_progress: &mut bool,
    ) -> Result<()> {
        let mut batches = self.open(from).await?;
        let mut saved: Option<(Bson, Instant)> = None;
        while let Some(batch) = batches.next().await? {
            let any = self.enqueue_jobs(&batch).await?;
            *made_progress = true;
            let Some(token) = batch.reply().and_then(position_after) else {
                continue;
            };
            let is_due = |(last, at): &(Bson, Instant)| *last != token && at.elapsed() > IDLE;
            if any || saved.as_ref().is_none_or(is_due) {
                self.bookmark
                    .save(&ResumePosition::After(token.clone()))
                    .await?;
                saved = Some((token, Instant::now()));
            }
        }
        // The stream has ended because the database was dropped or the cursor was killed.
        Ok(())
    }

    async fn open(&self, from: Option<&ResumePosition>) -> Result<Batches> {
        let mut options = AggregateOptions::default();
        options.batch_size = Some(AT_ONCE);
        options.read_concern = Some(ReadConcern::majority());
        let exec = Exec::on(self.odm.clone());
        let pipeline = pipeline(&self.sources, from);
        let changes = AggregateCommand::new(Place::database(), pipeline);
        exec.open(changes.with(options)).await
    }

    /// Stores jobs for the changes in a batch. Returns whether the batch contained any events.
    async fn enqueue_jobs(&self, batch: &Batch) -> Result<bool> {
        let mut sent: Vec<StreamMessage> = Vec::new();
        each_document(batch, |raw| {
            sent.extend(event::read(raw)?);
            Ok(())
        })?;
        let any = !sent.is_empty();
        for collection in jobs_for_events::dropped(&sent, &self.sources) {
            tracing::warn!(
                collection,
                "a source was dropped or renamed; jobs are stored for all its copies"
            );
            jobs_for_all_keys::enqueue(&[collection], &self.odm).await?;
        }
        jobs_for_events::enqueue(sent, &self.odm).await?;
        Ok(any)
    }

    /// Restarts the watcher if the oplog no longer contains the stored position.
    ///
    /// A job copies the current values of its source, so storing a job for every key repairs all copies. The server's
    /// time is read before the jobs are stored, so that the reopened stream contains all changes that are made in the
    /// meantime.
    async fn start_over(&self) -> Result<()> {
        let now = self.bookmark.now().await?;
        jobs_for_all_keys::enqueue(&self.sources, &self.odm).await?;
        self.bookmark.save(&now).await
    }
}
