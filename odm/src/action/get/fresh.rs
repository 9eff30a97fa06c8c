//! Updates the derived fields of a document and then reads the document.
//!
//! 1. `fresh` reads those references in the document on which copies depend. A later write that changes such a
//!    reference also reads the source, so the new copies are not older than this read.
//! 2. One aggregation reads the document's deltas, then its jobs. The order matters, because applying deltas creates
//!    jobs.
//! 3. The library applies the deltas and runs the jobs. If a job waits for its last look, the library compares the
//!    copies in the document with their sources.
//! 4. The library reads the document from the primary.

use std::time::Duration;

use mongodb::{
    bson::{Bson, RawDocument},
    options::{ReadPreference, SelectionCriteria},
};

use super::Get;
use crate::{
    action::find::find_each,
    client::{
        command,
        odm::{Exec, Running, traced},
    },
    derived::runner::{TIMEOUT, freshen},
    error::{Error, Result},
    model::derive_traits::{Described, Storable},
    value::decode::Decode,
    write::id_in_filter,
};

/// A read that first updates the derived fields of the document: `Host::get(&odm, id).fresh()`.
///
/// Derived fields are copies, summaries, recent lists, and the arrays of two-way references.
///
/// # Sends
///
/// | the document has | statements if nothing is pending |
/// |---|---|
/// | no derived fields | the `find` on `_id` |
/// | derived fields that depend on references to its `_id` | an `aggregate` over `_odm_deltas` and `_odm_jobs`, then the `find` |
/// | copies that depend on its own references | first a `find` that reads these references |
/// | copies of derived fields | one `aggregate` for each step in the chain of copies, and a `find` if needed |
///
/// If updates are pending, the call also applies the deltas and runs the jobs, like [`Odm::wait`](crate::Odm::wait).
///
/// If the source of a copy has changed within the [grace period](crate::Settings::grace), which is three minutes by
/// default, two more `find`s compare the copies in the document with the source. If a copy is stale, one transaction
/// corrects it.
///
/// # Guarantees
///
/// The result reflects every write that returned before this call started, regardless of which program sent the write
/// and which options that program used. This includes the copies in a document that was stored while a source changed.
/// Copies of derived fields are also updated, provided that their reference contains the source's `_id`.
///
/// # Limits
///
/// If a summary or a recent list depends on copies in the children, these copies are not updated first.
///
/// # Errors
///
/// - [`Error::Pending`] if the updates take longer than 30 seconds or the [`timeout`](Self::timeout). The call fails
///   immediately if the latest run of a job could not store a copy in the document. Updates that have already started
///   continue in the background.
/// - [`Error::Invalid`] in a transaction, because the transaction's snapshot does not contain the update, and with a
///   `read_preference` other than the primary.
/// - All other errors are those of [`Get`].
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Fresh<M, V = M> {
    get: Get<M, V>,
    older_than: Duration,
    timeout: Duration,
}

impl<M: Described, V: Send + 'static> Get<M, V> {
    /// Updates the derived fields of the document and then reads the document.
    ///
    /// # Sends
    ///
    /// If the document has derived fields, the call sends additional statements, which [`Fresh`] lists. Otherwise the
    /// call sends the same `find` as [`Get`].
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/log_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Host>) -> mongo_odm::Result<()> {
    /// use std::time::Duration;
    ///
    /// let exact = Host::get(&odm, id).fresh().await?;
    /// let recent = Host::get(&odm, id).fresh_within(Duration::from_secs(2)).await?;
    /// # Ok(()) }
    /// ```
    pub fn fresh(self) -> Fresh<M, V>
    where
        M: Storable,
    {
        self.fresh_within(Duration::ZERO)
    }

    /// Reads the document immediately if all pending changes to its derived fields are younger than `bound`. Otherwise
    /// the call first updates the fields, like [`fresh`](Self::fresh). If a source has changed within the grace period,
    /// the call always compares the copies with that source.
    ///
    /// Ages are measured by the server's clock. The date of a delta is stored in whole seconds, so a delta can appear
    /// up to a second older than it is.
    ///
    /// # Examples
    ///
    /// See [`fresh`](Self::fresh).
    pub fn fresh_within(self, bound: Duration) -> Fresh<M, V>
    where
        M: Storable,
    {
        Fresh {
            get: self,
            older_than: bound,
            timeout: TIMEOUT,
        }
    }
}

impl<M, V> Fresh<M, V> {
    /// Sets the time limit for updating the fields. The default is 30 seconds. If the limit is zero, the call still
    /// checks whether updates are pending, and this check has a limit of one second.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use std::time::Duration;
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Book>) -> mongo_odm::Result<()> {
    /// let read = Book::get(&odm, id).fresh();
    /// let book = read.timeout(Duration::from_secs(5)).await?;
    /// println!("{}", book.author_name);
    /// # Ok(()) }
    /// ```
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl<M: Described, V: Send + 'static> IntoFuture for Fresh<M, V> {
    type Output = Result<V>;
    type IntoFuture = Running<V>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "get", async move {
            let (find, decode, exec) = self.get.into_parts()?;
            let filter = find.filter.clone();
            let found = read(find, decode, self.older_than, self.timeout, &exec).await?;
            found.ok_or_else(|| M::SHAPE.not_found(filter))
        })
    }
}

/// Updates the derived fields and then reads the document. Only the decoding is compiled separately for each type.
async fn read<V: Send>(
    mut find: command::FindCommand,
    decode: Decode<V>,
    older_than: Duration,
    timeout: Duration,
    exec: &Exec,
) -> Result<Option<V>> {
    refuse_old(&mut find, exec)?;
    let model = find.place.model();
    let id = id_in_filter(&find.filter).cloned().unwrap_or(Bson::Null);
    if let Some(model) = model {
        freshen(
            model.documents(),
            id,
            older_than,
            timeout,
            exec.odm().clone(),
        )
        .await?;
    }
    let mut first = None;
    let mut found = |collection: &str, raw: &RawDocument| {
        first = Some(decode.decode(collection, raw)?);
        Ok(())
    };
    find_each(find, exec.clone(), &mut found).await?;
    Ok(first)
}

/// Rejects reads that could return the document as it was before the update of its derived fields.
fn refuse_old(find: &mut command::FindCommand, exec: &Exec) -> Result<()> {
    if exec.in_transaction() {
        return Err(Error::invalid(
            "a transaction reads one snapshot, which does not contain an update that starts now; call `fresh` before \
             the transaction, or outside with `tx.odm()`",
        ));
    }
    let primary = SelectionCriteria::ReadPreference(ReadPreference::Primary);
    match &find.options.selection_criteria {
        Some(other) if *other != primary => Err(Error::invalid(
            "`fresh` reads from the primary, since others may be behind; remove the `read_preference`, or remove `fresh`",
        )),
        _ => {
            find.options.selection_criteria = Some(primary);
            Ok(())
        }
    }
}
