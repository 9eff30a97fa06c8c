//! The database of one test, with the library's handle and a recorder of the handle's commands.

use mongo_odm::{
    Model, Odm,
    bson::{DateTime, Document, doc},
};
use mongo_odm_testkit::{Recorder, TestDb};

use crate::cluster::is_sharded;

/// A database of one test.
#[derive(Debug)]
pub struct Harness {
    /// The handle that the test uses.
    pub odm: Odm,
    database: TestDb,
}

impl Harness {
    /// Opens a database for the named test, and a handle with the default settings; the database is kept if the test
    /// panics.
    ///
    /// Nobody knows yet what the program declares, so that copies and references leave jobs in its first minutes.
    pub async fn new(test: &str) -> Self {
        let database = TestDb::new(test)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        Self {
            odm: Odm::new(database.database()),
            database,
        }
    }

    /// Does the same in a database in which the program has been declared for days: what a call sends is what it sends
    /// all the time. For tests that count statements or jobs.
    pub async fn long_declared(test: &str) -> Self {
        let harness = Self::new(test).await;
        let declared = harness.odm.run_pending_jobs().await;
        declared.unwrap_or_else(|error| panic!("{error}"));
        known_to_all(&harness.odm).await;
        harness.forget();
        Self {
            odm: Odm::new(harness.database.database()),
            database: harness.database,
        }
    }

    /// Creates collections. On a cluster, the testkit shards a collection before its first write, but not while a
    /// transaction is open: it makes the library run the transaction again. So a test that counts calls in transactions
    /// creates its collections first.
    pub async fn create_on_cluster(&self, collections: &[&str]) {
        if !is_sharded() {
            return;
        }
        for name in collections {
            let created = self.odm.database().create_collection(*name).await;
            created.unwrap_or_else(|error| panic!("{error}"));
        }
    }

    /// Returns what the test has sent to the server.
    pub fn recorder(&self) -> &Recorder {
        self.database.recorder()
    }

    /// Returns the names of all round trips, those that are about declarations last: for tests that compare with another
    /// record of everything that is sent.
    pub fn all_names(&self) -> Vec<String> {
        let declarations = self.recorder().declarations().into_iter();
        let names = self.recorder().names().into_iter();
        names.chain(declarations.map(|it| it.name)).collect()
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

/// Makes all declarations in a database three days old, so that all programs know them.
pub async fn known_to_all(odm: &Odm) {
    let schema = odm.database().collection::<Document>("_odm_schema");
    let then = DateTime::from_millis(DateTime::now().timestamp_millis() - 3 * 24 * 3_600 * 1_000);
    let long_ago = doc! { "$set": { "declared_at": then, "fields.$[].declared_at": then } };
    let aged = schema.update_many(doc! {}, long_ago).await;
    aged.unwrap_or_else(|error| panic!("{error}"));
}
