//! A server of its own for histories: what is in flight is seen, commands fail, and time passes.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use mongo_odm::{
    Odm, Settings, Settle,
    bson::{Bson, Document},
    mongodb::{Client, Collection, Database},
    prelude::*,
};
use odm_testkit::{Server, TestDb};
use tokio::time::sleep;

use crate::setting::long_known;

use super::{
    history::{Failure, Step},
    model::{COLLECTIONS, LEVELS},
    perform::Handles,
    run::Case,
};

/// The client whose commands fail.
const APP: &str = "history";
const JOBS: &str = "_odm_jobs";
const CURSORS: &str = "_odm_cursors";
const DELTAS: &str = "_odm_deltas";

/// A server, since transactions are counted, and its database.
pub(super) struct Bench {
    db: TestDb,
    /// The same database for the test itself.
    pub(super) looks: Database,
    pub(super) handles: Handles,
    pub(super) tally: Tally,
}

/// How often each thing has happened.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) cases: AtomicU64,
    pub(super) steps: AtomicU64,
    pub(super) writes: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) at_once: AtomicU64,
    pub(super) crashes: AtomicU64,
    pub(super) cancelled: AtomicU64,
    pub(super) hostile: AtomicU64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [cases, steps, writes] =
            [&self.cases, &self.steps, &self.writes].map(|it| it.load(Relaxed));
        let [refused, at_once, crashes] =
            [&self.refused, &self.at_once, &self.crashes].map(|it| it.load(Relaxed));
        let [cancelled, hostile] = [&self.cancelled, &self.hostile].map(|it| it.load(Relaxed));
        write!(
            f,
            "{cases} histories, {steps} steps: {writes} writes were done, {refused} refused, \
             {crashes} crashed; {cancelled} transactions were cancelled; {at_once} pairs ran at once; {hostile} \
             hostile documents were stored"
        )
    }
}

impl Bench {
    pub(super) async fn start() -> Self {
        // A task that is dropped in the middle of a commit leaves its transaction to the server.
        let server = Server::builder().private().test_commands(true);
        let server = server
            .argument("--setParameter")
            .argument("transactionLifetimeLimitSeconds=10");
        let server = Arc::new(server.start().await.unwrap());
        // Failures are for the library, not for those who look at it.
        let looks = Client::with_options(server.client_options().await.unwrap()).unwrap();
        let db = TestDb::builder("copies_property").server(server);
        let db = db.configure(|options| options.app_name = Some(APP.to_owned()));
        let db = db.open().await.unwrap();
        let looks = looks.database(db.name());
        let settings = Settings::default().settle(Settle::Manual).nice(0.0);
        let odm = long_known(&Odm::new(db.database())).await;
        let handles = Handles {
            plain: odm.with_settings(settings.clone()),
            large: odm.with_settings(settings.inline_copies(2)),
        };
        odm.sync_indexes().await.unwrap();
        let tally = Tally::default();
        Self {
            db,
            looks,
            handles,
            tally,
        }
    }

    pub(super) async fn close(self) {
        drop(self.handles);
        self.db.close().await.unwrap();
    }

    pub(super) fn tally(&self) -> String {
        self.tally.to_string()
    }

    pub(super) async fn run(&self, history: &[Step]) -> Result<(), String> {
        self.clear().await;
        // Whoever waits for a runner that is gone would wait for half a minute.
        let database = self.looks.clone();
        let leases = tokio::spawn(async move {
            loop {
                end_leases(&database).await;
                sleep(Duration::from_millis(200)).await;
            }
        });
        let result = Case::new(self).run(history).await;
        leases.abort();
        self.tally.cases.fetch_add(1, Relaxed);
        result
    }

    async fn clear(&self) {
        self.stop_failing().await;
        self.quiet().await;
        let all = COLLECTIONS.into_iter().chain(LEVELS);
        for name in all.chain([JOBS, CURSORS, DELTAS]) {
            let collection = self.collection(name);
            collection.delete_many(doc! {}).await.unwrap();
        }
    }

    /// Makes the next command of a name fail.
    pub(super) async fn fail(&self, command: &str, failure: Failure) {
        let mut data = doc! { "failCommands": [command], "appName": APP };
        match failure {
            Failure::Closes => _ = data.insert("closeConnection", true),
            Failure::Conflicts => {
                data.insert("errorCode", 112);
                data.insert("errorLabels", ["TransientTransactionError"].as_slice());
            }
            Failure::Waits => data.extend(doc! { "blockConnection": true, "blockTimeMS": 30 }),
        }
        self.set_failure(doc! { "mode": { "times": 1 }, "data": data })
            .await;
    }

    pub(super) async fn stop_failing(&self) {
        self.set_failure(doc! { "mode": "off" }).await;
    }

    async fn set_failure(&self, how: Document) {
        let mut command = doc! { "configureFailPoint": "failCommand" };
        command.extend(how);
        self.admin().run_command(command).await.unwrap();
    }

    fn admin(&self) -> Database {
        self.looks.client().database("admin")
    }

    fn collection(&self, name: &str) -> Collection<Document> {
        self.looks.collection(name)
    }

    pub(super) async fn count(&self, collection: &str) -> u64 {
        let collection = self.collection(collection);
        collection.count_documents(doc! {}).await.unwrap()
    }

    /// Whether copies wait for a job that has not run yet, or what makers keep for a fold.
    pub(super) async fn has_work(&self) -> bool {
        if self.count(DELTAS).await > 0 {
            return true;
        }
        let jobs = self.collection(JOBS);
        let job = jobs.find_one(doc! { "phase": "run" }).await;
        job.unwrap().is_some()
    }

    /// Lets everything that is stored be an hour older.
    pub(super) async fn pass_an_hour(&self) {
        const HOUR: i64 = 3_600_000;
        for (name, dates) in [(JOBS, &["due_at", "changed_at"][..]), (CURSORS, &["until"])] {
            let earlier = dates.iter().map(|date| {
                let date = (*date).to_owned();
                let stored = format!("${date}");
                (date, Bson::from(doc! { "$subtract": [stored, HOUR] }))
            });
            let update = vec![doc! { "$set": earlier.collect::<Document>() }];
            let collection = self.collection(name);
            collection.update_many(doc! {}, update).await.unwrap();
        }
    }

    /// Waits until no write is under way and no transaction is open: those of tasks that were dropped end by
    /// themselves.
    pub(super) async fn quiet(&self) {
        self.handles.plain.finish_writes().await;
        let admin = self.admin();
        let mut idle = 0;
        while idle < 3 {
            let status = admin.run_command(doc! { "serverStatus": 1 }).await.unwrap();
            let transactions = status.get_document("transactions").unwrap();
            let open = transactions.get_i64("currentOpen").unwrap();
            idle = if open == 0 { idle + 1 } else { 0 };
            sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Makes leases of a second out of those of half a minute.
async fn end_leases(database: &Database) {
    let old = doc! { "$expr": { "$lt": ["$until", { "$add": ["$$NOW", 29_000] }] } };
    let end = doc! { "$set": { "until": DateTime::from_millis(0) } };
    let cursors = database.collection::<Document>(CURSORS);
    let _ = cursors.update_many(old, end).await;
}
