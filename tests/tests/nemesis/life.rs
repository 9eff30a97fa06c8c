//! Runs actions one after the other until the process is killed.

use std::{env, time::Duration};

use mongo_odm::{Error, Result, mongodb::error::ErrorKind, prelude::*};
use tokio::time::{sleep, timeout};

use crate::{
    program::{handle, number, settings},
    random::Random,
};

/// The acts of a process: the weight of an act, its name in the figures, and the act.
pub(crate) type Acts<A> = [(u64, &'static str, A)];

pub(crate) struct Life {
    odm: Odm,
    random: Random,
    seed: u64,
}

impl Life {
    /// Starts the process's work if the environment contains its settings.
    pub(crate) async fn begin() -> Option<Self> {
        let uri = env::var("ODM_NEMESIS_URI").ok()?;
        let seed = number("ODM_NEMESIS_SEED", 1);
        // Ends the line that may already contain other output, so that the figures start on a new line.
        println!();
        Some(Self {
            odm: handle(&uri).await,
            random: Random::new(seed),
            seed,
        })
    }

    pub(crate) async fn work(self) {
        let worker = self.odm.worker().every(Duration::from_millis(200));
        worker.run().await.unwrap();
    }

    /// Declares the copies of this version, and creates its indexes.
    pub(crate) async fn declare(self) {
        self.odm.sync_indexes().await.unwrap();
        self.odm.run_pending_jobs().await.unwrap();
    }

    /// Performs random acts. The function returns the number of documents that an act has changed.
    pub(crate) async fn repeat<A: Copy>(
        mut self,
        acts: &Acts<A>,
        perform: impl AsyncFn(A, &Odm, &mut Random, &str) -> Result<u64>,
    ) {
        for count in 0_u64.. {
            let name = format!("{}-{count}", self.seed);
            let (what, act) = self.choose(acts);
            let settings = if self.random.percent(30) {
                settings().inline_copies(2)
            } else {
                settings()
            };
            let odm = self.odm.with_settings(settings);
            let patience = self.patience();
            let work = Box::pin(perform(act, &odm, &mut self.random, &name));
            let done = match patience {
                Some(limit) => timeout(limit, work).await.ok(),
                None => Some(work.await),
            };
            say(what, done);
            sleep(self.random.millis(1, 30)).await;
        }
    }

    fn choose<A: Copy>(&mut self, acts: &Acts<A>) -> (&'static str, A) {
        let mut left = self
            .random
            .below(acts.iter().map(|(weight, ..)| weight).sum());
        for (weight, what, act) in acts {
            if left < *weight {
                return (what, *act);
            }
            left -= weight;
        }
        unreachable!("the weights are more than the number")
    }

    /// Returns a timeout for some calls. The unfinished work of such a call continues or is lost.
    fn patience(&mut self) -> Option<Duration> {
        let gives_up = self.random.percent(15);
        gives_up.then(|| self.random.millis(1, 400))
    }
}

/// Prints a line for the parent process, which reads the output until this process dies.
fn say(what: &str, done: Option<Result<u64>>) {
    match done {
        Some(Ok(count)) => println!("did: {what} {count}"),
        Some(Err(error)) => println!("failed: {what}, {}", kind(&error)),
        None => println!("abandoned: {what}"),
    }
}

fn kind(error: &Error) -> String {
    let Some(driver) = error.driver() else {
        return error.to_string();
    };
    match driver.kind.as_ref() {
        ErrorKind::Command(command) => format!("{} {}", command.code, command.code_name),
        kind => {
            let text = format!("{kind:?}");
            let end = text.find(|c: char| !c.is_alphanumeric());
            text[..end.unwrap_or(text.len())].to_owned()
        }
    }
}
