//! The command `update` with a whole document.

use mongodb::{
    Database,
    bson::{Document, RawDocumentBuf},
    options::ReplaceOptions,
};

use super::{
    Command, Paper, Search, Sending, Session, Updated, in_session, mongosh_options::MongoshOptions,
};
use crate::client::{place::Place, plan::Statement};

/// A statement that replaces the first matching document.
#[derive(Clone, Debug)]
pub(crate) struct ReplaceCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) document: RawDocumentBuf,
    pub(crate) options: ReplaceOptions,
}

impl ReplaceCommand {
    pub(crate) fn one(place: Place, filter: Document, document: RawDocumentBuf) -> Self {
        Self {
            place,
            filter,
            document,
            options: ReplaceOptions::default(),
        }
    }
}

impl Command for ReplaceCommand {
    type Reply = Updated;

    const NAME: &'static str = "update";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(reply.modified + u64::from(reply.upserted_id.is_some()))
    }

    fn place(&self) -> &Place {
        &self.place
    }

    fn scoped(mut self, in_transaction: bool) -> Self {
        let concern = &mut self.options.write_concern;
        self.place.write_safely(in_transaction, concern);
        self.filter = self.place.scope(self.filter);
        self
    }

    fn search(&self) -> Option<Search<'_>> {
        let options = &self.options;
        let search = Search::new(&self.place, &self.filter)?
            .enough(Some(1))
            .collation(options.collation.as_ref())
            .let_vars(options.let_vars.as_ref())
            .hint(options.hint.as_ref());
        Some(search)
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Updated> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            let replace = collection.replace_one(self.filter, self.document);
            let done = in_session!(replace.with_options(self.options), session)?;
            Ok(done.into())
        })
    }

    fn assume(&self, paper: &mut Paper) -> Updated {
        if let Ok(document) = Document::try_from(&*self.document) {
            paper.store(&self.place, document);
        }
        Updated {
            matched: 1,
            modified: 1,
            upserted_id: None,
        }
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .flag("upsert", options.upsert == Some(true))
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("let", options.let_vars.clone())
            .with("comment", options.comment.clone())
            .with(
                "bypassDocumentValidation",
                options.bypass_document_validation,
            )
            .write_concern(options.write_concern.as_ref());
        Statement::new(self.place.name(), "replaceOne")
            .argument(self.filter.clone())
            .argument(Document::try_from(&*self.document).unwrap_or_default())
            .options(shown.0)
    }
}
