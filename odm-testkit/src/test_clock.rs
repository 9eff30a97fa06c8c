//! A clock that a test controls.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use mongo_odm::Odm;
use mongodb::bson::DateTime;

/// 2026-01-01 00:00:00 UTC.
const START: i64 = 1_767_225_600_000;

/// A clock that changes only when the test changes it. The library reads this clock for
/// `#[created_at]`, `#[updated_at]` and `#[deleted_at]`.
///
/// If a [test](macro@crate::test) has an argument of this type, the test's `Odm` reads this clock,
/// which starts at 2026-01-01 00:00:00 UTC. In other tests, [`handle`](Self::handle) returns a
/// handle that reads the clock. All clones of a clock show the same time.
///
/// # Limits
///
/// The server has its own clock. The grace periods of jobs, TTL indexes and `current_date` use the
/// server's clock.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use mongo_odm_testkit::TestClock;
/// use mongodb::bson::DateTime;
///
/// let clock = TestClock::at(DateTime::from_millis(0));
/// clock.advance(Duration::from_secs(60));
/// assert_eq!(clock.now(), DateTime::from_millis(60_000));
/// ```
#[derive(Clone, Debug)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// Creates a clock that shows the given time.
    #[must_use]
    pub fn at(time: DateTime) -> Self {
        Self(Arc::new(AtomicI64::new(time.timestamp_millis())))
    }

    /// Returns the time that the clock shows.
    #[must_use]
    pub fn now(&self) -> DateTime {
        DateTime::from_millis(self.0.load(Ordering::SeqCst))
    }

    /// Sets the time. The new time can be earlier than the current one.
    pub fn set(&self, time: DateTime) {
        self.0.store(time.timestamp_millis(), Ordering::SeqCst);
    }

    /// Adds a duration to the time. Fractions of a millisecond are dropped.
    pub fn advance(&self, by: Duration) {
        let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let later = |time: i64| Some(time.saturating_add(millis));
        // The closure always returns a time, so the update cannot fail.
        let _ = (self.0).fetch_update(Ordering::SeqCst, Ordering::SeqCst, later);
    }

    /// Returns a handle to the same database that reads this clock. All other settings stay the
    /// same.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::Odm;
    /// use mongo_odm_testkit::{TestClock, TestDb};
    ///
    /// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
    /// let database = TestDb::new("stores_the_time").await?;
    /// let clock = TestClock::default();
    /// let odm = clock.handle(&Odm::new(database.database()));
    /// assert_eq!(odm.settings().clock.now(), clock.now());
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn handle(&self, odm: &Odm) -> Odm {
        let clock = self.clone();
        odm.with_settings(odm.settings().clone().clock(move || clock.now()))
    }
}

/// The clock starts at 2026-01-01 00:00:00 UTC.
impl Default for TestClock {
    fn default() -> Self {
        Self::at(DateTime::from_millis(START))
    }
}
