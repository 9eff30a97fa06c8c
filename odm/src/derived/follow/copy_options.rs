//! The options that determine how a write updates the copies of the written documents.

use super::Follow;
use crate::{
    derived::outbox::{Progress, ProgressFn},
    hook::ModelHooks,
    model::shape::ModelShape,
};

/// How one write updates the copies that depend on its documents.
#[derive(Clone, Debug, Default)]
pub struct FanOut {
    pub(crate) how: Follow,
    pub(crate) force: bool,
    pub(crate) progress: Option<ProgressFn>,
    /// Whether snapshots in new structs keep the values that your code has set.
    pub(crate) snapshots_are_given: bool,
    /// Whether the write skips the hooks of the written documents.
    pub(crate) skips_hooks: bool,
}

impl FanOut {
    /// Requests that all copies be written in the transaction of their source.
    pub(crate) const fn follow_at_once(&mut self) {
        self.how = Follow::Atomic;
    }

    /// Returns the hooks that the write calls for documents of a model.
    pub(crate) fn hooks(&self, model: &'static ModelShape) -> Option<ModelHooks> {
        ModelHooks::new(model).filter(|_| !self.skips_hooks)
    }
}

/// Options for the copies that depend on written documents. Every builder that writes documents has these methods.
///
/// By default, up to [`Settings::inline_copies`](crate::Settings) copies are written in the transaction of their
/// source. If there are more copies, a stored job writes them before the write returns. For models without derived
/// data, the options have no effect.
pub trait CopyOptions: Sized {
    #[doc(hidden)]
    fn fan_out_mut(&mut self) -> &mut FanOut;

    /// Writes all copies in the transaction of their source, no matter how many there are. If a copy cannot be written,
    /// the write fails and changes nothing.
    ///
    /// If a child is updated or deleted while its parent has deltas, the same transaction folds these deltas. If the
    /// parent has a job or more than 1,000 deltas, the summaries are recomputed.
    ///
    /// # Sends
    ///
    /// One additional `find` and one additional `delete` if there are deltas to fold.
    ///
    /// # Limits
    ///
    /// The server aborts a transaction after 60 seconds. Writing 100,000 copies takes about two seconds.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// let name = Author::fields().name;
    /// Author::update(&odm, id).set(name, "Tove Jansson").atomic().await?;
    /// # Ok(()) }
    /// ```
    fn atomic(mut self) -> Self {
        self.fan_out_mut().how = Follow::Atomic;
        self
    }

    /// Postpones the updates of derived data, and returns as soon as the write itself is committed.
    ///
    /// - Copies are written by a job.
    /// - Additions to summaries, recent lists and two-way arrays are stored as deltas.
    /// - If summaries or lists have to be recomputed, a job does so.
    /// - Delete rules are applied by a job. If the deleted document is stored again before the job runs, the references
    ///   to it are kept.
    /// - Some arrays are always written in the transaction: arrays that have a `max`, and both arrays of a two-way
    ///   reference between two arrays.
    ///
    /// With [`Settle::Background`](crate::Settle), a background task of the handle folds the deltas about 20 ms later,
    /// and another background task checks for jobs about every five seconds. Workers and
    /// [`Odm::run_pending_jobs`](crate::Odm::run_pending_jobs) do the same work. To fold the deltas and run the jobs
    /// immediately, pass the report's token to [`Odm::wait`](crate::Odm::wait). With
    /// [`Settle::Immediate`](crate::Settle), the write does all of this work before it returns.
    ///
    /// A later update or delete of the same child also becomes a delta, or recomputes the field. So readers never see
    /// the effect of the later write without the effect of the child's insert. A later write that uses
    /// [`atomic`](Self::atomic) folds the deltas itself.
    ///
    /// # Sends
    ///
    /// One `insert` for the deltas of each relation and one `update` for the jobs, in the write's transaction.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// let name = Author::fields().name;
    /// let report = Author::update(&odm, id).set(name, "Tove Jansson").deferred().await?;
    /// // Returns when the copies of the name have been updated.
    /// odm.wait(report.token()).await?;
    /// # Ok(()) }
    /// ```
    fn deferred(mut self) -> Self {
        self.fan_out_mut().how = Follow::Deferred;
        self
    }

    /// Writes copies even if no index supports the search for them. Every batch then reads the whole collection.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// let name = Author::fields().name;
    /// Author::update(&odm, id).set(name, "Tove Jansson").force().await?;
    /// # Ok(()) }
    /// ```
    fn force(mut self) -> Self {
        self.fan_out_mut().force = true;
        self
    }

    /// Keeps the values that your code has set for the snapshots (`#[denorm(.., snapshot)]`) in new structs, for
    /// example an agreed price.
    ///
    /// By default, snapshots in new structs get the current values of their sources. New structs are inserted documents
    /// (`insert`, `insert_many`, and an `upsert` or `save` that inserts), and elements that an update adds to an array
    /// (`push`, `add_to_set`). A `save` of a stored document, a `set` and a pipeline always store your values.
    ///
    /// With this option, an `upsert` and an [`Insertable`](trait@crate::Insertable) struct have to set every snapshot,
    /// unless the snapshot is an `Option` or has `#[serde(default)]`.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "products")]
    /// # struct Product { #[serde(rename = "_id")] id: Id<Product>, price: i64 }
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "orders")]
    /// struct Order {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Order>,
    ///     #[parent_ref]
    ///     product: Id<Product>,
    ///     #[denorm(from = "Product.price", snapshot)]
    ///     price: i64,
    /// }
    ///
    /// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
    /// let order = Order { id: Id::new(), product: product.id, price: 1_990 };
    /// order.insert(&odm).keep_snapshots().await?;
    /// # Ok(()) }
    /// ```
    fn keep_snapshots(mut self) -> Self {
        self.fan_out_mut().snapshots_are_given = true;
        self
    }

    /// Calls a function after each batch of the jobs that this write runs.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Author>) -> mongo_odm::Result<()> {
    /// Author::update(&odm, id)
    ///     .set(Author::fields().name, "Tove Jansson")
    ///     .on_progress(|progress| println!("{progress:?}"))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    fn on_progress(mut self, call: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.fan_out_mut().progress = Some(ProgressFn::new(call));
        self
    }
}
