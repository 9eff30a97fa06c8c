//! Copies and sources that are inserted in any order, with ids from any clock, and by writes that match several
//! documents.

use std::time::Duration;

use mongo_odm::{
    JobState, Odm,
    bson::{Document, oid::ObjectId},
    prelude::*,
};

use crate::{
    edges::keys::{Account, Customer},
    models::*,
    setting::*,
};

#[tokio::test]
async fn a_child_leaves_a_job_for_its_missing_parent_whatever_the_key() {
    let t = empty("arrivals_plain_key").await;
    let sync = t.odm.sync_indexes().only::<Account>();
    sync.only::<Customer>().await.unwrap();
    let customer = Customer {
        id: Id::new(),
        account: 7,
        limit: -1,
    };
    let inside = async |tx: mongo_odm::Tx| customer.insert(&tx).await;
    t.odm.transaction(inside).await.unwrap();
    assert_eq!(jobs(&t.odm).await.len(), 1, "committed with the child");
    let account = Account {
        id: 1,
        account_id: 7,
        limit: 500,
    };
    // As if the writer had crashed before it looked again for children.
    let accounts = t.odm.database().collection::<Account>("bank_accounts");
    accounts.insert_one(&account).await.unwrap();
    settle(&t.odm).await;
    let stored = Customer::get(&t.odm, customer.id).await.unwrap();
    assert_eq!(stored.limit, 500);
    assert_eq!(jobs(&t.odm).await.len(), 0);
}

#[tokio::test]
async fn the_clock_that_made_an_id_does_not_decide_whether_its_copies_are_found() {
    let t = shop("arrivals_clock").await;
    let now = DateTime::now().timestamp_millis() / 1_000;
    let clocks = [("ahead", now + 600), ("now", now), ("behind", now - 600)];
    for (number, (title, seconds)) in (1..).zip(clocks) {
        let mut bytes = ObjectId::new().bytes();
        bytes[..4].copy_from_slice(&u32::try_from(seconds).unwrap().to_be_bytes());
        let host = Host {
            id: Id::from_key(ObjectId::from_bytes(bytes)),
            ..host(number)
        };
        let mut message = messages(&host, 1);
        message[0].ipaddr = "unknown".to_owned();
        t.given(&message).await;
        settle(&t.odm).await;
        assert_eq!(jobs(&t.odm).await.len(), 0, "the grace is over: {title}");
        host.insert(&t.odm).await.unwrap();
        assert_eq!(stale(&t.odm, &host).await, 0, "{title}");
    }
}

#[tokio::test]
async fn an_upsert_that_finds_several_documents_writes_the_one_that_it_has_read() {
    let t = shop("arrivals_upsert").await;
    let (one, two) = (host(1), host(2));
    t.given(&[one.clone(), two.clone()]).await;
    t.given(&messages(&one, 3)).await;
    t.given(&messages(&two, 3)).await;
    // With the index on the name, the server reads the hosts in a different order than without an index.
    let hosts = t.odm.database().collection::<Document>("hosts");
    let by_name = mongo_odm::mongodb::IndexModel::builder().keys(doc! { "name": -1 });
    hosts.create_index(by_name.build()).await.unwrap();
    for (round, filter) in [doc! {}, doc! { "name": { "$gt": "" } }].iter().enumerate() {
        let to = format!("10.0.0.{round}");
        let report = Host::upsert(&t.odm, filter.clone())
            .set(Host::fields().ipaddr, &*to)
            .set_on_insert(Host::fields().name, "new")
            .await
            .unwrap();
        assert_eq!((report.matched, report.modified), (1, 1));
        let renamed = Host::find(&t.odm).filter(Host::fields().ipaddr.eq(&*to));
        assert_eq!(renamed.await.unwrap().len(), 1, "{filter}");
        for host in Host::find(&t.odm).await.unwrap() {
            assert_eq!(stale(&t.odm, &host).await, 0, "{filter}: {host:?}");
        }
    }
}

#[tokio::test]
async fn any_number_of_copies_may_be_written_at_once() {
    let t = shop("arrivals_inline").await;
    let odm = t.odm.with_settings(settings().inline_copies(u64::MAX));
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let rename = Host::update(&odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    assert_eq!(rename.await.unwrap().copies[0].modified, 3);
    let part = part(1);
    part.insert(&odm).await.unwrap();
    Part::delete(&odm, part.id).await.unwrap();
}

/// The server rejects dates that it cannot represent.
#[tokio::test]
async fn the_grace_period_may_have_any_length() {
    let t = shop("arrivals_grace").await;
    let odm = t.odm.with_settings(settings().grace(Duration::MAX));
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let rename = Host::update(&odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    assert_eq!(rename.await.unwrap().copies[0].modified, 3);
    let deferred = Host::update(&odm, host.id).set(Host::fields().ipaddr, "10.0.0.2");
    let report = deferred.deferred().await.unwrap();
    odm.wait(report.token()).await.unwrap();
    assert_eq!(stale(&odm, &host).await, 0);
    for job in odm.jobs().await.unwrap() {
        assert_eq!(job.state, JobState::Settling, "{job:?}");
    }
}

#[tokio::test]
async fn writes_with_copies_go_to_the_primary_whatever_the_connection_string_prefers() {
    let t = shop("arrivals_preference").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    for preference in ["secondaryPreferred", "nearest"] {
        let uri = t.database().uri();
        let joint = if uri.contains('?') { '&' } else { '?' };
        let uri = format!("{uri}{joint}readPreference={preference}");
        let client = mongo_odm::mongodb::Client::with_uri_str(uri).await.unwrap();
        let odm = Odm::new(client.database(t.database().name()));
        let odm = odm.with_settings(settings().grace(Duration::ZERO));
        let rename = Host::update(&odm, host.id).set(Host::fields().ipaddr, preference);
        rename.await.unwrap();
        assert_eq!(stale(&t.odm, &host).await, 0, "{preference}");
        odm.transaction(async |tx| Host::get(&tx, host.id).await)
            .await
            .unwrap();
        settle(&odm).await;
    }
}
