//! The command `aggregate`.

use std::borrow::Cow;

use mongodb::{
    ClientSession, Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{AggregateOptions, Collation},
};

use super::{
    Command, Paper, Search, Sending, ServerCursor, Session, find::LARGE_BATCH,
    mongosh_options::MongoshOptions, shared_methods::read,
};
use crate::client::{
    place::{Place, Shards},
    plan::Statement,
};

/// An aggregation on a collection or on the database.
#[derive(Clone, Debug)]
pub(crate) struct AggregateCommand {
    pub(crate) place: Place,
    pub(crate) pipeline: Vec<Document>,
    pub(crate) options: AggregateOptions,
}

impl AggregateCommand {
    pub(crate) fn new(place: Place, pipeline: Vec<Document>) -> Self {
        Self {
            place,
            pipeline,
            options: AggregateOptions::default(),
        }
    }

    pub(crate) fn with(mut self, options: AggregateOptions) -> Self {
        self.options = options;
        self
    }

    /// Makes the first batch as large as a reply allows. This method is for callers that read all results.
    pub(crate) fn all(mut self) -> Self {
        self.options.batch_size.get_or_insert(LARGE_BATCH);
        self
    }

    pub(crate) fn collation(mut self, collation: impl Into<Option<Collation>>) -> Self {
        self.options.collation = collation.into();
        self
    }
}

impl Command for AggregateCommand {
    type Reply = ServerCursor;

    const NAME: &'static str = "aggregate";

    read!();

    fn scoped(mut self, in_transaction: bool) -> Self {
        let options = &mut self.options;
        let (concern, criteria) = (&mut options.read_concern, &mut options.selection_criteria);
        self.place.read_safely(in_transaction, concern, criteria);
        self.pipeline = self.place.scope_stages(self.pipeline);
        self
    }

    fn search(&self) -> Option<Search<'_>> {
        let options = &self.options;
        let matched = self
            .pipeline
            .first()
            .and_then(|it| it.get_document("$match").ok());
        let search = match matched {
            Some(filter) => Search::new(&self.place, filter)?,
            None => Search::of_model(
                self.place.subject()?,
                Cow::Owned(looked_up(&self.pipeline)?),
            ),
        };
        let search = search
            .collation(options.collation.as_ref())
            .let_vars(options.let_vars.as_ref())
            .hint(options.hint.as_ref());
        Some(search)
    }

    fn shards(&self) -> Option<Shards> {
        let is_collated = self.options.collation.as_ref();
        let is_collated = is_collated.is_some_and(|it| it.locale != "simple");
        if let (Some(filter), Some(model)) =
            (shard_filter_of_key(&self.pipeline), self.place.subject())
        {
            return Place::of(model).shards(&filter, is_collated);
        }
        let filter = shard_filter(&self.pipeline).unwrap_or_default();
        self.place.shards(&filter, is_collated)
    }

    fn keep_session(reply: ServerCursor, session: ClientSession) -> ServerCursor {
        reply.with_session(session)
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, ServerCursor> {
        Box::pin(async move {
            let target = (!self.place.name().is_empty())
                .then(|| self.place.open::<RawDocumentBuf>(database));
            let all = match &target {
                Some(collection) => collection.aggregate(self.pipeline),
                None => database.aggregate(self.pipeline),
            };
            let all = all.with_options(self.options);
            Ok(match session {
                None => ServerCursor::Free(Box::new(all.batch().await?)),
                Some(session) => {
                    ServerCursor::InSession(Box::new(all.session(session).batch().await?))
                }
            })
        })
    }

    fn assume(&self, paper: &mut Paper) -> ServerCursor {
        let filter = self
            .pipeline
            .iter()
            .find_map(|it| it.get_document("$match").ok());
        let counts = self
            .pipeline
            .iter()
            .any(|stage| stage.contains_key("$count"));
        let counted = filter.filter(|_| counts);
        let found = counted.map(|filter| paper.matching(&self.place, filter).len());
        let found = found
            .and_then(|found| i64::try_from(found).ok())
            .filter(|it| *it > 0);
        ServerCursor::paper(found.map(|n| doc! { "n": n }).as_slice())
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .with("allowDiskUse", options.allow_disk_use)
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("comment", options.comment.clone())
            .max_time(options.max_time)
            .with("let", options.let_vars.clone())
            .bypass_validation(options.bypass_document_validation)
            .read_concern(options.read_concern.as_ref())
            .read_preference(options.selection_criteria.as_ref())
            .write_concern(options.write_concern.as_ref());
        Statement::on(self.place.name(), "aggregate")
            .argument(self.pipeline.clone())
            .options(shown.0)
    }
}

/// Returns the filter by which a cluster selects the shards of a pipeline. A cluster joins the `$match` stages at the
/// start, and moves them before a `$sort`.
fn shard_filter(pipeline: &[Document]) -> Option<Document> {
    let mut filters = Vec::new();
    for (name, stage) in pipeline.iter().filter_map(|stage| stage.iter().next()) {
        match (name.as_str(), stage) {
            ("$match", Bson::Document(filter)) => filters.push(filter.clone()),
            ("$geoNear", Bson::Document(near)) if filters.is_empty() => {
                return near.get_document("query").cloned().ok();
            }
            ("$sort", _) => {}
            _ => break,
        }
    }
    (!filters.is_empty()).then(|| doc! { "$and": filters })
}

/// Returns the condition that the server evaluates for each key in an aggregation without a collection. In such an
/// aggregation, `$documents` contains the keys, and a `$lookup` finds the documents that have these keys.
fn looked_up(pipeline: &[Document]) -> Option<Document> {
    let [keys, lookup, ..] = pipeline else {
        return None;
    };
    let first = keys.get_array("$documents").ok()?.first()?.as_document()?;
    let lookup = lookup.get_document("$lookup").ok()?;
    let key = first
        .get_document(lookup.get_str("localField").ok()?)
        .ok()?;
    let key = key.get("$literal")?.clone();
    Some(doc! { lookup.get_str("foreignField").ok()?: { "$eq": key } })
}

/// Returns the filter by which a cluster selects the shards for each key in an aggregation without a collection.
fn shard_filter_of_key(pipeline: &[Document]) -> Option<Document> {
    let mut filters = vec![looked_up(pipeline)?];
    let lookup = pipeline.get(1)?.get_document("$lookup").ok()?;
    let stages = lookup.get_array("pipeline").into_iter().flatten();
    let stages: Vec<Document> = stages.filter_map(Bson::as_document).cloned().collect();
    filters.extend(shard_filter(&stages));
    Some(doc! { "$and": filters })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_filters_select_the_shards() {
        let (one, two) = (doc! { "host": 1 }, doc! { "at": 2 });
        let matching = |filter: &Document| doc! { "$match": filter.clone() };
        let both = doc! { "$and": [one.clone(), two.clone()] };
        let only = doc! { "$and": [one.clone()] };
        let limit = doc! { "$limit": 3 };
        for (pipeline, filter) in [
            (
                vec![
                    matching(&one),
                    doc! { "$sort": { "at": 1 } },
                    matching(&two),
                ],
                Some(both),
            ),
            (
                vec![matching(&one), limit.clone(), matching(&two)],
                Some(only),
            ),
            (vec![limit, matching(&one)], None),
            (vec![doc! { "$search": {} }, matching(&one)], None),
            (
                vec![
                    doc! { "$geoNear": { "query": one.clone() } },
                    matching(&two),
                ],
                Some(one),
            ),
            (vec![], None),
        ] {
            assert_eq!(shard_filter(&pipeline), filter, "{pipeline:?}");
        }
    }
}
