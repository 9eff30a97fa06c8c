//! Updates a document, or inserts it.

use std::future::IntoFuture;

use mongodb::{
    bson::{Bson, Document, oid::ObjectId},
    options::UpdateModifications,
};

use super::{
    CopyOptions, Duties, FanOut, Running, tracked,
    update::{Write, checked_upsert, id_in_filter},
};
use crate::{
    bound::check_filter,
    copy::CopyReport,
    error::{Error, Result},
    filter::Filter,
    model::{IdOf, Model},
    odm::Exec,
    statement::Plan,
    update::{Update, UpdateOperators},
};

/// What an upsert did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct UpsertReport {
    /// How many documents matched the filter: 0 or 1.
    pub matched: u64,
    /// How many of them the update changed.
    pub modified: u64,
    /// The `_id` of the inserted document, if none matched.
    pub upserted_id: Option<Bson>,
    /// What it did to the copies of the document, for each tie.
    pub copies: Vec<CopyReport>,
}

/// Updates the document that matches, or inserts it: `Part::upsert(&odm, filter).set(..)`.
///
/// Awaiting it sends one `update` with `upsert`; on a model with bounded arrays that the update may
/// fill, a transaction. An inserted document consists of the equalities of the filter and of what
/// the update sets (what it copies is filled in): set every field that the struct needs, with `set` or
/// [`set_on_insert`](UpdateOperators::set_on_insert). A unique index on the filtered fields makes
/// two upserts at once one document; the loser of the race gets a duplicate key error and may try
/// again.
///
/// # Errors
///
/// As [`UpdateOne`](super::UpdateOne); [`Error::Invalid`] if the id is not an `ObjectId` and neither
/// filter nor update says what it is, because the server would make up an `ObjectId`.
#[must_use = "an upsert is sent when it is awaited"]
#[derive(Debug)]
pub struct Upsert<M> {
    filter: Filter<M>,
    update: Update<M>,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Model> Upsert<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// As awaiting it, before anything is sent.
    pub fn plan(self) -> Result<Plan> {
        Ok(Plan::one(
            self.into_write()?.0.statement("updateOne", Document::new()),
        ))
    }

    fn into_write(self) -> Result<(Write, FanOut, Exec)> {
        let mut write = Write::new::<M>(self.filter, self.update, Vec::new())?;
        write.upsert = true;
        check_filter(M::SHAPE, &write.filter)?;
        let server_makes_ids =
            std::any::TypeId::of::<<M::Id as IdOf<M>>::Key>() == std::any::TypeId::of::<ObjectId>();
        if !server_makes_ids && !names_id(&write) {
            return Err(Error::Invalid(format!(
                "an upsert of `{}` needs its `_id`: the server would make up an ObjectId; filter by \
                 the id, or add `set_on_insert` with it",
                M::SHAPE.name
            )));
        }
        Ok((write, self.fan_out, self.exec))
    }
}

fn names_id(write: &Write) -> bool {
    let sets_id = |operator: &str, operators: &Document| {
        operators
            .get_document(operator)
            .is_ok_and(|fields| fields.contains_key("_id"))
    };
    id_in_filter(&write.filter).is_some()
        || match &write.update {
            UpdateModifications::Document(operators) => {
                sets_id("$setOnInsert", operators) || sets_id("$set", operators)
            }
            _ => true,
        }
}

impl<M> CopyOptions for Upsert<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl<M> UpdateOperators<M> for Upsert<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        &mut self.update
    }
}

impl<M: Model> IntoFuture for Upsert<M> {
    type Output = Result<UpsertReport>;
    type IntoFuture = Running<UpsertReport>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (write, fan_out, exec) = self.into_write()?;
            let foreign = exec.foreign(M::SHAPE.collection).await?;
            match Duties::of(M::SHAPE, foreign)? {
                Some(duties) => {
                    duties.own.refuse_direct(&write.update)?;
                    tracked::upsert(duties, write, &fan_out, &exec).await
                }
                None => checked_upsert(write, &exec).await,
            }
        })
    }
}
