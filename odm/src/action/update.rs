//! Builders returned by `update` and `update_many`.

use mongodb::{
    bson::Document,
    options::{UpdateModifications, UpdateOptions},
};

use super::{get::encoded_id, write_builder::write_builder};
use crate::{
    client::odm::Exec,
    derived::follow::{CopyOptions, FanOut},
    error::{Error, Result},
    model::{
        derive_traits::{Described, Storable},
        shape::ModelShape,
        version::Versioned,
    },
    query::{
        filter::{Filter, IntoFilter},
        maintained::Stamp,
        update::{Update, UpdateOperators, array_filter_setter, check_array_filters},
    },
    setters::option_setters,
    write::{self, BoundedUpdate, ExpectedVersion, UpdateReport},
};

/// Encodes the typed operands, and builds the write.
pub(super) fn bounded<M: Described>(
    filter: Filter<M>,
    update: Update<M>,
    options: UpdateOptions,
    exec: &Exec,
) -> Result<BoundedUpdate> {
    let (filter, update) = (filter.into_document(), update.into_modifications());
    bounded_documents(M::SHAPE, filter, update, options, exec)
}

/// Builds the update. This function is not generic, so it is compiled only once.
fn bounded_documents(
    model: &'static ModelShape,
    filter: Result<Document>,
    update: Result<UpdateModifications>,
    options: UpdateOptions,
    exec: &Exec,
) -> Result<BoundedUpdate> {
    let update = update.and_then(|update| {
        check_array_filters(
            &update,
            options.array_filters.as_deref().unwrap_or_default(),
        )?;
        BoundedUpdate::new(
            model,
            filter?,
            update,
            options,
            Stamp::of_write(model, exec),
        )
    });
    update.map_err(|error| error.in_model(model))
}

/// Rejects the option `upsert`, because only [`Upsert`](super::Upsert) fills the copies in a new document.
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

/// An update of one document: `Part::update(&odm, id).set(Part::fields().name, "#5 grommet")`.
///
/// [`UpdateOperators`] lists the operators. See the example at [`Documents::update`](crate::Documents::update).
///
/// # Sends
///
/// | update | statements |
/// |---|---|
/// | no derived data depends on the updated fields | one `update` |
/// | `push` into an array with `max` | one `update` whose filter includes the bound; one more round trip if nothing matched |
/// | `add_to_set` into an array with `max`, a push into an array inside an element, or a pipeline on a model with bounds | a transaction: a `findAndModify`, and a `find` to check the document |
/// | writes fields that other documents copy, or copies in the document | a transaction, as below |
///
/// The transaction consists of the following statements, but skips those that are not necessary:
///
/// 1. a `findAndModify` of the document;
/// 2. a `find` of the document, unless the update only sets and unsets whole fields outside arrays;
/// 3. one `find` for each model that the updated document copies from;
/// 4. if a source has changed, a `findAndModify` of the job, and, for each reference on which copies depend, an
///    `aggregate` and an `update`.
///
/// # Index
///
/// For each reference on which copies depend, the call uses an index on the key of the reference, followed by `_id`.
/// [`sync_indexes`](crate::Odm::sync_indexes) creates these indexes.
///
/// # Guarantees
///
/// If the update adds elements to an array, their snapshots are read from their sources. The methods of [`CopyOptions`]
/// determine when copies are written.
///
/// # Errors
///
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) if an array would exceed its `max`. Nothing was written.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if a reference that must have a target
///   ([`exists`](derive@crate::Model#required-targets)) is dangling. Nothing was written.
/// - [`Error::Invalid`](crate::Error::Invalid) for an update without operators, for two operators on the same path, for
///   a path that contains `$[name]` without an `array_filter` for the name, for the driver's option `upsert` (use
///   [`Upsert`](super::Upsert)), and for an update to the
///   [kind](derive@crate::Model#kinds-of-documents-in-one-collection).
/// - [`Error::Conflict`](crate::Error::Conflict) if you called [`if_unchanged`](Self::if_unchanged), and the document
///   has changed.
/// - [`Error::Encode`](crate::Error::Encode), and errors from the server.
///
/// If no document matches, the call does not fail: see [`UpdateReport::matched`].
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct UpdateOne<M> {
    filter: Filter<M>,
    update: Update<M>,
    options: UpdateOptions,
    fan_out: FanOut,
    expected: Option<Result<ExpectedVersion>>,
    exec: Exec,
}

impl<M: Described> UpdateOne<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            expected: None,
            exec,
        }
    }

    /// Updates the document only if it also matches this filter, which makes the update a compare-and-set.
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Updates the document only if its stored version is still the version of `loaded`.
    ///
    /// # Sends
    ///
    /// The filter also contains the version. If no document matches, one more `find` reads the stored version.
    ///
    /// # Errors
    ///
    /// - [`Error::Conflict`] if the stored document has a different version or no longer exists. Nothing was written.
    /// - [`Error::Invalid`] if `loaded` has a different id from the updated document.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{Error, prelude::*};
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     title: String,
    ///     #[version]
    ///     version: i64,
    /// }
    ///
    /// async fn rename(odm: &Odm, task: &Task, title: &str) -> mongo_odm::Result<bool> {
    ///     let update = Task::update(odm, task.id).set(Task::fields().title, title);
    ///     match update.if_unchanged(task).await {
    ///         Err(Error::Conflict { .. }) => Ok(false),
    ///         done => done.map(|_| true),
    ///     }
    /// }
    /// ```
    pub fn if_unchanged(mut self, loaded: &M) -> Self
    where
        M: Versioned + Storable,
    {
        let version = loaded.__odm_version();
        let id = encoded_id::<M>(loaded.stored_id());
        self.expected = Some(id.map(|id| ExpectedVersion { id, version }));
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
        let mut update = bounded(self.filter, self.update, self.options, &self.exec)?;
        update.fan_out = self.fan_out;
        if let Some(expected) = self.expected {
            update.expect(expected?)?;
        }
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

/// An update of all documents that match a filter: `Part::update_many(&odm, filter).inc(Part::fields().qty, -1)`.
///
/// See the example at [`Documents::update_many`](crate::Documents::update_many).
///
/// # Sends
///
/// | update | statements |
/// |---|---|
/// | no derived data depends on the updated fields | one `update`, which is atomic for each document |
/// | `push` into an array with `max` | a transaction: a `find` for a document whose array lacks room, then the `update` |
/// | `add_to_set` into an array with `max`, or a pipeline that writes such an array | a transaction for every 500 documents, which also reads the documents that exceed their bound |
/// | derived data depends on the updated fields | a transaction for every 500 documents, with the statements of [`UpdateOne`] |
///
/// # Index
///
/// The server can use an index on the fields in the filter. The call also uses the indexes that [`UpdateOne`] uses.
///
/// # Errors
///
/// The errors of [`UpdateOne`]. [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server, if the
/// library would have to check the updated documents against a bound.
/// [`Error::PartlyUpdated`](crate::Error::PartlyUpdated) if a batch fails after other batches were committed; the error
/// contains the counts for the committed batches.
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
        let mut update = bounded(self.filter, self.update, self.options, &self.exec)?;
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
