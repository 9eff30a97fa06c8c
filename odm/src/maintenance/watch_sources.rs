//! Watches sources for writers that bypass the library, and enqueues jobs for their changes.
//!
//! The events of one change stream become jobs. `_odm_streams` stores the resume token.

mod change_stream;
mod event;
mod jobs_for_all_keys;
mod jobs_for_events;
mod lost_history;
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

/// First and longest pause after an error.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Watches the sources of copies for writers that bypass the library, such as mongosh or other services:
/// `odm.watch_sources().run_until(shutdown)`.
///
/// It stores a job for each changed source. The jobs are run by [`Odm::worker`], by the background task of a handle, or
/// by [`Odm::run_pending_jobs`].
///
/// # Sends
///
/// One change stream on the database. The server sends the id of a changed source and the paths that an update wrote.
/// Of a whole document it sends only the copied fields. A batch of up to 1,000 events becomes:
///
/// 1. one `find` for each extended reference that could have copies of inserted sources, and one `find` of the keys of
///    updated sources that are not their `_id`
/// 2. one `update` of `_odm_jobs`
/// 3. one `update` of `_odm_streams`, which stores the resume token
///
/// # Guarantees
///
/// - Both updates are acknowledged by a majority before the next batch is fetched. So memory stays bounded, and the job
///   of every event is stored at least once.
/// - The library recognizes its own writes by the job in their transaction, and stores no second job. Exception: the
///   insert of a child has no job. Its parent is computed once more, without a change.
/// - Several watchers at the same time store the same jobs, which is harmless.
///
/// # Detected changes
///
/// | write to a source by another program | effect |
/// |---|---|
/// | a copied field, or the key, changes | copies are updated |
/// | a document is inserted with a key that copies already have | copies are updated |
/// | a document is replaced | copies are updated |
/// | a document is deleted | copies become null if `on_delete` requires it; `nullify`, `pull` and `cascade` are executed |
/// | the collection is dropped, renamed, or replaced by `$out` | copies are updated from the new collection; references are not changed, because a restore begins with a drop |
///
/// # Limits
///
/// These changes are not detected. Verification finds them:
///
/// - An update removes a key that is not the `_id` of the source, for example `parts.id` in a product that loses a
///   part. The event contains the old key only with `changeStreamPreAndPostImages` on the collection of the source.
/// - An element is removed from one of two arrays that refer to each other. The other array still contains it.
/// - Another program changes or inserts copies, not their sources.
///
/// Further limits:
///
/// - `on_delete = "restrict"` has no effect, because the document is already deleted.
/// - Copies that only other programs declare are not updated. Run a watcher in these programs, too.
/// - Changes before the first start, or before the declaration of a copy, are not detected.
/// - A `save` through the library that changes no copied field gets a job, unless the collection has pre-images. The
///   job changes nothing.
///
/// # Lost history
///
/// The oplog may no longer contain the stored resume token (server errors 286, 260 and 280). Then the watcher stores
/// jobs for all keys of copies, and opens the stream at the time before these jobs. References are not changed.
///
/// # Requirements
///
/// - a replica set or a sharded cluster, with MongoDB 6.0 or later
/// - for pre-images: `db.runCommand({ collMod: "products", changeStreamPreAndPostImages: { enabled: true } })`
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
    /// Returns a watcher for writers that bypass the library.
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
    /// Watches only the collection of a model. Further calls add further collections.
    ///
    /// All models of the collection are included. A watcher of other collections has its own resume token.
    pub fn only<M: Model>(mut self) -> Self {
        let only = self.only.get_or_insert_default();
        only.insert(M::SHAPE.collection);
        self
    }

    /// Runs until its future is dropped. Errors of the server are logged, and the stream is opened again.
    ///
    /// # Errors
    ///
    /// [`Error::NoChangeStreams`] on a standalone server, and [`Error::Invalid`] if there is nothing to watch.
    pub async fn run(self) -> Result<()> {
        self.run_until(std::future::pending()).await
    }

    /// Runs until the given future is ready, for example a signal. The next run processes the remaining events.
    ///
    /// # Errors
    ///
    /// The errors of [`run`](Self::run).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future is safe: the next run continues after the last stored resume token.
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

    /// Lists the collections to watch.
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
