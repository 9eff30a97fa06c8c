//! The driver's `count_documents`, which is sent as an aggregation.

use mongodb::{
    Database,
    bson::{Bson, Document},
    options::CountOptions,
};

use super::{
    Command, Paper, Sending, Session, in_session,
    mongosh_options::MongoshOptions,
    shared_methods::{read_by_filter, search},
};
use crate::client::{place::Place, plan::Statement};

/// A statement that counts documents.
#[derive(Clone, Debug)]
pub(crate) struct CountCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) options: CountOptions,
}

impl Command for CountCommand {
    type Reply = u64;

    const NAME: &'static str = "aggregate";

    read_by_filter!();

    search!([collation, hint], |it| it.options.limit);

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, u64> {
        let collection = self.place.open::<Document>(database);
        Box::pin(async move {
            let count = collection.count_documents(self.filter);
            in_session!(count.with_options(self.options), session)
        })
    }

    fn assume(&self, _: &mut Paper) -> u64 {
        1
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let number = |number: Option<u64>| Some(Bson::Int64(i64::try_from(number?).ok()?));
        let shown = MongoshOptions::default()
            .with("limit", number(options.limit))
            .with("skip", number(options.skip))
            .hint(options.hint.as_ref())
            .collation(options.collation.as_ref())
            .with("comment", options.comment.clone())
            .max_time(options.max_time)
            .read_concern(options.read_concern.as_ref())
            .read_preference(options.selection_criteria.as_ref());
        Statement::new(self.place.name(), "countDocuments")
            .argument(self.filter.clone())
            .options(shown.0)
    }
}
