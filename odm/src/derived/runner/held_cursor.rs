//! Gives up the cursors of a run that ends early.

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use crate::{
    client::odm::{Exec, Odm},
    derived::outbox::JobCursor,
};

/// The cursors of a run. If the future of the run is dropped, a task gives up the cursors. So other runners can continue
/// the jobs immediately, and do not have to wait until the lease ends.
pub(super) struct HeldCursor<'r> {
    cursor: Option<JobCursor>,
    odm: &'r Odm,
}

/// The tasks that give up cursors.
#[derive(Debug, Default)]
struct GivenUp(TaskTracker);

impl<'r> HeldCursor<'r> {
    pub(super) const fn new(cursor: JobCursor, odm: &'r Odm) -> Self {
        let cursor = Some(cursor);
        Self { cursor, odm }
    }

    /// Ends the protection, because the run has released the cursors or another runner has them.
    pub(super) fn end(mut self) {
        self.cursor = None;
    }
}

impl Drop for HeldCursor<'_> {
    fn drop(&mut self) {
        let (Some(cursor), Ok(runtime)) = (self.cursor.take(), Handle::try_current()) else {
            return;
        };
        let odm = self.odm.clone();
        let tasks = odm.deployment().shared::<GivenUp>();
        let task = async move {
            if let Err(error) = cursor.give_up(&Exec::on(odm)).await {
                tracing::debug!(%error, "cannot give up the lease of a job; other runners wait until it ends");
            }
        };
        tasks.0.spawn_on(task, &runtime);
    }
}

/// Waits until the cursors of dropped runs are free. The server gives up a cursor only after the running batch has ended,
/// because both write the cursor. If the batch has not yet written the cursor, it cannot commit afterwards.
pub(super) async fn all_given_up(odm: &Odm) {
    let tasks = odm.deployment().shared::<GivenUp>();
    tasks.0.close();
    tasks.0.wait().await;
}
