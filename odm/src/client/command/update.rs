//! The command `update` with one update.

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
    options::{Collation, Hint, UpdateModifications, UpdateOptions},
    results::UpdateResult,
};

use super::{
    Command, OneDocument, Paper, Sending, Session, Target,
    conditions::and,
    in_session,
    mongosh_options::{MongoshOptions, modifications},
    one_document::inserted_id,
    shared_methods::{search, write_by_filter},
};
use crate::client::{place::Place, plan::Statement};

/// An update of the first matching document, or of all matching documents.
#[derive(Clone, Debug)]
pub(crate) struct UpdateCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) modifications: UpdateModifications,
    pub(crate) many: bool,
    pub(crate) options: UpdateOptions,
}

/// The counts of one or several updates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Updated {
    pub(crate) matched: u64,
    pub(crate) modified: u64,
    pub(crate) upserted_id: Option<Bson>,
}

impl From<UpdateResult> for Updated {
    fn from(result: UpdateResult) -> Self {
        Self {
            matched: result.matched_count,
            modified: result.modified_count,
            upserted_id: result.upserted_id,
        }
    }
}

impl UpdateCommand {
    /// Returns an update of the first matching document.
    pub(crate) fn one(
        place: Place,
        filter: Document,
        update: impl Into<UpdateModifications>,
    ) -> Self {
        Self {
            place,
            filter,
            modifications: update.into(),
            many: false,
            options: UpdateOptions::default(),
        }
    }

    /// Returns an update of all matching documents.
    pub(crate) fn many(
        place: Place,
        filter: Document,
        update: impl Into<UpdateModifications>,
    ) -> Self {
        Self {
            many: true,
            ..Self::one(place, filter, update)
        }
    }

    pub(crate) fn upsert(mut self) -> Self {
        self.options.upsert = Some(true);
        self
    }

    pub(crate) fn array_filters(mut self, filters: Vec<Document>) -> Self {
        self.options.array_filters = Some(filters).filter(|filters| !filters.is_empty());
        self
    }

    pub(crate) fn collation(mut self, collation: Collation) -> Self {
        self.options.collation = Some(collation);
        self
    }

    pub(crate) fn hint(mut self, keys: impl Into<Option<Document>>) -> Self {
        self.options.hint = keys.into().map(Hint::Keys);
        self
    }

    /// Adds a condition to the filter.
    pub(crate) fn and(mut self, condition: Document) -> Self {
        self.filter = and(self.filter, condition);
        self
    }

    /// Returns the update as an element of an `update` command.
    pub(super) fn in_command(&self) -> Document {
        let options = &self.options;
        let update = modifications(&self.modifications);
        let shown = MongoshOptions(doc! { "q": self.filter.clone(), "u": update });
        let shown = shown
            .flag("multi", self.many)
            .with("upsert", options.upsert)
            .with("arrayFilters", options.array_filters.clone())
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref());
        shown.0
    }
}

impl Command for UpdateCommand {
    type Reply = Updated;

    const NAME: &'static str = "update";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(reply.modified + u64::from(reply.upserted_id.is_some()))
    }

    write_by_filter!();

    search!([collation, let_vars, hint], |it| (!it.many).then_some(1));

    fn one_document(&mut self) -> Option<OneDocument<'_, Self::Reply>> {
        if self.many {
            return None;
        }
        Some(OneDocument {
            inserted_id: inserted_id(&self.modifications),
            filter: &mut self.filter,
            target: if self.options.upsert == Some(true) {
                Target::KeyOfInsert
            } else {
                Target::KeyOrId
            },
            upsert: Some(&mut self.options.upsert),
            unmatched: Updated::default(),
        })
    }

    fn is_unmatched(reply: &Self::Reply) -> bool {
        reply.matched == 0 && reply.upserted_id.is_none()
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Updated> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move {
            let update = if self.many {
                collection.update_many(self.filter, self.modifications)
            } else {
                collection.update_one(self.filter, self.modifications)
            };
            let done = in_session!(update.with_options(self.options), session)?;
            Ok(done.into())
        })
    }

    fn assume(&self, paper: &mut Paper) -> Updated {
        let updated = paper.update(&self.place, &self.filter, &self.modifications);
        let matched = u64::from(updated.is_some());
        Updated {
            matched,
            modified: matched,
            upserted_id: None,
        }
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .with("arrayFilters", options.array_filters.clone())
            .with("upsert", options.upsert)
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("let", options.let_vars.clone())
            .with("comment", options.comment.clone())
            .bypass_validation(options.bypass_document_validation)
            .write_concern(options.write_concern.as_ref());
        let method = if self.many { "updateMany" } else { "updateOne" };
        Statement::new(self.place.name(), method)
            .argument(self.filter.clone())
            .argument(modifications(&self.modifications))
            .options(shown.0)
    }
}
