//! Formats numbers as text.

use std::time::Duration;

pub(super) use crate::numbers::{count, several};

/// Formats a number of bytes in a suitable unit: `38.4 KB`.
#[allow(
    clippy::cast_precision_loss,
    reason = "one digit after the point is shown"
)]
pub(super) fn bytes(number: u64) -> String {
    let number = number as f64;
    match number {
        ..1_024.0 => format!("{number:.0} bytes"),
        ..1_048_576.0 => format!("{:.1} KB", number / 1_024.0),
        ..1_073_741_824.0 => format!("{:.1} MB", number / 1_048_576.0),
        ..1_099_511_627_776.0 => format!("{:.1} GB", number / 1_073_741_824.0),
        _ => format!("{:.1} TB", number / 1_099_511_627_776.0),
    }
}

/// Returns a part of a whole as a percentage; 0 if the whole is 0.
#[allow(clippy::cast_precision_loss, reason = "a share is a rough figure")]
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 * 100.0 / whole as f64
}

/// Formats a part of a whole as a percentage: `3.4 %`.
pub(super) fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", percent(part, whole))
}

/// Returns a round number that leaves room above `longest`. The result is 1.5 times `longest`, rounded up to 1, 2 or 5
/// followed by zeros.
pub(super) fn roomy(longest: u64) -> u64 {
    let least = longest.saturating_add(longest / 2).max(1);
    let mut unit = 1_u64;
    loop {
        for step in [1, 2, 5] {
            let round = unit.saturating_mul(step);
            if round >= least {
                return round;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// Formats a time in seconds. Times below one second have three decimal places.
pub(super) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{:.3} s", time.as_secs_f64()),
        whole => format!("{} s", count(whole)),
    }
}

/// Formats names as code, separated by commas: `a`, `b`.
pub(super) fn list<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> String {
    let names = names.into_iter().map(|name| format!("`{}`", name.as_ref()));
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_by_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(12_345_678), "12,345,678");
        assert_eq!(bytes(1_023), "1023 bytes");
        assert_eq!(bytes(2_048), "2.0 KB");
        assert_eq!(bytes(3 << 20), "3.0 MB");
        assert_eq!(bytes(5 << 30), "5.0 GB");
        assert_eq!(bytes(3 << 40), "3.0 TB");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(1, 0), "0.0 %");
    }

    #[test]
    fn a_bound_has_room_and_is_round() {
        assert_eq!(roomy(0), 1);
        assert_eq!(roomy(3), 5);
        assert_eq!(roomy(300), 500);
        assert_eq!(roomy(480), 1_000);
        assert_eq!(roomy(u64::MAX), u64::MAX);
    }
}
