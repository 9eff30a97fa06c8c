//! The command `distinct`.

use mongodb::{
    Database,
    bson::{Bson, Document},
    options::DistinctOptions,
};

use super::{
    Command, Paper, Search, Sending, Session, in_session, mongosh_options::MongoshOptions,
    transaction_wide_option,
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

    const READS: bool = true;

    fn place(&self) -> &Place {
        &self.place
    }

    fn place_mut(&mut self) -> &mut Place {
        &mut self.place
    }

    fn scoped(mut self, in_transaction: bool) -> Self {
        let options = &mut self.options;
        let (concern, criteria) = (&mut options.read_concern, &mut options.selection_criteria);
        self.place.read_safely(in_transaction, concern, criteria);
        self.filter = self.place.scope(self.filter);
        self
    }

    fn outside_transactions(&self) -> Option<&'static str> {
        let options = &self.options;
        transaction_wide_option(
            options.read_concern.as_ref(),
            options.selection_criteria.as_ref(),
        )
    }

    fn search(&self) -> Option<Search<'_>> {
        let search = Search::new(&self.place, &self.filter)?
            .collation(self.options.collation.as_ref())
            .hint(self.options.hint.as_ref());
        Some(search)
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Vec<Bson>> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move {
            let distinct = collection.distinct(self.path, self.filter);
            in_session!(distinct.with_options(self.options), session)
        })
    }

    fn limit(&mut self, limit: super::Limit) {
        super::limit!(self.options, limit);
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
