//! Waits until no jobs and deltas are pending, and checks this.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use mongo_odm::{DriftKind, bson::doc, mongodb::options::ReadConcern};
use tokio::time::sleep;

use super::{Case, Checked, bench::sure, lost::Lost, party::Ask};
use crate::{
    compare::{Which, differences},
    declaration::Rule,
    derive::derive,
    naive::life::is_deleted,
    world::{key, keys, references, subjects, targets},
};

/// A dangling reference: the collection and the id of its document, and its key.
type Dangling = (String, Option<i64>, Option<i64>);

impl Case<'_> {
    pub(super) async fn settle(&mut self) -> Checked {
        let is_waited = !self.is_unsettled;
        self.wait().await?;
        if is_waited {
            self.assert_derived("after the wait").await?;
        }
        self.finish().await?;
        if !self.is_unsettled {
            self.assert_derived("with no work left").await?;
        }
        self.look().await?;
        self.world = self.bench.stored().await;
        Ok(())
    }

    /// Runs all remaining work and checks the result.
    pub(super) async fn finish(&mut self) -> Checked {
        self.wait().await?;
        if let Some(pause) = self.bench.pause {
            self.run_jobs(pause).await?;
            self.is_unsettled = false;
            self.lost = Lost::default();
        } else {
            self.wait_for_rules().await?;
        }
        Ok(())
    }

    /// Runs jobs until the delete rules are applied for all documents that were deleted since the last comparison. If
    /// the call was dropped or failed, no token identifies this work.
    async fn wait_for_rules(&self) -> Checked {
        const PAUSE: Duration = Duration::from_millis(20);
        let began = Instant::now();
        while began.elapsed() < self.bench.patience {
            let stored = self.bench.stored().await;
            if !self.gone(&self.world, &stored).concerns(self.all, &stored) {
                break;
            }
            let ran = self.bench.ask_all(Ask::RunJobs).await;
            ran.map_err(|error| vec![format!("the jobs fail: {error}")])?;
            sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Waits for the work that the tokens of the reports identify.
    async fn wait(&mut self) -> Checked {
        let patience = u64::try_from(self.bench.patience.as_millis()).unwrap_or(u64::MAX);
        for (program, token) in self.tokens.drain(..) {
            let waited = self.bench.ask(program, Ask::Wait(token, patience)).await;
            waited.map_err(|error| vec![format!("the wait fails: {error}")])?;
        }
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
        Err(found
            .into_iter()
            .map(|it| format!("{when}: {it}"))
            .collect())
    }

    /// Runs jobs until none is left.
    async fn run_jobs(&self, pause: Duration) -> Checked {
        let began = Instant::now();
        loop {
            let ran = self.bench.ask_all(Ask::RunJobs).await;
            ran.map_err(|error| vec![format!("the jobs fail: {error}")])?;
            self.end_restricted().await;
            let mut left = Vec::new();
            // Deltas first, because folding them enqueues jobs.
            for name in ["_odm_deltas", "_odm_jobs"] {
                let collection = self.bench.collection(name);
                let found = collection.find_one(doc! {});
                // The documents are compared in a snapshot, which contains only writes that a majority has.
                left.extend(sure(found.read_concern(ReadConcern::majority()).await));
            }
            if left.is_empty() {
                return Ok(());
            }
            if began.elapsed() > self.bench.patience {
                return Err(left
                    .into_iter()
                    .map(|it| format!("it is never done: {it}"))
                    .collect());
            }
            sleep(pause).await;
        }
    }

    /// Removes the jobs whose cascade would delete a document to which a reference with `restrict` refers. This
    /// document was stored after the delete. The library runs such a job again every ten minutes, until the application
    /// removes one of the references.
    async fn end_restricted(&self) {
        let restricted = doc! { "error": { "$regex": "^cannot delete from .*restrict" } };
        sure(
            self.bench
                .collection("_odm_jobs")
                .delete_many(restricted)
                .await,
        );
    }

    /// Checks the findings of the library itself.
    async fn look(&self) -> Checked {
        let mut found = Vec::new();
        let mut dangling = BTreeSet::new();
        let read = self.bench.ask_all(Ask::Read).await;
        found.extend(
            read.err()
                .map(|error| format!("a document cannot be read: {error}")),
        );
        let here = &self.bench.here;
        for model in here.models.iter() {
            let drift = model.verify(&here.handles[2]).await;
            let drift = drift.map_err(|error| vec![format!("verify fails: {error}")])?;
            for one in drift.into_iter().filter(|it| key(Some(&it.id)).is_some()) {
                match one.kind {
                    DriftKind::Dangling | DriftKind::NoTarget => {
                        dangling.insert((
                            one.collection.to_owned(),
                            key(Some(&one.id)),
                            key(one.key.as_ref()),
                        ));
                    }
                    _ => found.push(format!("verify: {one}")),
                }
            }
        }
        let (expected, others) = self.dangling().await;
        if self.bench.other.is_some() && !(expected.is_empty() && others.is_empty()) {
            // A document that an older program inserted without a copy does not get the copy if the source does not
            // exist.
            found.retain(|it| !it.contains("missing field"));
        }
        let is_allowed = |it: &Dangling| expected.contains(it) || others.contains(it);
        if !expected.is_subset(&dangling) || !dangling.iter().all(is_allowed) {
            found.push(format!(
                "verify should find {expected:?} without a target, and finds {dangling:?}"
            ));
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// Lists the dangling references that `verify` must report, and separately those that it may report.
    async fn dangling(&self) -> (BTreeSet<Dangling>, BTreeSet<Dangling>) {
        let stored = self.bench.stored().await;
        let (mut dangling, mut others) = (BTreeSet::new(), BTreeSet::new());
        for ((model, id), document) in &stored.0 {
            let model = self.all.model(*model);
            for (field, reference) in references(model) {
                let keys = keys(field, document).into_iter();
                let lost = keys.filter(|key| stored.get(reference.to, *key).is_none());
                let lost = lost.map(|key| (model.collection.clone(), Some(*id), Some(key)));
                // With the default `grace` the test does not wait for the jobs that apply delete rules.
                let is_pending = self.bench.pause.is_none() && reference.rule != Rule::Keep;
                if is_pending || is_deleted(model, document) {
                    others.extend(lost);
                } else {
                    dangling.extend(lost);
                }
            }
            let subjects = model
                .fields
                .iter()
                .flat_map(|field| subjects(field, document));
            let lost = subjects.filter(|(to, key)| stored.get(*to, *key).is_none());
            let lost = lost.map(|(_, key)| (model.collection.clone(), Some(*id), Some(key)));
            dangling.extend(lost);
            let linked = model
                .links()
                .map(|(field, _)| targets(field, document))
                .unwrap_or_default()
                .into_iter();
            let lost = linked.filter(|id| {
                !stored
                    .0
                    .keys()
                    .any(|(to, it)| it == id && self.all.model(*to).kind.is_some())
            });
            dangling.extend(lost.map(|key| (model.collection.clone(), Some(*id), Some(key))));
        }
        (dangling, others)
    }
}
