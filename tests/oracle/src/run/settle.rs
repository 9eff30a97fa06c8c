//! Waits until nothing is left to be done, and looks whether that is so.

use std::time::{Duration, Instant};

use mongo_odm::bson::doc;
use tokio::time::sleep;

use super::{Case, Checked, bench::sure};
use crate::{
    compare::{Which, differences},
    derive::derive,
};

impl Case<'_> {
    pub(super) async fn settle(&mut self) -> Checked {
        let handle = &self.bench.handles[0];
        for token in self.tokens.drain(..) {
            let waited = handle.wait(&token).await;
            waited.map_err(|error| vec![format!("the wait fails: {error}")])?;
        }
        if !self.is_unsettled {
            self.assert_derived("after the wait").await?;
        }
        if let Some(pause) = self.bench.pause {
            self.run_jobs(pause).await?;
            self.is_unsettled = false;
            self.assert_derived("with no work left").await?;
        }
        self.look().await?;
        self.world = self.bench.stored().await;
        Ok(())
    }

    async fn assert_derived(&self, when: &str) -> Checked {
        let stored = self.bench.stored().await;
        let mut right = stored.clone();
        derive(self.all, &mut right);
        let found = differences(self.all, &right, &stored, Which::All);
        if found.is_empty() {
            return Ok(());
        }
        Err(found.into_iter().map(|it| format!("{when}: {it}")).collect())
    }

    /// Runs jobs until none is left.
    async fn run_jobs(&self, pause: Duration) -> Checked {
        const LIMIT: Duration = Duration::from_secs(30);
        let began = Instant::now();
        loop {
            let ran = self.bench.handles[1].run_pending_jobs().await;
            ran.map_err(|error| vec![format!("the jobs fail: {error}")])?;
            let mut left = Vec::new();
            for name in ["_odm_jobs", "_odm_deltas"] {
                left.extend(sure(self.bench.collection(name).find_one(doc! {}).await));
            }
            if left.is_empty() {
                return Ok(());
            }
            if began.elapsed() > LIMIT {
                return Err(left.into_iter().map(|it| format!("it is never done: {it}")).collect());
            }
            sleep(pause).await;
        }
    }

    /// Asks the library itself.
    async fn look(&self) -> Checked {
        let handle = &self.bench.handles[2];
        let mut found = Vec::new();
        for model in self.bench.models.iter() {
            let read = model.read(handle).await;
            found.extend(read.err().map(|error| format!("a document cannot be read: {error}")));
            let drift = model.verify(handle).await;
            found.extend(drift.unwrap_or_else(|error| vec![format!("verify fails: {error}")]));
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }
}
