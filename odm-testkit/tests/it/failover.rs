//! Three nodes, one of which dies.

use std::{sync::Arc, time::Duration};

use mongo_odm_testkit::{Error, Server, TestDb, Topology};
use mongodb::bson::doc;

async fn three() -> Arc<Server> {
    let three = Server::builder()
        .private()
        .topology(Topology::ReplicaSet { nodes: 3 });
    Arc::new(three.start().await.unwrap())
}

#[tokio::test]
async fn a_new_primary_is_elected_when_the_old_one_is_killed() {
    let server = three().await;
    let db = TestDb::builder("failover")
        .server(Arc::clone(&server))
        .open()
        .await
        .unwrap();
    let collection = db.collection("c");
    let write = async |id: i32| {
        let insert = collection.insert_one(doc! { "_id": id });
        insert
            .write_concern(mongodb::options::WriteConcern::majority())
            .await
    };
    write(1).await.unwrap();

    let old = server.primary().await.unwrap();
    let old_pid = server.primary_pid().await.unwrap();
    server.kill(old).unwrap();
    assert!(!crate::child::is_alive(old_pid));
    assert_eq!(server.pid(old).unwrap(), None);

    let new = server.primary().await.unwrap();
    assert_ne!(old, new);
    // The driver retries a write only once. If it has not found the new primary by then, the write fails.
    while write(2).await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(
        db.collection("c")
            .find_one(doc! { "_id": 1 })
            .await
            .unwrap()
            .is_some()
    );

    server.restart(old).await.unwrap();
    assert_eq!(server.pids().len(), 3);
    assert_ne!(server.pid(old).unwrap(), Some(old_pid));
}

#[tokio::test]
async fn a_node_that_does_not_exist_is_an_error() {
    let server = Server::builder().private().start().await.unwrap();
    let error = server.kill(1).unwrap_err();
    assert!(matches!(error, Error::NoSuchNode { node: 1, .. }));
    assert!(error.to_string().contains("the server has 1"), "{error}");
}

#[tokio::test]
async fn a_node_killed_from_outside_is_noticed() {
    let server = Server::builder().private().start().await.unwrap();
    let pid = server.primary_pid().await.unwrap();
    let kill = format!("kill -9 {pid}");
    std::process::Command::new("sh")
        .args(["-c", &kill])
        .status()
        .unwrap();
    while server.pid(0).unwrap().is_some() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.restart(0).await.unwrap();
    assert_eq!(server.primary().await.unwrap(), 0);
}

#[tokio::test]
async fn a_wrong_argument_shows_what_mongod_says() {
    let wrong = Server::builder().private().argument("--no-such-option");
    let error = wrong.start().await.unwrap_err();
    assert!(matches!(error, Error::Died { .. }), "{error}");
    assert!(error.to_string().contains("no-such-option"), "{error}");
}
