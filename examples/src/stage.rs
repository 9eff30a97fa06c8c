//! The stage of an example: its database, and its output.

use std::{
    fmt::Display,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use mongo_odm::{Odm, Plan};
use mongo_odm_testkit::{Server, TestDb};

use crate::text::{brief, wrap};

/// The column at which the text of a line begins.
const MARGIN: usize = 11;

/// A server with a temporary database for the example, and a recorder of the commands that are
/// sent.
#[derive(Debug)]
pub struct Stage {
    /// The handle of the temporary database.
    pub odm: Odm,
    database: TestDb,
}

impl Stage {
    /// Finds or starts a server, and creates a database on it.
    pub async fn open(name: &str) -> Result<Self> {
        let started = Instant::now();
        let server = Arc::new(Server::builder().start().await?);
        let whose = if server.is_private() {
            "started for this run"
        } else {
            "from MONGODB_URI"
        };
        let database = TestDb::builder(name).server(server).open().await?;
        let (name, took) = (database.name(), millis(started.elapsed()));
        println!("server {whose}, database {name}, ready after {took}");
        Ok(Self {
            odm: Odm::new(database.database()),
            database,
        })
    }

    /// Drops the database. Also stops the server if the example has started it.
    pub async fn close(self) -> Result<()> {
        let stops = !self.database.server().outlives_us();
        let pids = self.database.server().pids();
        self.database
            .close()
            .await
            .context("the database was not dropped")?;
        if stops {
            println!("\ndatabase dropped, server stopped (process {pids:?})");
        } else {
            println!("\ndatabase dropped");
        }
        Ok(())
    }

    /// Prints the name of a pattern, and the reason to choose it.
    pub fn pattern(&self, name: &str, why: &str) {
        println!("\n## {name}\n   {}", wrap(why, 3));
    }

    /// Prints a query and its plan, runs it, and prints its cost.
    pub async fn ask<T>(
        &self,
        question: &str,
        plan: Plan,
        answer: impl IntoFuture<Output = mongo_odm::Result<T>>,
    ) -> Result<T> {
        let words: Vec<&str> = question.split_whitespace().collect();
        // The source breaks lines before a dot, which leaves a space there.
        let question = words.join(" ").replace(" .", ".");
        say("ask", &question);
        for mut statement in plan.statements {
            for note in std::mem::take(&mut statement.notes) {
                say("note", &note);
            }
            say("plan", &brief(statement));
        }
        let answer = self.measured(answer).await;
        answer.with_context(|| question)
    }

    /// Runs an operation without a plan, such as a transaction, and prints its cost.
    pub async fn run<T>(
        &self,
        question: &str,
        answer: impl IntoFuture<Output = mongo_odm::Result<T>>,
    ) -> Result<T> {
        say("ask", question);
        self.measured(answer)
            .await
            .with_context(|| question.to_owned())
    }

    /// Runs an operation that must fail, and prints its error.
    pub async fn refused<T>(
        &self,
        question: &str,
        answer: impl IntoFuture<Output = mongo_odm::Result<T>>,
    ) -> Result<()> {
        say("ask", question);
        match self.measured(answer).await {
            Err(error) => self.answer(format!("error: {error}")),
            Ok(_) => anyhow::bail!("{question} was accepted"),
        }
        Ok(())
    }

    /// Prints a line of the result.
    pub fn answer(&self, line: impl Display) {
        say("answer", &line.to_string());
    }

    /// Runs an operation, and prints its round trips and its duration.
    async fn measured<T>(&self, work: impl IntoFuture<Output = T>) -> T {
        self.database.recorder().clear();
        let started = Instant::now();
        let result = work.await;
        let took = millis(started.elapsed());
        let sent = self.database.recorder().names();
        let trips = match sent.len() {
            0 => "nothing was sent".to_owned(),
            1 => format!("1 round trip ({})", sent.join(", ")),
            trips => format!("{trips} round trips ({})", sent.join(", ")),
        };
        say("cost", &format!("{trips}, {took}"));
        result
    }
}

/// Prints a line that begins with a label. There is an empty line before each query.
fn say(what: &str, text: &str) {
    let gap = if what == "ask" { "\n" } else { "" };
    println!("{gap}   {what:<8}{}", wrap(text, MARGIN));
}

/// Ends an example. Returns the exit code, and prints an error without a backtrace.
pub fn report(outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}
