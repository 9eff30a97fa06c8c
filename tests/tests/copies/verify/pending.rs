//! What is being corrected is no drift.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::TryStreamExt;
use mongo_odm::{CopyOptions, prelude::*};

use super::set;
use crate::{models::*, setting::*};

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
    // The name of the first part's product; both fields of the second, which has none now.
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
    // The aggregation, the read of the source, and the first page; of the second at most a part.
    assert!(t.recorder().count("commitTransaction") <= 2);
    let mut ids = vec![first.id.as_object_id().unwrap()];
    while let Some(item) = found.try_next().await.unwrap() {
        ids.push(item.id.as_object_id().unwrap());
    }
    ids.dedup();
    assert_eq!(ids.len(), 2_500);
    assert_eq!(t.recorder().count("commitTransaction"), 3);
}
