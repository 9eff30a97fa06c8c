//! What a verification tells while it runs.

use futures_util::{Stream, TryStreamExt, stream};
use tokio::sync::mpsc;

use super::finding::Drifted;
use crate::{
    error::{Error, Result},
    maintenance::progress::Walk,
};

/// What a verification has found or done.
#[derive(Debug)]
pub(super) enum Event {
    Found(Vec<Drifted>),
    /// So many copies, references or arrays were looked at.
    Checked(u64),
    /// So many copies differ and have a job that will correct them.
    Pending(u64),
}

/// Takes events; waits until those before were taken, so that no more than one page is in memory.
#[derive(Clone, Debug)]
pub(super) struct EventSender {
    sender: mpsc::Sender<Event>,
    /// What is told how far it is, if somebody asked for it.
    walk: Option<Walk>,
}

impl EventSender {
    /// Tells somebody how far it is.
    pub(super) fn walking(mut self, walk: Walk) -> Self {
        self.walk = Some(walk);
        self
    }

    /// Begins a check of so many documents.
    pub(super) fn stage(&self, documents: u64) {
        if let Some(walk) = &self.walk {
            walk.stage(documents);
        }
    }

    pub(super) async fn add_page(&self, page: Vec<Drifted>) -> Result<()> {
        if page.is_empty() {
            return Ok(());
        }
        self.send(Event::Found(page)).await
    }

    pub(super) async fn checked(&self, count: u64) -> Result<()> {
        if let Some(walk) = &self.walk {
            walk.add(count);
        }
        self.send(Event::Checked(count)).await
    }

    pub(super) async fn pending(&self, count: u64) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        self.send(Event::Pending(count)).await
    }

    async fn send(&self, event: Event) -> Result<()> {
        // The receiver lives as long as the future that sends; they are parts of one stream.
        let sent = self.sender.send(event).await;
        sent.map_err(|_| Error::invalid("the stream of a verification was taken apart".to_owned()))
    }
}

/// Turns a function that sends events into their stream; nothing runs unless the stream is polled.
pub(super) fn events<Running>(
    run: impl FnOnce(EventSender) -> Running + Send + 'static,
) -> impl Stream<Item = Result<Event>> + Send + 'static
where
    Running: Future<Output = Result<()>> + Send + 'static,
{
    let (sender, mut receiver) = mpsc::channel(1);
    let out = EventSender { sender, walk: None };
    let sent = stream::poll_fn(move |context| receiver.poll_recv(context).map(|it| it.map(Ok)));
    let running = stream::once(Box::pin(run(out))).try_filter_map(async |()| Ok(None));
    stream::select(sent, running)
}
