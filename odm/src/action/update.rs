//! Builders returned by `update` and `update_many`.

use mongodb::{
    bson::{Document, RawDocumentBuf},
    options::{UpdateModifications, UpdateOptions},
};

use super::{
    returning::{Returning, ReturnsDocument},
    write_builder::{bulk_operation, hooks_setter, version_setters, write_builder},
};
use crate::{
    client::{
        odm::{Exec, Running, traced},
        plan::Plan,
    },
    derived::follow::FanOut,
    error::{Error, Result},
    model::{
        derive_traits::{Described, Storable},
        shape::ModelShape,
    },
    query::{
        filter::{Filter, IntoFilter},
        maintained::Stamp,
        update::{Update, UpdateOperators, array_filter_setter, check_array_filters},
    },
    setters::option_setters,
    value::decode::Decode,
    write::{self, BoundedUpdate, GivenVersion, UpdateReport},
};

/// Encodes the typed filter and the typed update, and builds the write.
pub(super) fn bounded<M: Described>(
    filter: Filter<M>,
    mut update: Update<M>,
    options: UpdateOptions,
    exec: &Exec,
) -> Result<BoundedUpdate> {
    let parents = update.take_parents();
    let (filter, update) = (filter.into_document(), update.into_modifications());
    let mut bounded = bounded_documents(M::SHAPE, filter, update, options, exec)?;
    bounded.parents = parents;
    Ok(bounded)
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
        let stamp = match options.upsert {
            Some(true) => Stamp::of_write(model, exec)?,
            _ => Stamp::of_change(model, exec)?,
        };
        BoundedUpdate::new(model, filter?, update, options, stamp)
    });
    update.map_err(|error| error.in_model(model))
}

/// Rejects the option `upsert`, because only [`Upsert`](super::Upsert) fills in the copies in a new document.
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
/// | `push` into an array with `max` | one `update` with the bound in its filter; one more round trip if nothing matched |
/// | `add_to_set` into an array with `max`, a push into an array inside an array element, or a pipeline on a model with bounds | a transaction: a `findAndModify`, and a `find` to check the document |
/// | writes fields that other documents copy, or copies in the document | a transaction, as below |
/// | model with a [shard key](derive@crate::Model#sharded-collections) that the filter does not contain, and the update sends a `findAndModify` | one more `find`, which reads the key |
/// | model with [hooks](crate::Hooks) | a transaction: a `find` of the document, the statements of the hook and of the update, and a `find` for `after_commit` |
///
/// The transaction consists of the following statements, but skips those that are not necessary:
///
/// 1. one `find` for each model from which the update copies a value into the document;
/// 2. a `findAndModify` of the document;
/// 3. a `find` of the document, unless the update only sets and unsets whole fields outside arrays;
/// 4. if a source has changed, a `findAndModify` of the job, and, for each reference on which copies depend, an
///    `aggregate` and an `update`.
///
/// After the commit, the first `find`s are sent again, in order to correct copies whose source has changed meanwhile.
///
/// # Index
///
/// For each reference on which copies depend, the call uses an index on the key of the reference, followed by `_id`.
/// [`sync_indexes`](crate::Odm::sync_indexes) creates these indexes.
///
/// # Guarantees
///
/// If the update adds elements to an array, the snapshots in these elements are read from their sources. The methods of
/// [`CopyOptions`](crate::CopyOptions) determine when copies are written.
///
/// # Errors
///
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) if an array would exceed its `max`. Nothing was written.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if a reference that must have a target
///   ([`exists`](derive@crate::Model#required-targets)) is dangling. Nothing was written.
/// - [`Error::Invalid`](crate::Error::Invalid) for an update without operators, for two operators on the same path, for
///   a path that contains `$[name]` without an `array_filter` for the name, for the driver's option `upsert` (use
///   [`Upsert`](super::Upsert)), and for an update that writes the
///   [kind](derive@crate::Model#kinds-of-documents-in-one-collection).
/// - [`Error::Conflict`](crate::Error::Conflict) if you called [`if_version`](Self::if_version) or
///   [`if_unchanged`](Self::if_unchanged), and the document has changed. [`Error::Deleted`](crate::Error::Deleted) if
///   the document is deleted, and its model has `#[deleted_at]`.
/// - [`Error::Hook`](crate::Error::Hook) if a hook fails. Nothing was written.
/// - [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server, if the model has hooks, or if the
///   library would have to check the updated document against a bound. Nothing was written.
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
    expected: Option<Result<GivenVersion>>,
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
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let report = Book::update(&odm, id).filter(book.sold.lt(10)).inc(book.sold, 1).await?;
    /// println!("updated: {}", report.matched == 1);
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Sets the update and the version that the stored document must have.
    pub(super) fn changing(mut self, update: Update<M>, expected: Option<GivenVersion>) -> Self {
        (self.update, self.expected) = (update, expected.map(Ok));
        self
    }

    /// Returns the stored document as it is after the update.
    ///
    /// # Sends
    ///
    /// The statements of [`FindOneAndUpdate`](super::FindOneAndUpdate): one `findAndModify`, or a transaction if
    /// derived data depends on the updated fields. If no document matches and the model has `#[deleted_at]`, one more
    /// `find` checks whether the document is deleted.
    ///
    /// # Errors
    ///
    /// The errors of the update, and [`Error::Decode`](crate::Error::Decode). [`Error::Deleted`](crate::Error::Deleted)
    /// if the document is marked as deleted, and [`Error::NotFound`](crate::Error::NotFound) if no document matches. If
    /// a missing document is not an error in your code, use
    /// [`find_one_and_update`](crate::Documents::find_one_and_update), which returns an `Option`.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/version_models.txt")]
    /// async fn rename(odm: &Odm, id: Id<Task>, seen: i64, title: &str) -> mongo_odm::Result<Task> {
    ///     let update = Task::update(odm, id).set(Task::fields().title, title);
    ///     update.if_version(seen).returning().await
    /// }
    /// ```
    pub fn returning(self) -> Returning<Self, M>
    where
        M: Storable,
    {
        Returning::new(self)
    }

    version_setters!();
    array_filter_setter!();
    hooks_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any options: UpdateOptions);

    fn into_write(self) -> Result<(write::UpdateOneWrite, Exec)> {
        refuse_upsert(M::SHAPE, self.options.upsert)?;
        let mut update = bounded(self.filter, self.update, self.options, &self.exec)?;
        update.fan_out = self.fan_out;
        if let Some(expected) = self.expected {
            update.expect(expected?)?;
        }
        Ok((write::UpdateOneWrite(update), self.exec))
    }

    fn into_returning(self) -> Result<(write::FindAndUpdateWrite, Exec)> {
        let (write::UpdateOneWrite(update), exec) = self.into_write()?;
        Ok((write::FindAndUpdateWrite::returning(update), exec))
    }
}

write_builder!([M: Described] UpdateOne<M>: write::UpdateOneWrite => UpdateReport, "update");
bulk_operation!([M: Described] UpdateOne<M>: Update);

impl<M: Storable> ReturnsDocument<M> for UpdateOne<M> {
    fn run(self) -> Running<M> {
        traced(M::SHAPE, "update", async move {
            let (write, exec) = self.into_returning()?;
            let filter = write.update.filter.clone();
            let found: Option<RawDocumentBuf> = write::run_counted(write, exec.clone()).await?;
            let Some(found) = found else {
                return Err(write::unmatched(M::SHAPE, filter, &exec).await);
            };
            let decode = Decode::with_reader(M::__odm_read_document);
            decode.decode(M::SHAPE.collection, &found)
        })
    }

    fn plan(self) -> Result<Plan> {
        let (write, exec) = self.into_returning()?;
        exec.plan(write)
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
/// | `push` into an array with `max` | a transaction: a `find` for a document without enough room in its array, then the `update` |
/// | `add_to_set` into an array with `max`, or a pipeline that writes such an array | a transaction for every 500 documents, which also reads the documents that exceed their bound |
/// | derived data depends on the updated fields | a transaction for every 500 documents, with the statements of [`UpdateOne`] |
/// | model with [hooks](crate::Hooks) | a transaction for every 500 documents: a `find`, the statements of the hooks, those of [`UpdateOne`] for each different update, and a `find` for `after_commit` |
///
/// # Index
///
/// The server can use an index on the fields in the filter. The call also uses the indexes that [`UpdateOne`] uses.
///
/// # Limits
///
/// If the update is sent in transactions, and it has a collation that treats two ids as equal that are documents with
/// strings, one of the two documents can be updated twice.
///
/// # Errors
///
/// The errors of [`UpdateOne`]. [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server, if the
/// model has hooks, or if the library would have to check the updated documents against a bound.
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
    hooks_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any options: UpdateOptions);

    fn into_write(self) -> Result<(write::UpdateManyWrite, Exec)> {
        refuse_upsert(M::SHAPE, self.options.upsert)?;
        let mut update = bounded(self.filter, self.update, self.options, &self.exec)?;
        update.fan_out = self.fan_out;
        Ok((write::UpdateManyWrite::new(update), self.exec))
    }
}

write_builder!([M: Described] UpdateMany<M>: write::UpdateManyWrite => UpdateReport, "update_many");
bulk_operation!([M: Described] UpdateMany<M>: UpdateMany);

impl<M> UpdateOperators<M> for UpdateMany<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        &mut self.update
    }
}
