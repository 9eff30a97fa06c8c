//! The command `findAndModify` with an update.

use mongodb::{
    Database,
    bson::{Document, RawDocumentBuf},
    options::{FindOneAndUpdateOptions, ReturnDocument, UpdateModifications},
};

use super::{
    Command, OneDocument, Paper, Sending, Session, Target, in_session,
    mongosh_options::{MongoshOptions, modifications},
    one_document::inserted_id,
    shared_methods::{search, write_by_filter},
};
use crate::client::{place::Place, plan::Statement};

/// An update of the first matching document. The server returns this document.
#[derive(Clone, Debug)]
pub(crate) struct FindAndUpdateCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) update: UpdateModifications,
    pub(crate) options: FindOneAndUpdateOptions,
}

impl FindAndUpdateCommand {
    pub(crate) fn new(
        place: Place,
        filter: Document,
        update: impl Into<UpdateModifications>,
    ) -> Self {
        Self {
            place,
            filter,
            update: update.into(),
            options: FindOneAndUpdateOptions::default(),
        }
    }

    /// Makes the server return the document as it is after the update.
    pub(crate) fn return_new(mut self) -> Self {
        self.options.return_document = Some(ReturnDocument::After);
        self
    }

    pub(crate) fn returns_new(&self) -> bool {
        matches!(self.options.return_document, Some(ReturnDocument::After))
    }

    pub(crate) fn upsert(mut self) -> Self {
        self.options.upsert = Some(true);
        self
    }

    pub(crate) fn select(mut self, projection: Document) -> Self {
        self.options.projection = Some(projection);
        self
    }
}

impl Command for FindAndUpdateCommand {
    type Reply = Option<RawDocumentBuf>;

    const NAME: &'static str = "findAndModify";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(u64::from(reply.is_some()))
    }

    write_by_filter!();

    search!([sort, collation, let_vars, hint], |_| Some(1));

    fn one_document(&mut self) -> Option<OneDocument<'_, Self::Reply>> {
        Some(OneDocument {
            inserted_id: inserted_id(&self.update),
            filter: &mut self.filter,
            target: if self.options.upsert == Some(true) {
                Target::KeyOfInsert
            } else {
                Target::Key
            },
            upsert: Some(&mut self.options.upsert),
            unmatched: None,
        })
    }

    fn is_unmatched(reply: &Self::Reply) -> bool {
        reply.is_none()
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Self::Reply> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            let find = collection.find_one_and_update(self.filter, self.update);
            in_session!(find.with_options(self.options), session)
        })
    }

    /// Returns no document for the library's own collections, because their documents do not have a model.
    fn assume(&self, paper: &mut Paper) -> Self::Reply {
        self.place.model()?;
        let (before, after) = paper.update(&self.place, &self.filter, &self.update)?;
        let found = if self.returns_new() { after } else { before };
        RawDocumentBuf::try_from(&found).ok()
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .with("sort", options.sort.clone())
            .with("projection", options.projection.clone())
            .flag("returnNewDocument", self.returns_new())
            .with("arrayFilters", options.array_filters.clone())
            .with("upsert", options.upsert)
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("let", options.let_vars.clone())
            .with("comment", options.comment.clone())
            .max_time(options.max_time)
            .bypass_validation(options.bypass_document_validation)
            .write_concern(options.write_concern.as_ref());
        Statement::new(self.place.name(), "findOneAndUpdate")
            .argument(self.filter.clone())
            .argument(modifications(&self.update))
            .options(shown.0)
    }
}
