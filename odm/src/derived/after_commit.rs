//! The work that follows the commit of a write: checking new copies and sources, folding deltas, and running jobs.
//!
//! 1. The library reads the sources of new copies again, because concurrent transactions do not see each other
//!    (`recheck`).
//! 2. The library searches again for copies and arrays that refer to new sources (`NewSources::recheck`).
//! 3. The library searches again for parents that did not exist (`await_documents`).
//! 4. A background task of the handle folds the new deltas (`apply_deltas_soon`).
//! 5. If the transaction has updated copies, the library keeps the keys of their sources. The next pass of the
//!    background task or the worker searches for copies of these sources that the transaction missed (`look_soon`).
//! 6. The jobs run to completion, followed by the jobs that they enqueue. With `deferred()`, only the jobs that were
//!    stored in steps 1 to 3 are run.
//! 7. With `Settle::Immediate`, steps 4 and 5 do nothing, and step 6 also runs the jobs of `deferred()` writes. At the
//!    end, the write waits until the work in its own token is done.
//! 8. The `after_commit` hooks of the written documents run.
//!
//! If the write is part of your own transaction, the steps run after that transaction commits. If a step fails, no
//! update is lost, because the stored jobs find the same stale copies, at the latest in their last look.

use futures_util::future::BoxFuture;

use crate::{
    client::odm::{AfterCommit, Exec, Odm, Settle},
    derived::{
        follow::{
            Change, Effects, FanOut, Follow, Followed, NewSources, WrittenCopies, await_documents,
            follow, follow_new_sources, recheck,
        },
        outbox::{JobId, ProgressFn, Token},
        runner::{
            RunResult, apply_deltas_soon, in_groups, in_turns, look_soon, parts_of, run_to_end,
            warn_of_left,
        },
        values::{CascadeReport, CopyReport, Form, Guarantee, Image},
    },
    error::Result,
    graph::{ExtendedReference, graph},
};

pub(crate) use crate::derived::follow::Outcome;

/// The effects of a completed write on other documents.
#[derive(Debug, Default)]
pub(crate) struct FinishedWrite {
    pub(crate) copies: Vec<CopyReport>,
    pub(crate) cascaded: Vec<CascadeReport>,
    /// The pending jobs and deltas that the write has stored.
    pub(crate) token: Token,
}

/// Prepares the server for a write that may enqueue jobs.
pub(crate) async fn ready(effects: &Effects, fan_out: &FanOut, exec: &Exec) -> Result<()> {
    if !effects.leaves_jobs() || exec.is_paper() {
        return Ok(());
    }
    let references = &effects.images.references;
    exec.odm().ready_for(references, fan_out.force).await
}

impl<T> Outcome<T> {
    /// Updates the documents that depend on a written document. `written` contains the copies that the write stored in
    /// the document.
    pub(crate) async fn follow(
        &mut self,
        effects: &Effects,
        (before, after): (Option<&Image>, &[Image]),
        how: Follow,
        exec: &Exec,
    ) -> Result<()> {
        if before.is_none() {
            (self.followed, self.new_sources) =
                follow_new_sources(effects, after, &self.written, how, exec).await?;
            return Ok(());
        }
        let documents = effects.model.documents();
        let changes = Change::of_source(documents, &effects.images, before, after.first());
        let changes = changes.into_iter();
        let changes = changes.map(|it| it.after_correction(&self.written));
        self.followed = follow(changes.collect(), how, exec).await?;
        Ok(())
    }

    /// Does the remaining work immediately, or after the commit if the write is part of your own transaction.
    pub(crate) async fn finish(mut self, fan_out: &FanOut, exec: &Exec) -> (T, FinishedWrite) {
        let mut done = FinishedWrite {
            copies: std::mem::take(&mut self.followed.reports),
            cascaded: std::mem::take(&mut self.followed.cascaded),
            token: Token::default(),
        };
        done.token.add(std::mem::take(&mut self.followed.foreign));
        let taken = self.written.into_iter();
        let (foreign, written): (Vec<_>, Vec<_>) =
            taken.partition(WrittenCopies::is_left_to_others);
        for left in foreign {
            done.token.add(left.jobs());
            CopyReport::new(&left.reference, Form::Job, Guarantee::Eventual)
                .merge_into(&mut done.copies);
        }
        let mut after = After {
            written,
            new_sources: self.new_sources,
            followed: self.followed,
            counted: Vec::new(),
        };
        done.token.add(after.parents_with_deltas());
        let odm = exec.odm();
        if fan_out.how == Follow::Deferred && odm.settings().settle != Settle::Immediate {
            done.leave(std::mem::take(&mut after.followed.jobs));
        }
        if let Some(tx) = exec.transaction() {
            done.leave(after.followed.jobs.clone());
            done.token.until(tx.commit());
            after.counted.clone_from(&done.copies);
            tx.after_commit(after);
            if !self.committed.is_empty() {
                tx.after_commit(self.committed);
            }
        } else if !(exec.is_paper() && exec.in_transaction()) {
            let ran = after.finish(exec, fan_out.progress.as_ref()).await;
            done.add(ran);
            if !exec.is_paper() {
                done.settle(odm).await;
                done.agree_with_token();
            }
            if !exec.is_paper() && !odm.has_transactions().await.unwrap_or(true) {
                done.guarantee(|promised| promised.min(Guarantee::BestEffort));
            }
            if !exec.is_paper() {
                odm.count_fan_out(&done.copies);
                self.committed.call(odm).await;
            }
        }
        (self.value, done)
    }
}

impl FinishedWrite {
    fn add(&mut self, ran: Self) {
        self.copies = merge(std::mem::take(&mut self.copies), ran.copies);
        for report in ran.cascaded {
            report.merge_into(&mut self.cascaded);
        }
        self.token.merge(ran.token);
    }

    /// Adds the result of running some jobs to this result. Adds all of these jobs to the token if at least one of them
    /// could not be completed.
    fn add_run(&mut self, ids: Vec<JobId>, ran: RunResult) {
        if ran.jobs.failed + ran.jobs.left > 0 {
            self.leave(ids);
        }
        self.token.add(ran.deltas);
        for report in ran.reports {
            report.merge_into(&mut self.copies);
        }
        for report in ran.cascaded {
            report.merge_into(&mut self.cascaded);
        }
    }

    /// Completes the work in the token if the setting is [`Settle::Immediate`]. Jobs that only other programs can run,
    /// and jobs that fail, stay in the token.
    async fn settle(&mut self, odm: &Odm) {
        if odm.settings().settle != Settle::Immediate {
            return;
        }
        let (mut own, mut foreign) = (Token::default(), Token::default());
        for id in self.token.jobs() {
            let part = if graph().knows(&id.relation) {
                &mut own
            } else {
                &mut foreign
            };
            part.add([id.clone()]);
        }
        match odm.wait(&own).await {
            Ok(()) => self.token = foreign,
            Err(error) => {
                tracing::warn!(%error, "a write has returned before its jobs were complete");
            }
        }
    }

    /// Makes the guarantees in the reports agree with the token. Afterwards, a report contains `Eventual` only if a job
    /// or a delta remains.
    ///
    /// Without this step, the reports can contradict the token. A completed job reports `Converged` for its relation
    /// even if the job for a different key remains. In addition, if another runner has completed all jobs, this call
    /// has no reports about them.
    fn agree_with_token(&mut self) {
        if self.token.is_empty() {
            self.guarantee(|promised| match promised {
                Guarantee::Eventual => Guarantee::Converged,
                other => other,
            });
        }
        for id in self.token.jobs() {
            let field = ExtendedReference::field_of(&id.relation).1;
            let eventual = graph().references_of(&id.relation).map(|reference| {
                let mut report = CopyReport::new(reference, Form::Job, Guarantee::Eventual);
                // A job for a single field has its own report, separate from the relation's report.
                if let Some(field) = field {
                    report.relation = ExtendedReference::name_of_field(&report.relation, field);
                }
                report
            });
            let eventual: Vec<_> = eventual.collect();
            let of_relation =
                |report: &&mut CopyReport| eventual.iter().any(|it| it.relation == report.relation);
            let mut is_reported = false;
            for report in self.copies.iter_mut().filter(of_relation) {
                if report.guarantee == Guarantee::Converged {
                    report.guarantee = Guarantee::Eventual;
                }
                is_reported |= report.guarantee == Guarantee::Eventual;
            }
            if !is_reported {
                self.copies.extend(eventual);
            }
        }
    }

    /// Adds jobs to the token instead of running them. Also reports the models whose documents these jobs delete or
    /// change.
    fn leave(&mut self, jobs: Vec<JobId>) {
        let rules = jobs.iter().flat_map(|id| graph().rules_of(&id.relation));
        for rule in rules {
            let report = CascadeReport::new(rule.model, Guarantee::Eventual);
            report.merge_into(&mut self.cascaded);
        }
        self.token.add(jobs);
    }

    fn guarantee(&mut self, change: fn(Guarantee) -> Guarantee) {
        let copies = self.copies.iter_mut().map(|it| &mut it.guarantee);
        let cascaded = self.cascaded.iter_mut().map(|it| &mut it.guarantee);
        for guarantee in copies.chain(cascaded) {
            *guarantee = change(*guarantee);
        }
    }
}

/// Merges the reports of jobs into the reports of a write. The guarantees that the jobs achieved replace the guarantees
/// that the write promised.
fn merge(mut reports: Vec<CopyReport>, ran: Vec<CopyReport>) -> Vec<CopyReport> {
    for report in ran {
        match reports
            .iter_mut()
            .find(|promised| promised.relation == report.relation)
        {
            Some(promised) => promised.replace_promised(report),
            None => reports.push(report),
        }
    }
    reports
}

/// The work that follows the commit of a write.
#[derive(Debug)]
struct After {
    /// New copies. Their sources are read again.
    written: Vec<WrittenCopies>,
    /// New sources. The library searches again for copies that depend on them.
    new_sources: Vec<NewSources>,
    /// The other remaining work, without its reports.
    followed: Followed,
    /// The transaction's reports, which are added to the counters after the commit.
    counted: Vec<CopyReport>,
}

impl AfterCommit for After {
    fn run(self: Box<Self>, odm: Odm) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            odm.count_fan_out(&self.counted);
            let deltas = self.parents_with_deltas();
            let mut done = self.finish(&Exec::on(odm.clone()), None).await;
            done.token.add(deltas);
            done.settle(&odm).await;
        })
    }
}

impl After {
    /// Lists the parents that have new deltas, as job ids that a token can contain.
    fn parents_with_deltas(&self) -> Vec<JobId> {
        let deltas = self.followed.deltas.iter();
        let ids = deltas.flat_map(|(reference, keys)| JobId::of_keys(&reference.relation, keys));
        ids.collect()
    }

    /// Does the remaining work. Failures are only logged, because the stored jobs repeat the work.
    async fn finish(self, exec: &Exec, progress: Option<&ProgressFn>) -> FinishedWrite {
        let odm = exec.odm();
        let mut done = FinishedWrite::default();
        let mut jobs = self.followed.jobs;
        let mut add = |found: Result<Vec<JobId>>, failure: &'static str| match found {
            Ok(found) => jobs.extend(found),
            Err(error) => tracing::warn!(%error, "{failure}"),
        };
        add(
            recheck(self.written, exec).await,
            "the sources of new copies were not read again; a job does it later",
        );
        for new_sources in self.new_sources {
            add(
                new_sources.recheck(exec).await,
                "copies of a new source were not searched for again",
            );
        }
        add(
            await_documents(self.followed.awaited, exec).await,
            "missing parents were not searched for again; a job does it later",
        );
        if exec.is_paper() {
            return done;
        }
        for (reference, keys) in self.followed.deltas {
            apply_deltas_soon(&reference, keys, odm);
        }
        look_soon(self.followed.spread, odm);
        // Running jobs can enqueue further jobs: for copies of copies, and for references to documents that a job
        // deletes.
        while !jobs.is_empty() {
            let mut made = Vec::new();
            for ids in in_turns(in_groups(jobs)).into_iter().flatten() {
                match run_to_end(ids.clone(), odm, progress, None).await {
                    Ok(mut ran) => {
                        made.append(&mut ran.made);
                        made.extend(ran.ended.iter().flat_map(parts_of));
                        done.add_run(ids, ran);
                    }
                    Err(error) => {
                        warn_of_left(ids.first(), &error);
                        done.leave(ids);
                    }
                }
            }
            jobs = made;
        }
        done
    }
}
