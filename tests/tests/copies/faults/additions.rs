//! Children that must be counted exactly once, in their transaction or in a fold, even if processes are killed, slow or
//! conflict with each other.

use std::{collections::BTreeMap, time::Duration};

use mongo_odm::{Result, Settle, Tx, bson::Document, prelude::*};

use super::{
    lab::*,
    process::{Act, Process},
};
use crate::{computed::*, setting::*, two_way::Branch};

/// Stores a station with some readings, whose deltas were folded.
async fn north(lab: &Lab) -> Station {
    let sync = lab.other.sync_indexes().only::<Station>();
    sync.only::<Reading>().only::<Board>().await.unwrap();
    let north = station("north");
    north.insert(&lab.other).await.unwrap();
    let readings: Vec<Reading> = (0..5).map(|number| reading(north.id, number)).collect();
    Reading::insert_many(&lab.other, &readings).await.unwrap();
    settle(&lab.other).await;
    north
}

async fn deltas(odm: &Odm) -> u64 {
    count(odm, "_odm_deltas", doc! {}).await
}

/// Runs all remaining work, and asserts that the fields of every station are correct for its readings.
async fn expect_right(lab: &Lab, context: &str) {
    lab.disarm().await;
    runners_are_dead(&lab.other).await;
    lab.other.run_pending_jobs().await.unwrap();
    assert_right(&lab.other, context).await;
    assert_eq!(deltas(&lab.other).await, 0, "{context}");
    assert_eq!(jobs(&lab.other).await, Vec::<Document>::new(), "{context}");
}

/// A process is killed between the commit of a child and its fold, and at each statement of both. Later, the server
/// executes the statement that the process has sent.
#[tokio::test]
async fn a_process_that_is_killed_between_commit_and_fold_counts_nothing_twice() {
    const HELD: Duration = Duration::from_millis(200);
    let lab = Lab::new("faults_folds").await;
    let north = north(&lab).await;
    let points = [
        (Act::AddLater, "insert", "_odm_deltas"),
        (Act::AddLater, "commitTransaction", ""),
        (Act::RunJobs, "find", "_odm_deltas"),
        (Act::RunJobs, "update", "stations"),
        (Act::RunJobs, "delete", "_odm_deltas"),
        (Act::RunJobs, "commitTransaction", ""),
    ];
    for (at, (act, command, collection)) in points.into_iter().enumerate() {
        let context = format!("killed at {command} {collection}, {at}");
        for number in [10, 11] {
            let new = reading(north.id, number);
            new.insert(&lab.other).deferred().await.unwrap();
        }
        let collection = Some(collection).filter(|name| !name.is_empty());
        let trap = lab.hold(&[command], collection, HELD).await;
        let process = Process::start(act, lab.database.uri());
        lab.sprung(&trap).await;
        drop(process);
        expect_right(&lab, &context).await;
        // The held statement has now been executed.
        tokio::time::sleep(HELD).await;
        expect_right(&lab, &context).await;
    }
    // After the commit.
    for _ in 0..3 {
        let process = Process::start(Act::AddLater, lab.database.uri());
        eventually("a delta", async || deltas(&lab.other).await > 0).await;
        drop(process);
        expect_right(&lab, "killed after the commit").await;
    }
}

/// If a program ended while its worker applies deltas, the open transaction would lock the parent for a minute.
#[tokio::test]
async fn a_worker_that_is_stopped_first_ends_the_fold_that_it_has_begun() {
    const HELD: Duration = Duration::from_millis(700);
    let lab = Lab::new("faults_stopped_worker").await;
    let north = north(&lab).await;
    let new = reading(north.id, 10);
    new.insert(&lab.other).deferred().await.unwrap();
    assert_eq!(deltas(&lab.other).await, 1);
    let trap = lab.hold(&["delete"], Some("_odm_deltas"), HELD).await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = lab.odm.worker().run_until(async { drop(stopped.await) });
    let worker = tokio::spawn(worker);
    lab.sprung(&trap).await;
    drop(stop);
    worker.await.unwrap().unwrap();
    assert_eq!(deltas(&lab.other).await, 0);
    expect_right(&lab, "stopped").await;
}

#[tokio::test]
async fn a_run_that_is_dropped_ends_its_fold_before_the_program_does() {
    const HELD: Duration = Duration::from_millis(700);
    let lab = Lab::new("faults_dropped_run").await;
    let north = north(&lab).await;
    let new = reading(north.id, 10);
    new.insert(&lab.other).deferred().await.unwrap();
    let trap = lab.hold(&["delete"], Some("_odm_deltas"), HELD).await;
    tokio::select! {
        ran = lab.odm.run_pending_jobs() => panic!("{ran:?}"),
        () = lab.sprung(&trap) => {}
    }
    lab.odm.finish_writes().await;
    assert_eq!(deltas(&lab.other).await, 0);
    expect_right(&lab, "dropped").await;
}

#[tokio::test]
async fn a_fold_in_the_background_ends_before_the_program_does() {
    const HELD: Duration = Duration::from_millis(700);
    let lab = Lab::new("faults_last_fold").await;
    let north = north(&lab).await;
    let odm = lab.odm.with_settings(settings().settle(Settle::Background));
    let trap = lab.hold(&["delete"], Some("_odm_deltas"), HELD).await;
    reading(north.id, 10).insert(&odm).deferred().await.unwrap();
    lab.sprung(&trap).await;
    odm.finish_writes().await;
    assert_eq!(deltas(&lab.other).await, 0);
    expect_right(&lab, "finished").await;
}

/// T19: lists and summaries, with writers that are killed at any point, two folders and a concurrent rebuild.
#[tokio::test(flavor = "multi_thread")]
async fn a_storm_whose_writers_are_killed_leaves_every_list_equal_to_its_query() {
    let lab = Lab::new("faults_storm").await;
    north(&lab).await;
    station("south").insert(&lab.other).await.unwrap();
    for round in 0..2 {
        let start = |_| Process::start(Act::Measure, lab.database.uri());
        let processes: Vec<Process> = (0..3).map(start).collect();
        let before = written(&lab.other).await;
        while written(&lab.other).await < before + 30 {
            let (one, other, repaired) = tokio::join!(
                lab.other.run_pending_jobs(),
                lab.other.run_pending_jobs(),
                lab.other.verify().only::<Station>().repair(),
            );
            one.unwrap();
            other.unwrap();
            repaired.unwrap();
        }
        drop(processes);
        expect_right(&lab, &format!("round {round}")).await;
    }
}

/// Returns the number of statements that have written readings.
async fn written(odm: &Odm) -> i64 {
    let stats = vec![doc! { "$collStats": { "latencyStats": {} } }];
    let readings = odm.database().collection::<Document>("readings");
    let mut found = readings.aggregate(stats).await.unwrap();
    assert!(found.advance().await.unwrap());
    let stats: Document = found.deserialize_current().unwrap();
    let latency = stats.get_document("latencyStats").unwrap();
    latency
        .get_document("writes")
        .unwrap()
        .get_i64("ops")
        .unwrap()
}

/// T18: each branch is only in the array of the branch above. This is true in every snapshot if both ends are written
/// at once, and at the end also if some updates were left for later.
#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_reassigns_whose_writers_are_killed_leaves_no_branch_twice() {
    let lab = Lab::new("faults_reassigns").await;
    lab.other.sync_indexes().only::<Branch>().await.unwrap();
    let branch = |above: Option<Id<Branch>>| Branch {
        id: Id::new(),
        below: Vec::new(),
        above,
    };
    let roots: Vec<Branch> = (0..4).map(|_| branch(None)).collect();
    Branch::insert_many(&lab.other, &roots).await.unwrap();
    let leaves = (0..24_usize).map(|number| branch(Some(roots[number % 4].id)));
    let leaves: Vec<Branch> = leaves.collect();
    Branch::insert_many(&lab.other, &leaves).await.unwrap();
    for atomic in [true, false, true] {
        let start = |_| Process::start(Act::Reassign { atomic }, lab.database.uri());
        let processes: Vec<Process> = (0..3).map(start).collect();
        let mut moves = 0;
        let mut seen = owners(&lab.other).await;
        while moves < 20 {
            let look = async |tx: Tx| {
                let owners = owners(&tx).await;
                if atomic {
                    assert_listed_once(&tx).await;
                }
                Ok(owners)
            };
            let now = lab.other.transaction(look).await.unwrap();
            moves += usize::from(now != seen);
            seen = now;
        }
        drop(processes);
        lab.other.run_pending_jobs().await.unwrap();
        assert_listed_once(&lab.other).await;
        assert_eq!(deltas(&lab.other).await, 0);
    }
    settle(&lab.other).await;
}

async fn owners(on: &impl Executor) -> BTreeMap<ObjectId, ObjectId> {
    let all = Branch::find(on).await.unwrap().into_iter();
    all.filter_map(|it| Some((*it.id.key(), *it.above?.key())))
        .collect()
}

async fn assert_listed_once(on: &impl Executor) {
    let all = Branch::find(on).await.unwrap();
    let mut listed = Vec::new();
    for branch in &all {
        listed.extend(branch.below.iter().map(|id| (*id.key(), *branch.id.key())));
    }
    let count = listed.len();
    let listed: BTreeMap<_, _> = listed.into_iter().collect();
    assert_eq!(listed.len(), count, "one is listed twice: {all:?}");
    let referring = all
        .iter()
        .filter_map(|it| Some((*it.id.key(), *it.above?.key())));
    assert_eq!(listed, referring.collect(), "{all:?}");
}

/// The operations on the readings of a station, and on its list and summaries.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Insert,
    InsertLater,
    Delete,
    ChangeOrder,
    Fold,
    Repair,
    SaveParent,
}

impl Deed {
    async fn perform(self, odm: Odm, parent: Station, number: i64) -> Result<()> {
        let oldest = async || {
            let first = Reading::find(&odm).sort(Reading::fields().id.asc()).first();
            first.require().await
        };
        match self {
            Self::Insert => reading(parent.id, number).insert(&odm).await.map(drop),
            Self::InsertLater => {
                let new = reading(parent.id, number);
                new.insert(&odm).deferred().await.map(drop)
            }
            Self::Delete => {
                let newest = Reading::find(&odm)
                    .sort(Reading::fields().time.desc())
                    .first();
                let newest = newest.require().await?.id;
                Reading::delete(&odm, newest).await.map(drop)
            }
            Self::ChangeOrder => {
                let time = DateTime::from_millis(1_800_000_000_000 + number);
                let update = Reading::update(&odm, oldest().await?.id);
                update.set(Reading::fields().time, time).await.map(drop)
            }
            Self::Fold => odm.run_pending_jobs().await.map(drop),
            Self::Repair => odm.verify().only::<Station>().repair().await.map(drop),
            Self::SaveParent => parent.save(&odm).await.map(drop),
        }
    }
}

/// One operation is held at each of its writes, and at each read of children, while a second operation is done.
#[tokio::test(flavor = "multi_thread")]
async fn an_addition_that_races_a_rebuild_or_a_fold_is_counted_once() {
    const HELD: Duration = Duration::from_millis(40);
    const COMMANDS: [&str; 5] = [
        "aggregate",
        "update",
        "delete",
        "findAndModify",
        "commitTransaction",
    ];
    let lab = Lab::new("faults_races").await;
    let north = north(&lab).await;
    let meanwhile = [Deed::Insert, Deed::Delete, Deed::InsertLater, Deed::Fold];
    let mut number = 100;
    for held in [
        Deed::Insert,
        Deed::Delete,
        Deed::ChangeOrder,
        Deed::Fold,
        Deed::Repair,
        Deed::SaveParent,
    ] {
        for at in 0.. {
            number += 2;
            let other = meanwhile[at % meanwhile.len()];
            let context = format!("{held:?} is held at statement {at}, and meanwhile {other:?}");
            // Something to fold, and something to repair.
            let waiting = reading(north.id, number);
            waiting.insert(&lab.other).deferred().await.unwrap();
            if matches!(held, Deed::Repair) {
                let stations = lab.other.database().collection::<Document>("stations");
                let wrong = doc! { "$inc": { "rain": 7_i64 }, "$set": { "latest": [] } };
                let north = doc! { "_id": north.id };
                stations.update_one(north, wrong).await.unwrap();
                lab.other.run_pending_jobs().await.unwrap();
            }
            let mode = match at {
                0 => "alwaysOn".into(),
                at => mongo_odm::bson::Bson::from(doc! { "skip": i64::try_from(at).unwrap() }),
            };
            let trap = lab.trap(mode, &COMMANDS, lab.held(None, HELD)).await;
            let deed = held.perform(lab.odm.clone(), north.clone(), number);
            let mut deed = tokio::spawn(deed);
            let ended = tokio::select! {
                done = &mut deed => Some(done.unwrap()),
                () = lab.sprung(&trap) => None,
            };
            lab.disarm().await;
            let is_over = ended.is_some();
            let (done, meanwhile) = if let Some(done) = ended {
                (done, Ok(()))
            } else {
                let other = other.perform(lab.other.clone(), north.clone(), number + 1);
                let (held, other) = tokio::join!(deed, other);
                (held.unwrap(), other)
            };
            done.unwrap_or_else(|error| panic!("{context}: {error}"));
            meanwhile.unwrap_or_else(|error| panic!("{context}: {error}"));
            lab.other.run_pending_jobs().await.unwrap();
            assert_right(&lab.other, &context).await;
            if is_over {
                assert!(at > 1, "{held:?} has only {at} statements");
                break;
            }
        }
    }
    settle(&lab.other).await;
}

/// The closure of a transaction runs again if its commit or one of its writes conflicts with another transaction.
#[tokio::test]
async fn the_closure_of_a_transaction_that_is_tried_three_times_adds_once() {
    let lab = Lab::new("faults_tries").await;
    let north = north(&lab).await;
    let lost = doc! { "errorCode": 112, "errorLabels": ["TransientTransactionError"] };
    for (command, collection) in [("commitTransaction", None), ("update", Some("stations"))] {
        let mut failure = lost.clone();
        failure.extend(
            collection
                .map(|name| lab.namespace(name))
                .unwrap_or_default(),
        );
        lab.trap(doc! { "times": 2 }, &[command], failure).await;
        let tries = std::sync::atomic::AtomicU32::new(0);
        let added = async |tx: Tx| {
            tries.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            reading(north.id, 20).insert(&tx).await?;
            let new = [reading(north.id, 21), reading(north.id, 22)];
            Reading::insert_many(&tx, &new).await?;
            Ok(())
        };
        lab.odm.transaction(added).await.unwrap();
        assert_eq!(tries.into_inner(), 3, "{command}");
        expect_right(&lab, command).await;
    }
    assert_eq!(count(&lab.other, "readings", doc! {}).await, 5 + 2 * 3);
}
