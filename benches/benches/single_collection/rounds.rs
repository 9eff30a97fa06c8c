//! Measures the library and the variants by hand in the same rounds, and prints a row for each comparison.

use odm_benches::{
    Result,
    measure::{self, Sample, Variant, check, measure, median},
    report::Ratio,
    table::{Limit, Table},
};

/// The parameters for the rounds of one table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    pub(crate) callers: usize,
    pub(crate) seconds: f64,
    pub(crate) least: usize,
    pub(crate) server: Option<u32>,
}

impl Rounds {
    /// Measures all variants, and prints the ratio of the first one, which is the library, to each of the others.
    pub(crate) async fn compare(
        &self,
        title: &str,
        variants: &[(Variant, Limit)],
        table: &mut Table,
    ) -> Result<()> {
        let ways: Vec<Variant> = variants.iter().map(|(way, _)| way.clone()).collect();
        check(&ways, 5).await?;
        let rounds = measure(&ways, self.callers, self.seconds, self.least, self.server).await?;
        let title = match self.callers {
            1 => format!("{title}, one caller"),
            callers => format!("{title}, {callers} callers"),
        };
        for (at, (way, limit)) in variants.iter().enumerate().skip(1) {
            let row = format!("{title}: {}", way.name);
            let ratio = Ratio::of(times(&rounds, 0).zip(times(&rounds, at)));
            let [library, yardstick] = [0, at].map(|at| self.shown(median(times(&rounds, at))));
            table.row(&row, &library, &yardstick, &ratio, *limit);
            let cpu = Ratio::of(client(&rounds, 0).zip(client(&rounds, at)));
            table.notes.push(format!("{row}: client CPU {cpu}"));
        }
        table.notes.push(format!(
            "{title}: {} rounds of {} ({} more dropped), other processes took {:.2} cores",
            rounds.samples.len(),
            rounds.operations,
            rounds.dropped,
            rounds.disturbance
        ));
        Ok(())
    }

    fn shown(&self, time: f64) -> String {
        match self.callers {
            1 => format!("{time:.2} ms"),
            _ => format!("{:.0}/s", 1_000.0 / time),
        }
    }
}

fn times(rounds: &measure::Rounds, at: usize) -> impl Iterator<Item = f64> {
    of(rounds, at, |sample| sample.time)
}

fn client(rounds: &measure::Rounds, at: usize) -> impl Iterator<Item = f64> {
    of(rounds, at, |sample| sample.client_cpu)
}

fn of(
    rounds: &measure::Rounds,
    at: usize,
    value: impl Fn(&Sample) -> f64,
) -> impl Iterator<Item = f64> {
    let samples = rounds.samples.iter();
    samples.filter_map(move |round| round.get(at).map(&value))
}
