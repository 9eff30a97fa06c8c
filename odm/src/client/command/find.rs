//! The command `find`, and the cursor that it opens.

use mongodb::{
    ClientSession, Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{Collation, CursorType, FindOptions, Hint},
    raw_batch_cursor::{RawBatchCursor, SessionRawBatchCursor},
};

use super::{
    Command, Paper, Search, Sending, Session,
    conditions::and,
    mongosh_options::{encoded, hint, millis, mode, number},
    shared_methods::{read_by_filter, search},
};
use crate::client::{place::Place, plan::Statement};

/// A batch size that no reply reaches in practice, because a reply is limited to 16 MB.
pub(super) const LARGE_BATCH: u32 = 100_000;

/// Returns the batch size for a query that returns at most this number of documents. The batch has room for one more
/// document, so that the server closes the cursor with the first batch. Returns `None` if the number is larger than any
/// batch size that the driver accepts.
pub(crate) fn batch_size_for(documents: u64) -> Option<u32> {
    let size = i32::try_from(documents.saturating_add(1)).ok()?;
    Some(size.unsigned_abs())
}

/// The largest skip, and the largest limit. A router adds the two numbers, and rejects a sum above `i64::MAX`.
const FARTHEST: i64 = i64::MAX / 2;

/// Returns the limit of a query that returns at most this number of documents.
pub(crate) fn limit_of(documents: usize) -> i64 {
    i64::try_from(documents).map_or(FARTHEST, |limit| limit.min(FARTHEST))
}

/// Returns the skip of a query that skips this number of documents.
pub(crate) fn skip_of(documents: usize) -> u64 {
    limit_of(documents).unsigned_abs()
}

/// A query for documents.
#[derive(Clone, Debug)]
pub(crate) struct FindCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) options: FindOptions,
    /// Whether a plan assumes that no document matches.
    pub(super) finds_none: bool,
}

/// The cursor of a `find` or an aggregation.
pub(crate) enum ServerCursor {
    Paper(Vec<RawDocumentBuf>),
    Free(Box<RawBatchCursor>),
    /// A cursor in the session of a transaction.
    InSession(Box<SessionRawBatchCursor>),
    /// A cursor in a session of its own.
    WithSession(Box<SessionRawBatchCursor>, Box<ClientSession>),
}

impl ServerCursor {
    /// Returns a cursor over the documents that a plan assumes to exist.
    pub(super) fn paper(documents: &[Document]) -> Self {
        let raw = documents.iter().map(RawDocumentBuf::try_from);
        Self::Paper(raw.filter_map(Result::ok).collect())
    }

    /// Stores the session of a causally consistent handle in the cursor, which needs the session for further batches.
    pub(super) fn with_session(self, session: ClientSession) -> Self {
        match self {
            Self::InSession(cursor) => Self::WithSession(cursor, Box::new(session)),
            other => other,
        }
    }
}

impl FindCommand {
    /// Returns a query that reads documents in full.
    pub(crate) fn new(place: Place, filter: Document) -> Self {
        Self {
            place,
            filter,
            options: FindOptions::default(),
            finds_none: false,
        }
    }

    /// Returns a query for the documents that match the search of another statement.
    pub(crate) fn of_search(search: &Search<'_>, place: Place) -> Self {
        let mut find = Self::new(place, search.filter.clone().into_owned());
        find.options.sort = search.sort.cloned();
        find.options.collation = search.collation.cloned();
        find.options.let_vars = search.let_vars.cloned();
        find.options.hint = search.hint.cloned();
        find
    }

    /// Adds a condition to the filter.
    pub(crate) fn and(mut self, condition: Document) -> Self {
        self.filter = and(self.filter, condition);
        self
    }

    /// Reads only the fields in the projection.
    pub(crate) fn select(mut self, projection: Document) -> Self {
        self.options.projection = Some(projection);
        self
    }

    /// Makes a plan assume that no document matches. This method is for queries that usually find nothing.
    pub(crate) fn finds_none(mut self) -> Self {
        self.finds_none = true;
        self
    }

    /// Reads only the ids.
    pub(crate) fn ids(self) -> Self {
        self.select(doc! { "_id": 1 })
    }

    pub(crate) fn sort(mut self, sort: impl Into<Option<Document>>) -> Self {
        self.options.sort = sort.into();
        self
    }

    /// Finds at most one document. The limit is negative, so that the server sends one batch and
    /// does not keep a cursor.
    pub(crate) fn first(mut self) -> Self {
        (self.options.limit, self.options.batch_size) = (Some(-1), None);
        self
    }

    /// Finds at most this number of documents, in one batch.
    pub(crate) fn at_most(mut self, documents: usize) -> Self {
        self.options.limit = Some(limit_of(documents));
        self.options.batch_size = batch_size_for(documents as u64);
        self
    }

    /// Makes the first batch as large as a reply allows. This method is for callers that read all documents.
    pub(crate) fn all(mut self) -> Self {
        self.options.batch_size.get_or_insert(LARGE_BATCH);
        self
    }

    pub(crate) fn batches_of(mut self, documents: u32) -> Self {
        self.options.batch_size = Some(documents);
        self
    }

    pub(crate) fn collation(mut self, collation: impl Into<Option<Collation>>) -> Self {
        self.options.collation = collation.into();
        self
    }

    pub(crate) fn hint(mut self, keys: impl Into<Option<Document>>) -> Self {
        self.options.hint = keys.into().map(Hint::Keys);
        self
    }

    /// Returns the documents that a plan assumes to match: one document or, if the filter contains a list, one for each
    /// of the first values in the list.
    fn assumed(&self, paper: &mut Paper) -> Vec<Document> {
        let lists_ids = self.options.projection == Some(doc! { "_id": 1 });
        let sort = self.options.sort.as_ref();
        if self.finds_none || lists_ids && paper.was_listed(&self.place, &self.filter, sort) {
            return Vec::new();
        }
        paper.matching(&self.place, &self.filter)
    }
}

impl Command for FindCommand {
    type Reply = ServerCursor;

    const NAME: &'static str = "find";

    read_by_filter!();

    search!([sort, collation, let_vars, hint], |it| it
        .options
        .limit
        .map(i64::unsigned_abs));

    fn keep_session(reply: ServerCursor, session: ClientSession) -> ServerCursor {
        reply.with_session(session)
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, ServerCursor> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            let find = collection.find(self.filter).with_options(self.options);
            Ok(match session {
                None => ServerCursor::Free(Box::new(find.batch().await?)),
                Some(session) => {
                    ServerCursor::InSession(Box::new(find.session(session).batch().await?))
                }
            })
        })
    }

    fn assume(&self, paper: &mut Paper) -> ServerCursor {
        ServerCursor::paper(&self.assumed(paper))
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let skip = options.skip.and_then(|skip| i64::try_from(skip).ok());
        let flag = |is_on: Option<bool>| is_on.map(Bson::Boolean);
        Statement::new(self.place.name(), "find")
            .argument(self.filter.clone())
            .options(options.projection.clone().unwrap_or_default())
            .then("sort", options.sort.clone())
            .then("skip", skip.map(number))
            .then("limit", options.limit.map(number))
            .then("hint", options.hint.as_ref().map(hint))
            .then("collation", options.collation.as_ref().map(encoded))
            .then("comment", options.comment.clone())
            .then("maxTimeMS", options.max_time.map(millis))
            .then("let", options.let_vars.clone())
            .then("min", options.min.clone())
            .then("max", options.max.clone())
            .then("allowDiskUse", flag(options.allow_disk_use))
            .then("noCursorTimeout", flag(options.no_cursor_timeout))
            .then("allowPartialResults", flag(options.allow_partial_results))
            .then("tailable", tailable(options.cursor_type))
            .then("maxAwaitTimeMS", options.max_await_time.map(millis))
            .then("returnKey", flag(options.return_key))
            .then("showRecordId", flag(options.show_record_id))
            .then("readConcern", options.read_concern.as_ref().map(encoded))
            .then(
                "readPref",
                options.selection_criteria.as_ref().and_then(mode),
            )
    }
}

fn tailable(kind: Option<CursorType>) -> Option<Bson> {
    let waits = match kind? {
        CursorType::Tailable => false,
        CursorType::TailableAwait => true,
        _ => return None,
    };
    Some(doc! { "awaitData": waits }.into())
}
