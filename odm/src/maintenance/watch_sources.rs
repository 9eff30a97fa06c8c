//! Watches source documents for writes that bypass the library, and enqueues jobs for these changes.
//!
//! A watcher reads the events of one change stream and stores a job for each change. The watcher stores its resume
//! token in `_odm_streams`.

mod change_stream;
mod event;
mod jobs_for_all_keys;
mod jobs_for_events;
mod pipeline;
mod resume_token;

use std::{collections::BTreeSet, pin::pin, time::Duration};

use futures_util::future::{Either, select};

use crate::{
    action::model::Model,
    client::odm::Odm,
    error::{Error, Result},
    graph::graph,
};

/// The shortest and the longest pause after an error.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Watches the sources of copies for writes that bypass the library, for example from mongosh or other services:
/// `odm.watch_sources().run_until(shutdown)`.
///
/// A watcher stores a job for each changed source. The jobs are run by [`Odm::worker`], by a handle's background task,
/// or by [`Odm::run_pending_jobs`].
///
/// # Sends
///
/// The watcher opens one change stream on the database. For an update, the server sends the id of the source and the
/// paths that were written. For events that contain a whole document, the server sends only the copied fields. A batch
/// of up to 1,000 events causes these statements:
///
/// 1. one `find` for each extended reference that could have copies of inserted sources, and one `find` for the keys of
///    updated sources if the key is not the `_id`
/// 2. one `update` that stores the jobs in `_odm_jobs`
/// 3. one `update` that stores the resume token in `_odm_streams`
///
/// # Guarantees
///
/// - Both updates are acknowledged by a majority before the next batch is fetched. So memory use is bounded, and a job
///   is stored at least once for each event.
/// - The watcher recognizes the library's own writes by the job in the same transaction, and does not store a second
///   job. The exception is a write of a child that only adds to summaries, which stores no job. For such a write, the
///   parent's derived data is recomputed, with the same result.
/// - Several concurrent watchers store the same jobs, which is harmless.
///
/// # Detected changes
///
/// | write to a source by another program | effect |
/// |---|---|
/// | a copied field or the key is changed | copies are updated |
/// | a document is inserted, and its key is already stored beside copies | copies are updated |
/// | a document is replaced | copies are updated |
/// | a document is deleted | copies become null if `on_delete` requires it; `nullify`, `pull` and `cascade` are executed |
/// | the collection is dropped, renamed, or replaced by `$out` | copies are updated from the new collection; references are not changed, because a restore from a backup begins with a drop |
///
/// # Limits
///
/// A watcher does not detect the following changes, but [`Odm::verify`] finds the resulting differences:
///
/// - A child is deleted, for example by a TTL index, and its parent has a summary, a recent list or a two-way array.
///   The event contains the parent's key only if the model of the child has `pre_images`.
/// - An update removes a key that is not the `_id` of the source, for example `parts.id` when a part is removed from a
///   product. The event contains the old key only if `changeStreamPreAndPostImages` is enabled on the source
///   collection.
/// - An element is removed from one of two arrays that refer to each other, while the other array still contains the
///   counterpart.
/// - Another program changes or inserts copies rather than their sources, or changes the reference beside a copy. After
///   a change to the reference, the document still contains the values of the earlier source.
///
/// The watcher has further limits:
///
/// - `on_delete = "restrict"` is not enforced, because the document is already deleted when the watcher sees the event.
/// - Copies that only other programs declare are not updated. Run a watcher in those programs, too.
/// - Changes that were made before the watcher's first start, or before a copy was declared, are not detected.
/// - A `save` through the library that changes no copied field still stores a job, unless the collection has
///   pre-images. The job changes nothing.
///
/// # Lost history
///
/// The oplog may no longer contain the stored resume token (server errors 286, 260 and 280). The watcher then stores
/// jobs for all keys of copies, and reopens the stream at a time before it stored these jobs. Deletes that the watcher
/// has missed do not trigger delete rules.
///
/// # Requirements
///
/// - a replica set or a sharded cluster, with MongoDB 6.0 or later
/// - if the watcher should use pre-images: `#[model(pre_images)]`, and a call of [`Odm::sync_indexes`], which enables
///   pre-images on the server
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
/// let watcher = tokio::spawn(odm.watch_sources().run_until(async {
///     _ = stopped.await;
/// }));
/// // Later, before the program ends:
/// _ = stop.send(());
/// watcher.await.expect("the watcher does not panic")?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a watcher works when it is run"]
pub struct WatchSources {
    odm: Odm,
    only: Option<BTreeSet<&'static str>>,
}

impl Odm {
    /// Returns a watcher for writes that bypass the library.
    ///
    /// # Examples
    ///
    /// See [`WatchSources`].
    pub fn watch_sources(&self) -> WatchSources {
        WatchSources {
            odm: self.clone(),
            only: None,
        }
    }
}

impl WatchSources {
    /// Watches only the collection of the model `M`. Call this method again to add more collections.
    ///
    /// The watcher covers all models in the collection. Watchers for different collections store separate resume
    /// tokens.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.watch_sources().only::<Author>().run().await?;
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        let only = self.only.get_or_insert_default();
        only.insert(M::SHAPE.collection);
        self
    }

    /// Watches until the future is dropped. Server errors are logged, and the stream is reopened.
    ///
    /// # Errors
    ///
    /// [`Error::NoChangeStreams`] on a standalone server, and [`Error::Invalid`] if none of the collections can be
    /// watched.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.watch_sources().run().await?;
    /// # Ok(()) }
    /// ```
    pub async fn run(self) -> Result<()> {
        self.run_until(std::future::pending()).await
    }

    /// Watches until the given future completes, for example a future that waits for a signal. The next run also
    /// processes the events that arrive between the two runs.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`run`](Self::run).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future is safe: the next run continues after the last stored resume token.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use std::time::Duration;
    ///
    /// let stopped = tokio::time::sleep(Duration::from_secs(60));
    /// odm.watch_sources().run_until(stopped).await?;
    /// # Ok(()) }
    /// ```
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<()> {
        let mut shutdown = pin!(shutdown);
        match select(shutdown.as_mut(), pin!(self.watch())).await {
            Either::Left(_) => Ok(()),
            Either::Right((ended, _)) => ended,
        }
    }

    async fn watch(&self) -> Result<()> {
        let sources = self.sources()?;
        if !self.odm.has_transactions().await? {
            return Err(Error::NoChangeStreams);
        }
        self.odm.ready_for(&[], true).await?;
        let watched = change_stream::SourceStream::new(&self.odm, sources);
        let mut pause = PAUSE.0;
        loop {
            let mut marked = false;
            if let Err(error) = watched.follow(&mut marked).await {
                tracing::warn!(%error, "the change stream of sources is opened again");
            }
            pause = if marked { PAUSE.0 } else { pause };
            tokio::time::sleep(pause.mul_f64(0.5 + fastrand::f64())).await;
            pause = (pause * 2).min(PAUSE.1);
        }
    }

    /// Lists the collections that this watcher covers.
    fn sources(&self) -> Result<Vec<&'static str>> {
        let all: BTreeSet<&'static str> = graph().watchable().collect();
        let Some(only) = &self.only else {
            let none = || {
                Error::invalid(
                    "no model has a field that other documents copy, so there is nothing to watch"
                        .to_owned(),
                )
            };
            return (!all.is_empty())
                .then(|| all.into_iter().collect())
                .ok_or_else(none);
        };
        match only.difference(&all).next() {
            None => Ok(only.iter().copied().collect()),
            Some(none) => Err(Error::invalid(format!(
                "no field of `{none}` is copied to other documents; remove it from the watched models"
            ))),
        }
    }
}
