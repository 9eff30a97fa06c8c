//! A server without transactions. All data converges, and the reports do not promise more. The tests run one at a time,
//! because some of them set a failpoint, which affects the whole server.

use std::{sync::Arc, time::Duration};

use mongo_odm::{Guarantee, prelude::*};
use mongo_odm_testkit::{Server, TestDb, Topology};
use odm_tests::planned::assert_recorded;
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use crate::{
    large_changes::{Branch, Leaf, Root, stale_messages},
    models::*,
    setting::*,
};

struct Alone {
    odm: Odm,
    database: TestDb,
    _alone: MutexGuard<'static, ()>,
}

static SERVER: OnceCell<Arc<Server>> = OnceCell::const_new();
static ALONE: Mutex<()> = Mutex::const_new(());

async fn standalone(test: &str) -> Alone {
    let alone = ALONE.lock().await;
    let start = async || {
        let server = Server::builder().private().topology(Topology::Standalone);
        Arc::new(server.test_commands(true).start().await.unwrap())
    };
    let server = SERVER.get_or_init(start).await;
    let name = test.to_owned();
    let database = TestDb::builder(test)
        .server(Arc::clone(server))
        .configure(move |options| options.app_name = Some(name))
        .open()
        .await
        .unwrap();
    let odm = long_known(&Odm::new(database.database())).await;
    index_shop(&odm).await;
    Alone {
        odm,
        database,
        _alone: alone,
    }
}

/// Every kind of write updates the copies, and reports the guarantee `BestEffort`.
#[tokio::test]
async fn every_kind_of_write_converges_without_transactions() {
    let t = standalone("standalone_writes").await;
    let (odm, hosts) = (&t.odm, [host(1), host(2)]);
    Host::insert_many(odm, &hosts).await.unwrap();
    let mut sent = messages(&hosts[0], 1_200);
    sent[0].ipaddr = "old".to_owned();
    LogMsg::insert_many(odm, &sent).await.unwrap();
    let at = async |ip: &str| count(odm, "logmsg", doc! { "ipaddr": ip }).await;
    assert_eq!(at(&hosts[0].ipaddr).await, 1_200);
    let rename = |ip: &str| Host::update(odm, hosts[0].id).set(Host::fields().ipaddr, ip);

    let report = rename("10.0.0.1").await.unwrap();
    assert_eq!(report.copies[0].guarantee, Guarantee::BestEffort);
    assert_eq!(
        (report.copies[0].modified, at("10.0.0.1").await),
        (1_200, 1_200)
    );
    settle(odm).await;

    let report = rename("10.0.0.2").deferred().await.unwrap();
    assert_eq!(report.copies[0].guarantee, Guarantee::BestEffort);
    assert_eq!(at("10.0.0.2").await, 0);
    settle(odm).await;
    assert_eq!(at("10.0.0.2").await, 1_200);

    LogMsg::update(odm, sent[3].id)
        .set(LogMsg::fields().host, hosts[1].id)
        .await
        .unwrap();
    assert_eq!(at(&hosts[1].ipaddr).await, 1);
    sent[4].save(odm).await.unwrap();
    assert_eq!(at("10.0.0.2").await, 1_199);
    Host {
        ipaddr: "10.0.0.3".to_owned(),
        ..hosts[0].clone()
    }
    .save(odm)
    .await
    .unwrap();
    assert_eq!(at("10.0.0.3").await, 1_199);
    let fields = Host::fields();
    Host::update_many(odm, fields.name.eq(&hosts[0].name))
        .set(fields.ipaddr, "10.0.0.4")
        .await
        .unwrap();
    assert_eq!(at("10.0.0.4").await, 1_199);
    settle(odm).await;
}

/// A plan shows the statements without transactions: the job is written first, and each statement about jobs waits for
/// a majority.
#[tokio::test]
async fn a_plan_is_what_runs_without_transactions() {
    let t = standalone("standalone_plans").await;
    let odm = &t.odm;
    let host = host(1);
    host.insert(odm).await.unwrap();
    let message = messages(&host, 1).remove(0);
    message.insert(odm).await.unwrap();
    let fields = Host::fields();
    let rename = |to: &str| Host::update(odm, host.id).set(fields.ipaddr, to);
    macro_rules! same {
        ($title:literal, $builder:expr) => {{
            let plan = $builder.plan().unwrap();
            let text = plan.to_string();
            assert!(!text.contains("transaction"), "{text}");
            t.database.recorder().clear();
            $builder.await.unwrap();
            assert_recorded(t.database.recorder(), $title, &plan);
        }};
    }
    same!("rename", rename("10.0.0.1").deferred());
    settle(odm).await;
    let by_name = || fields.name.eq(host.name.as_str());
    let many = |to: &str| Host::update_many(odm, by_name()).set(fields.ipaddr, to);
    same!("rename many", many("10.0.0.2").deferred());
    settle(odm).await;
    let renamed = Host {
        ipaddr: "10.0.0.3".to_owned(),
        ..host.clone()
    };
    same!("save", renamed.save(odm).deferred());
    settle(odm).await;
    let other = messages(&renamed, 1).remove(0);
    same!("insert of a copy", other.insert(odm));
    same!("save of a copy", other.save(odm));
    same!("delete", Host::delete(odm, host.id).deferred());
    settle(odm).await;

    // By default, the write also runs its job to the end after the planned statements.
    let host = crate::models::host(2);
    host.insert(odm).await.unwrap();
    let rename = || Host::update(odm, host.id).set(fields.ipaddr, "10.0.0.4");
    let plan = rename().plan().unwrap();
    t.database.recorder().clear();
    rename().await.unwrap();
    let sent = t.database.recorder().names();
    assert!(sent.len() > plan.statements.len(), "{sent:?}\n{plan}");
    settle(odm).await;
}

/// Keys in the source, deletes and delete rules also work without transactions.
#[tokio::test]
async fn deletes_and_keys_in_the_source_converge_without_transactions() {
    let t = standalone("standalone_deletes").await;
    let parts = [part(1), part(2)];
    Part::insert_many(&t.odm, &parts).await.unwrap();
    let product = product(7, &parts);
    product.insert(&t.odm).await.unwrap();
    let numbers = async || {
        let parts = Part::find(&t.odm)
            .sort(Part::fields().partno.asc())
            .await
            .unwrap();
        parts
            .into_iter()
            .map(|part| part.product_catalog_number)
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers().await, [Some(7), Some(7)]);
    let fields = Product::fields();
    Product::update(&t.odm, product.id)
        .set(fields.parts, vec![line(&parts[1])])
        .await
        .unwrap();
    assert_eq!(numbers().await, [None, Some(7)]);
    Product::delete(&t.odm, product.id).await.unwrap();
    assert_eq!(numbers().await, [None, None]);
    settle(&t.odm).await;
}

/// If a source changes between the read of the source and the insert of its copy, the read after the insert sees the
/// change.
#[tokio::test]
async fn a_change_during_an_insert_is_seen_after_it() {
    let t = standalone("standalone_insert_race").await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    let message = messages(&host, 1).remove(0);
    let block = doc! {
        "configureFailPoint": "failCommand", "mode": { "times": 1 },
        "data": { "failCommands": ["insert"], "appName": "standalone_insert_race",
                  "blockConnection": true, "blockTimeMS": 1_500 },
    };
    let admin = t.database.client().database("admin");
    admin.run_command(block).await.unwrap();
    let (odm, late) = (t.odm.clone(), message.clone());
    let insert = tokio::spawn(async move { late.insert(&odm).await });
    tokio::time::sleep(Duration::from_millis(150)).await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    rename.await.unwrap();
    assert!(!insert.is_finished());
    insert.await.unwrap().unwrap();
    let stored = LogMsg::get(&t.odm, message.id).await.unwrap();
    assert_eq!(stored.ipaddr, "10.0.0.1");
    settle(&t.odm).await;
}

/// Another program finishes a backfill while a batch of this program reads its documents.
#[tokio::test]
async fn a_backfill_that_another_one_has_ended_ends_well() {
    let t = standalone("standalone_backfill").await;
    let host = server(1);
    host.insert(&t.odm).await.unwrap();
    Entry::insert_many(&t.odm, &entries(&host, 5))
        .await
        .unwrap();
    let block = doc! {
        "configureFailPoint": "failCommand", "mode": { "times": 1 },
        "data": { "failCommands": ["find"], "appName": "standalone_backfill",
                  "namespace": format!("{}.entries", t.database.name()),
                  "blockConnection": true, "blockTimeMS": 1_500 },
    };
    let admin = t.database.client().database("admin");
    admin.run_command(block).await.unwrap();
    let odm = t.odm.clone();
    let backfill = tokio::spawn(async move { odm.backfill::<Entry>().await });
    let position = t.database.collection("_odm_cursors");
    while position.delete_many(doc! {}).await.unwrap().deleted_count == 0 {
        assert!(!backfill.is_finished(), "{:?}", backfill.await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!backfill.is_finished());
    backfill.await.unwrap().unwrap();
    settle(&t.odm).await;
}

/// After concurrent renames, the copies equal their source when all jobs are done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renames_at_the_same_moment_converge_without_transactions() {
    let t = standalone("standalone_renames").await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    LogMsg::insert_many(&t.odm, &messages(&host, 20))
        .await
        .unwrap();
    let rename = |at: u8| {
        let (odm, id) = (t.odm.clone(), host.id);
        tokio::spawn(async move {
            Host::update(&odm, id)
                .set(Host::fields().ipaddr, format!("10.0.0.{at}"))
                .await
        })
    };
    for renamed in (0..8).map(rename).collect::<Vec<_>>() {
        renamed.await.unwrap().unwrap();
    }
    settle(&t.odm).await;
    let ip = Host::get(&t.odm, host.id).await.unwrap().ipaddr;
    assert_eq!(count(&t.odm, "logmsg", doc! { "ipaddr": ip }).await, 20);
}

/// Several runners claim the same jobs at the same time. None of them fails, because each cursor is stored by an
/// upsert.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runners_claim_the_same_jobs_without_transactions() {
    let t = standalone("standalone_claims").await;
    let hosts: Vec<Host> = (1..=40).map(host).collect();
    Host::insert_many(&t.odm, &hosts).await.unwrap();
    let sent: Vec<LogMsg> = hosts.iter().flat_map(|host| messages(host, 2)).collect();
    LogMsg::insert_many(&t.odm, &sent).await.unwrap();
    let change = vec![doc! { "$set": { "ipaddr": { "$concat": ["x", "$ipaddr"] } } }];
    // If a runner inserted the cursors, another runner would do so before the first insert is carried out.
    let block = doc! {
        "configureFailPoint": "failCommand", "mode": "alwaysOn",
        "data": { "failCommands": ["insert"], "namespace": format!("{}._odm_cursors", t.database.name()),
                  "blockConnection": true, "blockTimeMS": 200 },
    };
    let admin = t.database.client().database("admin");
    admin.run_command(block).await.unwrap();
    for _ in 0..3 {
        let rename = Host::update_many(&t.odm, Filter::all()).modifications(change.clone());
        rename.deferred().await.unwrap();
        let run = |_| {
            let odm = program(&t.odm);
            tokio::spawn(async move { odm.run_pending_jobs().await })
        };
        for ran in (0..3).map(run).collect::<Vec<_>>() {
            let ran = ran.await.unwrap().unwrap();
            assert_eq!((ran.failed, ran.left), (0, 0), "{ran}");
        }
        settle(&t.odm).await;
        assert_eq!(stale_messages(&t.odm).await, 0);
    }
    let off = doc! { "configureFailPoint": "failCommand", "mode": "off" };
    admin.run_command(off).await.unwrap();
}

/// A delete rule stores the jobs for the counters of missing parents before it deletes the children. Otherwise, a crash
/// between the two steps would lose these jobs.
#[tokio::test]
async fn jobs_of_missing_parents_precede_the_delete_without_transactions() {
    let t = standalone("standalone_missing").await;
    let sync = t.odm.sync_indexes().only::<Root>().only::<Branch>();
    sync.only::<Leaf>().await.unwrap();
    let branch = |id: i32| {
        doc! { "_id": id, "name": "branch", "root": 1, "root_name": "root", "leaves": 2_i64 }
    };
    let leaf = |id: i32| doc! { "_id": id, "branch": id / 2, "branch_name": "branch" };
    put(&t.odm, "large_branches", (0..3).map(branch)).await;
    put(&t.odm, "large_leaves", (0..6).map(leaf)).await;
    let deleted = Branch::delete_many(&t.odm, Filter::all()).everything();
    deleted.deferred().await.unwrap();
    let fail = doc! {
        "configureFailPoint": "failCommand", "mode": "alwaysOn",
        "data": { "failCommands": ["update"], "appName": "standalone_missing", "errorCode": 13,
                  "namespace": format!("{}._odm_jobs", t.database.name()) },
    };
    let admin = t.database.client().database("admin");
    admin.run_command(fail).await.unwrap();
    let ran = t.odm.run_pending_jobs().await;
    let off = doc! { "configureFailPoint": "failCommand", "mode": "off" };
    admin.run_command(off).await.unwrap();
    assert_eq!(count(&t.odm, "large_leaves", doc! {}).await, 6, "{ran:?}");
    runners_are_dead(&t.odm).await;
    later(&t.odm).await;
    settle(&t.odm).await;
    assert_eq!(count(&t.odm, "large_leaves", doc! {}).await, 0);
}
