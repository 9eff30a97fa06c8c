//! The clock of a handle, and the time that all writes of a call or a transaction store.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use mongodb::bson::DateTime;

/// The clock from which the library reads the times for `#[created_at]`, `#[updated_at]` and `#[deleted_at]`.
///
/// The default is the system clock. A test can set its own clock with [`Settings::clock`](crate::Settings::clock).
///
/// # Examples
///
/// ```
/// use mongo_odm::{Settings, bson::DateTime};
///
/// let settings = Settings::default().clock(|| DateTime::from_millis(0));
/// assert_eq!(settings.clock.now(), DateTime::from_millis(0));
/// ```
#[derive(Clone, Default)]
pub struct Clock(Option<Arc<dyn Fn() -> DateTime + Send + Sync>>);

impl Clock {
    pub(super) fn new(now: impl Fn() -> DateTime + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(now)))
    }

    /// Returns the current time, with a precision of milliseconds.
    ///
    /// # Sends
    ///
    /// Nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Settings;
    ///
    /// let now = Settings::default().clock.now();
    /// ```
    pub fn now(&self) -> DateTime {
        self.0.as_ref().map_or_else(DateTime::now, |now| now())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Clock(custom)"
        } else {
            "Clock(system)"
        })
    }
}

/// The time that all writes of a call or a transaction store. All attempts share this time, so a retry stores the same time
/// as the first attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct WriteTime(Arc<OnceLock<DateTime>>);

impl WriteTime {
    pub(super) fn get_or_set(&self, clock: &Clock) -> DateTime {
        *self.0.get_or_init(|| clock.now())
    }
}
