//! A database of one test, with the library's handle and a recorder of what it sends.

use mongo_odm::{Model, Odm, Settings};
use odm_testkit::{Recorder, TestDb};

/// A database of one test.
#[derive(Debug)]
pub struct Harness {
    /// The handle that the test uses.
    pub odm: Odm,
    database: TestDb,
}

impl Harness {
    /// Opens a database for the named test; it is kept if the test panics.
    pub async fn new(test: &str) -> Self {
        let database = TestDb::new(test)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        Self {
            // One program: the counted round trips are those of the call itself.
            odm: Odm::new(database.database())
                .with_settings(Settings::default().schema_refresh(None)),
            database,
        }
    }

    /// Returns what the test has sent to the server.
    pub fn recorder(&self) -> &Recorder {
        self.database.recorder()
    }

    /// Returns the test's database.
    pub fn database(&self) -> &TestDb {
        &self.database
    }

    /// Forgets what was sent so far.
    pub fn forget(&self) {
        self.recorder().clear();
    }

    /// Inserts documents, as a test's setting.
    pub async fn given<M: Model>(&self, documents: &[M]) {
        M::insert_many(&self.odm, documents)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Runs a piece of a test and returns the names of the commands that it sent.
    pub async fn sent<T>(&self, run: impl Future<Output = T>) -> (T, Vec<String>) {
        self.forget();
        let result = run.await;
        (result, self.recorder().names())
    }
}
