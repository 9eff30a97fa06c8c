//! Applies a delete rule to the references to deleted documents, in batches.

use std::time::Instant;

use mongodb::bson::{Bson, Document, doc};

use super::Sweep;
use crate::{
    client::odm::Exec,
    derived::{
        follow::{Followed, first_owner, unlink},
        outbox::JobId,
        runner::{delta_runner::apply_deltas_soon, run_report::Failed},
        values::{CascadeReport, Form, Guarantee},
    },
    error::{Error, Result},
    graph::Rule,
    value::key::JoinKey,
};

impl Sweep<'_> {
    pub(super) async fn rule(&mut self, rule: &'static Rule, keys: &[JoinKey]) -> Result<()> {
        let mut report = CascadeReport::new(rule.owner, Guarantee::Converged);
        let mut left_behind = Vec::new();
        self.pace.aim_at(rule.policy);
        while self.some_owners(rule, keys, &mut left_behind).await? {}
        report.failed = left_behind;
        report.merge_into(&mut self.ran.cascaded);
        Ok(())
    }

    /// Processes one batch of owners. Returns whether there may be more. If a batch fails, it is halved until it
    /// contains only the failing owner. That owner is skipped, so that it does not block the others.
    async fn some_owners(
        &mut self,
        rule: &'static Rule,
        keys: &[JoinKey],
        left_behind: &mut Vec<Bson>,
    ) -> Result<bool> {
        let began = Instant::now();
        let exec = Exec::on(self.odm.clone());
        let size = self.pace.size.get();
        let mut only = Document::new();
        if !left_behind.is_empty() {
            only.insert("_id", doc! { "$nin": left_behind.clone() });
        }
        let mut single = None;
        if size == 1 {
            single = first_owner(rule, keys, only.clone(), &exec).await?;
            let Some((id, _)) = &single else {
                return Ok(false);
            };
            only = doc! { "_id": { "$eq": id.clone() } };
        }
        let state = (rule, keys.to_vec(), only, self.cursor.clone(), size);
        let changed = exec.together(state, |(rule, keys, only, cursor, size), exec| async move {
            // No position is stored. An owner that was updated no longer refers to the key, so the next batch does not
            // find it again.
            cursor.advance("", None, &exec).await?;
            unlink(rule, &keys, only, size, &exec).await
        });
        match changed.await {
            // No owner was found, possibly because the target exists again.
            Ok((0, _)) => Ok(single.is_some()),
            Ok((_, followed)) => {
                self.note(followed);
                tokio::time::sleep(self.pace.next_pause(began.elapsed())).await;
                Ok(true)
            }
            Err(error)
                if error.is_document_rejected() || matches!(error, Error::Restricted { .. }) =>
            {
                let (Some((id, keys)), false) = (single, self.pace.size.halve(size)) else {
                    return Ok(true);
                };
                tracing::error!(rule = %rule.name, document = ?id, %error, "cannot carry out a delete rule; the reference stays");
                left_behind.push(id.clone());
                let why = error.to_string();
                let failed = |key| Failed {
                    key,
                    document: id.clone(),
                    why: why.clone(),
                };
                self.left.failed.extend(keys.into_iter().map(failed));
                Ok(true)
            }
            Err(error) => Err(error),
        }
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
            ran.deltas.extend(JobId::of_keys(&reference, &keys));
            apply_deltas_soon(&reference, keys, self.odm);
        }
    }
}
