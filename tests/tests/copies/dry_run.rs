//! A dry run reports the effects of a write, and changes nothing.

use mongo_odm::{Guarantee, prelude::*};

use crate::{models::*, setting::*};

#[tokio::test]
async fn a_dry_run_counts_what_would_change_and_changes_nothing() {
    let t = shop("dry_run_update").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 20)).await;
    let rename = || Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    let report = rename().dry_run().await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(report.copies[0].modified, 20);
    assert_eq!(report.copies[0].guarantee, Guarantee::Atomic);
    assert_eq!(Host::get(&t.odm, host.id).await.unwrap(), host);
    assert_eq!(
        count(&t.odm, "logmsg", doc! { "ipaddr": "10.0.0.1" }).await,
        0
    );
    assert_eq!(jobs(&t.odm).await, Vec::<mongo_odm::bson::Document>::new());

    let again = rename().await.unwrap();
    assert_eq!((again.matched, again.modified), (1, 1));
    assert_eq!(again.copies[0].modified, 20);
    let nothing_new = rename().dry_run().await.unwrap();
    assert_eq!((nothing_new.matched, nothing_new.modified), (1, 0));
}

#[tokio::test]
async fn every_write_can_be_tried() {
    let t = shop("dry_run_every").await;
    let (odm, host) = (&t.odm, host(1));
    t.given(&[host.clone()]).await;
    let written = messages(&host, 3);
    t.given(&written).await;
    let before = (all(odm, "hosts").await, all(odm, "logmsg").await);
    let (by_id, ip) = (|| Host::fields().id.eq(host.id), Host::fields().ipaddr);
    let other = Host {
        ipaddr: "new".to_owned(),
        ..host.clone()
    };
    let more = messages(&host, 2);

    assert_eq!(more[0].insert(odm).dry_run().await.unwrap().inserted, 1);
    let many = LogMsg::insert_many(odm, &more).dry_run().await.unwrap();
    assert_eq!(many.inserted, 2);
    assert_eq!(
        other.save(odm).dry_run().await.unwrap().copies[0].modified,
        3
    );
    assert_eq!(other.replace(odm).dry_run().await.unwrap().modified, 1);
    let many = Host::update_many(odm, by_id()).set(ip, "x").dry_run();
    assert_eq!(many.await.unwrap().copies[0].modified, 3);
    let found = Host::find_one_and_update(odm, by_id())
        .set(ip, "y")
        .return_new();
    assert_eq!(found.dry_run().await.unwrap().unwrap().ipaddr, "y");
    let upsert = Host::upsert(odm, by_id())
        .set(ip, "z")
        .set_on_insert(Host::fields().name, "new")
        .dry_run()
        .await
        .unwrap();
    assert_eq!((upsert.matched, upsert.copies[0].modified), (1, 3));
    assert_eq!(
        Host::delete(odm, host.id).dry_run().await.unwrap().deleted,
        1
    );
    let messages = LogMsg::delete_many(odm, LogMsg::fields().host.eq(host.id));
    assert_eq!(messages.dry_run().await.unwrap().deleted, 3);

    assert_eq!(before, (all(odm, "hosts").await, all(odm, "logmsg").await));
    assert_eq!(jobs(odm).await, Vec::<mongo_odm::bson::Document>::new());
}

#[tokio::test]
async fn a_dry_run_is_refused_where_it_would_roll_back_more_than_itself() {
    let t = shop("dry_run_transaction").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let refused = t
        .odm
        .transaction(async |tx| host.save(&tx).dry_run().await)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("`tx.odm()`"), "{refused}");
}
