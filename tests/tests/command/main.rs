//! The operator's command. Each subcommand runs as a process, and its output and exit code are
//! checked.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests: they panic to fail"
)]

mod check;
mod filled;
mod indexes;
mod jobs;
mod pending;
mod process;
mod repair;
mod shards;
mod trouble;
mod validators;
mod words;

use mongo_odm::bson::{Document, doc, oid::ObjectId};
use mongo_odm_testkit::TestDb;

use process::{WITH_COPIES, WITHOUT_MODELS, json, run, run_at};

async fn database(test: &str) -> TestDb {
    TestDb::new(test).await.unwrap()
}

async fn insert(database: &TestDb, collection: &str, documents: Vec<Document>) {
    database
        .collection(collection)
        .insert_many(documents)
        .await
        .unwrap();
}

#[tokio::test]
async fn drift_is_shown_first_and_repaired_when_told_to() {
    let database = database("command_verify").await;
    assert_eq!(run(&database, &["verify"]).code, 0);
    let (person, task) = (ObjectId::new(), ObjectId::new());
    insert(
        &database,
        "people",
        vec![doc! { "_id": person, "name": "Kate", "tasks": [] }],
    )
    .await;
    let stored = doc! { "_id": task, "description": "x", "owner": person, "due_date": mongo_odm::bson::DateTime::now() };
    insert(&database, "tasks", vec![stored]).await;
    let (code, found) = json(&database, &["verify"]);
    assert_eq!(code, 1, "{found}");
    assert_eq!(found["findings"][0]["kind"], "OneSided", "{found}");
    let text = run(&database, &["verify"]);
    assert!(text.out.contains("`odm verify --repair`"), "{text:?}");
    let (code, repaired) = json(&database, &["verify", "--repair"]);
    assert_eq!((code, &repaired["repaired"]), (0, &1.into()), "{repaired}");
    assert_eq!(run(&database, &["verify"]).code, 0);
    let unknown = run(&database, &["verify", "--relation", "Nobody.knows"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
}

#[tokio::test]
async fn jobs_are_listed_retried_forgotten_and_run() {
    let database = database("command_jobs").await;
    let (code, jobs) = json(&database, &["jobs"]);
    assert_eq!((code, &jobs["due"]), (0, &0.into()), "{jobs}");
    assert!(run(&database, &["jobs"]).out.starts_with("0 due, "));
    assert_eq!(
        run(&database, &["jobs", "--retry"]).out,
        "0 jobs made due\n"
    );
    assert_eq!(run(&database, &["jobs", "--forget"]).code, 2);
    let unknown: &[&str] = &["jobs", "--forget", "--relation", "nope"];
    let ran = run(&database, unknown);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.contains("`nope`") && ran.err.contains("there are no jobs"),
        "{ran:?}"
    );
    let job = doc! { "_id": { "relation": "a.b <- c._id", "key": 1 }, "name": "A.b <- C", "phase": "run" };
    insert(&database, "_odm_jobs", vec![job]).await;
    for action in [&["--forget"][..], &["--retry"], &[]] {
        let ran = run(
            &database,
            &[&["jobs", "--relation", "nope"], action].concat(),
        );
        assert_eq!(ran.code, 2, "{action:?}: {ran:?}");
        assert!(ran.err.contains("`a.b <- c._id`"), "{ran:?}");
    }
    let known = ["jobs", "--forget", "--relation", "a.b <- c._id"];
    assert_eq!(run(&database, &known).out, "1 job forgotten\n");
    let of_copies = [
        "jobs",
        "--forget",
        "--relation",
        "posts.author <- authors._id",
    ];
    let ran = run_at(WITH_COPIES, database.uri(), &of_copies);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "0 jobs forgotten\n"),
        "{ran:?}"
    );
    let (code, ran) = json(&database, &["worker", "--once"]);
    assert_eq!((code, &ran["run"]), (0, &0.into()), "{ran}");
}

#[tokio::test]
async fn a_worker_ends_when_it_is_told_to() {
    let database = database("command_worker").await;
    database
        .database()
        .run_command(doc! { "profile": 2 })
        .await
        .unwrap();
    let mut command = process::command(process::WITH_MODELS, database.uri(), &["worker"]);
    let mut worker = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // After its first query for jobs, the worker runs and handles signals.
    let looks = doc! { "ns": { "$regex": "\\._odm_jobs$" } };
    let profile = database.collection("system.profile");
    while profile.find_one(looks.clone()).await.unwrap().is_none() {
        assert!(worker.try_wait().unwrap().is_none(), "the worker has ended");
    }
    let pid = worker.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let ended = worker.wait_with_output().unwrap();
    assert_eq!(
        (
            ended.status.code(),
            std::str::from_utf8(&ended.stdout).unwrap()
        ),
        (
            Some(0),
            "stopped; 0 jobs run: 0 finished, 0 settling, 0 failed, 0 left; 0 deltas folded; 0 documents changed\n"
        )
    );
}

#[tokio::test]
async fn models_are_written_for_a_database_without_any() {
    let database = database("command_pull").await;
    insert(&database, "pets", vec![doc! { "_id": 1, "name": "Rex" }]).await;
    let uri = database.uri();
    let printed = run_at(WITHOUT_MODELS, uri, &["pull"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    assert!(printed.out.contains("pub struct Pet {"), "{printed:?}");
    let file = std::env::temp_dir().join(format!("{}.rs", database.name()));
    let path = file.to_str().unwrap();
    let told = run_at(WITHOUT_MODELS, uri, &["pull", "--out", path]);
    assert_eq!(told.code, 0, "{told:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed.out);
    assert_eq!(
        run_at(WITHOUT_MODELS, uri, &["pull", "--out", path]).code,
        2
    );
    let over = run_at(
        WITHOUT_MODELS,
        uri,
        &["pull", "--out", path, "--force", "--json"],
    );
    assert_eq!(over.code, 0, "{over:?}");
    let json: serde_json::Value = serde_json::from_str(&over.out).unwrap();
    assert_eq!(json["collections"][0]["sampled"], 1);
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn advice_is_given_with_models_and_without() {
    let database = database("command_advise").await;
    let lines: Vec<i32> = (0..3_000).collect();
    let documents = (0..20)
        .map(|n| doc! { "_id": n, "lines": lines.clone() })
        .collect();
    insert(&database, "orders", documents).await;
    let told = run_at(WITHOUT_MODELS, database.uri(), &["advise"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.out.contains("orders.lines"), "{told:?}");
    let (code, advice) = json(&database, &["advise", "--collection", "orders"]);
    assert_eq!(code, 1);
    assert!(
        !advice["findings"].as_array().unwrap().is_empty(),
        "{advice}"
    );
}

#[tokio::test]
async fn a_collection_that_does_not_exist_is_refused_with_the_nearest_ones() {
    let database = database("command_collection").await;
    for command in ["pull", "advise"] {
        let ran = run_at(
            WITHOUT_MODELS,
            database.uri(),
            &[command, "--collection", "ordrs"],
        );
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.ends_with("; it has no collections\n"), "{ran:?}");
    }
    for name in ["orders", "Order", "people", "order_lines"] {
        insert(&database, name, vec![doc! { "_id": 1 }]).await;
    }
    for command in ["pull", "advise"] {
        let asked = [command, "--collection", "people", "--collection", "ordrs"];
        let ran = run_at(WITHOUT_MODELS, database.uri(), &asked);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        let told = "; the most similar names are `orders`, `Order`, `order_lines`\n";
        assert!(
            ran.err.contains("no collection `ordrs`") && ran.err.ends_with(told),
            "{ran:?}"
        );
        let known = [command, "--collection", "people"];
        assert_eq!(run_at(WITHOUT_MODELS, database.uri(), &known).code, 0);
    }
}

#[test]
fn models_are_drawn_without_a_database() {
    let drawn = |arguments: &[&str]| {
        let ran = run_at(process::WITH_MODELS, "", &[&["schema"], arguments].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.out
    };
    assert!(
        drawn(&["--svg"]).starts_with("<svg"),
        "{}",
        drawn(&["--svg"])
    );
    assert!(drawn(&["--dot"]).contains("digraph"));
    assert_eq!(drawn(&[]), drawn(&["--mermaid"]));
    let json: serde_json::Value = serde_json::from_str(&drawn(&["--json"])).unwrap();
    assert!(
        json["collections"]
            .as_array()
            .is_some_and(|all| !all.is_empty()),
        "{json}"
    );
    assert_eq!(
        run_at(process::WITH_MODELS, "", &["schema", "--svg", "--dot"]).code,
        2
    );
}
