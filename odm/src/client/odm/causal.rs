//! Causally consistent handles. Each statement runs in a session of its own, which starts at the time of the handle.
//!
//! A session cannot run two statements at the same time. So the handle does not keep a session. It keeps the time of
//! its latest statement: each new session is advanced to this time, and the time of each reply is stored in the handle.
//! This includes the statements of transactions, even if the transaction is rolled back, because it has read documents.

use std::sync::{Arc, Mutex, PoisonError};

use mongodb::{ClientSession, ClusterTime, bson::Timestamp};

use super::Odm;

/// The time of the latest statement of a causally consistent handle and its clones.
#[derive(Debug, Default)]
pub(super) struct CausalTime(Mutex<Times>);

#[derive(Debug, Default)]
struct Times {
    cluster: Option<ClusterTime>,
    operation: Option<Timestamp>,
}

impl CausalTime {
    /// Advances a session to the time of the handle.
    pub(super) fn advance(&self, session: &mut ClientSession) {
        let times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cluster) = &times.cluster {
            session.advance_cluster_time(cluster);
        }
        if let Some(operation) = times.operation {
            session.advance_operation_time(operation);
        }
    }

    /// Advances the handle to the time of a session.
    pub(super) fn note(&self, session: &ClientSession) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = session.cluster_time()
            && times.cluster.as_ref().is_none_or(|known| known < seen)
        {
            times.cluster = Some(seen.clone());
        }
        times.operation = times.operation.max(session.operation_time());
    }
}

impl Odm {
    /// Returns a handle whose reads see all earlier writes through this handle and its clones, even if a read uses a
    /// secondary.
    ///
    /// A secondary waits until it has applied these writes. Use a handle for each request or each user: the reads of
    /// one user need not wait for the writes of another. The new handle shares everything else with this handle.
    ///
    /// # Sends
    ///
    /// Nothing. Each later read contains the time of the latest statement (`afterClusterTime`), which needs no round
    /// trip.
    ///
    /// # Guarantees
    ///
    /// - A read sees the writes that were acknowledged before it started. A later read does not see an older state.
    /// - After a failover, these guarantees apply only if writes wait for a majority, and reads use the read concern
    ///   `majority` ([`with_read_concern`](Self::with_read_concern)).
    /// - The guarantees do not include the work of jobs. To wait for the copies of a write, use [`Odm::wait`].
    /// - Other processes do not use the time of the handle, so their reads might not see the writes.
    ///
    /// # Limits
    ///
    /// Change streams ignore the time. The handle does not accept unacknowledged writes (`w: 0`). The server rejects reads
    /// with the read concerns `linearizable` and `available`.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{mongodb::options::ReadPreference, prelude::*};
    ///
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: Id<Part> }
    /// # async fn example(odm: Odm, part: Part) -> mongo_odm::Result<()> {
    /// let options = Default::default();
    /// let odm = odm.with_read_preference(ReadPreference::SecondaryPreferred { options }).causal();
    /// part.insert(&odm).await?;
    /// let part = Part::get(&odm, part.id).await?; // the secondary has the part
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn causal(&self) -> Self {
        self.with_options(|options| options.causal = Some(Arc::default()))
    }

    /// Advances the time of a causally consistent handle to the time of a session.
    pub(super) fn note_time(&self, session: &ClientSession) {
        if let Some(time) = self.causal_time() {
            time.note(session);
        }
    }

    /// Returns the time of a causally consistent handle.
    pub(super) fn causal_time(&self) -> Option<&Arc<CausalTime>> {
        self.options.as_ref()?.causal.as_ref()
    }
}
