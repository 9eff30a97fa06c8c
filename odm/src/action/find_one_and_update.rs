//! Builder returned by `find_one_and_update`.

use mongodb::{
    bson::{Document, RawDocumentBuf},
    options::{FindOneAndUpdateOptions, ReturnDocument, UpdateOptions},
};
use serde::de::DeserializeOwned;

use super::update::{bounded, refuse_upsert};
use super::write_builder::hooks_setter;
use crate::{
    client::{
        odm::{Exec, Running, traced},
        plan::Plan,
    },
    derived::follow::{CopyOptions, FanOut},
    error::Result,
    model::{
        derive_traits::{Described, Projection},
        projection::Projected,
    },
    query::{
        filter::Filter,
        sort::IntoSort,
        update::{Update, UpdateOperators, array_filter_setter},
    },
    setters::{copy_options, option_setters},
    value::decode::Decode,
    write,
};

/// An update that returns the document: `Part::find_one_and_update(&odm, filter).inc(..)`.
///
/// As in the driver, the call returns the document as it was before the update. If you add
/// [`return_new`](Self::return_new), it returns the document as it is after the update. If no document matches, the
/// call returns `None`. See the example at [`Documents::find_one_and_update`](crate::Documents::find_one_and_update).
///
/// # Sends
///
/// One `findAndModify`. If derived data depends on the updated fields, the call sends a transaction instead: a `find`
/// for the `_id`, a `find` for the returned fields, and the statements of [`UpdateOne`](super::UpdateOne).
///
/// If the update pushes into a bounded array, the library adds the bound to the filter. If the call also has a sort, it
/// runs in a transaction. Without the transaction, the server would skip a document whose array is full and update the
/// next one in the sort order.
///
/// If the model has a [shard key](derive@crate::Model#sharded-collections) that the filter does not contain, one more
/// `find` reads the shard key.
///
/// # Index
///
/// The server can use an index on the fields in the filter, followed by the fields in the sort.
///
/// # Limits
///
/// If the call sends a transaction, and it has a collation that treats two ids as equal that are documents with strings,
/// the other document with such an id can be updated.
///
/// # Errors
///
/// The errors of [`UpdateOne`](super::UpdateOne). [`Error::Decode`](crate::Error::Decode) if the struct cannot read the
/// returned document. If this happens outside a transaction, the update is already stored.
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct FindOneAndUpdate<M, V = M> {
    filter: Filter<M>,
    update: Update<M>,
    options: FindOneAndUpdateOptions,
    fan_out: FanOut,
    exec: Exec,
    decode: Decode<V>,
}

impl<M: Described> FindOneAndUpdate<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        Self {
            filter,
            update: Update::new(),
            options: FindOneAndUpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
            decode: Decode::with_reader(M::__odm_read_document),
        }
    }

    /// Returns only the fields of a projection: `.select::<PartName>()`.
    ///
    /// # Examples
    ///
    /// See [`Find::select`](crate::action::Find::select).
    pub fn select<V: Projection<M>>(self) -> FindOneAndUpdate<M, V> {
        self.projected(
            Projected::of_type::<M, V>(None).document,
            Decode::with_reader(V::__odm_read_projected),
        )
    }

    /// Returns the fields that a plain projection document selects, decoded as a type of your choice.
    ///
    /// # Examples
    ///
    /// See [`Find::project`](crate::action::Find::project).
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> FindOneAndUpdate<M, V> {
        self.projected(Some(projection), Decode::serde())
    }

    fn projected<V>(
        mut self,
        projection: Option<Document>,
        decode: Decode<V>,
    ) -> FindOneAndUpdate<M, V> {
        self.options.projection = projection;
        FindOneAndUpdate {
            filter: self.filter,
            update: self.update,
            options: self.options,
            fan_out: self.fan_out,
            exec: self.exec,
            decode,
        }
    }
}

impl<M: Described, V: Send + 'static> FindOneAndUpdate<M, V> {
    /// Returns the document as it is after the update.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let updated = Book::find_one_and_update(&odm, book.title.eq("Comet in Moominland"))
    ///     .inc(book.sold, 1)
    ///     .return_new()
    ///     .await?;
    /// println!("{:?}", updated.map(|book| book.sold));
    /// # Ok(()) }
    /// ```
    pub fn return_new(mut self) -> Self {
        self.options.return_document = Some(ReturnDocument::After);
        self
    }

    /// Sets the sort order. The call updates the first document in this order. A second sort orders the documents that
    /// the first sort considers equal.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// // The book that was sold least.
    /// Book::find_one_and_update(&odm, Filter::all())
    ///     .sort(book.sold.asc())
    ///     .inc(book.sold, 1)
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn sort(mut self, sort: impl IntoSort<M>) -> Self {
        let sort = sort.into_sort().into_document();
        self.options.sort.get_or_insert_default().extend(sort);
        self
    }

    array_filter_setter!();
    hooks_setter!();
    option_setters!(hint, collation, comment, max_time, let_vars, write_concern);
    option_setters!(@ any options: FindOneAndUpdateOptions);

    /// Returns the statements that the call would send, like [`UpdateOne::plan`](super::UpdateOne::plan). Sends
    /// nothing.
    ///
    /// # Errors
    ///
    /// The errors that the call itself can return before it sends a statement.
    ///
    /// # Examples
    ///
    /// See [`Plan`](crate::Plan).
    pub fn plan(self) -> Result<Plan> {
        let (write, exec) = self.into_write()?;
        exec.plan(write)
    }

    /// Runs the update in a transaction, rolls the transaction back, and returns the document, like
    /// [`UpdateOne::dry_run`](super::UpdateOne::dry_run).
    ///
    /// # Errors
    ///
    /// The errors of [`UpdateOne::dry_run`](super::UpdateOne::dry_run).
    ///
    /// # Examples
    ///
    /// See [`Save::dry_run`](crate::action::Save::dry_run).
    pub async fn dry_run(self) -> Result<Option<V>> {
        let decode = self.decode;
        let (mut write, exec) = self.into_write()?;
        write.update.fan_out.follow_at_once();
        let tried = exec.dry_run(write);
        let found = traced(M::SHAPE, "find_one_and_update", tried).await?;
        decoded::<M, V>(found, decode)
    }

    fn into_write(self) -> Result<(write::FindAndUpdateWrite, Exec)> {
        refuse_upsert(M::SHAPE, self.options.upsert)?;
        let options = update_options(&self.options);
        let mut update = bounded(self.filter, self.update, options, &self.exec)?;
        update.max_time = self.options.max_time;
        update.fan_out = self.fan_out;
        let write = write::FindAndUpdateWrite::new(update, self.options);
        Ok((write, self.exec))
    }
}

/// Returns those options that the `update` command also supports.
fn update_options(options: &FindOneAndUpdateOptions) -> UpdateOptions {
    let mut update = UpdateOptions::default();
    copy_options!(options => update, [array_filters, collation, hint, let_vars, comment]);
    copy_options!(options => update, [bypass_document_validation]);
    update
}

fn decoded<M: Described, V>(found: Option<RawDocumentBuf>, decode: Decode<V>) -> Result<Option<V>> {
    found
        .map(|raw| decode.decode(M::SHAPE.collection, &raw))
        .transpose()
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

impl<M: Described, V: Send + 'static> IntoFuture for FindOneAndUpdate<M, V> {
    type Output = Result<Option<V>>;
    type IntoFuture = Running<Option<V>>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "find_one_and_update", async move {
            let decode = self.decode;
            let (write, exec) = self.into_write()?;
            decoded::<M, V>(write::run_counted(write, exec).await?, decode)
        })
    }
}
