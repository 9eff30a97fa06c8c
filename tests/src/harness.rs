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
    /// Opens a database for the named test, and a handle with the default settings. The database is kept if the test
    /// panics.
    ///
    /// Other programs do not know the declarations of this program yet, so writes of copies and references enqueue jobs
    /// in the first minutes.
    pub async fn new(test: &str) -> Self {
        let database = TestDb::new(test)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        Self {
            odm: Odm::new(database.database()),
            database,
        }
    }

    /// Opens the same kind of database, but with declarations that are days old, so calls send only the statements that
    /// they always send. For tests that count statements or jobs.
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

    /// Creates collections. On a cluster, the testkit shards a collection before its first write. While a transaction
    /// is open, the testkit makes the library run the transaction again instead. So a test that counts calls in
    /// transactions creates its collections first.
    pub async fn create_on_cluster(&self, collections: &[&str]) {
        if !is_sharded() {
            return;
        }
        for name in collections {
            let created = self.odm.database().create_collection(*name).await;
            created.unwrap_or_else(|error| panic!("{error}"));
        }
    }

    /// Returns the recorder of the commands that the test has sent to the server.
    pub fn recorder(&self) -> &Recorder {
        self.database.recorder()
    }

    /// Returns the names of all round trips; those that concern declarations are at the end. For tests that compare
    /// them with another complete record of the round trips.
    pub fn all_names(&self) -> Vec<String> {
        let declarations = self.recorder().declarations().into_iter();
        let names = self.recorder().names().into_iter();
        names.chain(declarations.map(|it| it.name)).collect()
    }

    /// Returns the test's database.
    pub fn database(&self) -> &TestDb {
        &self.database
    }

    /// Forgets the commands that were sent so far.
    pub fn forget(&self) {
        self.recorder().clear();
    }

    /// Inserts the documents that a test starts with.
    pub async fn given<M: Model>(&self, documents: &[M]) {
        M::insert_many(&self.odm, documents)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Awaits a future and returns its result and the names of the commands that were sent meanwhile.
    pub async fn sent<T>(&self, run: impl Future<Output = T>) -> (T, Vec<String>) {
        self.forget();
        let result = run.await;
        (result, self.recorder().names())
    }
}

/// Makes all declarations in a database three days old, so that all programs have read them.
pub async fn known_to_all(odm: &Odm) {
    let schema = odm.database().collection::<Document>("_odm_schema");
    let then = DateTime::from_millis(DateTime::now().timestamp_millis() - 3 * 24 * 3_600 * 1_000);
    let long_ago = doc! { "$set": { "declared_at": then, "fields.$[].declared_at": then } };
    let aged = schema.update_many(doc! {}, long_ago).await;
    aged.unwrap_or_else(|error| panic!("{error}"));
}
