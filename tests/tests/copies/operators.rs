//! Information for operators: the pending jobs, and the health of the database.

use std::{
    pin::pin,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use futures_util::FutureExt;
use mongo_odm::{
    AnyKey, Error, JobState, JobsReport, Odm,
    bson::{Bson, Document, oid::ObjectId},
    prelude::*,
};
use odm_tests::Harness;

use crate::{
    hostile::{Badge, Gang, Holder},
    models::*,
    setting::*,
};

const MESSAGES: &str = "logmsg.host <- hosts._id";

async fn host_with_messages(test: &str) -> (Harness, Host, Vec<LogMsg>) {
    let t = shop(test).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 3);
    t.given(&messages).await;
    settle(&t.odm).await;
    (t, host, messages)
}

async fn rename(odm: &Odm, host: &Host, to: &str) {
    let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, to);
    rename.deferred().await.unwrap();
}

async fn states(odm: &Odm) -> Vec<JobState> {
    let jobs = odm.jobs().await.unwrap();
    jobs.iter().map(|job| job.state).collect()
}

#[tokio::test]
async fn a_job_is_listed_with_what_it_waits_for() {
    let (t, host, messages) = host_with_messages("operators_states").await;
    assert_eq!(states(&t.odm).await, []);
    rename(&t.odm, &host, "10.0.0.1").await;
    let jobs = t.odm.jobs().await.unwrap();
    let [job] = jobs.as_slice() else {
        panic!("one job: {jobs:?}");
    };
    assert_eq!(job.state, JobState::Due);
    assert_eq!(job.relation, MESSAGES);
    assert_eq!(job.name, "LogMsg.host <- Host");
    assert_eq!(job.key, Bson::from(host.id).into());
    assert!(job.age < Duration::from_secs(60), "{job:?}");
    assert_eq!((&job.reached, &job.last_error), (&None, &None));

    held(&t.odm, &host, &messages[0], 25).await;
    let jobs = t.odm.jobs().await.unwrap();
    assert_eq!(jobs[0].state, JobState::Running);
    assert_eq!(jobs[0].reached, Some(messages[0].id.into()));
    let cursors = t.odm.database().collection::<Document>("_odm_cursors");
    cursors.delete_many(doc! {}).await.unwrap();

    let patient = t
        .odm
        .with_settings(settings().grace(Duration::from_secs(600)));
    patient.run_pending_jobs().await.unwrap();
    assert_eq!(states(&t.odm).await, [JobState::Settling]);
    let counts = t.odm.jobs().count().await.unwrap();
    assert_eq!(
        (counts.settling, counts.total(), counts.oldest),
        (1, 1, None)
    );
}

/// Stores a lease of another runner on the job of a host. The lease ends after some seconds, by the clock that dated
/// it.
async fn held(odm: &Odm, host: &Host, reached: &LogMsg, seconds: i64) {
    let until = DateTime::from_millis(DateTime::now().timestamp_millis() + seconds * 1_000);
    let cursor = doc! {
        "_id": { "relation": MESSAGES, "key": host.id }, "until": until, "lo": reached.id, "token": 1_i64,
    };
    put(odm, "_odm_cursors", [cursor]).await;
}

/// After a failover, the clock of the new primary is ten minutes behind.
#[tokio::test]
async fn a_lease_that_a_server_with_another_clock_has_dated_is_not_waited_for() {
    let (t, host, messages) = host_with_messages("operators_clock").await;
    rename(&t.odm, &host, "10.0.0.1").await;
    held(&t.odm, &host, &messages[0], 600).await;
    assert_eq!(states(&t.odm).await, [JobState::Due]);
    let run = t.odm.run_pending_jobs();
    let run = tokio::time::timeout(Duration::from_secs(60), run).await;
    assert_eq!(run.expect("it waits").unwrap().finished, 1);
    assert_eq!(stale(&t.odm, &host).await, 0);
    settle(&t.odm).await;
}

/// Runs a worker until a condition holds, and returns its report.
async fn work(odm: &Odm, is_done: impl AsyncFn() -> bool) -> JobsReport {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = odm.worker().every(Duration::from_millis(20));
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    while !is_done().await {
        assert!(!worker.is_finished());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(stop);
    worker.await.unwrap().unwrap()
}

/// In a loop with `tokio::select!`, the future of a worker is not polled while the loop handles a message.
#[tokio::test]
async fn a_worker_that_is_not_polled_blocks_no_write() {
    let (t, host, _) = host_with_messages("operators_unpolled").await;
    // The new handle first has to ask for the type of the server and to store its declarations.
    let odm = program(&t.odm);
    let mut worker = pin!(odm.worker().run());
    assert!(worker.as_mut().now_or_never().is_none());
    let write = tokio::time::timeout(Duration::from_secs(20), rename(&odm, &host, "10.0.0.1"));
    write.await.expect("the worker blocks the write");
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_leaves_the_jobs_of_other_runners_to_them() {
    let (t, busy, messages) = host_with_messages("operators_busy").await;
    let free = host(2);
    t.given(&[free.clone()]).await;
    t.given(&crate::models::messages(&free, 3)).await;
    settle(&t.odm).await;
    rename(&t.odm, &busy, "10.0.0.1").await;
    held(&t.odm, &busy, &messages[0], 25).await;
    rename(&t.odm, &free, "10.9.9.9").await;
    let renamed = AtomicBool::new(false);
    let is_done = async || {
        if stale(&t.odm, &free).await > 0 {
            return false;
        }
        // The worker runs the job of the second rename in another pass.
        if !renamed.swap(true, Ordering::Relaxed) {
            rename(&t.odm, &free, "10.9.9.8").await;
            return false;
        }
        true
    };
    let report = work(&t.odm, is_done).await;
    assert!(report.left > 0, "{report}");
    assert_eq!(stale(&t.odm, &busy).await, 3);
    runners_are_dead(&t.odm).await;
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &busy).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_worker_gives_its_job_to_others() {
    let t = shop("operators_stopped").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2_500)).await;
    settle(&t.odm).await;
    rename(&t.odm, &host, "10.0.0.1").await;
    // The worker waits for a long time after its first batch.
    let nice = t.odm.with_settings(settings().nice(1_000.0));
    let is_half_done = async || {
        let left = stale(&t.odm, &host).await;
        assert!(left > 0, "the worker does not pause");
        left < 2_500
    };
    work(&nice, is_half_done).await;
    assert_eq!(states(&t.odm).await, [JobState::Due]);
    let cursors = all(&t.odm, "_odm_cursors").await;
    assert!(cursors[0].contains_key("lo"), "{cursors:?}");
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 0);
}

#[tokio::test]
async fn a_last_look_is_late_from_the_time_at_which_it_is_due() {
    let (t, host, _) = host_with_messages("operators_late_look").await;
    let patient = t
        .odm
        .with_settings(settings().grace(Duration::from_secs(600)));
    rename(&patient, &host, "10.0.0.1").await;
    patient.run_pending_jobs().await.unwrap();
    assert_eq!(states(&t.odm).await, [JobState::Settling]);
    let before =
        |seconds: i64| DateTime::from_millis(DateTime::now().timestamp_millis() - seconds * 1_000);
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    let due = doc! { "$set": { "changed_at": before(660), "due_at": before(60) } };
    jobs.update_many(doc! {}, due).await.unwrap();
    assert_eq!(states(&t.odm).await, [JobState::Due]);
    let late = t.odm.jobs().count().await.unwrap().oldest.unwrap();
    let expected = Duration::from_secs(60)..Duration::from_secs(300);
    assert!(expected.contains(&late), "{late:?}");
    // A job that was put off is late from the change on.
    let failed = doc! { "$set": { "failed": [1] } };
    jobs.update_many(doc! {}, failed).await.unwrap();
    let late = t.odm.jobs().count().await.unwrap().oldest.unwrap();
    assert!(late >= Duration::from_secs(660), "{late:?}");
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_job_that_was_put_off_is_tried_again_when_told_to() {
    let (t, host, messages) = host_with_messages("operators_retry").await;
    validate(&t.odm, "logmsg", doc! { "ipaddr": { "$ne": "refused" } }).await;
    rename(&t.odm, &host, "refused").await;
    t.odm.run_pending_jobs().await.unwrap();
    let jobs = t.odm.jobs().relation(MESSAGES).await.unwrap();
    assert_eq!(jobs[0].state, JobState::PutOff);
    let ids: Vec<Bson> = messages.iter().map(|it| it.id.into()).collect();
    assert_eq!(jobs[0].failed, ids);
    let why = jobs[0].last_error.as_deref().unwrap_or_default();
    assert!(why.contains("rejects the document"), "{why}");
    assert_eq!(t.odm.jobs().count().await.unwrap().put_off, 1);

    validate(&t.odm, "logmsg", doc! {}).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 3, "its time has not come");
    assert_eq!(t.odm.jobs().relation("another").retry().await.unwrap(), 0);
    assert_eq!(
        t.odm.jobs().key(Bson::from(host.id)).retry().await.unwrap(),
        1
    );
    assert_eq!(states(&t.odm).await, [JobState::Due]);
    t.odm.run_pending_jobs().await.unwrap();
    settle(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 0);
    assert_eq!(states(&t.odm).await, []);
}

/// The retry gives all these jobs the same version.
#[tokio::test]
async fn all_jobs_that_were_put_off_run_in_the_next_run_after_a_retry() {
    let t = shop("operators_retry_all").await;
    let hosts: Vec<Host> = (0..3).map(host).collect();
    t.given(&hosts).await;
    for host in &hosts {
        t.given(&messages(host, 2)).await;
    }
    settle(&t.odm).await;
    let refuse = doc! { "$not": { "$regex": "^refused" } };
    validate(&t.odm, "logmsg", doc! { "ipaddr": refuse }).await;
    for (at, host) in hosts.iter().enumerate() {
        rename(&t.odm, host, &format!("refused {at}")).await;
    }
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(states(&t.odm).await, [JobState::PutOff; 3]);
    validate(&t.odm, "logmsg", doc! {}).await;
    assert_eq!(t.odm.jobs().retry().await.unwrap(), 3);
    t.odm.run_pending_jobs().await.unwrap();
    for host in &hosts {
        assert_eq!(stale(&t.odm, host).await, 0);
    }
    settle(&t.odm).await;
}

/// Only stale copies are counted. Copies that a runner has already written, or that were correct before, are not.
#[tokio::test]
async fn copies_that_wait_for_jobs_are_counted() {
    let (t, host, messages) = host_with_messages("operators_behind").await;
    let behind = async || t.odm.jobs().count().await.unwrap().copies_behind;
    t.recorder().clear();
    assert_eq!(behind().await, 0);
    assert_eq!(
        t.recorder().names(),
        ["aggregate"],
        "no job, no look at copies"
    );

    rename(&t.odm, &host, "10.0.0.1").await;
    assert_eq!(behind().await, 3);
    let logmsg = t.odm.database().collection::<Document>("logmsg");
    let right = doc! { "$set": { "ipaddr": "10.0.0.1" } };
    let one = doc! { "_id": messages[0].id };
    logmsg.update_one(one, right).await.unwrap();
    assert_eq!(behind().await, 2);
    let of_another_key = t.odm.jobs().key(Bson::from(ObjectId::new())).count();
    assert_eq!(of_another_key.await.unwrap().copies_behind, 0);

    validate(&t.odm, "logmsg", doc! { "ipaddr": { "$ne": "refused" } }).await;
    rename(&t.odm, &host, "refused").await;
    t.odm.run_pending_jobs().await.unwrap();
    let counts = t.odm.health().await.unwrap().jobs;
    assert_eq!((counts.put_off, counts.copies_behind), (1, 3));

    validate(&t.odm, "logmsg", doc! {}).await;
    t.odm.jobs().retry().await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    settle(&t.odm).await;
    assert_eq!(behind().await, 0);
}

/// There are two conditions for up to a hundred keys each, and every document is counted once.
#[tokio::test]
async fn copies_of_many_keys_are_counted_together() {
    let t = shop("operators_behind_many").await;
    let hosts: Vec<Host> = (0..120).map(host).collect();
    t.given(&hosts).await;
    for host in &hosts {
        t.given(&messages(host, 2)).await;
    }
    settle(&t.odm).await;
    for (at, host) in hosts.iter().enumerate() {
        rename(&t.odm, host, &format!("10.0.0.{at}")).await;
    }
    t.recorder().clear();
    let counts = t.odm.jobs().count().await.unwrap();
    assert_eq!((counts.due, counts.copies_behind), (120, 240));
    let sent = t.recorder().names();
    assert_eq!(
        sent.iter().filter(|name| *name == "find").count(),
        1,
        "{sent:?}"
    );
    assert_eq!(
        sent.iter().filter(|name| *name == "aggregate").count(),
        4,
        "{sent:?}"
    );
}

#[tokio::test]
async fn jobs_of_other_programs_are_told_apart_and_forgotten_by_name() {
    let (t, host, _) = host_with_messages("operators_forget").await;
    let now = DateTime::now();
    let foreign = doc! {
        "_id": { "relation": "racks.host <- hosts._id", "key": host.id }, "name": "Rack.host <- Host",
        "version": ObjectId::new(), "phase": "run", "changed_at": now, "due_at": now, "grace": 0_i64,
    };
    put(&t.odm, "_odm_jobs", [foreign]).await;
    rename(&t.odm, &host, "10.0.0.1").await;
    let counts = t.odm.jobs().count().await.unwrap();
    assert_eq!((counts.foreign, counts.due, counts.total()), (1, 1, 2));
    assert!(counts.oldest.is_some());

    let error = t.odm.jobs().forget().await.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
    let forgotten = t.odm.jobs().relation("racks.host <- hosts._id").forget();
    assert_eq!(forgotten.await.unwrap(), 1);
    assert_eq!(states(&t.odm).await, [JobState::Due]);
}

#[tokio::test]
async fn health_tells_what_needs_a_hand() {
    let (t, host, _) = host_with_messages("operators_health").await;
    t.odm.sync_indexes().await.unwrap();
    let health = t.odm.health().await.unwrap();
    assert!(health.is_good(), "{health:?}");
    assert!(health.has_transactions && health.answered_in > Duration::ZERO);

    let logmsg = t.odm.database().collection::<Document>("logmsg");
    logmsg.drop_index("host_1__id_1").await.unwrap();
    let health = t.odm.health().await.unwrap();
    assert!(!health.is_good());
    assert_eq!(health.indexes.missing.len(), 1);
    t.odm.sync_indexes().await.unwrap();

    let hour_ago = DateTime::from_millis(DateTime::now().timestamp_millis() - 3_600_000);
    let orphan = doc! {
        "_id": { "relation": "racks.host <- hosts._id", "key": host.id }, "name": "Rack.host <- Host",
        "version": ObjectId::new(), "phase": "run", "changed_at": hour_ago, "due_at": hour_ago,
    };
    put(&t.odm, "_odm_jobs", [orphan]).await;
    let health = t.odm.health().await.unwrap();
    let undeclared = [("racks.host <- hosts._id".to_owned(), 1)];
    assert_eq!(health.undeclared, undeclared);
    assert!(!health.is_good());
    assert!(health.jobs.oldest.unwrap() >= Duration::from_secs(3_599));
}

/// Keys that an `_id` cannot contain are stored in a different field of the `_id` of the job.
#[tokio::test]
async fn jobs_of_keys_that_no_id_can_hold_are_found_and_named() {
    let t = empty("operators_keys").await;
    let sync = t.odm.sync_indexes().only::<Badge>();
    sync.only::<Holder>().only::<Gang>().await.unwrap();
    let key = AnyKey(doc! { "$gt": 1 }.into());
    let badge = Badge {
        id: 1,
        code: key.clone(),
        name: "a".into(),
    };
    badge.insert(&t.odm).await.unwrap();
    let holder = Holder {
        id: Id::from_key(1),
        code: key.clone(),
        name: "a".into(),
    };
    holder.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let rename = Badge::update(&t.odm, 1).set(Badge::fields().name, Bson::from("b"));
    rename.deferred().await.unwrap();
    let key = mongo_odm::JoinKey::from(key.0);
    let jobs = t.odm.jobs().key(key.clone()).await.unwrap();
    let holders: Vec<_> = jobs
        .iter()
        .filter(|it| it.relation.starts_with("hostile_holders"))
        .collect();
    assert_eq!(holders.len(), 1, "{jobs:?}");
    assert_eq!(holders[0].key, key);
    assert_eq!(t.odm.jobs().key(Bson::Null).await.unwrap(), []);
    let stored = crate::setting::jobs(&t.odm).await;
    let of_holders = |it: &&Document| it.to_string().contains("hostile_holders");
    let stored = stored.iter().find(of_holders).unwrap();
    let until = DateTime::from_millis(DateTime::now().timestamp_millis() + 20_000);
    let cursor = doc! { "_id": stored.get("_id").unwrap(), "until": until, "token": 1_i64 };
    put(&t.odm, "_odm_cursors", [cursor]).await;
    let running = t
        .odm
        .jobs()
        .key(key.clone())
        .relation(holders[0].relation.clone());
    assert_eq!(running.await.unwrap()[0].state, JobState::Running);
    assert!(t.odm.jobs().key(key).forget().await.unwrap() >= 1);
}

/// A document that could not be written has now been written, so the job no longer needs attention.
#[tokio::test]
async fn a_job_that_was_put_off_and_has_run_well_settles() {
    let (t, host, _) = host_with_messages("operators_recovered").await;
    validate(&t.odm, "logmsg", doc! { "ipaddr": { "$ne": "refused" } }).await;
    let patient = t
        .odm
        .with_settings(settings().grace(Duration::from_secs(600)));
    rename(&patient, &host, "refused").await;
    patient.run_pending_jobs().await.unwrap();
    assert_eq!(states(&t.odm).await, [JobState::PutOff]);
    validate(&t.odm, "logmsg", doc! {}).await;
    assert_eq!(t.odm.jobs().retry().await.unwrap(), 1);
    patient.run_pending_jobs().await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    assert_eq!(states(&t.odm).await, [JobState::Settling]);
    let counts = t.odm.jobs().count().await.unwrap();
    assert_eq!((counts.put_off, counts.settling), (0, 1));
}
