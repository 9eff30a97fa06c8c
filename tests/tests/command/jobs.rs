//! `odm jobs` and `odm worker`, with copies that a validator rejects.

use std::process::Stdio;

use mongo_odm::bson::{DateTime, Document, doc, oid::ObjectId};
use mongo_odm_testkit::TestDb;

use crate::{
    database, insert,
    process::{WITH_COPIES, command, json_at, run_at},
};

const POSTS: &str = "posts.author <- authors._id";

fn job(relation: &str, key: i32, phase: &str, seconds: i64) -> Document {
    let now = DateTime::now();
    let due = DateTime::from_millis(now.timestamp_millis() + seconds * 1_000);
    doc! {
        "_id": { "relation": relation, "key": key }, "name": "Copy <- Author", "version": ObjectId::new(),
        "changed_at": now, "stale_since": now, "grace": 1_000_i64, "due_at": due, "phase": phase,
    }
}

/// A database with a job that is due for three posts that reject their copies, and with three jobs that only settle.
async fn with_refusals(test: &str) -> TestDb {
    let database = database(test).await;
    let made = run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]);
    assert_eq!(made.code, 0, "{made:?}");
    insert(&database, "authors", vec![doc! { "_id": 1, "name": "Ann" }]).await;
    let old = |n: i32| doc! { "_id": n, "author": 1, "author_name": "Old" };
    insert(&database, "posts", (0..3).map(old).collect()).await;
    let refuse = doc! { "collMod": "posts", "validator": { "author_name": "Old" } };
    database.database().run_command(refuse).await.unwrap();
    let settling = |key| job("comments.author <- authors._id", key, "settle", 300);
    let mut jobs: Vec<_> = (1..=3).map(settling).collect();
    jobs.push(job(POSTS, 1, "run", -5));
    insert(&database, "_odm_jobs", jobs).await;
    database
}

#[tokio::test]
async fn what_was_put_off_is_listed_first_with_its_reason_and_totals_are_of_all() {
    let database = with_refusals("jobs_limit").await;
    let ran = run_at(WITH_COPIES, database.uri(), &["worker", "--once"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.out.contains("3 documents failed") && ran.out.contains("rejects the document"),
        "{ran:?}"
    );
    let listed = run_at(WITH_COPIES, database.uri(), &["jobs", "--limit", "1"]);
    assert_eq!(listed.code, 1, "{listed:?}");
    let lines: Vec<_> = listed.out.lines().collect();
    assert!(
        lines[0].contains("3 settling, 1 put off") && lines[0].ends_with("3 copies behind"),
        "{listed:?}"
    );
    assert!(
        lines[1].contains(POSTS)
            && lines[1].contains("put off")
            && lines[1].contains("3 documents failed")
            && lines[1].contains("rejects the document"),
        "{listed:?}"
    );
    assert_eq!(&lines[2..], ["  and 3 more"], "{listed:?}");
    let (_, jobs) = json_at(WITH_COPIES, &database, &["jobs", "--limit", "1"]);
    assert_eq!(
        (&jobs["copies_behind"], &jobs["more"], &jobs["settling"]),
        (&3.into(), &3.into(), &3.into()),
        "{jobs}"
    );
    let first = &jobs["jobs"][0];
    assert_eq!(first["failed"], serde_json::json!([0, 1, 2]), "{jobs}");
    let why = first["last_error"].as_str().unwrap();
    assert!(why.contains("rejects the document"), "{why}");
    let retried = run_at(WITH_COPIES, database.uri(), &["jobs", "--retry"]);
    assert_eq!(retried.out, "1 job made due\n");
}

#[tokio::test]
async fn an_interrupted_worker_says_what_it_did_and_that_documents_failed() {
    let database = with_refusals("jobs_worker").await;
    let profile = doc! { "profile": 2 };
    database.database().run_command(profile).await.unwrap();
    let mut worker = command(WITH_COPIES, database.uri(), &["worker", "--every", "0.05"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The third query for jobs follows a run of all jobs that were due.
    let looks = doc! { "command.find": "_odm_jobs", "command.sort.due_at": 1 };
    let profile = database.collection("system.profile");
    while profile.count_documents(looks.clone()).await.unwrap() < 3 {
        assert!(worker.try_wait().unwrap().is_none(), "the worker has ended");
    }
    let mut kill = std::process::Command::new("kill");
    let pid = worker.id().to_string();
    assert!(kill.args(["-INT", &pid]).status().unwrap().success());
    let ended = worker.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{out}");
    assert!(
        out.starts_with("stopped; 1 job run: 0 finished, 0 settling, 1 failed")
            && out.contains("rejects the document"),
        "{out}"
    );
}
