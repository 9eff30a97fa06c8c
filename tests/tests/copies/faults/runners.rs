//! Runners of jobs that are killed, slow, stopped or overtaken by other runners.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use mongo_odm::{
    Guarantee,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::cluster::is_sharded;

use super::{
    lab::*,
    process::{Act, Process},
};
use crate::{
    cascades::Node,
    edges::chains::{Address, City, Country},
    models::*,
    setting::*,
};

/// T2: a process is killed at various points. Later, the server executes the statement that the process has sent.
/// Another process finishes its work.
#[tokio::test]
async fn a_killed_process_leaves_what_another_one_finishes() {
    const HELD: Duration = Duration::from_millis(300);
    let lab = Lab::new("faults_killed").await;
    let host = lab.logs(2_500).await;
    let job = Act::Rename { inline: false };
    let points = [
        (
            "before the source",
            Act::Rename { inline: true },
            "findAndModify",
            "hosts",
            0,
        ),
        ("before its commit", job, "commitTransaction", "", 0),
        ("before the claim", job, "findAndModify", "_odm_cursors", 0),
        ("in the first batch", job, "update", "logmsg", 0),
        ("in the second batch", job, "update", "logmsg", 1),
        ("before the last phase", job, "update", "_odm_jobs", 0),
        ("in the last look", Act::RunJobs, "update", "logmsg", 1),
        ("before the end", Act::RunJobs, "delete", "_odm_jobs", 0),
    ];
    for (at, (point, act, command, collection, skip)) in points.into_iter().enumerate() {
        if matches!(act, Act::RunJobs) {
            rename(&lab.other, &host, format!("{at}"))
                .deferred()
                .await
                .unwrap();
            // The job enters its last phase while the copy in a new message is stale, because no writer has seen this
            // message.
            LogMsg::insert_many(&lab.other, &messages(&host, 1))
                .await
                .unwrap();
        }
        let collection = Some(collection).filter(|name| !name.is_empty());
        let held = lab.held(collection, HELD);
        let mode = if skip == 0 {
            doc! { "times": 1 }
        } else {
            doc! { "skip": skip }
        };
        let trap = lab.trap(mode, &[command], held).await;
        let process = Process::start(act, lab.database.uri());
        lab.sprung(&trap).await;
        lab.disarm().await;
        drop(process);
        runners_are_dead(&lab.other).await;
        lab.expect_equal(&host, point).await;
        // The held statement has now been executed.
        tokio::time::sleep(HELD).await;
        lab.expect_equal(&host, point).await;
    }
}

/// T3: a slow runner has an old value in its snapshot. Meanwhile, another runner takes over, updates the copies to the
/// next value and ends the job. The later statements of the slow runner are rejected.
#[tokio::test]
async fn a_late_batch_of_an_overtaken_runner_writes_nothing() {
    const HELD: Duration = Duration::from_millis(700);
    let lab = Lab::new("faults_late").await;
    let host = lab.logs(50).await;
    // A rename back to the same value is the hard case, because the copies are not written in between.
    for last in ["another", "127.0.0.1"] {
        rename(&lab.other, &host, "127.0.0.1").await.unwrap();
        settle(&lab.other).await;
        rename(&lab.other, &host, "of the slow one")
            .deferred()
            .await
            .unwrap();
        let trap = lab.hold(&["update"], Some("_odm_cursors"), HELD).await;
        let odm = lab.odm.clone();
        let slow = tokio::spawn(async move { odm.run_pending_jobs().await });
        lab.sprung(&trap).await;
        runners_are_dead(&lab.other).await;
        rename(&lab.other, &host, last).await.unwrap();
        settle(&lab.other).await;
        assert_eq!(stale(&lab.other, &host).await, 0, "{last}");
        assert!(!slow.is_finished(), "the slow one was held too shortly");
        let ran = slow.await.unwrap().unwrap();
        assert_eq!(ran.modified, 0, "{last}");
        assert_eq!(stale(&lab.other, &host).await, 0, "{last}");
        lab.expect_equal(&host, last).await;
    }
}

/// A slow runner is about to delete a node, because its parent is missing. Meanwhile, another program stores the parent
/// again, and another runner ends the job. The slow runner deletes nothing.
#[tokio::test]
async fn a_late_batch_of_an_overtaken_delete_rule_deletes_nothing() {
    const HELD: Duration = Duration::from_millis(700);
    let lab = Lab::new("faults_late_rule").await;
    let sync = lab.other.sync_indexes().only::<Node>();
    sync.await.unwrap();
    let nodes = || {
        [
            doc! { "_id": 1_i64 },
            doc! { "_id": 2_i64, "parent": 1_i64 },
        ]
    };
    put(&lab.other, "cascade_nodes", nodes()).await;
    let parent: Id<Node, i64> = Id::from_key(1);
    Node::delete(&lab.other, parent).deferred().await.unwrap();
    let trap = lab.hold(&["update"], Some("_odm_cursors"), HELD).await;
    let odm = lab.odm.clone();
    let slow = tokio::spawn(async move { odm.run_pending_jobs().await });
    lab.sprung(&trap).await;
    runners_are_dead(&lab.other).await;
    put(&lab.other, "cascade_nodes", [doc! { "_id": 1_i64 }]).await;
    settle(&lab.other).await;
    assert!(!slow.is_finished(), "the slow one was held too shortly");
    slow.await.unwrap().unwrap();
    assert_eq!(count(&lab.other, "cascade_nodes", doc! {}).await, 2);
}

/// Another runner ends a job while a runner is about to claim it. Such a job gets no cursor, because a runner that
/// crashed would leave the cursor for a day.
#[tokio::test]
async fn a_job_that_has_just_ended_gets_no_cursor() {
    const HELD: Duration = Duration::from_millis(700);
    let lab = Lab::new("faults_ended").await;
    let host = lab.logs(3).await;
    let parts = [part(1), part(2)];
    Part::insert_many(&lab.other, &parts).await.unwrap();
    let product = product(1, &parts);
    product.insert(&lab.other).await.unwrap();
    settle(&lab.other).await;
    let rename_host = rename(&lab.other, &host, "new").deferred();
    let rename_product = Product::update(&lab.other, product.id).set(Product::fields().name, "new");
    for (taken_by, renamed) in [
        ("findAndModify", rename_host.into_future()),
        ("insert", rename_product.deferred().into_future()),
    ] {
        renamed.await.unwrap();
        let trap = lab.hold(&[taken_by], Some("_odm_cursors"), HELD).await;
        let odm = lab.odm.clone();
        let late = tokio::spawn(async move { odm.run_pending_jobs().await });
        lab.sprung(&trap).await;
        settle(&lab.other).await;
        assert!(!late.is_finished(), "the late one was held too shortly");
        // From now on, no runner can delete its cursor.
        let mut stop = doc! { "errorCode": 50 };
        stop.extend(lab.namespace("_odm_cursors"));
        lab.trap("alwaysOn", &["delete"], stop).await;
        late.await.unwrap().unwrap();
        assert_eq!(all(&lab.other, "_odm_cursors").await, [], "{taken_by}");
        lab.disarm().await;
    }
}

/// T5: the server stops the update of a batch in every possible way. The job continues, either at once or when jobs are
/// run.
#[tokio::test]
async fn a_batch_that_the_server_stops_is_taken_up_again() {
    let lab = Lab::new("faults_stopped").await;
    let host = lab.logs(1_200).await;
    for code in [50, 91, 189, 10_107, 11_600, 11_601, 11_602] {
        let mut stop = doc! { "errorCode": code };
        stop.extend(lab.namespace("logmsg"));
        lab.trap(doc! { "skip": 1 }, &["update"], stop).await;
        let odm = by_jobs(&lab.odm);
        let renamed = tokio::spawn(rename(&odm, &host, format!("after {code}")).into_future());
        tokio::time::sleep(Duration::from_millis(200)).await;
        lab.disarm().await;
        renamed.await.unwrap().unwrap();
        lab.expect_equal(&host, &format!("{code}")).await;
    }
}

/// A run that fails keeps the position of its last batch, so that a long job does not begin again and again.
#[tokio::test]
async fn a_run_that_fails_keeps_its_position() {
    let lab = Lab::new("faults_position").await;
    let host = lab.logs(1_200).await;
    let mut stop = doc! { "errorCode": 50 };
    stop.extend(lab.namespace("logmsg"));
    lab.trap(doc! { "skip": 1 }, &["update"], stop).await;
    rename(&by_jobs(&lab.odm), &host, "new").await.unwrap();
    let cursors = all(&lab.other, "_odm_cursors").await;
    assert!(cursors[0].contains_key("lo"), "{cursors:?}");
    lab.expect_equal(&host, "after the failed run").await;
}

/// T5: the primary steps down between two batches.
#[tokio::test]
async fn a_job_survives_a_step_down() {
    let lab = Lab::new("faults_step_down").await;
    let host = lab.logs(3_000).await;
    let trap = lab
        .hold(&["update"], Some("logmsg"), Duration::from_millis(300))
        .await;
    let renamed = tokio::spawn(rename(&by_jobs(&lab.odm), &host, "new").into_future());
    lab.sprung(&trap).await;
    let down = doc! { "replSetStepDown": 1, "secondaryCatchUpPeriodSecs": 0, "force": true };
    let admin = lab.other.client().database("admin");
    let _ = admin.run_command(down).await;
    renamed.await.unwrap().unwrap();
    lab.expect_equal(&host, "").await;
}

/// T20: twenty renames during one run cause only one more pass.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn renames_during_a_run_coalesce_into_one_more_pass() {
    const COPIES: u32 = 100_000;
    let t = shop("faults_coalesce").await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    // A cluster has no `$out` into a sharded collection.
    let store = if is_sharded() { "$merge" } else { "$out" };
    let make = [
        doc! { "$project": { "_id": 0, "host": "$_id", "ipaddr": 1, "n": { "$range": [0, COPIES] } } },
        doc! { "$unwind": "$n" },
        doc! { store: "logmsg" },
    ];
    let hosts = t.odm.database().collection::<Document>("hosts");
    hosts.aggregate(make).await.unwrap();

    rename(&t.odm, &host, "first").deferred().await.unwrap();
    let (odm, written) = (t.odm.clone(), Arc::new(AtomicU64::new(0)));
    let total = Arc::clone(&written);
    let run = tokio::spawn(async move {
        while !jobs(&odm).await.is_empty() {
            let ran = odm.run_pending_jobs().await.unwrap();
            total.fetch_add(ran.modified, Relaxed);
        }
    });
    eventually("a batch", async || {
        count(&t.odm, "logmsg", doc! { "ipaddr": "first" }).await > 0
    })
    .await;
    for at in 0..20 {
        rename(&t.odm, &host, format!("10.0.0.{at}"))
            .deferred()
            .await
            .unwrap();
    }
    run.await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    let written = written.load(Relaxed);
    assert!(
        written > COPIES.into(),
        "the renames came too late to say anything"
    );
    assert!(
        written <= (2 * COPIES).into(),
        "{written} copies were written"
    );
    settle(&t.odm).await;
}

/// T21: the caller is aborted at each of its statements, one after the other, while it waits for the reply. The write
/// continues without its caller.
#[tokio::test]
async fn a_caller_that_is_aborted_at_any_statement_leaves_what_another_one_finishes() {
    const COMMANDS: [&str; 6] = [
        "find",
        "findAndModify",
        "aggregate",
        "update",
        "delete",
        "commitTransaction",
    ];
    let lab = Lab::new("faults_aborted").await;
    let host = lab.logs(20).await;
    for (inline, at_least) in [(1_000, 4), (0, 11)] {
        let odm = lab.odm.with_settings(settings().inline_copies(inline));
        for at in 0.. {
            let context = format!("statement {at}, inline {inline}");
            let held = lab.held(None, Duration::from_millis(60));
            let mode = match at {
                0 => Bson::from("alwaysOn"),
                at => doc! { "skip": at }.into(),
            };
            let trap = lab.trap(mode, &COMMANDS, held).await;
            let mut write = tokio::spawn(rename(&odm, &host, &context).into_future());
            let done = tokio::select! {
                done = &mut write => Some(done.unwrap()),
                () = lab.sprung(&trap) => None,
            };
            if let Some(done) = done {
                done.unwrap();
                assert!(at >= at_least, "only {at} statements");
                lab.expect_equal(&host, &context).await;
                break;
            }
            write.abort();
            lab.disarm().await;
            // The driver still works.
            Host::get(&odm, host.id).await.unwrap();
            odm.finish_writes().await;
            lab.expect_equal(&host, &context).await;
        }
    }
}

/// T21: the runtime of the caller ends while its job is running.
#[tokio::test]
async fn a_runtime_that_ends_in_a_job_leaves_what_another_one_finishes() {
    let lab = Lab::new("faults_runtime").await;
    let host = lab.logs(3_000).await;
    for held in ["findAndModify", "update", "commitTransaction"] {
        let trap = lab.hold(&[held], None, Duration::from_millis(150)).await;
        let (uri, host_too) = (lab.database.uri().to_owned(), host.clone());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.spawn(async move {
            let odm = by_jobs(&handle(&uri, FAULTY).await);
            rename(&odm, &host_too, held).await
        });
        lab.sprung(&trap).await;
        runtime.shutdown_background();
        lab.expect_equal(&host, held).await;
    }
}

/// A document cannot store the copy of one source. The job of a different source of the same relation is run.
#[tokio::test]
async fn a_report_promises_no_more_than_the_job_that_is_left() {
    let lab = Lab::new("faults_one_of_two").await;
    let hosts = [lab.logs(3).await, host(2)];
    hosts[1].insert(&lab.other).await.unwrap();
    let message = messages(&hosts[1], 1).remove(0);
    message.insert(&lab.other).await.unwrap();
    settle(&lab.other).await;
    let refuse = doc! { "_id": message.id, "ipaddr": { "$regex": "0$" } };
    let validator = doc! { "collMod": "logmsg", "validator": { "$nor": [refuse] } };
    lab.odm.database().run_command(validator).await.unwrap();
    let renamed = vec![doc! { "$set": { "ipaddr": { "$concat": ["$ipaddr", "0"] } } }];
    let renamed = Host::update_many(&by_jobs(&lab.odm), Filter::all()).modifications(renamed);
    let renamed = renamed.await.unwrap();
    assert!(!renamed.token().is_empty());
    let messages = renamed.copies.iter().find(|it| it.collection == "logmsg");
    let messages = messages.unwrap();
    assert_eq!(messages.guarantee, Guarantee::Eventual);
    assert_eq!(messages.failed, [message.id.into()]);
    assert_eq!(stale(&lab.other, &hosts[0]).await, 0);
}

/// A deferred write changes a document that itself contains a copy, and stores a job for the copies of this document.
/// The source of the document's own copy changes before the commit, so the write corrects this copy after the commit
/// and runs a job.
#[tokio::test]
async fn the_report_of_a_deferred_write_says_that_its_job_is_left() {
    let lab = Lab::new("faults_deferred_report").await;
    let sync = lab.other.sync_indexes().only::<Country>().only::<City>();
    sync.only::<Address>().await.unwrap();
    let country = |name: &str| Country {
        id: Id::new(),
        name: name.to_owned(),
    };
    let countries = [country("Siam"), country("Persia")];
    Country::insert_many(&lab.other, &countries).await.unwrap();
    let city = City {
        id: Id::new(),
        name: "Ayutthaya".to_owned(),
        country: countries[0].id,
        country_name: countries[0].name.clone(),
    };
    city.insert(&lab.other).await.unwrap();
    let address = Address {
        id: Id::new(),
        city: city.id,
        city_name: city.name.clone(),
        country_name: city.country_name.clone(),
    };
    address.insert(&lab.other).await.unwrap();
    settle(&lab.other).await;
    // The first write of a handle sends more statements.
    let prepare =
        Country::update(&lab.odm, countries[0].id).set(Country::fields().name, "Thailand");
    prepare.await.unwrap();
    settle(&lab.other).await;

    let held = Duration::from_millis(800);
    let trap = lab.hold(&["commitTransaction"], None, held).await;
    let moved =
        City::update(&by_jobs(&lab.odm), city.id).set(City::fields().country, countries[1].id);
    let moved = tokio::spawn(moved.deferred().into_future());
    lab.sprung(&trap).await;
    let renamed = Country::update(&lab.other, countries[1].id).set(Country::fields().name, "Iran");
    renamed.await.unwrap();
    assert!(!moved.is_finished(), "the write was held too shortly");
    let moved = moved.await.unwrap().unwrap();
    assert!(!moved.token().is_empty());
    let addresses = moved
        .copies
        .iter()
        .find(|it| it.collection == "street_addresses");
    assert_eq!(addresses.unwrap().guarantee, Guarantee::Eventual);
    lab.odm.wait(moved.token()).await.unwrap();
    let address = Address::get(&lab.odm, address.id).await.unwrap();
    assert_eq!(address.country_name, "Iran");
}

/// The server stops a commit. Its transaction stays open, and locks its documents, until another commit is sent.
#[tokio::test]
async fn a_commit_that_takes_too_long_is_sent_again() {
    let lab = Lab::new("faults_slow_commit").await;
    let host = lab.logs(3).await;
    let stop = doc! { "errorCode": 50 };
    lab.trap(doc! { "times": 2 }, &["commitTransaction"], stop)
        .await;
    rename(&lab.odm, &host, "first").await.unwrap();
    let odm = &lab.odm;
    let written = odm.transaction(async |tx| rename(&tx, &host, "second").await.map(|_| ()));
    written.await.unwrap();
    lab.disarm().await;
    rename(&lab.other, &host, "third").await.unwrap();
    lab.expect_equal(&host, "after the commits").await;
}
