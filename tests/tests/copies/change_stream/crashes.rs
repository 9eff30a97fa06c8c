//! Watchers that are killed, old tokens, and servers without a history.

use std::sync::Arc;

use mongo_odm::{Error, mongodb::options::ReplaceOptions};
use mongo_odm_testkit::{Server, TestDb, Topology};

use super::*;

async fn save_stream(odm: &Odm, saved: Document) {
    let streams = odm.database().collection::<Document>("_odm_streams");
    let upsert = ReplaceOptions::builder().upsert(true).build();
    let by_id = doc! { "_id": saved.get("_id").unwrap().clone() };
    streams
        .replace_one(by_id, saved)
        .with_options(upsert)
        .await
        .unwrap();
}

#[tokio::test]
async fn what_happens_while_no_watcher_runs_is_seen_later() {
    let t = shop("watch_resume").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    kill(watching(&t.odm).await).await;
    foreign(
        &t.odm,
        "hosts",
        id(host.id),
        doc! { "$set": { "ipaddr": "10.0.0.1" } },
    )
    .await;
    assert!(jobs(&t.odm).await.is_empty());

    let watcher = watching(&t.odm).await;
    run_until(&t.odm, async || {
        have_address(&t.odm, &host, "10.0.0.1").await
    })
    .await;
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_watcher_that_dies_before_its_token_is_saved_marks_again() {
    let t = shop("watch_again").await;
    let (host, _) = host_with_messages(&t.odm, 1).await;
    let watcher = watching(&t.odm).await;
    let before = streams(&t.odm).await.pop().unwrap();
    foreign(
        &t.odm,
        "hosts",
        id(host.id),
        doc! { "$set": { "ipaddr": "10.0.0.1" } },
    )
    .await;
    eventually(async || job(&t.odm, id(host.id)).await.is_some()).await;
    kill(watcher).await;
    run_all(&t.odm).await;
    assert!(have_address(&t.odm, &host, "10.0.0.1").await);

    // The library renames the host meanwhile. The old event does not determine the new value of the copies.
    Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.2")
        .await
        .unwrap();
    run_all(&t.odm).await;
    save_stream(&t.odm, before).await;
    let watcher = watching(&t.odm).await;
    eventually(async || job(&t.odm, id(host.id)).await.is_some()).await;
    run_all(&t.odm).await;
    assert!(have_address(&t.odm, &host, "10.0.0.2").await);
    kill(watcher).await;
}

#[tokio::test]
async fn a_token_that_is_none_starts_over() {
    for token in ["", "82", "not hex", "8263FFFF"] {
        let t = shop("watch_no_token").await;
        let (host, _) = host_with_messages(&t.odm, 1).await;
        kill(watching(&t.odm).await).await;
        foreign(
            &t.odm,
            "hosts",
            id(host.id),
            doc! { "$set": { "ipaddr": "10.0.0.1" } },
        )
        .await;
        let mut saved = streams(&t.odm).await.pop().unwrap();
        saved.insert("token", doc! { "_data": token });
        save_stream(&t.odm, saved).await;

        let watcher = watching(&t.odm).await;
        run_until(&t.odm, async || {
            have_address(&t.odm, &host, "10.0.0.1").await
        })
        .await;
        foreign(
            &t.odm,
            "hosts",
            id(host.id),
            doc! { "$set": { "ipaddr": "10.0.0.2" } },
        )
        .await;
        run_until(&t.odm, async || {
            have_address(&t.odm, &host, "10.0.0.2").await
        })
        .await;
        run_all(&t.odm).await;
        kill(watcher).await;
    }
}

#[tokio::test]
async fn a_lost_history_is_made_up_for() {
    // The server drops only entries in a checkpoint from the oplog, and writes a checkpoint every second.
    let server = Server::builder().private().oplog_mb(8);
    let server = server.argument("--syncdelay").argument("1");
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder("watch_lost")
        .server(server)
        .open()
        .await
        .unwrap();
    let odm = long_known(&Odm::new(database.database())).await;
    odm.sync_indexes().await.unwrap();
    let (host, _) = host_with_messages(&odm, 1).await;
    let parts = [part(1), part(2)];
    Part::insert_many(&odm, &parts).await.unwrap();
    let product = product(1, &parts);
    product.insert(&odm).await.unwrap();
    run_all(&odm).await;
    kill(watching(&odm).await).await;

    foreign(
        &odm,
        "hosts",
        id(host.id),
        doc! { "$set": { "ipaddr": "10.0.0.1" } },
    )
    .await;
    foreign(
        &odm,
        "parts",
        id(parts[1].id),
        doc! { "$set": { "name": "new" } },
    )
    .await;
    foreign(
        &odm,
        "products",
        id(product.id),
        doc! { "$pop": { "parts": -1 } },
    )
    .await;
    roll_over(&odm).await;
    let watcher = watching(&odm).await;
    run_until(&odm, async || {
        let product = Product::get(&odm, product.id).await.unwrap();
        let lost = Part::get(&odm, parts[0].id).await.unwrap();
        have_address(&odm, &host, "10.0.0.1").await
            && product.parts[0].name == "new"
            && lost.product_name.is_none()
    })
    .await;
    run_all(&odm).await;
    foreign(
        &odm,
        "hosts",
        id(host.id),
        doc! { "$set": { "ipaddr": "10.0.0.2" } },
    )
    .await;
    run_until(&odm, async || have_address(&odm, &host, "10.0.0.2").await).await;
    kill(watcher).await;
}

/// Writes until the oplog begins after the current time.
async fn roll_over(odm: &Odm) {
    let now = odm
        .database()
        .run_command(doc! { "ping": 1 })
        .await
        .unwrap();
    let now = now.get_timestamp("operationTime").unwrap();
    let oplog = odm
        .client()
        .database("local")
        .collection::<Document>("oplog.rs");
    let junk = odm.database().collection::<Document>("junk");
    eventually(async || {
        let large = "x".repeat(1 << 20);
        for _ in 0..8 {
            junk.insert_one(doc! { "large": &large }).await.unwrap();
        }
        let first = oplog.find_one(doc! {}).await.unwrap().unwrap();
        first.get_timestamp("ts").unwrap() > now
    })
    .await;
}

#[tokio::test]
async fn a_standalone_server_is_told_apart() {
    let server = Server::builder().topology(Topology::Standalone).private();
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder("watch_alone")
        .server(server)
        .open()
        .await
        .unwrap();
    let odm = Odm::new(database.database());
    let error = odm.watch_sources().run().await.unwrap_err();
    assert!(matches!(error, Error::NoChangeStreams));
    assert_eq!(
        error.to_string(),
        "a standalone server has no change streams; run it as a replica set (`--replSet`, one node \
         is enough)"
    );
}
