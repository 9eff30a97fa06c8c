//! Applies a delete rule to the references to deleted documents, in batches.

use mongodb::bson::{Bson, Document, doc};

use super::Sweep;
use crate::{
    client::odm::Exec,
    derived::{
        follow::{Followed, first_owner, record_copies, unlink},
        outbox::{JobId, Retry},
        runner::{
            batch_pace::Pace,
            delta_runner::apply_deltas_soon,
            drive::{Step, Work, drive},
            run_report::Failed,
        },
        values::{CascadeReport, Form, Guarantee},
    },
    error::{Error, Result},
    graph::StoredReference,
    value::key::JoinKey,
};

/// The owners of references to deleted documents.
struct Owners<'s, 'p> {
    sweep: &'s mut Sweep<'p>,
    rule: &'static StoredReference,
    keys: &'s [JoinKey],
    /// The owner in the current batch and the keys in its references, if the batch contains only one owner.
    single: Option<(Bson, Vec<JoinKey>)>,
    left_behind: Vec<Bson>,
}

impl Work for Owners<'_, '_> {
    async fn piece(&mut self, pace: &mut Pace) -> Result<Step> {
        let exec = Exec::on(self.sweep.odm.clone());
        let (rule, size) = (self.rule, pace.size.get());
        let mut only = Document::new();
        if !self.left_behind.is_empty() {
            only.insert("_id", doc! { "$nin": self.left_behind.clone() });
        }
        self.single = None;
        if size == 1 {
            self.single = first_owner(rule, self.keys, only.clone(), &exec).await?;
            if let Some((id, _)) = &self.single {
                only = doc! { "_id": { "$eq": id.clone() } };
            }
        }
        let cursors = (self.sweep.cursor.clone(), self.sweep.renewal());
        let state = (rule, self.keys.to_vec(), only, cursors, size);
        let changed = exec.together(
            state,
            |(rule, keys, only, cursors, size), exec| async move {
                let (cursor, renewal) = cursors;
                if let Some(all) = renewal {
                    all.advance("", None, &exec).await?;
                }
                unlink(rule, (&keys, &cursor), only, size, &exec).await
            },
        );
        match changed.await {
            Ok((count, followed)) => {
                self.sweep.note(followed);
                Ok(match (count, &self.single) {
                    // No owner was found, possibly because the target exists again.
                    (0, Some(_)) => Step::AGAIN,
                    (0, None) => Step::Over,
                    _ => Step::Done,
                })
            }
            Err(error)
                if error.is_about_one_document() || matches!(error, Error::Restricted { .. }) =>
            {
                Ok(Step::Rejected(error, size))
            }
            Err(error) => Err(error),
        }
    }

    /// Skips the owner that cannot be changed, so that it does not prevent changes to the other owners.
    async fn skip(&mut self, error: Error) -> Result<()> {
        let Some((id, keys)) = self.single.take() else {
            return Err(error);
        };
        tracing::error!(rule = %self.rule.title, document = ?id, %error, "cannot carry out a delete rule; the reference stays");
        let is_restricted = matches!(error, Error::Restricted { .. });
        let retry = if is_restricted {
            Retry::AfterOtherJobs
        } else {
            Retry::AfterCorrection
        };
        // The owner keeps its reference, but its copies must not keep the values of the deleted source.
        let exec = Exec::on(self.sweep.odm.clone());
        let jobs = record_copies(self.rule, &keys, &exec).await?;
        self.sweep.ran.add_made(jobs);
        let failed = keys.into_iter().map(|key| Failed {
            key,
            document: id.clone(),
            why: error.to_string(),
            retry,
        });
        self.sweep.left.failed.extend(failed);
        self.left_behind.push(id);
        Ok(())
    }
}

impl Sweep<'_> {
    pub(super) async fn rule(
        &mut self,
        rule: &'static StoredReference,
        keys: &[JoinKey],
        pace: &mut Pace,
    ) -> Result<()> {
        let mut report = CascadeReport::new(rule.model, Guarantee::Converged);
        pace.aim_at(rule.on_delete);
        let mut owners = Owners {
            sweep: self,
            rule,
            keys,
            single: None,
            left_behind: Vec::new(),
        };
        drive(&mut owners, pace).await?;
        report.failed = owners.left_behind;
        report.merge_into(&mut self.ran.cascaded);
        Ok(())
    }

    /// Adds the reports of a batch and the jobs that it has stored.
    fn note(&mut self, followed: Followed) {
        let ran = &mut *self.ran;
        for mut report in followed.cascaded {
            report.guarantee = Guarantee::Converged;
            report.merge_into(&mut ran.cascaded);
        }
        for mut report in followed.reports {
            report.guarantee = report.guarantee.min(Guarantee::Converged);
            report.forms.retain(|form| *form == Form::Delta);
            report.forms.push(Form::Job);
            report.merge_into(&mut ran.reports);
        }
        ran.add_made(followed.jobs);
        for (reference, keys) in followed.deltas {
            ran.deltas
                .extend(JobId::of_keys(&reference.relation, &keys));
            apply_deltas_soon(&reference, keys, self.odm);
        }
    }
}
