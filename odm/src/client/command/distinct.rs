//! The command `distinct`.

use mongodb::{
    Database,
    bson::{Bson, Document},
    options::DistinctOptions,
};

use super::{
    Command, Paper, Sending, Session, in_session,
    mongosh_options::MongoshOptions,
    shared_methods::{read_by_filter, search},
};
use crate::client::{place::Place, plan::Statement};

/// A query for the distinct values at a path.
#[derive(Clone, Debug)]
pub(crate) struct DistinctCommand {
    pub(crate) place: Place,
    pub(crate) path: String,
    pub(crate) filter: Document,
    pub(crate) options: DistinctOptions,
}

impl Command for DistinctCommand {
    type Reply = Vec<Bson>;

    const NAME: &'static str = "distinct";

    read_by_filter!();

    search!([collation, hint], |_| None);

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Vec<Bson>> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move {
            let distinct = collection.distinct(self.path, self.filter);
            in_session!(distinct.with_options(self.options), session)
        })
    }

    fn assume(&self, _: &mut Paper) -> Vec<Bson> {
        Vec::new()
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("comment", options.comment.clone())
            .max_time(options.max_time)
            .read_concern(options.read_concern.as_ref())
            .read_preference(options.selection_criteria.as_ref());
        let statement = Statement::new(self.place.name(), "distinct").argument(self.path.clone());
        if shown.0.is_empty() {
            return statement.options(self.filter.clone());
        }
        statement.argument(self.filter.clone()).options(shown.0)
    }
}
