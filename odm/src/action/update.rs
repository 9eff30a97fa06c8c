//! Updates documents.

use mongodb::{
    bson::Document,
    options::{UpdateModifications, UpdateOptions},
};

use super::write_builder::write_builder;
use crate::{
    client::odm::Exec,
    derived::follow::{CopyOptions, FanOut},
    error::{Error, Result},
    model::{derive_traits::Described, shape::ModelShape},
    query::{
        filter::{Filter, IntoFilter},
        update::{Update, UpdateOperators, array_filter_setter, check_array_filters},
    },
    setters::option_setters,
    write::{self, BoundedUpdate, UpdateReport},
};

/// Takes the documents out of typed operands.
pub(super) fn bounded<M: Described>(
    filter: Filter<M>,
    update: Update<M>,
    options: UpdateOptions,
) -> Result<BoundedUpdate> {
    let (filter, update) = (filter.into_document(), update.into_modifications());
    of_documents(M::SHAPE, filter, update, options)
}

/// Makes the update; compiled once, not for each model.
fn of_documents(
    model: &'static ModelShape,
    filter: Result<Document>,
    update: Result<UpdateModifications>,
    options: UpdateOptions,
) -> Result<BoundedUpdate> {
    let update = update.and_then(|update| {
        check_array_filters(
            &update,
            options.array_filters.as_deref().unwrap_or_default(),
        )?;
        BoundedUpdate::new(model, filter?, update, options)
    });
    update.map_err(|error| error.in_model(model))
}

/// Refuses an update that would insert: what an [`Upsert`](super::Upsert) does for a new document would be missing.
pub(super) fn refuse_upsert(model: &'static ModelShape, upsert: Option<bool>) -> Result<()> {
    if upsert != Some(true) {
        return Ok(());
    }
    let refused = Error::invalid(format!(
        "an update with the option `upsert` inserts a `{0}` without its copies, bounds and id; write \
         `{0}::upsert(..)`, which does the same",
        model.name
    ));
    Err(refused.in_model(model))
}

/// Updates one document: `Part::update(&odm, id).set(Part::fields().name, "#5 grommet")`.
///
/// The operators are those of [`UpdateOperators`]. Awaiting it sends one `update`. A push into a
/// bounded array carries the bound in its filter, and costs a second round trip only if nothing
/// matched; an `$addToSet`, a push into an array of an element and a pipeline on a model with bounds
/// run in a transaction that checks the updated document: a `findAndModify` and a `find`.
///
/// If the update touches what other models copy, or copies in the document itself, it runs in a
/// transaction with what follows: a `findAndModify`, and a `find` of the document unless the update sets and unsets whole
/// fields outside of arrays; one `find` for each model that it now copies from; a `findAndModify` of the job, and an aggregation and an `update` for
/// each place with copies, if what is copied has changed. Elements that it adds to an array take their
/// snapshots from their sources. See [`CopyOptions`] and
/// [`plan`](Self::plan). It wants an index on the key of each place with the `_id`, which
/// [`sync_indexes`](crate::Odm::sync_indexes) makes.
///
/// # Errors
///
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) with nothing written,
/// [`Error::Encode`](crate::Error::Encode), [`Error::Invalid`](crate::Error::Invalid) for an update
/// without operators, with two operators that meet on one path, with elements whose name no `array_filter` explains, with the driver's option `upsert`, which is [`Upsert`](super::Upsert) here, or one that writes the
/// [kind](derive@crate::Model#kinds-of-documents-in-one-collection) of the document, and what
/// the driver reports. No match is no error: see
/// [`UpdateReport::matched`].
/// [`Error::NoTarget`](crate::Error::NoTarget) for a reference that [must not lead
/// nowhere](derive@crate::Model#references-that-must-not-lead-nowhere), with nothing written.
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct UpdateOne<M> {
    filter: Filter<M>,
    update: Update<M>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Described> UpdateOne<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Updates the document only if it matches as well: compare and set.
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    array_filter_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any UpdateOptions);

    const fn options_mut(&mut self) -> &mut UpdateOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::UpdateOneWrite, Exec)> {
        refuse_upsert(M::SHAPE, self.options.upsert)?;
        let mut update = bounded(self.filter, self.update, self.options)?;
        update.fan_out = self.fan_out;
        Ok((write::UpdateOneWrite(update), self.exec))
    }
}

write_builder!([M: Described] UpdateOne<M>: write::UpdateOneWrite => UpdateReport, "update");

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

/// Updates all documents that match: `Part::update_many(&odm, filter).inc(Part::fields().qty, -1)`.
///
/// Awaiting it sends one `update`; it is atomic for each document, not as a whole, unless it runs in
/// a transaction. If it touches what other models copy, it runs in parts of 500 documents, each in a
/// transaction with what follows. A push into a bounded array runs in a transaction that first looks for a document
/// without room. If only the updated documents tell whether a bounded array is within its `max`, as after `$addToSet` or a
/// pipeline that writes the array, the update runs in parts of 500 documents; each part is a transaction that reads
/// the documents over their bound, and fails if there is one.
///
/// # Errors
///
/// As [`UpdateOne`]; [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server for an update whose
/// effect on a bounded array only the updated documents tell. [`Error::PartlyUpdated`](crate::Error::PartlyUpdated)
/// if a part fails after others, with what these have done.
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct UpdateMany<M> {
    filter: Filter<M>,
    update: Update<M>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Described> UpdateMany<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    array_filter_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any UpdateOptions);

    const fn options_mut(&mut self) -> &mut UpdateOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::UpdateManyWrite, Exec)> {
        refuse_upsert(M::SHAPE, self.options.upsert)?;
        let mut update = bounded(self.filter, self.update, self.options)?;
        update.fan_out = self.fan_out;
        Ok((write::UpdateManyWrite::new(update), self.exec))
    }
}

write_builder!([M: Described] UpdateMany<M>: write::UpdateManyWrite => UpdateReport, "update_many");

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
