//! Servers that are killed: T9, T11.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use mongo_odm::{
    bson::Document,
    mongodb::{Client, Database},
    prelude::*,
};
use mongo_odm_testkit::{Server, TestDb, Topology};

use super::lab::*;
use crate::{models::*, setting::*};

async fn open(server: &Arc<Server>, test: &str) -> (Odm, TestDb) {
    let database = TestDb::builder(test)
        .server(Arc::clone(server))
        .open()
        .await
        .unwrap();
    let odm = long_known(&Odm::new(database.database())).await;
    index_shop(&odm).await;
    (odm, database)
}

async fn logs(odm: &Odm, count: i64) -> Host {
    let host = host(1);
    host.insert(odm).await.unwrap();
    LogMsg::insert_many(odm, &messages(&host, count))
        .await
        .unwrap();
    host
}

/// Opens the database with a direct connection to one node.
async fn directly(server: &Server, node: usize, name: &str) -> Database {
    let (_, hosts) = server.uri().split_once("://").unwrap();
    let hosts = hosts.split('/').next().unwrap();
    let host = hosts.split(',').nth(node).unwrap();
    let uri = format!("mongodb://{host}/?directConnection=true");
    Client::with_uri_str(uri).await.unwrap().database(name)
}

/// T9: a rename that no majority has received is lost with its primary, and no copy contains its value. The library
/// repeats the rename on the next primary.
#[tokio::test]
async fn a_rename_that_is_lost_with_its_primary_leaves_no_copy_of_it() {
    let three = Server::builder().private().test_commands(true);
    let three = three.topology(Topology::ReplicaSet { nodes: 3 });
    let server = Arc::new(three.start().await.unwrap());
    let (odm, database) = open(&server, "faults_rolled_back").await;
    let host = logs(&odm, 20).await;
    let old = server.primary().await.unwrap();
    let others: Vec<usize> = (0..3).filter(|node| *node != old).collect();
    let stop = async |mode: &str| {
        for node in &others {
            let admin = directly(&server, *node, "admin").await;
            let stop = doc! { "configureFailPoint": "stopReplProducer", "mode": mode };
            admin.run_command(stop).await.unwrap();
        }
    };
    stop("alwaysOn").await;
    let renamed = tokio::spawn(rename(&odm, &host, "the phantom").into_future());
    let primary = directly(&server, old, database.name()).await;
    eventually("the phantom on the old primary", async || {
        let phantom = doc! { "ipaddr": "the phantom" };
        let hosts = primary.collection::<Document>("hosts");
        hosts.find_one(phantom).await.unwrap().is_some()
    })
    .await;
    assert!(!renamed.is_finished(), "no majority has it");
    server.kill(old).unwrap();
    stop("off").await;
    server.primary().await.unwrap();
    let renamed = renamed.await.unwrap();
    server.restart(old).await.unwrap();
    if renamed.is_ok() {
        assert_eq!(
            Host::get(&odm, host.id).await.unwrap().ipaddr,
            "the phantom"
        );
    }
    assert_eq!(stale(&odm, &host).await, 0);
    settle(&odm).await;
    assert_eq!(stale(&odm, &host).await, 0);
    let ip = Host::get(&odm, host.id).await.unwrap().ipaddr;
    eventually("the same on the node that has come back", async || {
        let messages = primary.collection::<Document>("logmsg");
        let found = messages.count_documents(doc! { "ipaddr": &ip }).await;
        found.is_ok_and(|found| found == 20)
    })
    .await;
}

/// T11: a standalone server is killed between two batches. After the server has restarted, the job still exists.
#[tokio::test]
async fn a_standalone_server_killed_in_a_job_has_the_job_when_it_is_back() {
    let alone = Server::builder().private().topology(Topology::Standalone);
    let server = Arc::new(alone.start().await.unwrap());
    let (odm, _database) = open(&server, "faults_killed_alone").await;
    let host = logs(&odm, 3_000).await;
    settle(&odm).await;
    let (killed, too) = (Arc::new(AtomicBool::new(false)), Arc::clone(&server));
    let once = Arc::clone(&killed);
    let renamed = rename(&odm, &host, "new").on_progress(move |_| {
        if !once.swap(true, Relaxed) {
            too.kill(0).unwrap();
        }
    });
    let renamed = tokio::spawn(renamed.into_future());
    eventually("a batch", async || killed.load(Relaxed)).await;
    server.restart(0).await.unwrap();
    let _ = tokio::time::timeout(Duration::from_secs(60), renamed)
        .await
        .unwrap();
    runners_are_dead(&odm).await;
    settle(&odm).await;
    assert_eq!(stale(&odm, &host).await, 0);
}
