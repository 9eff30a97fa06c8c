//! Differences that pending jobs will correct, which do not count as drift.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::TryStreamExt;
use mongo_odm::{
    CopyOptions, DriftKind,
    bson::{DateTime, Document},
    prelude::*,
};

use super::set;
use crate::{models::*, setting::*};

/// A time after the end of all tests.
fn far_future() -> DateTime {
    DateTime::from_millis(DateTime::now().timestamp_millis() + 86_400_000)
}

#[tokio::test]
async fn copies_with_an_unfinished_job_are_no_drift_yet() {
    let t = shop("verify_pending").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    rename.deferred().await.unwrap();
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(drift.pending, 3);
    let all = t.odm.verify().include_pending().await.unwrap();
    assert_eq!(all.len(), 3);
    settle(&t.odm).await;
    let drift = t.odm.verify().include_pending().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}

#[tokio::test]
async fn a_key_that_leads_nowhere_is_found_while_its_copies_have_a_job() {
    let t = shop("verify_pending_dangling").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 4)).await;
    set(
        &t,
        "logmsg",
        doc! {},
        doc! { "$set": { "host": Id::<Host>::new() } },
    )
    .await;
    assert_eq!(t.odm.verify().await.unwrap().len(), 4);
    // The work that follows a change of the copies, because the source may have been inserted meanwhile.
    let unset = doc! { "$unset": { "ipaddr": "" } };
    set(&t, "logmsg", doc! {}, unset).await;
    let keys = t.odm.database().collection::<Document>("logmsg");
    let keys = keys.distinct("host", doc! {}).await.unwrap();
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    let id = doc! { "relation": "logmsg.host <- hosts._id", "key": keys[0].clone() };
    let job =
        doc! { "_id": id, "name": "LogMsg.host <- Host", "phase": "run", "due": far_future() };
    jobs.insert_one(job).await.unwrap();
    let drift = t.odm.verify().await.unwrap();
    assert_eq!((drift.len(), drift.pending), (4, 0), "{drift}");
    assert!(
        drift
            .items
            .iter()
            .all(|it| it.kind == DriftKind::Dangling && it.path == "host")
    );
    let report = t.odm.verify().repair().await.unwrap();
    assert_eq!((report.repaired(), report.left()), (0, 4), "{report}");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_desks")]
struct Desk {
    #[serde(rename = "_id")]
    id: Id<Desk>,
    label: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_memos")]
struct Memo {
    #[serde(rename = "_id")]
    id: Id<Memo>,
    #[parent_ref(on_delete = "cascade")]
    desk: Id<Desk>,
    #[denorm(from = "Desk.label")]
    label: String,
}

#[tokio::test]
async fn a_key_that_leads_nowhere_is_pending_while_the_job_of_its_delete_waits() {
    let t = empty("verify_pending_rule").await;
    let sync = t.odm.sync_indexes().only::<Desk>().only::<Memo>();
    sync.await.unwrap();
    let desk = Desk {
        id: Id::new(),
        label: "north".to_owned(),
    };
    t.given(&[desk.clone()]).await;
    let memo = Memo {
        id: Id::new(),
        desk: desk.id,
        label: desk.label.clone(),
    };
    t.given(&[memo]).await;
    let desks = t.odm.database().collection::<Document>("verify_desks");
    desks.delete_many(doc! {}).await.unwrap();
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    jobs.delete_many(doc! {}).await.unwrap();
    for (arrow, expected) in [("<-", (1, 0)), ("->", (0, 1))] {
        let relation = format!("verify_memos.desk {arrow} verify_desks._id");
        let id = doc! { "relation": relation, "key": desk.id };
        let job = doc! { "_id": id, "name": "Memo.desk", "phase": "run", "due": far_future() };
        jobs.insert_one(job).await.unwrap();
        let drift = t.odm.verify().only::<Memo>().await.unwrap();
        assert_eq!((drift.len() as u64, drift.pending), expected, "{drift}");
    }
    jobs.delete_many(doc! {}).await.unwrap();
    t.forget();
    assert_eq!(t.odm.verify().relation("Memo.desk").await.unwrap().len(), 1);
    // The first `find` reads the sources. In one snapshot, the others read the sources, the documents, and the jobs of
    // both relations.
    assert_eq!(t.recorder().count("find"), 4);
}

#[tokio::test]
async fn what_is_pending_is_told_beside_the_findings() {
    let t = shop("verify_pending_told").await;
    let hosts = [host(1), host(2)];
    t.given(&hosts).await;
    t.given(&messages(&hosts[0], 3)).await;
    t.given(&messages(&hosts[1], 1)).await;
    let rename = Host::update(&t.odm, hosts[0].id).set(Host::fields().ipaddr, "10.0.0.1");
    rename.deferred().await.unwrap();
    let drift = t.odm.verify().await.unwrap();
    let told = drift.to_string();
    assert!(told.starts_with("0 findings, 3 pending in "), "{told}");
    let report = t.odm.verify().repair().await.unwrap();
    assert_eq!((report.repaired(), report.pending), (0, 3));
    assert!(report.to_string().contains("3 pending"), "{report}");
    let stale = doc! { "$set": { "ipaddr": "old" } };
    set(&t, "logmsg", doc! { "host": hosts[1].id }, stale).await;
    let drift = t.odm.verify().include_pending().await.unwrap();
    let pending = drift.items.iter().filter(|it| it.pending).count();
    assert_eq!((drift.len(), pending, drift.pending), (4, 3, 3), "{drift}");
    let told = drift.to_string();
    assert!(told.starts_with("1 finding, 3 pending in "), "{told}");
    assert_eq!(told.matches(" (pending)").count(), 3, "{told}");
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_job_of_a_source_that_has_the_keys_covers_keys_that_it_had() {
    let t = shop("verify_pending_keys").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, &parts);
    t.given(&[product.clone()]).await;
    settle(&t.odm).await;
    let fields = Product::fields();
    let update = Product::update(&t.odm, product.id)
        .set(fields.name, "smoke shifter")
        .set(fields.parts, vec![line(&parts[0])]);
    update.deferred().await.unwrap();
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    // Pending are the copied product name of the first part, and both copies of the second part, which now has no
    // product.
    assert_eq!(drift.pending, 3);
    settle(&t.odm).await;
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_job_with_documents_that_cannot_take_their_copies_hides_nothing() {
    let t = shop("verify_failed_job").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 3);
    t.given(&messages).await;
    let refuse = doc! { "message": &messages[1].message, "ipaddr": "10.0.0.1" };
    let validator = doc! { "collMod": "logmsg", "validator": { "$nor": [refuse] } };
    t.odm.database().run_command(validator).await.unwrap();
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    rename.deferred().await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(jobs(&t.odm).await.len(), 1);
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(drift.len(), 1, "{drift}");
    assert_eq!(drift.items[0].id, messages[1].id.into());
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!(report.relations[0].failed, [messages[1].id.into()]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn renames_at_the_same_time_are_no_drift() {
    let t = shop("verify_during_renames").await;
    let odm = &t.odm;
    let hosts = [host(1), host(2)];
    t.given(&hosts).await;
    t.given(&messages(&hosts[0], 1_500)).await;
    t.given(&messages(&hosts[1], 50)).await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, &parts);
    t.given(&[product.clone()]).await;
    let done = AtomicBool::new(false);
    let renames = async {
        for number in 0..20 {
            let name = format!("name {number}");
            let host = &hosts[number % 2];
            let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, name.as_str());
            rename.await.unwrap();
            let rename = Product::update(odm, product.id);
            rename
                .set(Product::fields().name, name.as_str())
                .await
                .unwrap();
            let rename = Part::update(odm, parts[number % 2].id);
            rename
                .set(Part::fields().name, name.as_str())
                .await
                .unwrap();
        }
        done.store(true, Ordering::Relaxed);
    };
    let settling = async {
        while !done.load(Ordering::Relaxed) {
            odm.run_pending_jobs().await.unwrap();
        }
    };
    let verifying = async {
        let mut verified = 0;
        while !done.load(Ordering::Relaxed) || verified == 0 {
            let drift = odm.verify().await.unwrap();
            assert!(drift.is_empty(), "{drift}");
            verified += 1;
        }
        verified
    };
    let ((), (), verified) = futures_util::join!(renames, settling, verifying);
    eprintln!("verified {verified} times");
    settle(odm).await;
    assert!(odm.verify().include_pending().await.unwrap().is_empty());
}

#[tokio::test]
async fn findings_come_page_by_page() {
    let t = shop("verify_pages").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2_500)).await;
    set(&t, "logmsg", doc! {}, doc! { "$set": { "ipaddr": "old" } }).await;
    t.forget();
    let mut found = std::pin::pin!(t.odm.verify().relation("LogMsg.host").stream());
    let first = found.try_next().await.unwrap().unwrap();
    assert_eq!(first.path, "ipaddr");
    // Only the aggregation, the read of the source and the first page have been sent, and at most a part of the second
    // page.
    assert!(t.recorder().count("commitTransaction") <= 2);
    let mut ids = vec![first.id.as_object_id().unwrap()];
    while let Some(item) = found.try_next().await.unwrap() {
        ids.push(item.id.as_object_id().unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 2_500);
    assert_eq!(t.recorder().count("commitTransaction"), 3);
}
