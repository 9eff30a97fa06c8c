//! The command `delete`.

use mongodb::{
    Database,
    bson::{Document, doc},
    options::DeleteOptions,
};

use super::{
    Command, OneDocument, Paper, Sending, Session, Target, in_session,
    mongosh_options::MongoshOptions,
    shared_methods::{search, write_by_filter},
};
use crate::client::{place::Place, plan::Statement};

/// A delete of the first matching document, or of all matching documents.
#[derive(Clone, Debug)]
pub(crate) struct DeleteCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) many: bool,
    pub(crate) options: DeleteOptions,
}

impl DeleteCommand {
    /// Returns a delete of the first matching document.
    pub(crate) fn one(place: Place, filter: Document) -> Self {
        Self {
            place,
            filter,
            many: false,
            options: DeleteOptions::default(),
        }
    }

    /// Returns a delete of all matching documents.
    pub(crate) fn many(place: Place, filter: Document) -> Self {
        Self {
            many: true,
            ..Self::one(place, filter)
        }
    }

    /// Returns the delete as an element of a `delete` command.
    pub(super) fn in_command(&self) -> Document {
        let limit = i32::from(!self.many);
        let shown = MongoshOptions(doc! { "q": self.filter.clone(), "limit": limit });
        let shown = shown
            .collation(self.options.collation.as_ref())
            .hint(self.options.hint.as_ref());
        shown.0
    }
}

impl Command for DeleteCommand {
    /// Number of deleted documents.
    type Reply = u64;

    const NAME: &'static str = "delete";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(*reply)
    }

    write_by_filter!();

    search!([collation, let_vars, hint], |it| (!it.many).then_some(1));

    fn one_document(&mut self) -> Option<OneDocument<'_, Self::Reply>> {
        if self.many {
            return None;
        }
        Some(OneDocument {
            inserted_id: None,
            upsert: None,
            filter: &mut self.filter,
            target: Target::KeyOrId,
            unmatched: 0,
        })
    }

    fn is_unmatched(reply: &Self::Reply) -> bool {
        *reply == 0
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, u64> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move {
            let delete = if self.many {
                collection.delete_many(self.filter)
            } else {
                collection.delete_one(self.filter)
            };
            let done = in_session!(delete.with_options(self.options), session)?;
            Ok(done.deleted_count)
        })
    }

    fn assume(&self, paper: &mut Paper) -> u64 {
        paper.delete(&self.place, &self.filter)
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("let", options.let_vars.clone())
            .with("comment", options.comment.clone())
            .write_concern(options.write_concern.as_ref());
        let method = if self.many { "deleteMany" } else { "deleteOne" };
        Statement::new(self.place.name(), method)
            .argument(self.filter.clone())
            .options(shown.0)
    }
}
