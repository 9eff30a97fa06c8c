//! Updates one document and returns it.

use std::{future::IntoFuture, marker::PhantomData};

use mongodb::{
    bson::{Document, RawDocumentBuf, doc},
    options::{FindOneAndUpdateOptions, FindOptions, ReturnDocument},
};
use serde::de::DeserializeOwned;

use super::{Write, checked::update_and_check};
use crate::{
    action::{CopyOptions, Duties, FanOut, Running, tracked},
    bound::BoundCheck,
    codec::decode,
    error::Result,
    filter::Filter,
    model::{Model, Projection},
    odm::{Exec, Query},
    projection::Projected,
    sort::Sort,
    statement::Plan,
    update::{Update, UpdateOperators},
};

/// Updates one document and returns it: `Part::find_one_and_update(&odm, filter).inc(..)`.
///
/// Awaiting it sends one `findAndModify` and returns the document as it was before, as in the
/// driver, or after [`return_new`](Self::return_new); `None` if nothing matched. Bounds are kept as
/// by [`UpdateOne`](super::UpdateOne); a sorted push into a bounded array runs in a transaction, so
/// that the first document takes it or none.
///
/// # Errors
///
/// As [`UpdateOne`](super::UpdateOne), and [`Error::Decode`](crate::Error::Decode).
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct FindOneAndUpdate<M, V = M> {
    filter: Filter<M>,
    update: Update<M>,
    array_filters: Vec<Document>,
    options: FindOneAndUpdateOptions,
    fan_out: FanOut,
    exec: Exec,
    view: PhantomData<fn() -> V>,
}

impl<M: Model> FindOneAndUpdate<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            array_filters: Vec::new(),
            options: FindOneAndUpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
            view: PhantomData,
        }
    }

    /// Returns only the fields of a projection: `.select::<PartName>()`.
    pub fn select<V: Projection<M>>(self) -> FindOneAndUpdate<M, V> {
        self.projected(Projected::of::<M, V>(None).document)
    }

    /// Returns what a plain projection document asks for, in any type.
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> FindOneAndUpdate<M, V> {
        self.projected(Some(projection))
    }

    fn projected<V>(mut self, projection: Option<Document>) -> FindOneAndUpdate<M, V> {
        self.options.projection = projection;
        FindOneAndUpdate {
            filter: self.filter,
            update: self.update,
            array_filters: self.array_filters,
            options: self.options,
            fan_out: self.fan_out,
            exec: self.exec,
            view: PhantomData,
        }
    }
}

impl<M: Model, V: DeserializeOwned + Send + 'static> FindOneAndUpdate<M, V> {
    /// Returns the document as it is after the update.
    pub fn return_new(mut self) -> Self {
        self.options.return_document = Some(ReturnDocument::After);
        self
    }

    /// Orders the documents of which the first is updated.
    pub fn sort(mut self, sort: impl Into<Sort<M>>) -> Self {
        self.options.sort = Some(sort.into().into_document());
        self
    }

    /// Says which elements a `$[name]` in a path stands for.
    pub fn array_filter(mut self, filter: Document) -> Self {
        self.array_filters.push(filter);
        self
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// As awaiting it, before anything is sent.
    pub fn plan(self) -> Result<Plan> {
        let mut write = Write::new::<M>(self.filter, self.update, self.array_filters)?;
        let duties = Duties::of_update(M::SHAPE, &write.update, Vec::new())?;
        let plain = write.clone();
        if self.options.sort.is_none() {
            write = write.guarded();
        }
        let FindOneAndUpdateOptions {
            sort,
            projection,
            return_document,
            ..
        } = self.options;
        let mut options = doc! {};
        options.extend(sort.map(|sort| ("sort".to_owned(), sort.into())));
        options.extend(projection.map(|fields| ("projection".to_owned(), fields.into())));
        if matches!(return_document, Some(ReturnDocument::After)) {
            options.insert("returnNewDocument", true);
        }
        let statement = write.statement("findOneAndUpdate", options);
        Ok(match duties {
            Some(duties) => duties.plan(&plain, statement),
            None => Plan::one(statement),
        })
    }

    async fn run(self) -> Result<Option<V>> {
        let write = Write::new::<M>(self.filter, self.update, self.array_filters)?;
        if let Some(duties) = Duties::to_update(M::SHAPE, &write.update, &self.exec).await? {
            let (fan_out, exec) = (&self.fan_out, &self.exec);
            let found = tracked::find_and_update(duties, write, self.options, fan_out, exec);
            return decoded::<M, V>(Box::pin(found).await?);
        }
        let found = match write.check() {
            BoundCheck::Safe => write.send_returning(self.options, &self.exec).await?,
            BoundCheck::Guarded(_) if self.options.sort.is_none() => {
                let guarded = write.clone().guarded();
                let found = guarded.send_returning(self.options, &self.exec).await?;
                match found {
                    None => match write.blocking_bound(&self.exec).await? {
                        Some(error) => return Err(error),
                        None => None,
                    },
                    found => found,
                }
            }
            // With the guard in its filter, a sorted push would pass over the first document.
            BoundCheck::Guarded(_) | BoundCheck::AfterImage => {
                checked(write, self.options, &self.exec).await?
            }
        };
        decoded::<M, V>(found)
    }
}

fn decoded<M: Model, V: DeserializeOwned>(found: Option<RawDocumentBuf>) -> Result<Option<V>> {
    found
        .map(|raw| decode(M::SHAPE.collection, &raw))
        .transpose()
}

/// Updates in a transaction that checks the whole updated document, and reads the document that the
/// caller asked for beside it.
async fn checked(
    write: Write,
    options: FindOneAndUpdateOptions,
    exec: &Exec,
) -> Result<Option<RawDocumentBuf>> {
    exec.transact((write, options), |(mut write, options), exec| async move {
        let Some(id) = first_id(&write, &options, &exec).await? else {
            return Ok(None);
        };
        write.filter = doc! { "_id": id.clone() };
        let wants_new = matches!(options.return_document, Some(ReturnDocument::After));
        let read = read(&write, id, &options);
        let before = if wants_new {
            None
        } else {
            one(read.clone(), &exec).await?
        };
        update_and_check(write, FindOneAndUpdateOptions::default(), &exec).await?;
        if wants_new {
            one(read, &exec).await
        } else {
            Ok(before)
        }
    })
    .await
}

async fn first_id(
    write: &Write,
    options: &FindOneAndUpdateOptions,
    exec: &Exec,
) -> Result<Option<mongodb::bson::Bson>> {
    let mut find = FindOptions::default();
    (find.limit, find.sort) = (Some(-1), options.sort.clone());
    find.projection = Some(doc! { "_id": 1 });
    let query = Query {
        collection: write.model.collection,
        filter: write.filter.clone(),
        options: find,
    };
    let found: Option<Document> = one(query, exec).await?;
    Ok(found.and_then(|mut document| document.remove("_id")))
}

fn read(write: &Write, id: mongodb::bson::Bson, options: &FindOneAndUpdateOptions) -> Query {
    let mut find = FindOptions::default();
    (find.limit, find.projection) = (Some(-1), options.projection.clone());
    Query {
        collection: write.model.collection,
        filter: doc! { "_id": id },
        options: find,
    }
}

async fn one<V: DeserializeOwned>(query: Query, exec: &Exec) -> Result<Option<V>> {
    Ok(crate::action::find::collect(query, exec).await?.pop())
}

impl<M, V> CopyOptions for FindOneAndUpdate<M, V> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl<M, V> UpdateOperators<M> for FindOneAndUpdate<M, V> {
    fn update_mut(&mut self) -> &mut Update<M> {
        &mut self.update
    }
}

impl<M: Model, V: DeserializeOwned + Send + 'static> IntoFuture for FindOneAndUpdate<M, V> {
    type Output = Result<Option<V>>;
    type IntoFuture = Running<Option<V>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
