//! Commands that arrive late: from a runner that was considered dead, and between two writes.

use std::sync::Arc;

use mongo_odm::{bson::Document, prelude::*};
use mongo_odm_testkit::{Server, TestDb};
use tokio::task::JoinHandle;

use crate::{models::*, setting::*};

/// A database on a separate server, because a failpoint affects the whole server.
struct Shop {
    db: TestDb,
    odm: Odm,
    host: Host,
}

impl Shop {
    async fn open(test: &str) -> Self {
        let server = Server::builder().private().test_commands(true);
        let server = Arc::new(server.start().await.unwrap());
        let db = TestDb::builder(test).server(server).open().await.unwrap();
        let odm = long_known(&Odm::new(db.database())).await;
        odm.sync_indexes().await.unwrap();
        let host = host(1);
        host.insert(&odm).await.unwrap();
        LogMsg::insert_many(&odm, &messages(&host, 3))
            .await
            .unwrap();
        Self { db, odm, host }
    }

    fn rename(&self, to: &str) -> mongo_odm::action::UpdateOne<Host> {
        Host::update(&self.odm, self.host.id).set(Host::fields().ipaddr, to)
    }

    /// Runs the jobs in a task, and returns when the server has received the command of a job that it delays.
    async fn run_until(&self, command: &str, collection: &str) -> JoinHandle<()> {
        let admin = self.db.client().database("admin");
        let namespace = format!("{}.{collection}", self.db.name());
        let data = doc! {
            "failCommands": [command], "namespace": namespace, "blockConnection": true, "blockTimeMS": 2_000,
        };
        let block =
            doc! { "configureFailPoint": "failCommand", "mode": { "times": 1 }, "data": data };
        let before = admin.run_command(block).await.unwrap();
        let entered = before.get_i32("count").unwrap() + 1;
        let odm = self.odm.clone();
        let running = tokio::spawn(async move {
            odm.run_pending_jobs().await.unwrap();
        });
        let wait = doc! { "waitForFailPoint": "failCommand", "timesEntered": entered, "maxTimeMS": 10_000 };
        admin.run_command(wait).await.unwrap();
        running
    }

    /// Ends all leases, so runners are considered dead.
    async fn end_leases(&self) {
        let cursors = self.db.collection("_odm_cursors");
        let end = doc! { "$set": { "until": DateTime::from_millis(0) } };
        cursors.update_many(doc! {}, end).await.unwrap();
    }

    async fn copies(&self) -> Vec<String> {
        let messages = LogMsg::find(&self.odm).await.unwrap();
        messages.into_iter().map(|message| message.ipaddr).collect()
    }

    async fn assert_settles_at(&self, value: &str) {
        for _ in 0..3 {
            self.odm.run_pending_jobs().await.unwrap();
        }
        assert_eq!(self.copies().await, [value; 3]);
        assert_eq!(jobs(&self.odm).await, Vec::<Document>::new());
    }
}

/// The source changes from A to B and back to A, while the copies contain A all the time. So only the cursor makes the
/// late batch conflict with later writes.
#[tokio::test]
async fn a_late_batch_does_not_bring_back_what_was_renamed_since() {
    let shop = Shop::open("copies_late_batch").await;
    let first = shop.host.ipaddr.clone();
    shop.rename("10.0.0.2").deferred().await.unwrap();
    let late = shop.run_until("update", "logmsg").await;
    shop.end_leases().await;
    shop.rename(&first).await.unwrap();
    shop.odm.run_pending_jobs().await.unwrap();
    late.await.unwrap();
    assert_eq!(shop.copies().await, [first.as_str(); 3]);
    shop.assert_settles_at(&first).await;
}

/// The source changes at the moment when its job is removed.
#[tokio::test]
async fn a_late_end_of_a_job_does_not_end_the_one_that_came_since() {
    let shop = Shop::open("copies_late_end").await;
    shop.rename("10.0.0.2").await.unwrap();
    let late = shop.run_until("delete", "_odm_jobs").await;
    shop.rename("10.0.0.3").deferred().await.unwrap();
    late.await.unwrap();
    shop.assert_settles_at("10.0.0.3").await;
}
