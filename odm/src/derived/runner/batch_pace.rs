//! The size of batches, and the pauses between them.
//!
//! A batch takes about 50 ms; shorter ones slow a fan-out down. If the source changes between batches, they shrink to
//! 10 ms, with pauses of three times that. The server works on after a batch, mostly for the history of old snapshots,
//! and delays the renames. These delays (p99) are a factor of 1.7 to 1.9, compared with 4.2 for batches of 50 ms.

use std::time::Duration;

/// The size of batches, which follows the time that they take, and the pauses between them.
#[derive(Debug)]
pub(crate) struct Pace {
    size: usize,
    nice: f64,
    /// How often the source changes: 1 if it did so between all of the last batches, 0 if never.
    restless: f64,
}

/// How long one batch should take: other writers of the same documents wait no longer than this. With
/// half of it a fan-out of 300,000 copies is a tenth to a quarter slower, and nobody waits less (C2 of
/// the benchmarks).
const TARGET: Duration = Duration::from_millis(50);

/// The part of it that is left while the source changes all the time, and how long the pauses are then,
/// as a part of the time that a batch takes: those who change it wait for what the server has to do for
/// the batches (C5 of the benchmarks), and what is written now is soon to be written once more.
const RESTLESS_TARGET: f64 = 0.2;
const RESTLESS_NICE: f64 = 3.0;

const SIZES: std::ops::RangeInclusive<usize> = 100..=10_000;

impl Pace {
    pub(crate) const fn new(nice: f64) -> Self {
        Self {
            size: 1_000,
            nice,
            restless: 0.0,
        }
    }

    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// Notes whether the source has changed since the batch before.
    pub(crate) fn note(&mut self, changed: bool) {
        self.restless = f64::midpoint(self.restless, f64::from(u8::from(changed)));
    }

    /// Goes on after a batch; returns how long to let others go first.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes are small and positive"
    )]
    pub(crate) fn next_pause(&mut self, took: Duration) -> Duration {
        let target = TARGET.mul_f64(1.0 - self.restless * (1.0 - RESTLESS_TARGET));
        let wanted = target.as_secs_f64() / took.as_secs_f64().max(1e-4);
        // One batch may be slow by chance. So the size changes by at most one half.
        let next = (self.size as f64 * wanted.clamp(0.5, 1.5)) as usize;
        self.size = next.clamp(*SIZES.start(), *SIZES.end());
        // A server that is busy with others takes longer: the pause grows with it.
        took.mul_f64(self.nice + self.restless * RESTLESS_NICE)
    }

    /// Goes on with smaller batches.
    pub(crate) const fn shrink(&mut self, size: usize) {
        self.size = if size == 0 { 1 } else { size };
    }

    /// Halves the batch that could not be written; returns whether it can be made smaller.
    pub(crate) const fn halve(&mut self) -> bool {
        let can = self.size > 1;
        self.size = if can { self.size / 2 } else { 1 };
        can
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that takes ten microseconds for each copy.
    fn pauses(pace: &mut Pace, batches: usize, changed: bool) -> Vec<Duration> {
        (0..batches)
            .map(|_| {
                let took = Duration::from_micros(10) * u32::try_from(pace.size()).unwrap();
                pace.note(changed);
                pace.next_pause(took)
            })
            .collect()
    }

    #[test]
    fn batches_are_smaller_and_rarer_while_the_source_changes() {
        let mut pace = Pace::new(0.2);
        let quiet = pauses(&mut pace, 20, false);
        assert!((4_900..=5_100).contains(&pace.size()), "{}", pace.size());
        assert!(quiet.last().unwrap().abs_diff(TARGET / 5) < Duration::from_millis(1));

        let restless = pauses(&mut pace, 20, true);
        assert!((950..=1_050).contains(&pace.size()), "{}", pace.size());
        assert!(*restless.last().unwrap() > Duration::from_millis(30));

        let quiet_again = pauses(&mut pace, 20, false);
        assert!((4_900..=5_100).contains(&pace.size()), "{}", pace.size());
        assert!(quiet_again.last().unwrap().abs_diff(TARGET / 5) < Duration::from_millis(1));
    }

    #[test]
    fn one_change_costs_less_than_a_quarter_of_a_second() {
        let (mut quiet, mut changed) = (Pace::new(0.2), Pace::new(0.2));
        for pace in [&mut quiet, &mut changed] {
            pauses(pace, 20, false);
        }
        let before: Duration = pauses(&mut quiet, 50, false).iter().sum();
        let mut after: Duration = pauses(&mut changed, 1, true).iter().sum();
        after += pauses(&mut changed, 49, false).iter().sum::<Duration>();
        assert!(after > before);
        assert!(after < before + Duration::from_millis(250), "{after:?}");
    }
}
