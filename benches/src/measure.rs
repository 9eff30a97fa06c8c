//! Measures variants against each other. All variants run in every round, in an order that changes.
//!
//! On a shared machine, times drift by a fifth within minutes, and the times of all variants drift
//! together. Only the ratio of two variants *in one round* is stable, so the median of these ratios
//! is reported. A round is measured again if other processes used more than a quarter of a core.
//! The least disturbed rounds are kept. Rounds are selected by their disturbance and never by their
//! result.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::future::{BoxFuture, try_join_all};
use rustix::time::{ClockId, clock_gettime};

use crate::Result;

/// The kind of code that a variant contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Code that uses the library.
    Library,
    /// The best code that can be written by hand. The library is compared with the fastest such
    /// variant.
    Hand,
    /// Code as it is usually written by hand.
    Usual,
    /// A `$lookup`, so that the server performs the join.
    Lookup,
}

type Run = dyn Fn(usize) -> BoxFuture<'static, Result<u64>> + Send + Sync;

/// One implementation of a workload.
#[derive(Clone)]
pub struct Variant {
    /// The name of the variant in the table.
    pub name: &'static str,
    /// The kind of code that the variant contains.
    pub kind: Kind,
    run: Arc<Run>,
}

impl std::fmt::Debug for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Variant").field(&self.name).finish()
    }
}

impl Variant {
    /// Creates a variant. `run` receives the number of the operation, and returns the digest of its
    /// result.
    pub fn new<F, Running>(name: &'static str, kind: Kind, run: F) -> Self
    where
        F: Fn(usize) -> Running + Send + Sync + 'static,
        Running: Future<Output = Result<u64>> + Send + 'static,
    {
        Self {
            name,
            kind,
            run: Arc::new(move |number| Box::pin(run(number))),
        }
    }
}

/// The measurements of one variant in one round, per operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Time in milliseconds. With one caller, it is the median latency. With several callers, it is
    /// the mean time between two results.
    pub time: f64,
    /// CPU time of this process in milliseconds.
    pub client_cpu: f64,
    /// CPU time of the server in milliseconds. For a whole block, it is a multiple of 10 ms.
    pub server_cpu: f64,
}

/// All rounds that were measured for a table.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// For each round, one sample for each variant.
    pub samples: Vec<Vec<Sample>>,
    /// The share of a core that other processes used, as the median over the rounds.
    pub disturbance: f64,
    /// Number of rounds that were measured but not kept.
    pub dropped: usize,
    /// Number of operations in each block.
    pub operations: usize,
}

/// Checks that all variants return the same results.
///
/// # Errors
///
/// Errors of a variant, and an error if the results differ.
pub async fn check(variants: &[Variant], operations: usize) -> Result<()> {
    for number in 0..operations {
        let mut expected = None;
        for variant in variants {
            let digest = (variant.run)(number).await?;
            if digest != *expected.get_or_insert(digest) {
                return Err(format!("`{}` has another result", variant.name).into());
            }
        }
    }
    Ok(())
}

/// Measures the variants for about `seconds`, but in at least `least` rounds.
///
/// # Errors
///
/// Errors of a variant.
pub async fn measure(
    variants: &[Variant],
    callers: usize,
    seconds: f64,
    least: usize,
    server: Option<u32>,
) -> Result<Rounds> {
    let operations = calibrate(variants, callers, seconds).await?;
    let begin = Instant::now();
    let mut rounds = Vec::new();
    let first = round(variants, 0, callers, operations, server).await?;
    let wanted = (seconds / begin.elapsed().as_secs_f64()).floor();
    rounds.push(first);
    // An odd number of rounds has a middle round.
    let wanted = wanted.clamp(0.0, 200.0) as usize / 2 * 2 + 1;
    let wanted = wanted.max(least);
    let most = wanted * 2;
    let quiet = |rounds: &[Round]| {
        rounds
            .iter()
            .filter(|round| round.disturbance < 0.25)
            .count()
    };
    while rounds.len() < most && quiet(&rounds) < wanted {
        rounds.push(round(variants, rounds.len(), callers, operations, server).await?);
    }
    let dropped = rounds.len() - wanted.min(rounds.len());
    rounds.sort_by(|one, other| one.disturbance.total_cmp(&other.disturbance));
    rounds.truncate(wanted);
    Ok(Rounds {
        disturbance: median(rounds.iter().map(|round| round.disturbance)),
        samples: rounds.into_iter().map(|round| round.samples).collect(),
        dropped,
        operations,
    })
}

/// Returns the number of operations in a block, so that a block is long enough to be measured. The
/// number is the same for all variants.
async fn calibrate(variants: &[Variant], callers: usize, seconds: f64) -> Result<usize> {
    let mut longest: f64 = 0.0;
    for variant in variants {
        block(variant, callers, callers.max(3), 0, None).await?;
        let sample = block(variant, callers, callers.max(3), 0, None).await?;
        longest = longest.max(sample.time);
    }
    // The time is divided into about fifteen rounds of all variants.
    let milliseconds = seconds * 1_000.0 / 15.0 / variants.len() as f64;
    let operations = (milliseconds.clamp(10.0, 400.0) / longest.max(0.01)).ceil();
    // If each caller had only a few operations, the last operations would run without concurrency.
    Ok((operations as usize).max(if callers == 1 { 3 } else { callers * 3 }))
}

struct Round {
    samples: Vec<Sample>,
    disturbance: f64,
}

async fn round(
    variants: &[Variant],
    number: usize,
    callers: usize,
    operations: usize,
    server: Option<u32>,
) -> Result<Round> {
    let watch = Watch::begin(server);
    let mut samples = vec![Sample::default(); variants.len()];
    for turn in 0..variants.len() {
        // The order alternates between forwards and backwards, so that no variant always follows
        // the same other one.
        let turn = match number % 2 {
            0 => turn,
            _ => variants.len() - 1 - turn,
        };
        let at = (turn + number / 2) % variants.len();
        if let (Some(variant), Some(sample)) = (variants.get(at), samples.get_mut(at)) {
            *sample = block(variant, callers, operations, number * operations, server).await?;
        }
    }
    Ok(Round {
        samples,
        disturbance: watch.disturbance(),
    })
}

/// Measures how much of the machine other processes use.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    server: Option<u32>,
    begin: Instant,
    busy: Option<f64>,
    own: f64,
}

impl Watch {
    /// Starts the measurement. The server's process does not count as another process if it runs on
    /// this machine.
    pub fn begin(server: Option<u32>) -> Self {
        Self {
            server,
            begin: Instant::now(),
            busy: busy(),
            own: client_cpu() + server_cpu(server),
        }
    }

    /// Returns the share of a core that other processes have used since the start.
    pub fn disturbance(&self) -> f64 {
        let own = client_cpu() + server_cpu(self.server) - self.own;
        let other = match (self.busy, busy()) {
            (Some(before), Some(after)) => (after - before - own).max(0.0),
            _ => 0.0,
        };
        other / 1_000.0 / self.begin.elapsed().as_secs_f64()
    }
}

/// Runs a block of operations of one variant.
async fn block(
    variant: &Variant,
    callers: usize,
    operations: usize,
    first: usize,
    server: Option<u32>,
) -> Result<Sample> {
    // The first operation is not measured, because its time depends on the state that the previous
    // variant has left behind, such as connections and memory.
    (variant.run)(first).await?;
    tokio::time::sleep(Duration::from_millis(2)).await;
    let next = Arc::new(AtomicUsize::new(0));
    let (client, remote, begin) = (client_cpu(), server_cpu(server), Instant::now());
    let tasks = (0..callers).map(|_| {
        let (run, next) = (Arc::clone(&variant.run), Arc::clone(&next));
        tokio::spawn(async move {
            let mut times = Vec::with_capacity(operations);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= operations {
                    return Ok::<_, Box<dyn std::error::Error + Send + Sync>>(times);
                }
                let begin = Instant::now();
                std::hint::black_box(run(first + number).await?);
                times.push(begin.elapsed().as_secs_f64() * 1_000.0);
            }
        })
    });
    let mut times = Vec::new();
    for caller in try_join_all(tasks).await? {
        times.extend(caller?);
    }
    let count = operations as f64;
    let elapsed = begin.elapsed().as_secs_f64() * 1_000.0;
    Ok(Sample {
        time: if callers == 1 {
            median(times)
        } else {
            elapsed / count
        },
        client_cpu: (client_cpu() - client) / count,
        server_cpu: (server_cpu(server) - remote) / count,
    })
}

/// Returns the median of some values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    quantile(values, 0.5)
}

/// Returns an interpolated quantile of some values.
pub fn quantile(values: impl IntoIterator<Item = f64>, part: f64) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let place = part * last as f64;
    let below = place.floor() as usize;
    match (values.get(below), values.get((below + 1).min(last))) {
        (Some(low), Some(high)) => low + (high - low) * (place - place.floor()),
        _ => f64::NAN,
    }
}

/// Returns the CPU time of this process in milliseconds.
fn client_cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Returns the CPU time of a process in milliseconds, from the fields 14 and 15 of its `stat` file.
fn server_cpu(process: Option<u32>) -> f64 {
    process.map_or(0.0, |id| cpu(&id.to_string(), 14))
}

/// Returns the CPU time of all ended child processes and of their children, in milliseconds. The
/// result is a multiple of 10 ms.
pub fn children_cpu() -> f64 {
    cpu("self", 16)
}

/// Returns the sum of the user time and the system time in a `stat` file, in milliseconds. `first`
/// is the number of the first of these two fields.
fn cpu(process: &str, first: usize) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok();
    let ticks = stat.as_deref().and_then(|stat| {
        // The second field is a name in parentheses, which may contain spaces.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields = fields.split_whitespace().skip(first - 3).take(2);
        fields
            .map(|field| field.parse::<f64>().ok())
            .sum::<Option<f64>>()
    });
    ticks.unwrap_or(0.0) * tick()
}

/// Returns the CPU time that the machine was busy, in milliseconds. The result is the sum of the
/// first line of `/proc/stat`, without the idle and waiting times.
fn busy() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let fields: Vec<f64> = stat
        .lines()
        .next()?
        .split_whitespace()
        .skip(1)
        .take(8)
        .map_while(|field| field.parse().ok())
        .collect();
    let idle: f64 = fields.iter().skip(3).take(2).sum();
    Some((fields.iter().sum::<f64>() - idle) * tick())
}

fn tick() -> f64 {
    1_000.0 / rustix::param::clock_ticks_per_second() as f64
}
