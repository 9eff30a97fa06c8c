//! The work that remains after the commit of a write: rechecks of new copies and sources, folds and jobs.
//!
//! The sources of new copies are read again, because concurrent transactions do not see each other. The jobs run to
//! their end if the copies were too many for the transaction. Nothing is lost if a step fails: the stored jobs and
//! their last look find the same differences.

use futures_util::future::BoxFuture;

use crate::{
    client::odm::{AfterCommit, Exec, Odm},
    derived::{
        follow::{
            Change, Effects, FanOut, Follow, Followed, NewSources, WrittenCopies, arrive,
            await_documents, follow, recheck,
        },
        outbox::{JobId, ProgressFn, Token},
        runner::{RunResult, apply_deltas_soon, in_groups, parts_of, run_to_end, warn_of_left},
        values::{CascadeReport, CopyReport, Form, Guarantee, Image},
    },
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

/// What a write did beside its own documents.
#[derive(Debug, Default)]
pub(crate) struct FinishedWrite {
    pub(crate) copies: Vec<CopyReport>,
    pub(crate) cascaded: Vec<CascadeReport>,
    /// What is left to others, or to be done later.
    pub(crate) token: Token,
}

/// Prepares the server for what follows a write.
pub(crate) async fn ready(effects: &Effects, fan_out: &FanOut, exec: &Exec) -> Result<()> {
    if !effects.leaves_jobs() || exec.is_paper() {
        return Ok(());
    }
    let references = &effects.images.references;
    exec.odm().ready_for(references, fan_out.force).await
}

/// What a transaction leaves behind.
#[derive(Debug)]
pub(crate) struct Outcome<T> {
    pub(crate) value: T,
    pub(crate) followed: Followed,
    pub(crate) written: Vec<WrittenCopies>,
    pub(crate) arrived: Vec<NewSources>,
}

impl<T> Outcome<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value,
            followed: Followed::default(),
            written: Vec::new(),
            arrived: Vec::new(),
        }
    }

    /// Makes the same of another value.
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome {
            value: map(self.value),
            followed: self.followed,
            written: self.written,
            arrived: self.arrived,
        }
    }

    /// Updates the documents that depend on a document, which was stored with the corrections in `written`.
    pub(crate) async fn follow(
        &mut self,
        effects: &Effects,
        (before, after): (Option<&Image>, &[Image]),
        how: Follow,
        exec: &Exec,
    ) -> Result<()> {
        if before.is_none() {
            (self.followed, self.arrived) =
                arrive(effects, after, &self.written, how, exec).await?;
            return Ok(());
        }
        let documents = effects.model.documents();
        let change = Change::new(documents, &effects.images, before, after.first());
        let change = change.map(|it| it.after_correction(&self.written));
        self.followed = follow(change.into_iter().collect(), how, exec).await?;
        Ok(())
    }

    /// Does what is left, now or when the transaction of the caller is committed.
    pub(crate) async fn finish(self, fan_out: &FanOut, exec: &Exec) -> (T, FinishedWrite) {
        let mut done = FinishedWrite {
            copies: self.followed.reports,
            cascaded: self.followed.cascaded,
            token: Token::default(),
        };
        done.token.add(self.followed.foreign);
        for (reference, keys) in &self.followed.deltas {
            done.token.add(JobId::of_keys(reference, keys));
        }
        let taken = self.written.into_iter();
        let (foreign, written): (Vec<_>, Vec<_>) =
            taken.partition(WrittenCopies::is_left_to_others);
        for left in foreign {
            done.token.add(left.jobs());
            CopyReport::new(left.reference, Form::Job, Guarantee::Eventual)
                .merge_into(&mut done.copies);
        }
        let mut after = After {
            written,
            arrived: self.arrived,
            awaited: self.followed.awaited,
            deltas: self.followed.deltas,
            jobs: self.followed.jobs,
            counted: Vec::new(),
        };
        if fan_out.how == Follow::Deferred {
            done.leave(std::mem::take(&mut after.jobs));
        }
        let odm = exec.odm();
        if let Some(tx) = exec.transaction() {
            done.leave(after.jobs.clone());
            done.token.until(tx.commit());
            after.counted.clone_from(&done.copies);
            tx.after_commit(after);
        } else if !(exec.is_paper() && exec.in_transaction()) {
            let ran = after.finish(exec, fan_out.progress.as_ref()).await;
            done.add(ran);
            if !exec.is_paper() {
                done.agree_with_token();
            }
            if !exec.is_paper() && !odm.has_transactions().await.unwrap_or(true) {
                done.guarantee(|promised| promised.min(Guarantee::BestEffort));
            }
            if !exec.is_paper() {
                odm.count_fan_out(&done.copies);
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

    /// Adds the result of a run of some jobs. If one of them is left, all of them are in the token.
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

    /// Makes the reports agree with the token, which decides: `Eventual` means that a job or a delta is left.
    ///
    /// The reports do not know it by themselves. A pass over the job of one key returns `Converged` for its relation
    /// while the job of another key is left. And if another runner has finished all jobs, this call has no report of
    /// them.
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
                // The job of a single field has a report of its own.
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

    /// Leaves jobs to be run later, and reports the models whose documents they will delete or change.
    fn leave(&mut self, jobs: Vec<JobId>) {
        let rules = jobs.iter().flat_map(|id| graph().rules_of(&id.relation));
        for rule in rules {
            let report = CascadeReport::new(rule.owner, Guarantee::Eventual);
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

/// Puts what jobs have done in place of what was promised of them.
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

/// What is left when a write is committed.
#[derive(Debug)]
struct After {
    /// New copies, whose sources are read once more.
    written: Vec<WrittenCopies>,
    /// New sources, whose copies are looked for once more.
    arrived: Vec<NewSources>,
    /// Keys of documents that were not there to take what is computed for them.
    awaited: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
    /// Keys of documents with deltas.
    deltas: Vec<(&'static ExtendedReference, Vec<JoinKey>)>,
    /// Jobs that are run to their end.
    jobs: Vec<JobId>,
    /// What the transaction did to copies: a fan-out is counted when it is committed.
    counted: Vec<CopyReport>,
}

impl AfterCommit for After {
    fn run(self: Box<Self>, odm: Odm) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            odm.count_fan_out(&self.counted);
            self.finish(&Exec::on(odm), None).await;
        })
    }
}

impl After {
    /// Does what is left. What fails here is not lost: the jobs are stored, and the last look that
    /// they take finds it.
    async fn finish(self, exec: &Exec, progress: Option<&ProgressFn>) -> FinishedWrite {
        let odm = exec.odm();
        let mut done = FinishedWrite::default();
        let mut jobs = self.jobs;
        let mut add = |found: Result<Vec<JobId>>, failure: &'static str| match found {
            Ok(found) => jobs.extend(found),
            Err(error) => tracing::warn!(%error, "{failure}"),
        };
        add(
            recheck(self.written, exec).await,
            "new copies are not compared with their sources once more; a job does it later",
        );
        for arrived in self.arrived {
            add(
                arrived.recheck(exec).await,
                "copies of a new source are not looked for once more",
            );
        }
        add(
            await_documents(self.awaited, exec).await,
            "documents that were awaited are not looked for once more; a job does it later",
        );
        if exec.is_paper() {
            return done;
        }
        for (reference, keys) in self.deltas {
            apply_deltas_soon(reference, keys, odm);
        }
        // The jobs, then those that running them has made: copies of copies, and what refers to documents that they
        // have deleted.
        while !jobs.is_empty() {
            let mut made = Vec::new();
            for ids in in_groups(jobs) {
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
