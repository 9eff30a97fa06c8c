//! Runs updates so that bounds hold.

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{
        FindOneAndUpdateOptions, FindOptions, ReturnDocument, UpdateModifications, UpdateOptions,
    },
    results::UpdateResult,
};

use super::UpdateReport;
use crate::{
    action::{UpsertReport, count::any},
    bound::{Bound, BoundCheck, check_stored, check_update},
    error::{Error, Result},
    filter::Filter,
    model::Model,
    odm::{Exec, Query},
    shape::ModelShape,
    update::Update,
};

/// An update that is ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) model: &'static ModelShape,
    pub(crate) filter: Document,
    pub(crate) update: UpdateModifications,
    pub(crate) array_filters: Vec<Document>,
    pub(crate) upsert: bool,
    check: BoundCheck,
}

impl Write {
    pub(crate) fn new<M: Model>(
        filter: Filter<M>,
        update: Update<M>,
        array_filters: Vec<Document>,
    ) -> Result<Self> {
        let update = update.into_modifications()?;
        let check = check_update(M::SHAPE, &update)?;
        let filter = filter.into_document()?;
        Ok(Self {
            model: M::SHAPE,
            filter,
            update,
            array_filters,
            upsert: false,
            check,
        })
    }

    /// Returns the write with the room for its pushes in its filter.
    pub(crate) fn guarded(mut self) -> Self {
        if let BoundCheck::Guarded(guards) = &self.check {
            let mut clauses = vec![self.filter];
            clauses.extend(guards.iter().map(|(_, guard)| guard.clone()));
            self.filter = doc! { "$and": clauses };
        }
        self
    }

    fn options(&self) -> UpdateOptions {
        let mut options = UpdateOptions::default();
        options.array_filters = Some(self.array_filters.clone()).filter(|all| !all.is_empty());
        options.upsert = Some(true).filter(|_| self.upsert);
        options
    }

    async fn send(self, many: bool, exec: &Exec) -> Result<UpdateResult> {
        let run = exec.run(move |database, session| {
            let collection = database.collection::<Document>(self.model.collection);
            Box::pin(async move {
                let options = self.options();
                let update = if many {
                    collection.update_many(self.filter, self.update)
                } else {
                    collection.update_one(self.filter, self.update)
                };
                let update = update.with_options(options);
                match session {
                    Some(session) => update.session(session).await,
                    None => update.await,
                }
            })
        });
        run.await
    }

    /// Sends a `findAndModify` that returns the document after the update.
    pub(crate) async fn send_returning(
        self,
        mut options: FindOneAndUpdateOptions,
        exec: &Exec,
    ) -> Result<Option<RawDocumentBuf>> {
        options.array_filters = self.options().array_filters;
        options.upsert = self.options().upsert;
        let run = exec.run(move |database, session| {
            let collection = database.collection::<RawDocumentBuf>(self.model.collection);
            Box::pin(async move {
                let find = collection
                    .find_one_and_update(self.filter, self.update)
                    .with_options(options);
                match session {
                    Some(session) => find.session(session).await,
                    None => find.await,
                }
            })
        });
        run.await
    }

    pub(crate) const fn check(&self) -> &BoundCheck {
        &self.check
    }

    /// Returns the bound that keeps a matching document from taking the update, if there is one.
    pub(crate) async fn blocking_bound(&self, exec: &Exec) -> Result<Option<Error>> {
        let BoundCheck::Guarded(guards) = &self.check else {
            return Ok(None);
        };
        for (bound, guard) in guards {
            if self.matches_without_room(guard, exec).await? {
                return Ok(Some(self.exceeded(bound)));
            }
        }
        Ok(None)
    }

    fn exceeded(&self, bound: &Bound) -> Error {
        bound.exceeded(self.model, None)
    }

    async fn matches_without_room(&self, guard: &Document, exec: &Exec) -> Result<bool> {
        let filter = doc! { "$and": [self.filter.clone(), { "$nor": [guard.clone()] }] };
        let options = FindOptions::builder()
            .limit(-1)
            .projection(doc! { "_id": 1 })
            .build();
        any(
            Query {
                collection: self.model.collection,
                filter,
                options,
            },
            exec,
        )
        .await
    }
}

pub(crate) async fn update_one(write: Write, exec: &Exec) -> Result<UpdateReport> {
    match write.check() {
        BoundCheck::Safe => Ok(write.send(false, exec).await?.into()),
        BoundCheck::Guarded(_) => {
            let report = UpdateReport::from(write.clone().guarded().send(false, exec).await?);
            if report.matched == 0
                && let Some(error) = write.blocking_bound(exec).await?
            {
                return Err(error);
            }
            Ok(report)
        }
        BoundCheck::AfterImage => {
            let updated = update_and_check(write, FindOneAndUpdateOptions::default(), exec).await?;
            let matched = u64::from(updated.is_some());
            // What `findAndModify` returns does not say whether anything changed.
            Ok(UpdateReport {
                matched,
                modified: matched,
                copies: Vec::new(),
            })
        }
    }
}

/// Updates one document and checks its bounds; a document over a bound rolls the update back.
pub(crate) async fn update_and_check(
    write: Write,
    options: FindOneAndUpdateOptions,
    exec: &Exec,
) -> Result<Option<RawDocumentBuf>> {
    exec.transact((write, options), |(write, mut options), exec| async move {
        let model = write.model;
        options.return_document = Some(ReturnDocument::After);
        let updated = write.send_returning(options, &exec).await?;
        if let Some(document) = &updated
            && let Err(error) = check_stored(model, document)
        {
            exec.poison();
            return Err(error);
        }
        Ok(updated)
    })
    .await
}

/// Upserts. A guard in the filter would make the server insert a second document, so whatever may
/// exceed a bound is checked after.
pub(crate) async fn checked_upsert(write: Write, exec: &Exec) -> Result<UpsertReport> {
    if matches!(write.check(), BoundCheck::Safe) {
        let result = write.send(false, exec).await?;
        return Ok(UpsertReport {
            matched: result.matched_count,
            modified: result.modified_count,
            upserted_id: result.upserted_id,
            copies: Vec::new(),
        });
    }
    exec.transact(write, |write, exec| async move {
        let options = FindOptions::builder()
            .limit(-1)
            .projection(doc! { "_id": 1 })
            .build();
        let (collection, filter) = (write.model.collection, write.filter.clone());
        let matched = any(
            Query {
                collection,
                filter,
                options,
            },
            &exec,
        )
        .await?;
        let updated = update_and_check(write, FindOneAndUpdateOptions::default(), &exec).await?;
        let id = updated.and_then(|raw| Bson::try_from(raw.get("_id").ok()??).ok());
        let count = u64::from(matched);
        Ok(UpsertReport {
            matched: count,
            modified: count,
            upserted_id: id.filter(|_| !matched),
            copies: Vec::new(),
        })
    })
    .await
}

pub(crate) async fn update_many(write: Write, exec: &Exec) -> Result<UpdateReport> {
    match write.check() {
        BoundCheck::Safe => Ok(write.send(true, exec).await?.into()),
        BoundCheck::AfterImage => Err(Error::Invalid(format!(
            "what this update does to the bounded arrays of `{}` depends on each document; update \
             them one by one, or use `$push` with `$each`",
            write.model.name
        ))),
        BoundCheck::Guarded(_) => exec.transact(write, push_many).await,
    }
}

/// In a transaction, the documents that were seen to have room are those that are updated.
async fn push_many(write: Write, exec: Exec) -> Result<UpdateReport> {
    if let Some(error) = write.blocking_bound(&exec).await? {
        return Err(error);
    }
    Ok(write.send(true, &exec).await?.into())
}

/// Returns the equality on `_id` that a filter demands, if it does.
pub(crate) fn id_in_filter(filter: &Document) -> Option<&Bson> {
    match filter.get("_id") {
        Some(Bson::Document(condition)) if condition.keys().any(|key| key.starts_with('$')) => {
            condition.get("$eq")
        }
        Some(id) => Some(id),
        None => filter
            .get_array("$and")
            .ok()?
            .iter()
            .filter_map(Bson::as_document)
            .find_map(id_in_filter),
    }
}
