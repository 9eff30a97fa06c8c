//! Runs actions one after the other until the process is killed.

use std::{env, time::Duration};

use mongo_odm::{Error, Result, mongodb::error::ErrorKind, prelude::*};
use tokio::time::{sleep, timeout};

use crate::{
    program::{handle, number, settings},
    random::Random,
};

/// What a process can do: how often it does so, what that is called in the figures, and how it is called here.
pub(crate) type Acts<A> = [(u64, &'static str, A)];

pub(crate) struct Life {
    odm: Odm,
    random: Random,
    seed: u64,
}

impl Life {
    /// Begins the life that the environment says, if there is one.
    pub(crate) async fn begin() -> Option<Self> {
        let uri = env::var("ODM_NEMESIS_URI").ok()?;
        let seed = number("ODM_NEMESIS_SEED", 1);
        // Whatever else was written to this line is no figure.
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

    /// Declares what this version copies, and creates its indexes.
    pub(crate) async fn declare(self) {
        self.odm.sync_indexes().await.unwrap();
        self.odm.run_pending_jobs().await.unwrap();
    }

    /// Does what a function says, which returns how many documents it is about.
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

    /// Some callers do not wait for the end: what they leave behind goes on or is lost.
    fn patience(&mut self) -> Option<Duration> {
        let gives_up = self.random.percent(15);
        gives_up.then(|| self.random.millis(1, 400))
    }
}

/// Tells the parent, which reads the lines up to the one in which this process dies.
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
