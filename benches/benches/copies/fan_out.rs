//! C2: a rename with 300,000 copies, compared with a plain `updateMany`. Also measures how long
//! other updates in the same collection take in the meantime.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use mongo_odm::{Odm, bson::Document, mongodb::Collection, prelude::*};
use odm_benches::{
    Result,
    measure::{Watch, median, quantile},
    place::{Place, fill},
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    hand::{Hand, MESSAGES},
    models::{Host, LogMsg, address, host, message, text},
    options::Options,
};

/// Pause between two foreground updates.
const PAUSE: Duration = Duration::from_millis(5);

/// A host that has many messages, and another host that has a few.
pub(crate) struct Many {
    pub(crate) odm: Odm,
    pub(crate) host: Id<Host>,
    copies: usize,
    ids: Vec<Id<LogMsg>>,
    other: Id<LogMsg>,
}

impl Many {
    pub(crate) async fn fill(place: &Place, name: &str, copies: usize) -> Result<Self> {
        let odm = place.database(name).await?;
        let (one, other) = (host(0), host(1));
        fill([&one, &other].into_iter().cloned(), &odm).await?;
        let mut ids = Vec::new();
        let messages = (0..copies).map(|at| {
            let message = message(at, &one);
            ids.push(message.id);
            message
        });
        fill(messages, &odm).await?;
        let others: Vec<LogMsg> = (0..100).map(|at| message(at, &other)).collect();
        fill(others.iter().cloned(), &odm).await?;
        place.flush().await?;
        Ok(Self {
            odm,
            host: one.id,
            copies,
            ids,
            other: others.first().ok_or("no message")?.id,
        })
    }

    /// Fails if a copy does not have the expected value.
    pub(crate) async fn check(&self, value: &str) -> Result<()> {
        let messages = self.odm.database().collection::<Document>(MESSAGES.target);
        let copies = doc! { "host": self.host.into_key(), "ipaddr": value };
        let count = messages.count_documents(copies).await?;
        if usize::try_from(count)? == self.copies {
            return Ok(());
        }
        Err(format!("{count} of {} copies are right", self.copies).into())
    }
}

/// The documents that are updated in the foreground.
#[derive(Clone, Copy, PartialEq)]
enum Foreground {
    Other,
    Copies,
}

/// Measurements that were made while copies were written, or while the database was idle.
#[derive(Clone, Copy)]
struct Sample {
    took: Duration,
    /// The 99th percentile of the duration of the foreground updates, in milliseconds.
    p99: f64,
    most: f64,
}

struct Round {
    plain: Sample,
    library: Sample,
    idle: Sample,
    disturbance: f64,
}

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let many = Many::fill(place, "c2", options.copies).await?;
    let hand = Hand::new(&many.odm).await?;
    let bench = Bench { many, hand };
    // The first rename also creates the collections for jobs.
    bench.library(&address(2)).await?;
    // Each value is used only once, because a rename to the current value would change nothing.
    let mut numbers = 0..;
    for foreground in [Foreground::Other, Foreground::Copies] {
        let mut rounds = Vec::new();
        for number in numbers.by_ref().take(options.rounds) {
            rounds.push(bench.round(number, foreground, place.process).await?);
        }
        rows(foreground, options.copies, &rounds, table);
    }
    Ok(())
}

fn rows(foreground: Foreground, copies: usize, rounds: &[Round], table: &mut Table) {
    let (of, limit) = match foreground {
        Foreground::Other => ("another document", Limit::AtMost(6.0)),
        Foreground::Copies => ("a copy", Limit::AtMost(6.0)),
    };
    let middle = |value: fn(&Round) -> f64| median(rounds.iter().map(value));
    let ratio = |one: fn(&Round) -> f64, other: fn(&Round) -> f64| {
        Ratio::of(rounds.iter().map(|round| (one(round), other(round))))
    };
    let rate = |of: fn(&Round) -> f64| format!("{:.0} docs/s", copies as f64 / middle(of));
    table.row(
        &format!("C2 {copies} copies, updates of {of} meanwhile"),
        &rate(|it| it.library.seconds()),
        &format!("updateMany {}", rate(|it| it.plain.seconds())),
        &ratio(|it| it.plain.seconds(), |it| it.library.seconds()),
        Limit::AtLeast(0.8),
    );
    let wait = |p99, most| format!("{:.1} ms (most {:.0})", middle(p99), middle(most));
    let idle = format!("idle {}", wait(|it| it.idle.p99, |it| it.idle.most));
    table.row(
        &format!("C2 p99 of an update of {of}"),
        &wait(|it| it.library.p99, |it| it.library.most),
        &idle,
        &ratio(|it| it.library.p99, |it| it.idle.p99),
        limit,
    );
    table.row(
        &format!("C2 the same during the updateMany, of {of}"),
        &wait(|it| it.plain.p99, |it| it.plain.most),
        &idle,
        &ratio(|it| it.plain.p99, |it| it.idle.p99),
        Limit::None,
    );
    table.notes.push(format!(
        "C2, updates of {of}: {} rounds, other processes took {:.2} cores",
        rounds.len(),
        middle(|it| it.disturbance)
    ));
}

struct Bench {
    many: Many,
    hand: Hand,
}

impl Sample {
    const fn seconds(&self) -> f64 {
        self.took.as_secs_f64()
    }
}

impl Bench {
    async fn round(
        &self,
        number: usize,
        foreground: Foreground,
        server: Option<u32>,
    ) -> Result<Round> {
        let watch = Watch::begin(server);
        let (one, other) = (address(100 + number * 2), address(101 + number * 2));
        let (plain, library);
        if number.is_multiple_of(2) {
            plain = self.beside(foreground, self.plain(&one)).await?;
            self.many.check(&one).await?;
            library = self.beside(foreground, self.library(&other)).await?;
            self.many.check(&other).await?;
        } else {
            library = self.beside(foreground, self.library(&one)).await?;
            self.many.check(&one).await?;
            plain = self.beside(foreground, self.plain(&other)).await?;
            self.many.check(&other).await?;
        }
        // The idle period is as long as the longer of the two, so that the percentiles are
        // comparable.
        let longest = plain.took.max(library.took);
        let idle = async {
            tokio::time::sleep(longest.max(Duration::from_millis(500))).await;
            Ok(())
        };
        let idle = self.beside(foreground, idle).await?;
        Ok(Round {
            plain,
            library,
            idle,
            disturbance: watch.disturbance(),
        })
    }

    async fn library(&self, value: &str) -> Result<()> {
        let update = Host::update(&self.many.odm, self.many.host);
        update.set(Host::fields().ipaddr, value).await?;
        Ok(())
    }

    async fn plain(&self, value: &str) -> Result<()> {
        let host = self.many.host.into_key();
        self.hand.update_all(host, value).await?;
        Ok(())
    }

    /// Runs a future, and sends foreground updates one after the other in the meantime.
    async fn beside(
        &self,
        foreground: Foreground,
        run: impl Future<Output = Result<()>>,
    ) -> Result<Sample> {
        // Waits until the server has finished the work that the previous measurement caused, such
        // as a checkpoint.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let stop = Arc::new(AtomicBool::new(false));
        let ids = match foreground {
            Foreground::Other => vec![self.many.other],
            Foreground::Copies => self.many.ids.clone(),
        };
        let messages = self.many.odm.database().collection(MESSAGES.target);
        let updates = tokio::spawn(updates(messages, ids, Arc::clone(&stop)));
        let began = Instant::now();
        let done = run.await;
        let took = began.elapsed();
        stop.store(true, Ordering::Relaxed);
        let waits = updates.await??;
        done?;
        Ok(Sample {
            took,
            p99: quantile(waits.iter().copied(), 0.99),
            most: quantile(waits, 1.0),
        })
    }
}

/// Updates random documents one after the other. Returns the durations in milliseconds.
async fn updates(
    messages: Collection<Document>,
    ids: Vec<Id<LogMsg>>,
    stop: Arc<AtomicBool>,
) -> Result<Vec<f64>> {
    let mut waits = Vec::new();
    let mut random = fastrand::Rng::with_seed(6);
    while !stop.load(Ordering::Relaxed) {
        let id = random.choice(&ids).ok_or("no message")?.into_key();
        let new = doc! { "$set": { "message": text(waits.len()) } };
        let began = Instant::now();
        messages.update_one(doc! { "_id": id }, new).await?;
        waits.push(began.elapsed().as_secs_f64() * 1_000.0);
        tokio::time::sleep(PAUSE).await;
    }
    Ok(waits)
}
