//! Reads the events of a change stream, and reopens the stream after a lost connection.
//!
//! 1. The first batch of a stream is part of the reply that opens the stream. So the position is known as soon as the
//!    stream is open, even without events.
//! 2. The position is the token of the last event that was returned. If all events of a batch were returned, the
//!    position is the token of the batch. The server also sends tokens with empty batches, so the position of an idle
//!    stream stays current.
//! 3. If a `getMore` fails because of a lost connection, an election or a lost cursor, the stream is opened again after
//!    the last batch. Events are neither lost nor repeated, because the server returns a batch as a whole.

use std::{collections::VecDeque, time::Duration};

use futures_util::{Stream, stream};
use mongodb::{
    bson::RawDocumentBuf,
    options::{AggregateOptions, ReadConcern},
};

use super::{
    ResumeToken, inserted_document::completed, pipeline::Selection, resume_token::Position,
};
use crate::{
    client::{
        change_stream::{is_lost, position_after},
        command::AggregateCommand,
        odm::{Batch, Batches, Exec, each_document},
        place::Place,
    },
    error::{Error, ErrorKind, Result},
};

/// The pauses before the attempts to open a stream again. In each attempt, the driver also waits until it finds a
/// server.
const PAUSES: [Duration; 5] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
];

/// The events of one change stream.
pub(super) struct Feed {
    pub(super) selection: Selection,
    pub(super) options: AggregateOptions,
    pub(super) exec: Exec,
    /// The position after the last batch.
    pub(super) after: Option<ResumeToken>,
}

/// The events of one batch that have not been returned yet.
#[derive(Default)]
pub(super) struct Waiting {
    events: VecDeque<RawDocumentBuf>,
    end: Option<ResumeToken>,
}

impl Feed {
    /// Returns the statement that opens the stream after a position, or at the current time.
    pub(super) fn command(&self, after: Option<&ResumeToken>) -> Result<AggregateCommand> {
        let pipeline = self.selection.pipeline(after)?;
        let mut options = self.options.clone();
        options
            .read_concern
            .get_or_insert_with(ReadConcern::majority);
        // `$changeStream` must be the first stage, so the command must not add a filter on the kind. The pipeline
        // already contains such a filter.
        let model = self.selection.model;
        let place = Place::whole_collection(model.collection).for_model(model);
        Ok(AggregateCommand::new(place, pipeline).with(options))
    }

    /// Opens the stream, and returns its first batch.
    pub(super) async fn open(&mut self) -> Result<(Batches, Waiting)> {
        let (batches, waiting) = match self.open_after(self.after.as_ref()).await {
            Ok(opened) => opened,
            Err(error) => {
                let fails_anywhere = self.fails_anywhere(&error).await;
                return Err(if fails_anywhere {
                    error
                } else {
                    self.explain(error, true)
                });
            }
        };
        self.move_to(&waiting);
        Ok((batches, waiting))
    }

    async fn open_after(&self, after: Option<&ResumeToken>) -> Result<(Batches, Waiting)> {
        let mut batches = self.exec.open(self.command(after)?).await?;
        let first = batches.next().await?;
        let waiting = first.as_ref().map(read_batch).transpose()?;
        Ok((batches, waiting.unwrap_or_default()))
    }

    /// Returns whether the position is not the reason of an error, because the stream cannot be opened without the
    /// position either. For example, the codes for a malformed position can also mean that the filter is invalid.
    async fn fails_anywhere(&self, error: &Error) -> bool {
        if self.after.is_none() || !is_lost(error, true) {
            return false;
        }
        let opened = self.open_after(None).await;
        opened.is_err_and(|other| other.server_code() == error.server_code())
    }

    /// Returns the next batch and the cursor, or `None` if the stream has ended.
    async fn next(&mut self, batches: Batches) -> Result<Option<(Batches, Waiting)>> {
        let (batches, next) = batches.next_in_task().await?;
        match next {
            Ok(None) => Ok(None),
            Ok(Some(batch)) => {
                let waiting = read_batch(&batch)?;
                self.move_to(&waiting);
                Ok(Some((batches, waiting)))
            }
            Err(error) if is_resumable(&error) => self.reopen(error).await.map(Some),
            Err(error) => Err(self.explain(error, false)),
        }
    }

    async fn reopen(&mut self, mut error: Error) -> Result<(Batches, Waiting)> {
        for pause in PAUSES {
            tracing::debug!(%error, "the change stream is opened again");
            tokio::time::sleep(pause).await;
            match self.open().await {
                Err(again) if is_resumable(&again) => error = again,
                opened => return opened,
            }
        }
        Err(error)
    }

    fn move_to(&mut self, waiting: &Waiting) {
        if waiting.end.is_some() {
            self.after.clone_from(&waiting.end);
        }
    }

    /// Converts an error to `InvalidResumeToken` if the server no longer stores the changes after the position.
    fn explain(&self, error: Error, opening: bool) -> Error {
        if self.after.is_some() && is_lost(&error, opening) {
            return Error::InvalidResumeToken(format!(
                "the change stream of `{}` cannot continue at its token: {error}; open a stream without a token, and then \
                 read all documents again",
                self.selection.model.name
            ));
        }
        error
    }
}

/// Returns the events of an open stream. The stream ends when the collection is dropped or renamed.
pub(super) fn events(
    feed: Feed,
    batches: Batches,
    waiting: Waiting,
    position: Position,
) -> impl Stream<Item = Result<RawDocumentBuf>> + Send + 'static {
    let start = (feed, batches, waiting);
    stream::try_unfold(start, move |(mut feed, mut batches, mut waiting)| {
        let position = position.clone();
        async move {
            loop {
                if let Some(event) = waiting.events.pop_front() {
                    let event = completed(event, feed.selection.model, &feed.exec).await?;
                    position.set(ResumeToken::of_event(&event));
                    let has_ended = event
                        .get_str("operationType")
                        .is_ok_and(|kind| kind == "invalidate");
                    return Ok((!has_ended).then_some((event, (feed, batches, waiting))));
                }
                position.set(waiting.end.take());
                match feed.next(batches).await? {
                    Some(next) => (batches, waiting) = next,
                    None => return Ok(None),
                }
            }
        }
    })
}

fn read_batch(batch: &Batch) -> Result<Waiting> {
    let mut waiting = Waiting::default();
    each_document(batch, |event| {
        waiting.events.push_back(event.to_owned());
        Ok(())
    })?;
    let end = batch.reply().and_then(position_after);
    waiting.end = end.and_then(ResumeToken::of_batch);
    Ok(waiting)
}

/// Returns whether the stream can be opened again after this error.
fn is_resumable(error: &Error) -> bool {
    // The codes of `CursorNotFound` and `CursorKilled`.
    const LOST_CURSOR: [i32; 2] = [43, 237];
    error.kind() == ErrorKind::Unreachable
        || error.contains_label("ResumableChangeStreamError")
        || error
            .server_code()
            .is_some_and(|code| LOST_CURSOR.contains(&code))
}
