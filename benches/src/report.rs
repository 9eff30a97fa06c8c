//! Prints the measurements and the missed limits.

use crate::measure::{Kind, Rounds, Sample, Variant, median, quantile};

/// The largest ratios of the library to other code.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest ratio of the time to that of the best hand-written code.
    pub hand: f64,
    /// Largest ratio of the client's CPU time to that of the best hand-written code.
    pub client_cpu: f64,
    /// Largest ratio of the time to that of the usual code.
    pub usual: f64,
    /// Largest ratio of the time to that of `$lookup`.
    pub lookup: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hand: 1.05,
            client_cpu: 1.10,
            usual: 1.0,
            lookup: 1.0,
        }
    }
}

/// The median and the quartiles of a ratio.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// The lower quartile of the rounds.
    pub low: f64,
    /// The median of the rounds.
    pub middle: f64,
    /// The upper quartile of the rounds.
    pub high: f64,
}

impl Ratio {
    /// Computes the ratio of the first to the second number of each pair.
    pub fn of(pairs: impl Iterator<Item = (f64, f64)>) -> Self {
        let ratios: Vec<f64> = pairs.map(|(one, other)| one / other).collect();
        let quarter = |part| quantile(ratios.iter().copied(), part);
        Self {
            low: quarter(0.25),
            middle: quarter(0.5),
            high: quarter(0.75),
        }
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} ({:.2}-{:.2})", self.middle, self.low, self.high)
    }
}

/// Prints the header of the tables.
pub fn head() {
    println!(
        "| workload | callers | variant | p50 ms | ops/s | x best hand-written (quarters) \
         | client CPU ms/op | x (quarters) | server CPU ms/op |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
}

/// Prints the rows of a workload, and returns the limits that the library misses.
pub fn rows(
    workload: &str,
    callers: usize,
    variants: &[Variant],
    rounds: &Rounds,
    limits: &Limits,
) -> Vec<String> {
    let Some(best) = best(variants, rounds) else {
        return Vec::new();
    };
    for (at, variant) in variants.iter().enumerate() {
        let time = middle(rounds, at, |sample| sample.time);
        let (p50, rate) = match callers {
            1 => (format!("{time:.2}"), String::new()),
            _ => (String::new(), format!("{:.0}", 1_000.0 / time)),
        };
        let client = middle(rounds, at, |sample| sample.client_cpu);
        let server = mean(rounds, at, |sample| sample.server_cpu);
        println!(
            "| {workload} | {callers} | {} | {p50} | {rate} | {} | {client:.2} | {} | {server:.2} |",
            variant.name,
            ratio(rounds, at, best, |sample| sample.time),
            ratio(rounds, at, best, |sample| sample.client_cpu),
        );
    }
    let missed = missed(variants, rounds, best, limits);
    missed
        .into_iter()
        .map(|miss| format!("{workload}, {callers} callers: {miss}"))
        .collect()
}

fn missed(variants: &[Variant], rounds: &Rounds, best: usize, limits: &Limits) -> Vec<String> {
    let library = variants
        .iter()
        .position(|variant| variant.kind == Kind::Library);
    let Some(library) = library else {
        return Vec::new();
    };
    let mut missed = Vec::new();
    let mut hold = |what: &str, ratio: &Ratio, limit: f64| {
        if ratio.middle > limit {
            // If the median exceeds the limit but the lower quartile does not, the miss may be
            // noise.
            let sure = if ratio.low > limit {
                ""
            } else {
                ", within the noise"
            };
            missed.push(format!("{what}: {ratio}, the limit is {limit:.2}{sure}"));
        }
    };
    let time = |sample: &Sample| sample.time;
    hold(
        "time to hand-written",
        &ratio(rounds, library, best, time),
        limits.hand,
    );
    let client = ratio(rounds, library, best, |sample| sample.client_cpu);
    hold("client CPU to hand-written", &client, limits.client_cpu);
    for (at, variant) in variants.iter().enumerate() {
        let against = ratio(rounds, library, at, time);
        match variant.kind {
            Kind::Usual => hold("time to usual code", &against, limits.usual),
            Kind::Lookup => hold("time to $lookup", &against, limits.lookup),
            Kind::Library | Kind::Hand => {}
        }
    }
    missed
}

/// Returns the position of the fastest hand-written variant.
fn best(variants: &[Variant], rounds: &Rounds) -> Option<usize> {
    let hand = variants
        .iter()
        .enumerate()
        .filter(|(_, variant)| variant.kind == Kind::Hand);
    let times = hand.map(|(at, _)| (at, middle(rounds, at, |sample| sample.time)));
    times
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(at, _)| at)
}

fn of(rounds: &Rounds, at: usize, value: impl Fn(&Sample) -> f64) -> impl Iterator<Item = f64> {
    rounds
        .samples
        .iter()
        .filter_map(move |round| round.get(at).map(&value))
}

fn middle(rounds: &Rounds, at: usize, value: impl Fn(&Sample) -> f64) -> f64 {
    median(of(rounds, at, value))
}

fn mean(rounds: &Rounds, at: usize, value: impl Fn(&Sample) -> f64) -> f64 {
    of(rounds, at, value).sum::<f64>() / rounds.samples.len().max(1) as f64
}

fn ratio(rounds: &Rounds, at: usize, to: usize, value: impl Fn(&Sample) -> f64) -> Ratio {
    Ratio::of(of(rounds, at, &value).zip(of(rounds, to, &value)))
}
