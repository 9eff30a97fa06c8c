//! Measures changes of many documents: the number of commands, their time, and the time of an
//! unrelated concurrent read.
//!
//! The number of commands per document must not grow with the number of documents.
//!
//! `--sizes 100,1000` selects the numbers of documents, and `--only cascade` selects the changes. `--commands 120`
//! prints the commands of each call with their times, cut after 120 characters.

mod by_hand;
mod changes;
mod models;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use mongo_odm::{
    Odm,
    bson::{Document, doc},
    mongodb::Client,
};
use mongo_odm_testkit::{Recorder, Server};
use odm_benches::{
    Result,
    measure::quantile,
    options::{CommandLine, is_wanted, list},
    place::odm,
};

use crate::changes::Change;

#[tokio::main]
async fn main() -> Result<()> {
    let line = CommandLine::read();
    let mut sizes = if line.quick {
        vec![100]
    } else {
        vec![100, 1_000, 10_000, 100_000]
    };
    let mut only = Vec::new();
    let mut shown = Vec::new();
    for (name, value) in &line.values {
        match name.as_str() {
            "--sizes" => sizes = list(name, value)?,
            "--only" => only = list(name, value)?,
            "--commands" => shown = list(name, value)?,
            _ => {
                let known = "--quick, --sizes, --only, --commands";
                return Err(format!("unknown option `{name}`; use {known}").into());
            }
        }
    }
    let server = Server::builder().cache_gb(3.0).start().await?;
    let mut options = server.client_options().await?;
    let recorder = Recorder::attached_to(&mut options);
    let bench = Bench {
        client: Client::with_options(options)?,
        beside: Client::with_options(server.client_options().await?)?,
        recorder,
        shown: shown.pop(),
    };
    println!(
        "| change | documents | commands | ms | in the background: commands | ms | by hand: commands | ms | p99 of a read: idle | beside | by hand |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for change in Change::ALL {
        for size in sizes.iter().filter(|_| is_wanted(&only, change.name())) {
            bench.row(change, *size).await?;
        }
    }
    Ok(())
}

struct Bench {
    client: Client,
    /// A separate client for the unrelated reads.
    beside: Client,
    recorder: Recorder,
    /// How many characters of each command are printed. `None` prints no commands.
    shown: Option<usize>,
}

impl Bench {
    async fn row(&self, change: Change, size: i64) -> Result<()> {
        let odm = self.fill(change, size).await?;
        let (by_hand, beside_by_hand) = self
            .reads_beside(self.measure(by_hand::run(change, size, &odm)))
            .await?;
        let by_hand = by_hand?;
        change.check(size, &odm).await?;
        let odm = self.fill(change, size).await?;
        let idle = self
            .reads_beside(tokio::time::sleep(Duration::from_secs(1)))
            .await?
            .1;
        let (call, beside) = self
            .reads_beside(self.measure(change.run(size, &odm)))
            .await?;
        let call = call?;
        let background = self.measure(run_jobs(&odm)).await?;
        change.check(size, &odm).await?;
        println!(
            "| {} | {size} | {} | {:.0} | {} | {:.0} | {} | {:.0} | {idle:.2} | {beside:.2} | {beside_by_hand:.2} |",
            change.name(),
            call.0,
            call.1,
            background.0,
            background.1,
            by_hand.0,
            by_hand.1,
        );
        Ok(())
    }

    /// Stores the documents of a change in an empty database. Returns a new handle, because a handle creates the indexes
    /// of its jobs only once.
    async fn fill(&self, change: Change, size: i64) -> Result<Odm> {
        let odm = &odm(&self.client, "large_changes");
        // Without a grace period, the measurement includes the last look of the jobs.
        let odm = &odm.with_settings(odm.settings().clone().grace(Duration::ZERO));
        odm.database().drop().await?;
        odm.sync_indexes().await?;
        // The first write of a handle also creates the collections for jobs.
        change.prepare(1, odm).await?;
        change.run(1, odm).await?;
        odm.run_pending_jobs().await?;
        for name in odm.database().list_collection_names().await? {
            if name.starts_with("large_") {
                let all = odm.database().collection::<Document>(&name);
                all.delete_many(doc! {}).await?;
            }
        }
        change.prepare(size, odm).await?;
        Ok(odm.clone())
    }

    /// Returns the number of commands and the duration in milliseconds.
    async fn measure(&self, run: impl Future<Output = Result<()>>) -> Result<(usize, f64)> {
        self.recorder.clear();
        let began = Instant::now();
        run.await?;
        let time = began.elapsed().as_secs_f64() * 1_000.0;
        if let Some(shown) = self.shown {
            for command in self.recorder.to_string().lines() {
                println!("{}", command.chars().take(shown).collect::<String>());
            }
        }
        Ok((self.recorder.round_trips(), time))
    }

    /// Runs a future while repeatedly reading a document in another collection. Returns the 99th
    /// percentile of the read times.
    async fn reads_beside<T>(&self, run: impl Future<Output = T>) -> Result<(T, f64)> {
        let other = self.beside.database("mongo_odm_benches_beside");
        let other = other.collection::<Document>("documents");
        other.delete_many(doc! {}).await?;
        other.insert_one(doc! { "_id": 1 }).await?;
        let stop = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&stop);
        let reads = tokio::spawn(async move {
            let mut times = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let began = Instant::now();
                other.find_one(doc! { "_id": 1 }).await?;
                times.push(began.elapsed().as_secs_f64() * 1_000.0);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Result::Ok(times)
        });
        let done = run.await;
        stop.store(true, Ordering::Relaxed);
        Ok((done, quantile(reads.await??, 0.99)))
    }
}

/// Runs the jobs that a call has left for the background.
async fn run_jobs(odm: &Odm) -> Result<()> {
    odm.run_pending_jobs().await?;
    Ok(())
}
