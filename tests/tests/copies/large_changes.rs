//! Changes of many sources in one call. The number of commands grows with the number of batches, not of sources.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongo_odm::{
    Guarantee,
    bson::{Bson, DateTime, Document, oid::ObjectId},
    prelude::*,
};
use odm_tests::Harness;

use crate::{models::*, setting::*};

/// The root of a tree. The whole tree is deleted with its root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "large_roots")]
pub struct Root {
    #[serde(rename = "_id")]
    id: Id<Root, i32>,
    name: String,
    #[rollup(count, of = "Branch", via = "root")]
    branches: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "large_branches")]
pub struct Branch {
    #[serde(rename = "_id")]
    id: Id<Branch, i32>,
    name: String,
    #[parent_ref(on_delete = "cascade")]
    root: Id<Root, i32>,
    #[denorm(from = "Root.name")]
    root_name: String,
    #[rollup(count, of = "Leaf", via = "branch")]
    leaves: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "large_leaves")]
pub struct Leaf {
    #[serde(rename = "_id")]
    id: Id<Leaf, i32>,
    #[parent_ref(on_delete = "cascade")]
    branch: Id<Branch, i32>,
    #[denorm(from = "Branch.name")]
    branch_name: String,
}

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
    // The first write of a handle sends more commands.
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

/// Renames all hosts, each to a different value.
async fn rename_all(odm: &Odm) -> mongo_odm::UpdateReport {
    let change = vec![doc! { "$set": { "ipaddr": { "$concat": ["x", "$ipaddr"] } } }];
    let renamed = Host::update_many(odm, Filter::all()).modifications(change);
    renamed.await.unwrap()
}

pub async fn stale_messages(odm: &Odm) -> usize {
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

/// Sources with many copies, and documents that cannot store their copy, do not prevent the processing of the other
/// sources in their group.
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

/// Many jobs are stored by one insert and one update. They have the same contents as jobs that are stored one by one.
#[tokio::test]
async fn a_set_of_jobs_is_stored_as_single_jobs_are() {
    const VALUES: [&str; 5] = ["_id", "version", "changed_at", "stale_since", "due_at"];
    let (t, hosts) = hosts("large_sets", 40).await;
    let contents = |mut job: Document| {
        for (field, value) in job.iter_mut() {
            if VALUES.contains(&&**field) {
                *value = format!("{:?}", value.element_type()).into();
            }
        }
        job
    };
    let rename_one = Host::update(&t.odm, hosts[0].id).set(Host::fields().ipaddr, "127.0.0.2");
    rename_one.deferred().await.unwrap();
    let single = jobs(&t.odm).await.into_iter().map(contents);
    let single: Vec<Document> = single.collect();
    // One of the jobs exists already.
    let change = vec![doc! { "$set": { "ipaddr": { "$concat": ["x", "$ipaddr"] } } }];
    let rename = Host::update_many(&t.odm, Filter::all()).modifications(change);
    let (renamed, sent) = t.sent(rename.deferred().into_future()).await;
    assert_eq!(renamed.unwrap().modified, 40);
    let stored = jobs(&t.odm).await;
    assert_eq!((single.len(), stored.len()), (1, 40));
    for job in stored {
        assert_eq!(contents(job), single[0]);
    }
    let updates = sent.iter().filter(|name| *name == "update").count();
    assert_eq!(updates, 2, "one of the hosts and one of the jobs: {sent:?}");
    settle(&t.odm).await;
    assert_eq!(stale_messages(&t.odm).await, 0);
}

/// Both writers insert the missing jobs. The server lets one of them repeat its transaction.
#[tokio::test]
async fn two_changes_of_the_same_sources_both_leave_their_jobs() {
    let (t, _) = hosts("large_concurrent", 40).await;
    let odm = by_jobs(&t.odm);
    for _ in 0..5 {
        tokio::join!(rename_all(&odm), rename_all(&odm), rename_all(&odm));
        settle(&t.odm).await;
        assert_eq!(stale_messages(&t.odm).await, 0);
    }
}

/// A runner has the cursors of some jobs in a group. Another runner takes only the other jobs, and continues expired
/// cursors.
#[tokio::test]
async fn a_group_leaves_the_jobs_of_another_runner() {
    let (t, hosts) = hosts("large_claims", 40).await;
    let change = vec![doc! { "$set": { "ipaddr": { "$concat": ["x", "$ipaddr"] } } }];
    let rename = Host::update_many(&t.odm, Filter::all()).modifications(change);
    rename.deferred().await.unwrap();
    let job_of = |host: &Host| {
        let jobs = jobs(&t.odm);
        let key = host.id.into_key();
        async move {
            let of_host =
                |job: &Document| job.get_document("_id").unwrap().get("key") == Some(&key.into());
            jobs.await.into_iter().find(of_host).unwrap()
        }
    };
    let (held, expired) = (job_of(&hosts[3]).await, job_of(&hosts[5]).await);
    let soon = DateTime::from_millis(DateTime::now().timestamp_millis() + 20_000);
    let cursor = |job: &Document, until: DateTime| {
        doc! { "_id": job.get("_id"), "token": 1_i64, "until": until, "version": job.get("version") }
    };
    let cursors = [cursor(&held, soon), cursor(&expired, DateTime::MIN)];
    put(&t.odm, "_odm_cursors", cursors).await;
    let worker = t.odm.worker().every(Duration::from_millis(20));
    let others_are_run = async {
        while stale_messages(&t.odm).await > 10 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    worker.run_until(others_are_run).await.unwrap();
    assert_eq!(stale_messages(&t.odm).await, 10);
    runners_are_dead(&t.odm).await;
    settle(&t.odm).await;
    assert_eq!(stale_messages(&t.odm).await, 0);
}

/// The last look of many sources reads their copies, and updates only those that are stale.
#[tokio::test]
async fn the_last_look_of_a_group_updates_only_stale_copies() {
    let (t, hosts) = hosts("large_last_look", 40).await;
    let late = async |host: Bson| {
        let mut message = all(&t.odm, "logmsg").await.swap_remove(0);
        message
            .extend(doc! { "_id": ObjectId::new(), "host": host, "ipaddr": "of another program" });
        put(&t.odm, "logmsg", [message]).await;
    };
    let updates = async || {
        t.forget();
        settle(&t.odm).await;
        let of_messages = t.recorder().commands().into_iter().filter(|sent| {
            sent.name == "update" && sent.command.get_str("update").ok() == Some("logmsg")
        });
        let statements = of_messages.map(|sent| sent.command.get_array("updates").unwrap().len());
        statements.sum::<usize>()
    };
    rename_all(&t.odm).await;
    assert_eq!(updates().await, 0);
    rename_all(&t.odm).await;
    late(hosts[3].id.into_key().into()).await;
    assert_eq!(stale_messages(&t.odm).await, 1);
    assert_eq!(updates().await, 1);
    assert_eq!(stale_messages(&t.odm).await, 0);
    // A filter for the key also finds an array that contains the key.
    rename_all(&t.odm).await;
    late(vec![Bson::from(hosts[4].id.into_key())].into()).await;
    assert_eq!(updates().await, 40);
    assert_eq!(stale_messages(&t.odm).await, 0);
}

/// Only the updated documents contain the keys that a pipeline computes. Correcting them one by one would need three
/// commands for each.
#[tokio::test]
async fn a_pipeline_that_changes_references_corrects_copies_by_the_batch() {
    let (t, hosts) = hosts("large_corrected", 40).await;
    let [first, second, ..] = hosts.as_slice() else {
        panic!("40 hosts")
    };
    let is_first = doc! { "$eq": ["$host", first.id.into_key()] };
    let next = doc! { "$cond": [is_first, second.id.into_key(), first.id.into_key()] };
    let change = vec![doc! { "$set": { "host": next } }];
    let moving = LogMsg::update_many(&t.odm, Filter::all()).modifications(change);
    let (moved, sent) = t.sent(moving.into_future()).await;
    assert_eq!(moved.unwrap().modified, 400);
    assert_eq!(stale_messages(&t.odm).await, 0);
    let of_first = LogMsg::count(&t.odm).filter(LogMsg::fields().host.eq(first.id));
    assert_eq!(of_first.await.unwrap(), 390);
    assert!(sent.len() < 40, "{sent:?}");
}

/// A pipeline with known paths affects only the copies at these paths.
#[tokio::test]
async fn a_pipeline_of_other_fields_sends_what_operators_send() {
    let (t, _) = hosts("large_untouched", 3).await;
    let text = LogMsg::fields().message;
    let operators = LogMsg::update_many(&t.odm, Filter::all()).set(text, "one");
    let (updated, by_operators) = t.sent(operators.into_future()).await;
    assert_eq!(updated.unwrap().modified, 30);
    let change = vec![
        doc! { "$set": { "message": "two" } },
        doc! { "$unset": ["old", "older"] },
    ];
    let pipeline = LogMsg::update_many(&t.odm, Filter::all()).modifications(change);
    let (updated, by_pipeline) = t.sent(pipeline.into_future()).await;
    assert_eq!(updated.unwrap().modified, 30);
    assert_eq!(by_pipeline, by_operators);
}

/// A job for each deleted child would need several commands for each.
#[tokio::test]
async fn a_delete_of_several_levels_costs_commands_by_the_batch() {
    const BRANCHES: i32 = 400;
    let t = empty("large_cascade").await;
    let sync = t.odm.sync_indexes().only::<Root>().only::<Branch>();
    sync.only::<Leaf>().await.unwrap();
    let odm = t.odm.with_settings(settings().inline_copies(50));
    let root = |id| Root {
        id: Id::from_key(id),
        name: "root".to_owned(),
        branches: i64::from(BRANCHES),
    };
    let branch = |id: i32| Branch {
        id: Id::from_key(id),
        name: format!("branch {id}"),
        root: Id::from_key(1),
        root_name: "root".to_owned(),
        leaves: 3,
    };
    let leaf = |id: i32| Leaf {
        id: Id::from_key(id),
        branch: Id::from_key(id / 3),
        branch_name: format!("branch {}", id / 3),
    };
    t.given(&[root(1), root(2)]).await;
    t.given(&(0..BRANCHES).map(branch).collect::<Vec<_>>())
        .await;
    t.given(&(0..3 * BRANCHES).map(leaf).collect::<Vec<_>>())
        .await;
    // The first write of a handle sends more commands.
    Root::delete(&odm, Id::from_key(2)).await.unwrap();
    settle(&odm).await;

    let (deleted, deleting) = t
        .sent(Root::delete(&odm, Id::from_key(1)).into_future())
        .await;
    let deleted = deleted.unwrap();
    let of_model = |model: &str| {
        let mut all = deleted.cascaded.iter();
        let found = all.find(|it| it.model == model);
        found.map(|it| (it.deleted, it.guarantee))
    };
    let branches = BRANCHES.unsigned_abs().into();
    assert_eq!(of_model("Branch"), Some((branches, Guarantee::Converged)));
    assert_eq!(of_model("Leaf"), Some((3 * branches, Guarantee::Converged)));
    assert_eq!(Branch::count(&odm).await.unwrap(), 0);
    assert_eq!(Leaf::count(&odm).await.unwrap(), 0);
    let ((), settling) = t.sent(settle(&odm)).await;
    assert_eq!(jobs(&odm).await, []);
    let (deleting, settling) = (deleting.len(), settling.len());
    println!("{deleting} commands, {settling} when it settles");
    assert!(deleting + settling < 100, "{deleting}, {settling}");
}

/// The job of a delete rule does not write the counter of the deleted parent. Its transaction leaves a job for this
/// parent, because another program may store the parent again.
#[tokio::test]
async fn a_delete_rule_leaves_jobs_for_the_missing_parents() {
    let t = empty("large_missing_parent").await;
    let sync = t.odm.sync_indexes().only::<Root>().only::<Branch>();
    sync.only::<Leaf>().await.unwrap();
    let odm = t
        .odm
        .with_settings(settings().grace(Duration::from_hours(1)));
    let branch = |id: i32, leaves: i64| {
        doc! { "_id": id, "name": "branch", "root": 1, "root_name": "root", "leaves": leaves }
    };
    let leaf = |id: i32, branch: i32| doc! { "_id": id, "branch": branch, "branch_name": "branch" };
    put(
        &odm,
        "large_roots",
        [doc! { "_id": 1, "name": "root", "branches": 40_i64 }],
    )
    .await;
    put(&odm, "large_branches", (0..40).map(|id| branch(id, 2))).await;
    put(&odm, "large_leaves", (0..80).map(|id| leaf(id, id / 2))).await;
    let deleted = Branch::delete_many(&odm, Filter::all()).everything();
    deleted.deferred().await.unwrap();
    t.forget();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Leaf::count(&odm).await.unwrap(), 0);
    let written = t.recorder().commands().into_iter().filter(|sent| {
        sent.name == "update" && sent.command.get_str("update").ok() == Some("large_branches")
    });
    assert_eq!(written.count(), 0);

    put(&odm, "large_branches", [branch(5, 0)]).await;
    put(&odm, "large_leaves", [leaf(90, 5)]).await;
    later(&odm).await;
    odm.run_pending_jobs().await.unwrap();
    let stored = Branch::get(&odm, Id::from_key(5)).await.unwrap();
    assert_eq!(stored.leaves, 1);
}
