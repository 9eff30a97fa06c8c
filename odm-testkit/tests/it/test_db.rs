//! A database for each test is dropped after success and kept after failure.

use std::sync::Arc;

use mongo_odm_testkit::{Server, TestDb};
use mongodb::{Client, bson::doc};

use crate::child::{child, text};

#[test]
fn servers_and_databases_can_be_opened_in_spawned_tasks() {
    fn is_send(_: impl Send) {}
    is_send(TestDb::new("send"));
    is_send(Server::shared());
    is_send(Server::builder().start());
}

async fn names(server: &Server) -> Vec<String> {
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    client.list_database_names().await.unwrap()
}

#[tokio::test]
async fn a_database_is_dropped_with_its_value() {
    let server = Server::shared().await.unwrap();
    let db = TestDb::new("dropped").await.unwrap();
    db.collection("c").insert_one(doc! {}).await.unwrap();
    let name = db.name().to_owned();
    assert!(names(&server).await.contains(&name));
    drop(db);
    assert!(!names(&server).await.contains(&name));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_is_dropped_by_close() {
    let server = Server::shared().await.unwrap();
    let db = TestDb::new("closed").await.unwrap();
    db.collection("c").insert_one(doc! {}).await.unwrap();
    let name = db.name().to_owned();
    db.close().await.unwrap();
    assert!(!names(&server).await.contains(&name));
}

#[tokio::test]
async fn a_database_is_kept_by_a_panic_and_on_request() {
    let server = Arc::new(Server::builder().private().start().await.unwrap());
    let mut panicked = TestDb::builder("panicked")
        .server(Arc::clone(&server))
        .open()
        .await
        .unwrap();
    let kept = TestDb::builder("kept")
        .server(Arc::clone(&server))
        .keep()
        .open()
        .await
        .unwrap();
    let mut expected = Vec::new();
    for db in [&mut panicked, &mut { kept }] {
        db.collection("c").insert_one(doc! {}).await.unwrap();
        expected.push(db.name().to_owned());
    }
    let task = tokio::spawn(async move {
        let _held = panicked;
        panic!("on purpose");
    });
    assert!(task.await.unwrap_err().is_panic());
    let names = names(&server).await;
    assert!(
        expected.iter().all(|name| names.contains(name)),
        "{expected:?} {names:?}"
    );
}

#[tokio::test]
#[ignore = "a child: fails on purpose"]
async fn child_fails() {
    let db = TestDb::new("fails").await.unwrap();
    db.collection("c").insert_one(doc! {}).await.unwrap();
    panic!("on purpose");
}

#[test]
fn a_failing_test_says_where_its_database_is_and_how_to_keep_the_server() {
    let text = text(&child("test_db::child_fails").output().unwrap());
    assert!(
        text.contains("the database fails_") && text.contains("is kept: mongodb://"),
        "{text}"
    );
    assert!(
        text.contains("/fails_") && text.contains("ODM_KEEP_SERVER=1"),
        "{text}"
    );
}

#[tokio::test]
async fn the_uri_names_the_database_and_options_can_be_changed() {
    let db = TestDb::builder("uri")
        .configure(|options| options.app_name = Some("changed".into()))
        .open()
        .await
        .unwrap();
    let client = Client::with_uri_str(db.uri()).await.unwrap();
    assert_eq!(client.default_database().unwrap().name(), db.name());
    db.collection("c")
        .insert_one(doc! { "_id": 1 })
        .await
        .unwrap();
    let seen = client
        .default_database()
        .unwrap()
        .collection::<mongodb::bson::Document>("c");
    assert!(seen.find_one(doc! { "_id": 1 }).await.unwrap().is_some());
}
