//! A read of a document with up-to-date derived fields.
//!
//! 1. `fresh` reads the references beside copies. If the document gets another reference after this, its writer has
//!    read copies that are not older.
//! 2. One aggregation reads the deltas of the document, then its jobs. The order matters, because a fold creates jobs.
//! 3. The deltas are folded, and the jobs run.
//! 4. The document is read from the primary.

use std::{future::IntoFuture, time::Duration};

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

/// A read of a document after the update of its derived fields: `Host::get(&odm, id).fresh()`.
///
/// Derived fields are copies, summaries, recent lists, and the arrays of two-way references.
///
/// # Sends
///
/// | the document has | statements if nothing is pending |
/// |---|---|
/// | no derived fields | the `find` on `_id` |
/// | derived fields with its own `_id` as the key | an `aggregate` over `_odm_deltas` and `_odm_jobs`, then the `find` |
/// | copies beside its own references | a `find` of these references first |
/// | copies of derived fields | an `aggregate`, and a `find` if needed, for each step of the chain |
///
/// If something is pending, it also folds the deltas and runs the jobs, as [`Odm::wait`](crate::Odm::wait).
///
/// # Guarantees
///
/// The result contains every write that returned before the call, from any program and with any options. Fields that are
/// copied from derived fields are also updated, if they are copied by `_id`.
///
/// # Limits
///
/// The copies inside children are not updated before the children are counted or listed.
///
/// # Errors
///
/// - [`Error::Pending`] after 30 seconds or the [`timeout`](Self::timeout), or at once if the document could not store a copy
///   when its job ran last. The started work continues.
/// - [`Error::Invalid`] in a transaction, because its snapshot does not contain the update, and with a `read_preference` other
///   than the primary.
/// - Otherwise as [`Get`].
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Fresh<M, V = M> {
    get: Get<M, V>,
    older_than: Duration,
    timeout: Duration,
}

impl<M: Described, V: Send + 'static> Get<M, V> {
    /// Updates the derived fields of the document, and then reads it.
    ///
    /// # Sends
    ///
    /// Nothing more for a document without derived fields, otherwise one or two round trips more. [`Fresh`] lists them.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "hosts")]
    /// # struct Host {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Host>,
    /// # }
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

    /// Reads the document directly if all pending changes of its derived fields are younger than `bound`. Otherwise it updates
    /// the fields first, as [`fresh`](Self::fresh).
    ///
    /// The clock of the server decides. Deltas have a date in whole seconds, so one can count as up to a second older.
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
    /// Sets the time limit of the update of the fields; 30 seconds by default. With a limit of zero, it still checks
    /// whether something is pending, for which the server has one second.
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

/// Updates the fields and reads the document. Everything except the decoding is compiled once.
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

/// Rejects reads that could return an older state than the update.
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
