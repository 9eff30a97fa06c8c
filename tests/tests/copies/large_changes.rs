//! Changes of many sources at once. The number of commands grows with the batches, not with the sources.

use futures_util::TryStreamExt;
use mongo_odm::{bson::Document, prelude::*};
use odm_tests::Harness;

use crate::{models::*, setting::*};

/// Number of copies of each source.
const COPIES: i64 = 10;

/// Stores hosts with messages, as another program does.
async fn hosts(test: &str, count: u32) -> (Harness, Vec<Host>) {
    let t = shop(test).await;
    let hosts: Vec<Host> = (0..count).map(host_of).collect();
    let messages = hosts.iter().flat_map(|host| messages(host, COPIES));
    let messages: Vec<LogMsg> = messages.collect();
    t.given(&hosts).await;
    t.given(&messages).await;
    // The first write of a handle asks more.
    Host::update(&t.odm, hosts[0].id)
        .set(Host::fields().ipaddr, "127.0.0.1")
        .await
        .unwrap();
    settle(&t.odm).await;
    (t, hosts)
}

fn host_of(number: u32) -> Host {
    Host {
        ipaddr: format!("10.0.{}.{}", number / 256, number % 256),
        ..host(1)
    }
}

/// Renames all hosts, each to a value of its own.
async fn rename_all(odm: &Odm) -> mongo_odm::UpdateReport {
    let change = vec![doc! { "$set": { "ipaddr": { "$concat": ["x", "$ipaddr"] } } }];
    let renamed = Host::update_many(odm, Filter::all()).modifications(change);
    renamed.await.unwrap()
}

async fn stale_messages(odm: &Odm) -> usize {
    let pipeline = [
        doc! { "$lookup": { "from": "hosts", "localField": "host", "foreignField": "_id", "as": "of" } },
        doc! { "$match": { "$expr": { "$ne": ["$ipaddr", { "$first": "$of.ipaddr" }] } } },
    ];
    let messages = odm.database().collection::<Document>("logmsg");
    let stale: Vec<_> = messages
        .aggregate(pipeline)
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    stale.len()
}

/// A busy server makes batches smaller, down to 100 copies. A job for each source would need 24 commands for each.
#[tokio::test]
async fn a_change_of_many_sources_costs_commands_by_the_batch() {
    const SOURCES: u32 = 400;
    let inline = settings().inline_copies(1_000_000);
    for (way, settings) in [
        ("job", settings().inline_copies(0)),
        ("inline", inline),
        ("default", settings()),
    ] {
        let (t, _) = hosts(&format!("large_{way}"), SOURCES).await;
        let odm = t.odm.with_settings(settings);
        rename_all(&odm).await;
        let (renamed, renaming) = t.sent(rename_all(&odm)).await;
        assert_eq!(renamed.modified, u64::from(SOURCES), "{way}");
        assert_eq!(stale_messages(&t.odm).await, 0, "{way}");
        let ((), settling) = t.sent(settle(&t.odm)).await;
        assert_eq!(jobs(&t.odm).await, [], "{way}");
        assert_eq!(all(&t.odm, "_odm_cursors").await, [], "{way}");
        let (renaming, settling) = (renaming.len(), settling.len());
        println!("{way}: {renaming} commands, {settling} when it settles");
        assert!(
            renaming + settling < 2 * SOURCES as usize,
            "{way}: {renaming}, {settling}"
        );
    }
}

/// Sources with many copies, and documents that cannot take their copy, do not stop the others of their group.
#[tokio::test]
async fn a_group_of_jobs_leaves_large_and_failing_sources_to_runs_of_their_own() {
    let (t, hosts) = hosts("large_mixed", 60).await;
    let large = messages(&hosts[7], 1_500);
    LogMsg::insert_many(&t.odm, &large).await.unwrap();
    let refused = LogMsg::find_one(&t.odm).filter(LogMsg::fields().host.eq(hosts[20].id));
    let refused = refused.await.unwrap().unwrap().id;
    let refuse = doc! { "_id": refused, "ipaddr": { "$regex": "^xx" } };
    let validator = doc! { "collMod": "logmsg", "validator": { "$nor": [refuse] } };
    t.odm.database().run_command(validator).await.unwrap();
    let odm = by_jobs(&t.odm);
    rename_all(&odm).await;
    assert_eq!(stale_messages(&t.odm).await, 0);
    let renamed = rename_all(&odm).await;
    let of_messages = renamed
        .copies
        .iter()
        .find(|it| it.collection == "logmsg")
        .unwrap();
    assert_eq!(of_messages.failed, [refused.into()], "{of_messages:?}");
    assert_eq!(stale_messages(&t.odm).await, 1);
    let left = jobs(&t.odm).await;
    let failed = left.iter().filter(|job| job.contains_key("failed"));
    assert_eq!(failed.count(), 1, "{left:?}");

    t.odm
        .database()
        .run_command(doc! { "collMod": "logmsg", "validator": {} })
        .await
        .unwrap();
    let again = Host::update(&t.odm, hosts[20].id).set(Host::fields().ipaddr, "127.0.0.9");
    again.await.unwrap();
    settle(&t.odm).await;
    assert_eq!(stale_messages(&t.odm).await, 0);
}
