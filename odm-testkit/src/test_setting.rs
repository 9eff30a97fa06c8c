//! The database, the handle and the clock of a test.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use mongo_odm::{Odm, Settings, Settle, SyncIndexes};
use mongodb::bson::DateTime;

use crate::{TestClock, TestDb};

/// The time limit for writes that still run after the test.
const LIMIT: Duration = Duration::from_secs(10);

/// The options of a test.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The Tokio runtime of the test.
    pub runtime: Runtime,
    /// Selects the collections in which indexes are created.
    pub indexes: Option<fn(SyncIndexes) -> SyncIndexes>,
    /// When jobs run and deltas are applied.
    pub settle: Settle,
    /// Whether the test passes if it panics.
    pub should_panic: bool,
}

/// The Tokio runtime of a test.
#[derive(Clone, Copy, Debug)]
pub enum Runtime {
    /// Runs all tasks in the thread of the test.
    CurrentThread,
    /// Runs tasks in the given number of threads, or in one thread for each core.
    MultiThread(Option<usize>),
}

/// The database, the handle and the clock of a test.
#[derive(Debug)]
pub struct Test {
    odm: Odm,
    clock: Arc<OnceLock<TestClock>>,
    database: TestDb,
}

impl Test {
    /// Creates the database and its indexes.
    pub(crate) async fn open(name: &str, options: &Options) -> Result<Self, String> {
        let database = TestDb::new(name).await;
        let database = database.map_err(|error| error.to_string())?;
        let clock = Arc::new(OnceLock::<TestClock>::new());
        let read = Arc::clone(&clock);
        let settings = Settings::default()
            .schema_refresh(None)
            .settle(options.settle)
            .clock(move || read.get().map_or_else(DateTime::now, TestClock::now));
        let odm = Odm::new(database.database()).with_settings(settings);
        // In a program without models, `sync_indexes` would fail.
        if let Some(select) = options.indexes.filter(|_| !mongo_odm::models().is_empty()) {
            let synced = select(odm.sync_indexes()).await;
            synced.map_err(|error| format!("cannot create the indexes: {error}"))?;
        }
        database.recorder().clear();
        Ok(Self {
            odm,
            clock,
            database,
        })
    }

    pub(crate) fn odm(&self) -> &Odm {
        &self.odm
    }

    /// Returns the clock. From the first call on, the handle reads this clock.
    pub(crate) fn clock(&self) -> &TestClock {
        self.clock.get_or_init(TestClock::default)
    }

    pub(crate) fn database(&self) -> &TestDb {
        &self.database
    }

    /// Keeps the database after the test.
    pub(crate) fn keep(&mut self) {
        self.database.keep();
    }

    /// Drops the database, unless `keep` was called.
    pub(crate) async fn close(self) {
        // The test may have dropped the future of a write that still runs, which would create the
        // database again. Such a write may also wait for something that the test no longer does.
        let writes = self.odm.finish_writes();
        if tokio::time::timeout(LIMIT, writes).await.is_err() {
            eprintln!(
                "a write of the test still runs {} s after the test; it is interrupted",
                LIMIT.as_secs()
            );
        }
        if let Err(error) = self.database.close().await {
            eprintln!("{error}");
        }
    }
}
