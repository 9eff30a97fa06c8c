//! The stream that returns findings while a verification runs.

use futures_util::{Stream, TryStreamExt, stream};
use tokio::sync::mpsc;

use super::finding::Drifted;
use crate::{
    error::{Error, Result},
    maintenance::progress::Walk,
};

/// An event in a running verification.
#[derive(Debug)]
pub(in crate::maintenance) enum Event {
    /// A page of findings.
    Found(Vec<Drifted>),
    /// Number of copies, references or arrays that were compared.
    Checked(u64),
    /// Number of differences that a job will correct.
    Pending(u64),
}

/// Sends the events of a verification. A send waits until the previous event has been received, so that at most one
/// page of findings is in memory.
#[derive(Clone, Debug)]
pub(in crate::maintenance) struct EventSender {
    sender: mpsc::Sender<Event>,
    /// The progress to update, if the caller has set a progress function.
    walk: Option<Walk>,
}

impl EventSender {
    /// Sets the progress that this sender updates while documents are read.
    pub(in crate::maintenance) fn walking(mut self, walk: Walk) -> Self {
        self.walk = Some(walk);
        self
    }

    /// Starts the progress stage of a check that reads the given number of documents.
    pub(in crate::maintenance) fn stage(&self, documents: u64) {
        if let Some(walk) = &self.walk {
            walk.stage(documents);
        }
    }

    pub(in crate::maintenance) async fn add_page(&self, page: Vec<Drifted>) -> Result<()> {
        if page.is_empty() {
            return Ok(());
        }
        self.send(Event::Found(page)).await
    }

    pub(in crate::maintenance) async fn checked(&self, count: u64) -> Result<()> {
        if let Some(walk) = &self.walk {
            walk.add(count);
        }
        self.send(Event::Checked(count)).await
    }

    pub(in crate::maintenance) async fn pending(&self, count: u64) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        self.send(Event::Pending(count)).await
    }

    async fn send(&self, event: Event) -> Result<()> {
        // The send cannot fail, because the receiver belongs to the same stream and exists as long as the sender runs.
        let sent = self.sender.send(event).await;
        sent.map_err(|_| Error::invalid("the receiver of a verification was dropped".to_owned()))
    }
}

/// Converts a function that sends events into a stream of these events. The function runs only while the
/// stream is polled.
pub(in crate::maintenance) fn events<Running>(
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
