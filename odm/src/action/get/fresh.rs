//! Gets a document with up-to-date derived fields.
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

/// Gets the document with an id when its derived fields are up to date: `Host::get(&odm, id).fresh()`.
///
/// Derived are its copies, the lists, counts and sums that it keeps about its children, and its array of a two-way
/// reference. Awaiting it folds the deltas of these fields and runs their jobs, as [`Odm::wait`](crate::Odm::wait)
/// does, and then reads the document from the primary: so every write that had returned before is in it, whoever has
/// written and with whatever options. Fields that are copied of fields which are derived themselves are brought up to
/// date from there on, where they are copied by `_id`; what children copy before it is counted or listed is as it is.
///
/// | the document has | statements when nothing is pending |
/// |---|---|
/// | no derived fields | the `find` on `_id` |
/// | fields whose key is its own `_id`: lists, counts, arrays of two-way references, copies by a reference in their source | an `aggregate` over `_odm_deltas` and `_odm_jobs` by their indexes, then the `find` |
/// | copies beside references of its own | a `find` of these references before both |
/// | copies of derived fields | an `aggregate`, and where needed a `find`, for each step of the chain |
///
/// # Errors
///
/// [`Error::Pending`] with what is pending, after 30 seconds or the [`timeout`](Self::timeout), or at once if the document
/// could not take a copy when its job ran last; what was begun goes on. [`Error::Invalid`] in a transaction, which reads one snapshot and
/// would not see what is folded now, and with a `read_preference` for others than the primary. Otherwise as [`Get`].
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Fresh<M, V = M> {
    get: Get<M, V>,
    older_than: Duration,
    timeout: Duration,
}

impl<M: Described, V: Send + 'static> Get<M, V> {
    /// Brings the derived fields of the document up to date, and reads it then. It costs nothing for a document without
    /// any, and one or two round trips more otherwise, which [`Fresh`] lists.
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

    /// Reads the document at once if no change that its derived fields have yet to follow is as old as this, by the clock
    /// of the server; else brings them up to date before, as [`fresh`](Self::fresh) does.
    ///
    /// Deltas are dated in whole seconds, so that one may be taken for older than it is, by less than a second.
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
    /// Sets for how long it may take to bring the fields up to date; 30 seconds by default. With no time at all it
    /// still looks whether they are, for which the server has a second.
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

/// Brings the fields up to date and reads the document; compiled once, but for the decoding.
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

/// Refuses to read where it can be older than what was brought up to date.
fn refuse_old(find: &mut command::FindCommand, exec: &Exec) -> Result<()> {
    if exec.in_transaction() {
        return Err(Error::invalid(
            "a transaction reads one snapshot, in which what is brought up to date now is not seen; call `fresh` before \
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
