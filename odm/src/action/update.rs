//! Updates documents.

mod checked;
mod find_and;

use std::future::IntoFuture;

use mongodb::{
    bson::{Document, doc},
    options::UpdateModifications,
    results::UpdateResult,
};

pub(crate) use checked::{Write, checked_upsert, id_in_filter, update_many as send_many};
pub use find_and::FindOneAndUpdate;

use super::{CopyOptions, Duties, FanOut, Running, tracked};
use crate::{
    copy::CopyReport,
    error::Result,
    filter::Filter,
    model::Model,
    odm::Exec,
    statement::{Plan, Statement},
    update::{Update, UpdateOperators},
};

/// What a write did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UpdateReport {
    /// How many documents matched the filter.
    pub matched: u64,
    /// How many of them the update changed.
    pub modified: u64,
    /// What it did to the copies of the documents, for each tie.
    pub copies: Vec<CopyReport>,
}

impl From<UpdateResult> for UpdateReport {
    fn from(result: UpdateResult) -> Self {
        Self {
            matched: result.matched_count,
            modified: result.modified_count,
            copies: Vec::new(),
        }
    }
}

/// Updates one document: `Part::update(&odm, id).set(Part::fields().name, "#5 grommet")`.
///
/// The operators are those of [`UpdateOperators`]. Awaiting it sends one `update`. A push into a
/// bounded array carries the bound in its filter, and costs a second round trip only if nothing
/// matched; an `$addToSet`, a push into an array of an element and a pipeline on a model with bounds
/// run in a transaction that checks the updated document.
///
/// If the update touches what other models copy, or copies in the document itself, it runs in a
/// transaction with what follows: a `find` and a `findAndModify` of the document; one `find` for each
/// model that it now copies from; a `findAndModify` of the job, and an aggregation and an `update` for
/// each place with copies, if what is copied has changed. See [`CopyOptions`] and
/// [`plan`](Self::plan). It wants an index on the key of each place with the `_id`, which
/// [`sync_indexes`](crate::Odm::sync_indexes) makes.
///
/// # Errors
///
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) with nothing written,
/// [`Error::Encode`](crate::Error::Encode), [`Error::Invalid`](crate::Error::Invalid) for an update
/// without operators, and what the driver reports. No match is no error: see
/// [`UpdateReport::matched`].
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct UpdateOne<M> {
    filter: Filter<M>,
    update: Update<M>,
    array_filters: Vec<Document>,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Model> UpdateOne<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            array_filters: Vec::new(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Updates the document only if it matches as well: compare and set.
    pub fn filter(mut self, filter: impl Into<Filter<M>>) -> Self {
        self.filter = self.filter.and(filter.into());
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
        let (write, ..) = self.into_write()?;
        let duties = Duties::of_update(M::SHAPE, &write.update, Vec::new())?;
        let guarded = write.clone().guarded();
        Ok(match duties {
            Some(duties) => {
                duties.plan(&write, guarded.statement("findOneAndUpdate", after_image()))
            }
            None => Plan::one(guarded.statement("updateOne", doc! {})),
        })
    }

    fn into_write(self) -> Result<(Write, FanOut, Exec)> {
        let write = Write::new::<M>(self.filter, self.update, self.array_filters)?;
        Ok((write, self.fan_out, self.exec))
    }
}

impl<M> CopyOptions for UpdateOne<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl<M> UpdateOperators<M> for UpdateOne<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        &mut self.update
    }
}

impl<M: Model> IntoFuture for UpdateOne<M> {
    type Output = Result<UpdateReport>;
    type IntoFuture = Running<UpdateReport>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (write, fan_out, exec) = self.into_write()?;
            let foreign = exec.foreign(M::SHAPE.collection).await?;
            match Duties::of_update(M::SHAPE, &write.update, foreign)? {
                Some(duties) => tracked::update_one(duties, write, &fan_out, &exec).await,
                None => checked::update_one(write, &exec).await,
            }
        })
    }
}

/// Updates all documents that match: `Part::update_many(&odm, filter).inc(Part::fields().qty, -1)`.
///
/// Awaiting it sends one `update`; it is atomic for each document, not as a whole, unless it runs in
/// a transaction. If it touches what other models copy, it runs in parts of 500 documents, each in a
/// transaction with what follows. A push into a bounded array runs in a transaction that first looks for a document
/// without room.
///
/// # Errors
///
/// As [`UpdateOne`]; [`Error::Invalid`](crate::Error::Invalid) for an update whose effect on a
/// bounded array only the updated documents tell: update them one by one.
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct UpdateMany<M> {
    filter: Filter<M>,
    update: Update<M>,
    array_filters: Vec<Document>,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Model> UpdateMany<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            array_filters: Vec::new(),
            fan_out: FanOut::default(),
            exec,
        }
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
        let write = Write::new::<M>(self.filter, self.update, self.array_filters)?;
        let statement = write.clone().statement("updateMany", doc! {});
        Ok(
            match Duties::of_update(M::SHAPE, &write.update, Vec::new())? {
                Some(duties) => duties.plan(&write, statement),
                None => Plan::one(statement),
            },
        )
    }
}

impl<M> CopyOptions for UpdateMany<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl<M> UpdateOperators<M> for UpdateMany<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        &mut self.update
    }
}

impl<M: Model> IntoFuture for UpdateMany<M> {
    type Output = Result<UpdateReport>;
    type IntoFuture = Running<UpdateReport>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let write = Write::new::<M>(self.filter, self.update, self.array_filters)?;
            let foreign = self.exec.foreign(M::SHAPE.collection).await?;
            match Duties::of_update(M::SHAPE, &write.update, foreign)? {
                Some(duties) => {
                    tracked::update_many(duties, write, &self.fan_out, &self.exec).await
                }
                None => checked::update_many(write, &self.exec).await,
            }
        })
    }
}

fn after_image() -> Document {
    doc! { "returnNewDocument": true }
}

impl Write {
    /// Returns the statement, for plans.
    pub(crate) fn statement(self, method: &'static str, mut options: Document) -> Statement {
        let statement = Statement::new(self.model.collection, method).argument(self.filter);
        let statement = match self.update {
            UpdateModifications::Document(operators) => statement.argument(operators),
            UpdateModifications::Pipeline(stages) => statement.argument(stages),
            _ => statement,
        };
        if !self.array_filters.is_empty() {
            options.insert("arrayFilters", self.array_filters);
        }
        if self.upsert {
            options.insert("upsert", true);
        }
        statement.options(options)
    }
}
