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

/// How long the watcher waits after an error, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Watches the sources of copies for writers that bypass the library (mongosh, other services), and
/// writes a job for each that they change: `odm.watch_sources().run_until(shutdown)`.
///
/// It marks and does no more. The jobs are run by [`Odm::worker`], by the background task of a handle,
/// or by [`Odm::run_pending_jobs`].
///
/// # What is sent
///
/// One change stream on the database. The server sends the id of a changed source, the paths that an
/// update wrote, and of a whole document only what is copied. A batch of up to 1,000 events becomes:
///
/// 1. for inserted sources one `find` for each extended reference that could have copies of them, and for updated
///    ones one `find` of the keys that are not their `_id`;
/// 2. one `update` of `_odm_jobs`;
/// 3. one `update` of `_odm_streams`, which saves the resume token.
///
/// Both updates are on a majority before the next batch is fetched, so memory stays bounded, the oplog is the
/// queue, and every event is marked at least once. What the library itself writes is told apart by its transaction, which
/// holds a job, and is not marked again. A child that was added to its parent has no job: it is marked, and the parent is
/// computed once more, which writes nothing. Several watchers at once do double work and no harm.
///
/// # What is seen
///
/// | foreign write to a source | copies |
/// |---|---|
/// | a field that is copied, or the key, changes | follow |
/// | a document is inserted under a key that copies already wait for | follow |
/// | a document is replaced | follow |
/// | a document is deleted | become null where `on_delete` says so; `nullify`, `pull` and `cascade` are carried out |
/// | the collection is dropped, renamed, or replaced by `$out` | follow what is there afterwards; references are left alone, because a restore begins with a drop |
///
/// # What is not seen
///
/// - Keys that a source had and has no longer, where they are not its `_id` (`parts.id` in a product
///   that gave a part up): the event names them only with `changeStreamPreAndPostImages` on the
///   source's collection. Without it, verification finds them.
/// - What was taken out of one of two arrays that name each other: the other one still names it. Verification finds it.
/// - Copies that a foreign writer changes or inserts in the documents that hold them: their sources
///   have not changed. Verification finds them.
/// - `on_delete = "restrict"`: the document is gone already.
/// - Copies that only other programs declare: run a watcher in these as well.
/// - What happened before the first start, or before a copy was declared.
/// - A `save` through the library that changes nothing that is copied is marked, unless the collection
///   has pre-images; its job finds nothing to do.
///
/// # When the history is lost
///
/// The oplog may have rolled over the saved token (server error 286; 260 and 280 mean the same here).
/// Then jobs for every key that copies have are written, and the stream is opened at the time at which
/// that began. References are left alone.
///
/// # Needs
///
/// A replica set or a sharded cluster, `MongoDB` 6.0 or later, and for pre-images
/// `db.runCommand({ collMod: "products", changeStreamPreAndPostImages: { enabled: true } })`.
#[derive(Clone, Debug)]
#[must_use = "a watcher works when it is run"]
pub struct WatchSources {
    odm: Odm,
    only: Option<BTreeSet<&'static str>>,
}

impl Odm {
    /// Returns a watcher for writers that bypass the library.
    pub fn watch_sources(&self) -> WatchSources {
        WatchSources {
            odm: self.clone(),
            only: None,
        }
    }
}

impl WatchSources {
    /// Watches only the collection of a model; further calls add further collections.
    ///
    /// All models of the collection count. A watcher with other collections has a resume token of its own.
    pub fn only<M: Model>(mut self) -> Self {
        let only = self.only.get_or_insert_default();
        only.insert(M::SHAPE.collection);
        self
    }

    /// Runs until its future is dropped. What the server reports is logged and tried again.
    ///
    /// # Errors
    ///
    /// [`Error::NoChangeStreams`] on a standalone server, and [`Error::Invalid`] if there is nothing to watch.
    pub async fn run(self) -> Result<()> {
        self.run_until(std::future::pending()).await
    }

    /// Runs until the given future is ready, a signal for instance. Events that are not marked by then
    /// are seen when it is run again.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
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
            let none = || Error::invalid("no model is copied elsewhere".to_owned());
            return (!all.is_empty())
                .then(|| all.into_iter().collect())
                .ok_or_else(none);
        };
        match only.difference(&all).next() {
            None => Ok(only.iter().copied().collect()),
            Some(none) => Err(Error::invalid(format!(
                "nothing of `{none}` is copied elsewhere; leave it out of the watched models"
            ))),
        }
    }
}
