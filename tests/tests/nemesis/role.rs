//! What the processes do until they are killed.

use std::{env, time::Duration};

use mongo_odm::{
    Error, Result,
    mongodb::{Client, error::ErrorKind, options::ClientOptions},
    prelude::*,
};
use tokio::time::{sleep, timeout};

use crate::{
    models::{Host, LogMsg, Part, PartLine, Product},
    number,
    random::Random,
    setting::{APP, DATABASE, HOSTS, NUMBERS, PARTS, host_id, part_id, settings},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Renamer,
    Inserter,
    Worker,
}

impl Role {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Renamer => "renamer",
            Self::Inserter => "inserter",
            Self::Worker => "worker",
        }
    }
}

/// Lives the life that the environment says.
pub(crate) async fn live() {
    let Ok(uri) = env::var("ODM_NEMESIS_URI") else {
        return;
    };
    let seed = number("ODM_NEMESIS_SEED", 1);
    let life = Life {
        odm: handle(&uri).await.with_settings(settings()),
        random: Random::new(seed),
        seed,
    };
    match env::var("ODM_NEMESIS_ROLE").as_deref() {
        Ok("renamer") => life.rename().await,
        Ok("inserter") => life.insert().await,
        _ => life.work().await,
    }
}

async fn handle(uri: &str) -> Odm {
    let mut options = ClientOptions::parse(uri).await.unwrap();
    options.app_name = Some(APP.to_owned());
    options.server_selection_timeout = Some(Duration::from_secs(5));
    Odm::new(Client::with_options(options).unwrap().database(DATABASE))
}

struct Life {
    odm: Odm,
    random: Random,
    seed: u64,
}

impl Life {
    async fn work(self) {
        let worker = self.odm.worker();
        worker
            .every(Duration::from_millis(200))
            .run()
            .await
            .unwrap();
    }

    async fn rename(mut self) {
        for count in 0_u64.. {
            let name = format!("{}-{count}", self.seed);
            let settings = if self.random.percent(30) {
                settings().inline_copies(2)
            } else {
                settings()
            };
            let odm = self.odm.with_settings(settings);
            let patience = self.patience();
            let renamed = Box::pin(rename_one(&odm, &name, &mut self.random));
            let done = patience.run(renamed).await;
            say("renamed", 1, done);
            sleep(self.random.millis(1, 30)).await;
        }
    }

    async fn insert(mut self) {
        loop {
            let count = 1 + self.random.below(20);
            let patience = self.patience();
            if self.random.percent(75) {
                let messages = messages(count, &mut self.random);
                let done = patience.run(LogMsg::insert_many(&self.odm, &messages));
                say("inserted", count, done.await);
            } else {
                let product = product(&mut self.random);
                let done = patience.run(product.insert(&self.odm)).await;
                say("inserted", 1, done);
            }
            sleep(self.random.millis(1, 30)).await;
        }
    }

    /// Some callers do not wait for the end: what they leave behind goes on or is lost.
    fn patience(&mut self) -> Patience {
        let gives_up = self.random.percent(15);
        Patience(gives_up.then(|| self.random.millis(1, 400)))
    }
}

struct Patience(Option<Duration>);

impl Patience {
    async fn run<T>(self, work: impl IntoFuture<Output = Result<T>>) -> Option<Result<()>> {
        let work = work.into_future();
        let done = match self.0 {
            Some(limit) => timeout(limit, work).await.ok()?,
            None => work.await,
        };
        Some(done.map(drop))
    }
}

async fn rename_one(odm: &Odm, name: &str, random: &mut Random) -> Result<()> {
    let deferred = random.percent(15);
    match random.below(3) {
        0 => {
            let update = Host::update(odm, host_id(random.below(HOSTS)));
            let update = update.set(Host::fields().ipaddr, name);
            if deferred {
                update.deferred().await
            } else {
                update.await
            }
        }
        1 => {
            let update = Part::update(odm, part_id(random.below(PARTS)));
            let update = update.set(Part::fields().name, name);
            if deferred {
                update.deferred().await
            } else {
                update.await
            }
        }
        _ => {
            let number = random.below(NUMBERS).cast_signed();
            let all = Product::fields().catalog_number.eq(number);
            let update = Product::update_many(odm, all).set(Product::fields().name, name);
            if deferred {
                update.deferred().await
            } else {
                update.await
            }
        }
    }
    .map(drop)
}

/// Messages with copies that are stale from the beginning.
fn messages(count: u64, random: &mut Random) -> Vec<LogMsg> {
    let message = |_| LogMsg {
        id: Id::new(),
        time: DateTime::now(),
        message: "cpu is on fire".to_owned(),
        host: host_id(random.below(HOSTS)),
        ipaddr: "stale".to_owned(),
    };
    (0..count).map(message).collect()
}

/// A product whose id may be lower than all others, so that it is the one that its parts copy.
fn product(random: &mut Random) -> Product {
    let mut id = [0; 12];
    id[..8].copy_from_slice(&random.next().to_be_bytes());
    let line = |_| PartLine {
        id: part_id(random.below(PARTS)),
        name: "stale".to_owned(),
    };
    let parts = (0..3).map(line).collect();
    Product {
        id: Id::from_key(ObjectId::from_bytes(id)),
        name: "new".to_owned(),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: random.below(NUMBERS).cast_signed(),
        parts,
    }
}

/// Tells the parent, which reads the lines up to the one in which this process dies.
fn say(what: &str, count: u64, done: Option<Result<()>>) {
    match done {
        Some(Ok(())) => println!("{what} {count}"),
        Some(Err(error)) => println!("failed: {what}, {}", kind(&error)),
        None => println!("abandoned before it was {what}"),
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
