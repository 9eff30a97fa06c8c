//! The size of batches, and the pauses between them.
//!
//! The target duration of a batch is 50 ms, because shorter batches make a fan-out slower. If the source changes
//! between batches, the target duration shrinks to 10 ms, and each pause becomes about three times as long as the
//! preceding batch. After a batch, the server is still busy, mostly with the history of old snapshots, which delays
//! renames. During a fan-out with short batches, renames take 1.7 to 1.9 times as long as usual (p99). With batches of
//! 50 ms, they take 4.2 times as long.

use std::time::Duration;

use crate::{batches::BatchSize, model::shape::OnDelete};

/// The size of batches, which adapts to their duration, and the pauses between them.
#[derive(Debug)]
pub(crate) struct Pace {
    pub(crate) size: BatchSize,
    /// The target duration of a batch.
    target: Duration,
    nice: f64,
    /// How often the source changes between batches, from 0 (never) to 1 (always).
    restless: f64,
}

/// The target duration of a batch. This duration is also the longest time that other writers of the same documents
/// wait. With half of this duration, a fan-out to 300,000 copies is 10 to 25 % slower, and other writers are not faster
/// (benchmark C2).
const TARGET: Duration = Duration::from_millis(50);

/// The target duration of a batch that deletes documents. This duration can be longer, because no writer waits for a
/// deleted document. Longer batches send fewer commands.
const TARGET_OF_DELETES: Duration = Duration::from_millis(200);

/// The pace for a source that changes all the time. `RESTLESS_TARGET` is the factor by which batches become shorter.
/// `RESTLESS_NICE` is added to the length of each pause, as a multiple of the batch's duration. Longer batches would
/// delay the writers of the source, because the server is busy after each batch (benchmark C5). In addition, the next
/// change makes the new copies stale again.
const RESTLESS_TARGET: f64 = 0.2;
const RESTLESS_NICE: f64 = 3.0;

/// The size of the first batch.
const FIRST: usize = 1_000;

const SIZES: std::ops::RangeInclusive<usize> = 100..=10_000;

impl Pace {
    pub(crate) fn new(nice: f64) -> Self {
        let mut size = BatchSize::new(*SIZES.end());
        size.set(FIRST);
        Self {
            size,
            target: TARGET,
            // A `Duration` cannot be multiplied by a negative or infinite number.
            nice: if nice > 0.0 { nice.min(1_000.0) } else { 0.0 },
            restless: 0.0,
        }
    }

    /// Sets the target duration of a batch, depending on the policy of a delete rule.
    pub(crate) const fn aim_at(&mut self, policy: OnDelete) {
        self.target = match policy {
            OnDelete::Cascade => TARGET_OF_DELETES,
            OnDelete::Keep | OnDelete::Restrict | OnDelete::Nullify | OnDelete::Pull => TARGET,
        };
    }

    /// Records whether the source has changed since the previous batch.
    pub(crate) fn note(&mut self, changed: bool) {
        self.restless = f64::midpoint(self.restless, f64::from(u8::from(changed)));
    }

    /// Adapts the batch size to the duration of the previous batch. Returns the pause before the next batch.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes are small and positive"
    )]
    pub(crate) fn next_pause(&mut self, took: Duration) -> Duration {
        let target = self
            .target
            .mul_f64(1.0 - self.restless * (1.0 - RESTLESS_TARGET));
        let wanted = target.as_secs_f64() / took.as_secs_f64().max(1e-4);
        // A single batch may be slow by chance, so one step changes the size by at most half.
        let next = (self.size.get() as f64 * wanted.clamp(0.5, 1.5)) as usize;
        self.size.set(next.max(*SIZES.start()));
        // The pause is proportional to the batch's duration, because slow batches indicate that the server is busy.
        took.mul_f64(self.nice + self.restless * RESTLESS_NICE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a server that takes ten microseconds for each copy.
    fn pauses(pace: &mut Pace, batches: usize, changed: bool) -> Vec<Duration> {
        (0..batches)
            .map(|_| {
                let took = Duration::from_micros(10) * u32::try_from(pace.size.get()).unwrap();
                pace.note(changed);
                pace.next_pause(took)
            })
            .collect()
    }

    #[test]
    fn a_multiple_that_no_pause_can_have_is_corrected() {
        let took = Duration::from_secs(1);
        let pause = |nice| Pace::new(nice).next_pause(took);
        assert_eq!([-1.0, f64::NAN].map(pause), [Duration::ZERO; 2]);
        assert_eq!([f64::INFINITY, 1_000.0].map(pause), [took * 1_000; 2]);
    }

    #[test]
    fn batches_are_smaller_and_rarer_while_the_source_changes() {
        let mut pace = Pace::new(0.2);
        let quiet = pauses(&mut pace, 20, false);
        assert!(
            (4_900..=5_100).contains(&pace.size.get()),
            "{}",
            pace.size.get()
        );
        assert!(quiet.last().unwrap().abs_diff(TARGET / 5) < Duration::from_millis(1));

        let restless = pauses(&mut pace, 20, true);
        assert!(
            (950..=1_050).contains(&pace.size.get()),
            "{}",
            pace.size.get()
        );
        assert!(*restless.last().unwrap() > Duration::from_millis(30));

        let quiet_again = pauses(&mut pace, 20, false);
        assert!(
            (4_900..=5_100).contains(&pace.size.get()),
            "{}",
            pace.size.get()
        );
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
