//! Steps that consist of several calls.

use futures_util::future::join_all;

use super::{Case, Checked, Expected, NO_PLACE, party::Ask, perform};
use crate::{
    inject::{ERRORS, inject},
    naive::{Refusal, life::resolve},
    program::{Call, Failure, Step},
};

impl Case<'_> {
    /// Replaces the placeholders in a step by stored values.
    pub(super) fn resolved(&self, step: &Step) -> Step {
        let one = |call: &Call| resolve(self.all, &self.world, call);
        match step {
            Step::Call(call) => Step::Call(one(call)),
            Step::AtOnce(calls) => Step::AtOnce(calls.iter().map(one).collect()),
            Step::Dropped(call, micros) => Step::Dropped(one(call), *micros),
            Step::Failing(call, failure) => Step::Failing(one(call), failure.clone()),
            Step::Transaction(calls, commits) => {
                Step::Transaction(self.resolved_calls(calls), *commits)
            }
            Step::DroppedTransaction(calls, micros) => {
                Step::DroppedTransaction(self.resolved_calls(calls), *micros)
            }
            Step::Settle | Step::Hostile(..) | Step::Inject(_) | Step::Repair(_) => step.clone(),
        }
    }

    /// Replaces the placeholders in calls by values that the earlier calls have stored.
    fn resolved_calls(&self, calls: &[Call]) -> Vec<Call> {
        let mut world = self.world.clone();
        let one = |call: &Call| {
            let call = resolve(self.all, &world, call);
            if let Ok(next) = self.after(&world, &call) {
                world = next;
            }
            call
        };
        calls.iter().map(one).collect()
    }

    pub(super) async fn inject(&self, error: usize) -> Checked {
        if inject(self.bench, ERRORS[error].2).await {
            return Ok(());
        }
        Err(vec![NO_PLACE.to_owned()])
    }

    pub(super) async fn transaction(&mut self, calls: &[Call], commits: bool) -> Checked<Expected> {
        let mut states = self.world.clone();
        let (mut refused, mut leaves_rules) = (None, false);
        for call in calls {
            if leaves_rules {
                // The documents that jobs have yet to delete are still visible to the next calls.
                refused = Some(Refusal::Unclear);
                break;
            }
            match self.after(&states, call) {
                Ok(next) => states = next,
                Err(refusal) => {
                    refused = Some(refusal);
                    break;
                }
            }
            leaves_rules = self.leaves_rules(call);
        }
        let program = self.bench.program_of(&calls[0]);
        let ask = Ask::Transaction(calls.to_vec(), commits);
        let done = self.bench.ask(program, ask).await;
        match (refused, done) {
            (Some(Refusal::Unclear), done) => {
                let is_done = done.is_ok();
                self.is_unsettled |= is_done;
                Ok(if is_done {
                    Expected::Any
                } else {
                    Expected::OneOf(vec![self.world.clone()])
                })
            }
            (None, Ok(reports)) if commits => {
                self.note(&calls[0], Ok(reports))?;
                Ok(Expected::OneOf(vec![states]))
            }
            (None, Err(error)) if commits => {
                Err(vec![format!("it should not be refused: {error}")])
            }
            (None, _) => Ok(Expected::OneOf(vec![self.world.clone()])),
            (Some(refusal), Ok(_)) => Err(vec![format!("it should be refused: {refusal:?}")]),
            // An unordered insert may reject any of its documents first.
            (Some(refusal), Err(error))
                if perform::is_kind(refusal, &error)
                    || (!error.rejected.is_empty() && calls.iter().any(Call::is_unordered)) =>
            {
                Ok(Expected::OneOf(vec![self.world.clone()]))
            }
            (Some(refusal), Err(error)) => Err(vec![format!(
                "it should be refused: {refusal:?}; it is by: {error}"
            )]),
        }
    }

    pub(super) async fn at_once(&mut self, calls: &[Call]) -> Checked<Expected> {
        let done = join_all(calls.iter().map(|call| self.call(call))).await;
        for (call, done) in calls.iter().zip(done) {
            self.note(call, done)?;
        }
        // If a source and its copy are written concurrently, only the last look of the job reads both.
        self.is_unsettled = true;
        Ok(Expected::Any)
    }

    pub(super) async fn dropped(&mut self, call: &Call, micros: u64) -> Expected {
        let program = self.bench.program_of(call);
        drop(
            self.bench
                .ask(program, Ask::Dropped(call.clone(), micros))
                .await,
        );
        self.is_unsettled = true;
        let mut states = self.after_refusal(call);
        match self.after(&self.world, call) {
            Ok(state) => states.push(state),
            Err(Refusal::Unclear) => return Expected::Any,
            // Only an error lists the rejected documents, and a dropped call returns no error.
            Err(_) if call.is_unordered() => return Expected::Any,
            Err(_) => {}
        }
        Expected::OneOf(states)
    }

    pub(super) async fn dropped_transaction(&mut self, calls: &[Call], micros: u64) -> Expected {
        let program = self.bench.program_of(&calls[0]);
        let ask = Ask::DroppedTransaction(calls.to_vec(), micros);
        drop(self.bench.ask(program, ask).await);
        self.is_unsettled = true;
        let mut state = self.world.clone();
        for call in calls {
            match self.after(&state, call) {
                Ok(next) => state = next,
                Err(Refusal::Unclear) => return Expected::Any,
                Err(_) => return Expected::OneOf(vec![self.world.clone()]),
            }
        }
        Expected::OneOf(vec![self.world.clone(), state])
    }

    /// Makes a call while the server fails. After an error, it is unknown which writes were applied.
    pub(super) async fn failing(&mut self, call: &Call, failure: &Failure) -> Checked<Expected> {
        self.bench.fail(Some(failure)).await;
        let done = self.call(call).await;
        self.bench.fail(None).await;
        if done.is_ok() {
            let expected = self.expected(call, &done)?;
            self.note(call, done)?;
            return Ok(expected);
        }
        self.is_unsettled = true;
        Ok(Expected::Any)
    }
}
