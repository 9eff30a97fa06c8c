//! Two versions of a program rename the same sources in every order. Each version has copies that the other lacks.
//!
//! A test blocks its thread while it waits for a process. So the driver has its own threads to monitor the server. If
//! the driver received nothing from the server for 20 s, it would abort the next statement.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests panic to fail"
)]

use std::{
    collections::HashMap,
    process::{Child, Command, Stdio},
    time::Duration,
};

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
    mongodb::Database,
};
use mongo_odm_testkit::TestDb;
use tokio::time::sleep;
use version::{NEW, OLD, Version};

mod version {
    /// An executable, and the copies that it declares: collection, path, and the path in the source.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Version {
        pub(crate) program: &'static str,
        /// A relation that the other version does not declare.
        pub(crate) own: &'static str,
        pub(crate) copies: &'static [(&'static str, &'static str, &'static str)],
    }

    pub(crate) const OLD: Version = Version {
        program: env!("CARGO_BIN_EXE_fleet-old"),
        own: "labels.supplier <- suppliers._id",
        copies: &[
            ("items", "supplier_name", "name"),
            ("items", "supplier_city", "city"),
            ("items", "phone_number", "phone"),
            ("items", "supplier_rank", "rank"),
            ("labels", "supplier_name", "name"),
        ],
    };

    pub(crate) const NEW: Version = Version {
        program: env!("CARGO_BIN_EXE_fleet-new"),
        own: "crates.supplier <- suppliers._id",
        copies: &[
            ("items", "supplier_name", "name"),
            ("items", "supplier_phone", "phone"),
            ("items", "supplier_country", "country"),
            ("items", "supplier_rank", "rank"),
            ("crates", "supplier_name", "name"),
        ],
    };
}

impl Version {
    /// Starts a process that runs until it is ended.
    fn start(self, uri: &str) -> Process {
        Process(
            self.command(uri, "live")
                .stdin(Stdio::piped())
                .spawn()
                .unwrap(),
        )
    }

    /// Executes one act in a new process.
    fn once(self, act: &str, uri: &str) {
        assert!(
            self.command(uri, act).status().unwrap().success(),
            "{act} {self:?}"
        );
    }

    fn command(self, uri: &str, act: &str) -> Command {
        let mut command = Command::new(self.program);
        command.args([uri, act]);
        command
    }
}

struct Process(Child);

impl Process {
    /// Lets the process finish its current call. If a write of the process has failed, the test fails.
    fn end(mut self) {
        drop(self.0.stdin.take());
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_version_beside_and_instead_of_the_old_one() {
    versions("fleet_upgrade", &[&[OLD], &[OLD, NEW], &[NEW]]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_version_that_is_rolled_back() {
    versions(
        "fleet_rollback",
        &[&[NEW], &[NEW, OLD], &[OLD], &[OLD, NEW]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_versions_from_the_start() {
    versions("fleet_both", &[&[OLD, NEW, OLD, NEW]]).await;
}

/// Runs fleets one after the other, and compares every copy that a version declares with its source.
async fn versions(test: &str, fleets: &[&[Version]]) {
    let database = TestDb::new(test).await.unwrap();
    let uri = database.uri().to_owned();
    let database = database.database();
    fill(&database).await;
    for version in [OLD, NEW] {
        version.once("index", &uri);
    }
    let mut known: Vec<Version> = Vec::new();
    for fleet in fleets {
        let processes: Vec<_> = fleet.iter().map(|version| version.start(&uri)).collect();
        for version in *fleet {
            declared(&database, version.own).await;
        }
        // Long enough for each process to read the others' declarations several times.
        sleep(Duration::from_secs(1)).await;
        for version in *fleet {
            if known.iter().all(|it| it.program != version.program) {
                // Older documents need a backfill of the copies that are newly declared, as documented.
                version.once("backfill", &uri);
                known.push(*version);
            }
        }
        sleep(Duration::from_secs(3)).await;
        processes.into_iter().for_each(Process::end);
        for version in *fleet {
            version.once("store", &uri);
        }
    }
    settle(&database, &known, &uri).await;
    assert_eq!(stale(&database, &known).await, [""; 0]);
}

/// Waits until a relation is declared.
async fn declared(database: &Database, relation: &str) {
    let schema = database.collection::<Document>("_odm_schema");
    while schema
        .count_documents(doc! { "_id": relation })
        .await
        .unwrap()
        == 0
    {
        sleep(Duration::from_millis(50)).await;
    }
}

async fn fill(database: &Database) {
    let supplier = |number: i32| {
        let first = format!("first {number}");
        doc! { "name": &first, "city": &first, "phone": &first, "country": &first, "rank": number }
    };
    let suppliers = database.collection::<Document>("suppliers");
    suppliers.insert_many((0..5).map(supplier)).await.unwrap();
}

/// Makes all jobs due, and lets each version run its jobs, until none is left.
async fn settle(database: &Database, known: &[Version], uri: &str) {
    let jobs = database.collection::<Document>("_odm_jobs");
    for _ in 0..10 {
        let now = vec![
            doc! { "$set": { "due_at": "$$NOW", "not_before": DateTime::MIN, "changed_at": DateTime::MIN } },
        ];
        jobs.update_many(doc! {}, now).await.unwrap();
        for version in known {
            version.once("settle", uri);
        }
        if jobs.count_documents(doc! {}).await.unwrap() == 0 {
            return;
        }
    }
    panic!("jobs are left: {:?}", all(database, "_odm_jobs").await);
}

async fn stale(database: &Database, known: &[Version]) -> Vec<String> {
    let suppliers = all(database, "suppliers").await.into_iter();
    let suppliers: HashMap<ObjectId, Document> = suppliers
        .map(|it| (it.get_object_id("_id").unwrap(), it))
        .collect();
    let (mut stale, mut compared) = (Vec::new(), 0);
    for (collection, to, from) in known.iter().flat_map(|version| version.copies) {
        for document in all(database, collection).await {
            let supplier = &suppliers[&document.get_object_id("supplier").unwrap()];
            compared += 1;
            if !is_same(document.get(to), supplier.get(from)) {
                stale.push(format!(
                    "{collection}.{to} of {document}, and the source is {supplier}"
                ));
            }
        }
    }
    assert!(compared > 100, "{compared} copies");
    stale
}

/// Compares numbers by value, because two versions may store a number as different types that both can read.
fn is_same(copy: Option<&Bson>, source: Option<&Bson>) -> bool {
    let number = |it: Option<&Bson>| match it {
        Some(Bson::Int32(number)) => Some(i64::from(*number)),
        Some(Bson::Int64(number)) => Some(*number),
        _ => None,
    };
    copy.is_some() && (copy == source || (number(copy).is_some() && number(copy) == number(source)))
}

async fn all(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection::<Document>(collection);
    let found = collection.find(doc! {}).await.unwrap();
    found.try_collect().await.unwrap()
}
