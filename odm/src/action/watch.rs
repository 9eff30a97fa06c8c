//! Typed change streams: the builder returned by `watch`, and the stream of its events.

mod event;
mod feed;
mod field_changes;
mod inserted_document;
mod pipeline;
mod resume_token;

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{Stream, TryStreamExt, future::ready, stream::BoxStream};
use mongodb::options::AggregateOptions;

pub use event::{ChangeEvent, DocumentChange};
pub use field_changes::FieldChanges;
pub use resume_token::ResumeToken;

use super::with_model;
use crate::{
    client::{
        command::{Command, ListCollectionsCommand},
        odm::{Exec, into_future, traced, traced_stream},
        place::Place,
        plan::Plan,
    },
    error::{Error, Result},
    index::pre_images::without_pre_images,
    model::{derive_traits::Described, pre_images::PreImages, shape::ModelShape},
    query::filter::{Filter, IntoFilter},
    setters::option_setters,
};
use feed::Feed;
use pipeline::{Selection, computed_paths};
use resume_token::Position;

/// A call that opens a change stream: `Task::watch(&odm).filter(..)`.
///
/// When the call returns, the stream is open. The stream contains each later change to the model's documents, in the
/// order in which the server has committed the changes. If you open the stream first and then read the documents, you
/// miss no change.
///
/// # Sends
///
/// One `aggregate` with the stage `$changeStream`. While your code reads the stream, the stream sends one `getMore`
/// after another. The server replies as soon as there are events, or after one second. With
/// [`with_before`](Self::with_before), the call first sends one `listCollections`.
///
/// # Index
///
/// A change stream reads the oplog. For each update, the server also reads the current document by its `_id`, or the
/// pre-image if you call [`with_before`](Self::with_before).
///
/// # Upserts
///
/// If an upsert inserts a document that has copies or summaries, the stream reads the document by its `_id`, because
/// the server's event does not contain these fields. So [`Inserted`](DocumentChange::Inserted) can already contain
/// later changes. The stream also reports the updates that add the fields, unless you call
/// [`own_fields`](Self::own_fields). A filter on such a field does not match the insert.
///
/// # Kinds
///
/// If the model is one of several kinds in a collection, the stream contains only changes to documents of this kind.
/// Without pre-images, the event of a delete contains only the `_id`, so the server cannot check the kind. The section
/// Limits describes the consequences.
///
/// # Reconnecting
///
/// After a lost connection or an election, the library opens the stream again at its last position. No event is lost or
/// repeated. If reopening the stream fails several times, the stream returns the error and ends. You can then open a
/// new stream after [`ChangeStream::token`].
///
/// The stream ends without an error if the collection is dropped or renamed. If you open a new stream after the token
/// of the old stream, the new stream contains the changes to a new collection of the same name.
///
/// # Limits
///
/// - If a model declares `#[model(pre_images)]`, the server keeps pre-images: each document as it was before a change.
///   Without them, a stream cannot apply the kind or the filter to a deleted document. So the stream contains the
///   deletes of all documents in the collection. The only exception: a stream of one kind leaves out a delete if the
///   `_id` does not have the type of the model's ids.
/// - A document can be deleted before the server sends the event of an earlier update. Without `with_before`, a stream
///   that has a filter or contains only one kind then leaves out the update, and contains only the delete. This also
///   applies to a delete that marks the document because its model has `#[deleted_at]`.
/// - The server cannot send an event that is larger than 16 MB.
/// - A change stream cannot be opened in a transaction. The changes of a transaction appear when it is committed.
///
/// # Errors
///
/// - [`Error::NoChangeStreams`] on a standalone server.
/// - [`Error::InvalidResumeToken`] if the stream cannot start after the given token. To exclude other reasons, the
///   library also opens the stream without the token.
/// - [`Error::Invalid`] if the filter contains a top-level operator such as `$expr`, except for `$and`, `$or` and
///   `$nor`.
/// - [`Error::Invalid`] if [`with_before`](Self::with_before) was called and the collection does not keep pre-images.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "tasks")]
/// # struct Task { #[serde(rename = "_id")] id: Id<Task>, title: String, is_done: bool }
/// use futures_util::TryStreamExt;
/// use mongo_odm::action::DocumentChange;
///
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let task = Task::fields();
/// let mut changes = Task::watch(&odm).filter(task.is_done.eq(false)).await?;
/// while let Some(event) = changes.try_next().await? {
///     match event.change {
///         DocumentChange::Inserted(new) => println!("new: {}", new.title),
///         DocumentChange::Updated { id, changes, .. } => {
///             println!("{id}: {:?}", changes.get(task.title)?);
///         }
///         DocumentChange::Deleted { id, .. } => println!("{id} is deleted"),
///         _ => {}
///     }
/// }
/// # Ok(()) }
/// ```
#[must_use = "a change stream is opened when it is awaited"]
#[derive(Debug)]
pub struct Watch<M> {
    filter: Filter<M>,
    after: Option<ResumeToken>,
    with_before: bool,
    own_fields: bool,
    options: AggregateOptions,
    exec: Exec,
}

impl<M: Described> Watch<M> {
    pub(crate) fn new(exec: Exec) -> Self {
        Self {
            filter: Filter::all(),
            after: None,
            with_before: false,
            own_fields: false,
            options: AggregateOptions::default(),
            exec,
        }
    }

    /// Selects the changes to documents that match the filter. If you set several filters, they are combined with
    /// "and".
    ///
    /// The server applies the filter to the document after the change. If the collection keeps pre-images, the server
    /// also applies the filter to the document before the change. In this case, the stream also contains updates after
    /// which the document no longer matches.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let best_sellers = Book::watch(&odm).filter(Book::fields().sold.gt(1_000)).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Starts the stream after the event to which the token belongs, instead of at the current time.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # use mongo_odm::action::ResumeToken;
    /// # async fn example(odm: Odm, stored: Option<ResumeToken>) -> mongo_odm::Result<()> {
    /// let changes = Book::watch(&odm).after(stored).await?;
    /// # Ok(()) }
    /// ```
    pub fn after(mut self, token: impl Into<Option<ResumeToken>>) -> Self {
        self.after = token.into();
        self
    }

    /// Adds the old document, as it was before the change, to the events of updates and deletes. The event of an update
    /// then contains the document directly after the change, without later changes.
    ///
    /// The model must declare `#[model(pre_images)]`, and [`Odm::sync_indexes`](crate::Odm::sync_indexes) must have
    /// enabled the pre-images on the server. The server removes a pre-image together with its entry in the oplog.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// use futures_util::TryStreamExt;
    /// use mongo_odm::action::DocumentChange;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks", pre_images)]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     title: String,
    /// }
    ///
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let mut changes = Task::watch(&odm).with_before().own_fields().await?;
    /// while let Some(event) = changes.try_next().await? {
    ///     if let DocumentChange::Deleted { before: Some(task), .. } = event.change {
    ///         println!("{} was deleted", task.title);
    ///     }
    /// }
    /// # Ok(()) }
    /// ```
    pub fn with_before(mut self) -> Self
    where
        M: PreImages,
    {
        self.with_before = true;
        self
    }

    /// Leaves out updates that change only copies, summaries and recent lists, which are fields that the library
    /// writes. Arrays of a two-way reference are also such fields, if the other end is a single reference. See the
    /// example at [`with_before`](Self::with_before).
    ///
    /// # Limits
    ///
    /// - If an update changes large parts of a document, the server can log the update as a replacement of the whole
    ///   document. The stream leaves out such an event only with [`with_before`](Self::with_before).
    /// - With [`with_before`](Self::with_before), the stream also leaves out a save that only reorders such a two-way
    ///   array, if the server logs the save as a replacement.
    /// - For an enum over several kinds, a field that is computed in one of the kinds counts as computed in all kinds.
    ///
    /// # Examples
    ///
    /// See [`with_before`](Self::with_before).
    pub const fn own_fields(mut self) -> Self {
        self.own_fields = true;
        self
    }

    option_setters!(comment, read_preference);
    option_setters!(@ any options: AggregateOptions);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let with_before = self.with_before;
        let feed = self.into_feed()?;
        let mut plan = feed.exec.plan_read(feed.command(feed.after.as_ref())?)?;
        if with_before {
            let listed = ListCollectionsCommand::new().statement();
            plan.statements.insert(0, listed);
        }
        Ok(plan)
    }

    fn into_feed(self) -> Result<Feed> {
        let filter = self.filter.into_document().map_err(with_model::<M>)?;
        let mut place = Place::of(M::SHAPE).for_tenant_of_handle();
        place.resolve_tenant(self.exec.odm().tenancy())?;
        let computed = self.own_fields.then(|| computed_paths(M::SHAPE));
        Ok(Feed {
            selection: Selection {
                model: M::SHAPE,
                filter,
                place,
                with_before: self.with_before,
                left_out: computed.unwrap_or_default(),
            },
            options: self.options,
            exec: self.exec,
            after: self.after,
        })
    }

    async fn open(self) -> Result<ChangeStream<M>> {
        let mut feed = self.into_feed()?;
        check_server(&feed).await?;
        let start = feed.after.clone();
        let (batches, waiting) = feed.open().await?;
        // Every server that has change streams sends a token with the first batch.
        let start = start.or_else(|| feed.after.clone());
        let position = Position::new(start.ok_or(Error::NoChangeStreams)?);
        let left_out = feed.selection.left_out.clone();
        let events = feed::events(feed, batches, waiting, position.clone());
        let events = events.try_filter_map(move |event| ready(event::read::<M>(&event, &left_out)));
        Ok(ChangeStream {
            events: Box::pin(traced_stream(M::SHAPE, "watch", events)),
            position,
        })
    }
}

/// Fails if the server does not have change streams, or does not keep the pre-images that the stream requires.
async fn check_server(feed: &Feed) -> Result<()> {
    let (odm, selection) = (feed.exec.odm(), &feed.selection);
    if !odm.has_transactions().await? {
        return Err(Error::NoChangeStreams);
    }
    let model = selection.model;
    let needed = selection.with_before.then_some(model.collection);
    let lacking = without_pre_images(odm, &needed.into_iter().collect()).await?;
    if lacking.is_empty() {
        return Ok(());
    }
    Err(no_pre_images(model))
}

fn no_pre_images(model: &'static ModelShape) -> Error {
    let message = format!(
        "the server does not keep pre-images for `{}`, which are the documents before each change; call \
         `odm.sync_indexes()`, which enables them for a model with `#[model(pre_images)]`",
        model.collection
    );
    Error::invalid(message).in_model(model)
}

into_future!([M: Described] Watch<M> => ChangeStream<M>, |it| traced(M::SHAPE, "watch", it.open()));

/// An open change stream. [`Watch`] describes the events that the stream contains, and the conditions under which it
/// ends.
///
/// This type implements `Stream`. To read the events, use the methods of `TryStreamExt` from the crate `futures-util`.
///
/// # Errors
///
/// [`Error::Decode`] if a document does not match the struct. The next call then returns the next event. After any
/// other error, the stream ends.
///
/// # Cancel safety
///
/// If you drop the future of `try_next`, for example in `tokio::select!`, no event is lost.
pub struct ChangeStream<M: Described> {
    events: BoxStream<'static, Result<ChangeEvent<M>>>,
    position: Position,
}

impl<M: Described> ChangeStream<M> {
    /// Returns the current position of the stream. To continue there later, pass the token to [`Watch::after`].
    ///
    /// Usually the position is the token of the last event. The position also advances without events. Save the
    /// position from time to time even if there are no events, because the server keeps changes only for a limited
    /// period.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use futures_util::StreamExt;
    ///
    /// let mut changes = Book::watch(&odm).await?;
    /// let event = changes.next().await;
    /// let position = changes.token();
    /// let later = Book::watch(&odm).after(position).await?;
    /// # Ok(()) }
    /// ```
    pub fn token(&self) -> ResumeToken {
        self.position.get()
    }
}

impl<M: Described> Stream for ChangeStream<M> {
    type Item = Result<ChangeEvent<M>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().events.as_mut().poll_next(context)
    }
}

impl<M: Described> fmt::Debug for ChangeStream<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeStream")
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
