//! Runs a program with the library and with the naive model, and compares the results.

mod bench;
mod expect;
mod lost;
mod party;
mod perform;
mod reader;
mod remote;
mod settle;
mod steps;

use std::{
    fmt::{self, Display, Formatter},
    time::Duration,
};

use mongo_odm::{Error, Token, bson::DateTime};
use serde::{Deserialize, Serialize};

use tokio::time::timeout;

use self::{
    lost::Lost,
    party::{Answer, Ask},
    reader::Reader,
};

pub use bench::{Bench, Setting};
pub use remote::serve;

use crate::{
    compare::{Which, differences},
    declaration::{Declaration, Rule},
    derive::derive,
    naive::{Refusal, after, life::accept},
    program::{Call, Step},
    promises,
    world::{World, references},
};

/// The message if an error cannot be injected.
pub const NO_PLACE: &str = "there is no place for the error";

/// The failure of a step.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The position of the step.
    pub step: usize,
    /// The differences.
    pub found: Vec<String>,
}

impl Wrong {
    /// Returns the first difference without its numbers, so that the failures of two programs can be compared.
    pub fn kind(&self) -> String {
        let first = self.found.first().map(String::as_str).unwrap_or_default();
        let first = first.split(" be ").next().unwrap_or_default();
        first
            .chars()
            .filter(|it| !it.is_ascii_digit())
            .take(50)
            .collect()
    }
}

/// An error of a call, in a form that another process can send.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// The code of the error kind.
    pub code: String,
    /// The message.
    pub text: String,
    /// The positions of the documents that an `insert_many` has rejected.
    pub rejected: Vec<usize>,
}

impl From<&Error> for Refused {
    fn from(error: &Error) -> Self {
        let rejected = match error {
            Error::InsertMany { rejected, .. } => rejected.iter().map(|it| it.index).collect(),
            Error::BulkWrite { failed, .. } => failed.iter().map(|it| it.index).collect(),
            _ => Vec::new(),
        };
        Self {
            code: error.code().to_owned(),
            text: error.to_string(),
            rejected,
        }
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A program that is running.
struct Case<'b> {
    bench: &'b Bench,
    all: &'b Declaration,
    world: World,
    /// The tokens of writes, each with the number of the program that made the write.
    tokens: Vec<(usize, Token)>,
    /// Whether work may be left that no token identifies.
    is_unsettled: bool,
    lost: Lost,
    /// The time at which the step began.
    began: DateTime,
}

/// The states that can be correct after a step.
enum Expected {
    /// One of these states.
    OneOf(Vec<World>),
    /// Any state in which the derived data is correct.
    Any,
}

type Checked<T = ()> = Result<T, Vec<String>>;

/// Runs a program.
///
/// # Errors
///
/// If stored values are wrong or missing.
pub async fn run(bench: &Bench, program: &[Step]) -> Result<(), Wrong> {
    let mut case = Case {
        bench,
        all: &bench.declaration,
        world: bench.stored().await,
        tokens: Vec::new(),
        is_unsettled: false,
        lost: Lost::default(),
        began: DateTime::now(),
    };
    let reader = Reader::start(bench);
    let done = case.all_of(program).await;
    let seen = reader.end().await;
    done?;
    let step = program.len().saturating_sub(1);
    seen.map_or(Ok(()), |error| {
        let found = vec![error];
        Err(Wrong { step, found })
    })
}

impl Case<'_> {
    async fn all_of(&mut self, program: &[Step]) -> Result<(), Wrong> {
        const HANGS: Duration = Duration::from_secs(120);
        for (step, it) in program.iter().enumerate() {
            let done = timeout(HANGS, self.step(it)).await;
            let done = done.unwrap_or_else(|_| Err(vec!["it hangs".to_owned()]));
            done.map_err(|found| Wrong { step, found })?;
        }
        Ok(())
    }

    async fn step(&mut self, step: &Step) -> Checked {
        self.began = DateTime::now();
        let step = &self.resolved(step);
        let expected = match step {
            Step::Call(call) => {
                let done = self.call(call).await;
                let expected = self.expected(call, &done)?;
                self.note(call, done)?;
                expected
            }
            Step::Transaction(calls, commits) => self.transaction(calls, *commits).await?,
            Step::AtOnce(calls) => self.at_once(calls).await?,
            Step::Dropped(call, micros) => self.dropped(call, *micros).await,
            Step::DroppedTransaction(calls, micros) => {
                self.dropped_transaction(calls, *micros).await
            }
            Step::Failing(call, failure) => self.failing(call, failure).await?,
            Step::Settle => {
                self.settle().await?;
                Expected::OneOf(vec![self.world.clone()])
            }
            Step::Hostile(model, document) => {
                let collection = self.bench.collection(&self.all.model(*model).collection);
                // The insert may fail because an earlier document has the same id.
                drop(collection.insert_one(document).await);
                Expected::OneOf(vec![self.world.clone()])
            }
            Step::Inject(error) => {
                self.inject(*error).await?;
                Expected::OneOf(vec![self.world.clone()])
            }
            Step::Repair(error) => {
                self.inject(*error).await?;
                let repaired = self.bench.repair().await;
                repaired.map_err(|error| vec![format!("the repair fails: {error}")])?;
                self.finish().await?;
                Expected::OneOf(vec![self.world.clone()])
            }
        };
        if step.calls().iter().any(|call| self.leaves_rules(call)) {
            // Until the jobs have run, it is unknown which of the documents that a cascade deletes still exist.
            self.finish().await?;
        }
        let before = self.world.clone();
        self.note_deletes(step);
        self.check(expected).await?;
        self.note_lost(&before);
        Ok(())
    }

    /// Returns whether a call leaves delete rules to jobs: it is deferred, or its program does not declare all delete
    /// rules, and jobs of the others apply the rest.
    fn leaves_rules(&self, call: &Call) -> bool {
        let own = &self.bench.programs[self.bench.program_of(call)];
        call.deletes_later() || call.applies_rules() && rules(own) != rules(self.all)
    }

    /// Stores the tokens of a call.
    fn note(&mut self, call: &Call, done: Answer) -> Checked {
        let program = self.bench.program_of(call);
        let Ok(reports) = done else {
            self.is_unsettled = true;
            return Ok(());
        };
        for report in reports {
            let Some(token) = &report.token else {
                self.is_unsettled = true;
                continue;
            };
            promises::report(&report)?;
            if !token.is_empty() {
                self.tokens.push((program, token.clone()));
            }
        }
        Ok(())
    }

    async fn call(&self, call: &Call) -> Answer {
        let program = self.bench.program_of(call);
        self.bench.ask(program, Ask::Call(call.clone())).await
    }

    /// Returns the state after a call of one of the programs.
    fn after(&self, world: &World, call: &Call) -> Result<World, Refusal> {
        let own = &self.bench.programs[self.bench.program_of(call)];
        after(self.all, own, world, call)
    }

    /// Compares the stored state with the expected ones, and continues with the stored state.
    async fn check(&mut self, expected: Expected) -> Checked {
        let mut stored = self.bench.stored().await;
        let mut expected = expected;
        if self.may_change(&expected, &stored) {
            self.finish().await?;
            (expected, stored) = (Expected::Any, self.bench.stored().await);
        }
        promises::at_each_moment(self.all, &stored)?;
        let which = if self.has_work() {
            Which::Owned
        } else {
            Which::All
        };
        let mut states = match expected {
            Expected::OneOf(states) => states,
            Expected::Any => vec![stored.clone()],
        };
        for state in &mut states {
            derive(self.all, state);
            accept(state, &stored, self.began);
        }
        let found = states
            .iter()
            .map(|state| differences(self.all, state, &stored, which));
        let least = found.min_by_key(Vec::len).unwrap_or_default();
        self.world = stored;
        if least.is_empty() { Ok(()) } else { Err(least) }
    }

    /// Returns whether a job of a delete rule may still delete or change documents.
    fn may_change(&self, expected: &Expected, stored: &World) -> bool {
        let states = match expected {
            Expected::OneOf(states) => states.as_slice(),
            Expected::Any => &[],
        };
        let mut states = states.iter().chain([stored]);
        // With the default `grace`, the program ends before the last look of a job.
        self.bench.pause.is_some() && states.any(|state| self.lost.concerns(self.all, state))
    }

    const fn has_work(&self) -> bool {
        self.is_unsettled || !self.tokens.is_empty()
    }
}

/// Lists the delete rules of all references, in the order of their declaration.
fn rules(all: &Declaration) -> Vec<Rule> {
    let references = all.models.iter().flat_map(references);
    references.map(|(_, it)| it.rule).collect()
}
