//! Rule 3: arrays that are not long yet but are growing.

use std::time::Duration;

use crate::advise::{
    seen::{Growth, SeenArray},
    thresholds::Thresholds,
    words::count,
};

const DAY: u64 = 24 * 3_600;

/// Number of days for which growth is projected. The check reports only arrays that will become too long within this
/// number of days.
const FAR: u64 = 1_000;

/// An array that grows with the age of its document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growing {
    growth: Growth,
    /// Number of days until half of the oldest arrays will have `very_long_array` elements, if they keep growing at
    /// this rate.
    days: u64,
}

/// Returns the growth of an array that will become too long within [`FAR`] days. Returns `None` for other arrays.
pub(super) fn growing(array: &SeenArray, t: &Thresholds) -> Option<Growing> {
    let growth = array.growth.filter(|it| it.oldest >= t.growing_array)?;
    let more = t.very_long_array.saturating_sub(growth.oldest);
    let grown = (growth.oldest - growth.youngest).max(1);
    let seconds = growth.between.as_secs().saturating_mul(more) / grown;
    let days = seconds / DAY;
    let is_long_time = growth.between >= Duration::from_secs(DAY);
    (is_long_time && days <= FAR).then_some(Growing { growth, days })
}

impl Growing {
    /// Returns the evidence text. The text also states that one sample does not prove that the growth continues.
    pub(super) fn evidence(&self, title: &str, t: &Thresholds) -> String {
        let Self { growth, days } = self;
        format!(
            "`{title}` is longer in older documents: the median is {} elements in the oldest quarter and {} in the \
            youngest, {} days later ({} documents); at this rate it is {} in {days} days. One sample shows the \
            difference, but not that the growth continues",
            count(growth.oldest),
            count(growth.youngest),
            count(growth.between.as_secs() / DAY),
            count(growth.documents),
            count(t.very_long_array)
        )
    }

    pub(super) fn figures(&self) -> [(&'static str, u64); 4] {
        let Growth {
            oldest,
            youngest,
            between,
            ..
        } = self.growth;
        [
            ("oldest", oldest),
            ("youngest", youngest),
            ("days_between", between.as_secs() / DAY),
            ("days_left", self.days),
        ]
    }
}
