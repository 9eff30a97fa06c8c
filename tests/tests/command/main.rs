//! The operator's command: every subcommand as a process, its output and its exit code.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests: they panic to fail"
)]

mod process;
mod trouble;

use mongo_odm::bson::{Document, doc, oid::ObjectId};
use odm_testkit::TestDb;

use process::{WITH_COPIES, WITHOUT_MODELS, json, json_at, run, run_at};

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
async fn indexes_are_shown_first_and_created_when_told_to() {
    let database = database("command_indexes").await;
    let shown = run(&database, &["indexes"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    assert!(
        shown.out.contains("createIndex") && shown.out.contains("`odm indexes --apply`"),
        "{shown:?}"
    );
    assert_eq!(
        run(&database, &["indexes"]).code,
        1,
        "the first call has changed something"
    );
    let (code, created) = json(&database, &["indexes", "--apply"]);
    assert_eq!(code, 0);
    assert!(
        !created["created"].as_array().unwrap().is_empty(),
        "{created}"
    );
    let own = mongo_odm::mongodb::IndexModel::builder()
        .keys(doc! { "own": 1 })
        .build();
    database
        .collection("parts")
        .create_index(own)
        .await
        .unwrap();
    assert_eq!(run(&database, &["indexes"]).code, 0);
    assert_eq!(run(&database, &["indexes", "--drop"]).code, 1);
    let (code, dropped) = json(&database, &["indexes", "--apply", "--drop"]);
    assert_eq!(
        (code, &dropped["dropped"]),
        (0, &serde_json::json!(["parts.own_1"]))
    );
    let (code, diff) = json(&database, &["indexes"]);
    assert_eq!(
        (code, &diff["missing"], &diff["undeclared"]),
        (0, &serde_json::json!([]), &serde_json::json!([]))
    );
}

#[tokio::test]
async fn indexes_in_the_way_are_replaced_when_told_to() {
    let database = database("command_replace").await;
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    let products = database.collection("products");
    products.drop_index("name_1_manufacturer_1").await.unwrap();
    let other = mongo_odm::mongodb::options::IndexOptions::builder()
        .sparse(true)
        .name("name_1_manufacturer_1".to_owned())
        .build();
    let other = mongo_odm::mongodb::IndexModel::builder()
        .keys(doc! { "name": 1, "manufacturer": 1 })
        .options(other)
        .build();
    products.create_index(other).await.unwrap();
    for arguments in [&["indexes"][..], &["indexes", "--replace"]] {
        let shown = run(&database, arguments);
        assert_eq!(shown.code, 1, "{shown:?}");
        let remedy = "nothing was changed; `odm indexes --apply --replace` does it";
        assert!(shown.out.contains(remedy), "{shown:?}");
    }
    let refused = run(&database, &["indexes", "--apply"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("`odm indexes --apply --replace`"),
        "{refused:?}"
    );
    let replaced = run(&database, &["indexes", "--apply", "--replace"]);
    assert_eq!(replaced.code, 0, "{replaced:?}");
    assert!(
        replaced
            .out
            .contains("dropped: products.name_1_manufacturer_1"),
        "{replaced:?}"
    );
    let own = mongo_odm::mongodb::IndexModel::builder()
        .keys(doc! { "own": 1 })
        .build();
    products.create_index(own).await.unwrap();
    for arguments in [&["indexes"][..], &["indexes", "--drop"]] {
        let shown = run(&database, arguments);
        assert!(
            shown.out.contains("kept without `--apply --drop`"),
            "{shown:?}"
        );
        assert!(!shown.out.contains("drop_undeclared"), "{shown:?}");
    }
}

#[tokio::test]
async fn a_part_of_a_collection_is_called_so_and_is_the_same_part_each_time() {
    let database = database("command_sample").await;
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    // One of the documents that do not fit is among the newest.
    let part = |n: i32| {
        let cost = if n % 50 == 49 {
            "dear".into()
        } else {
            mongo_odm::bson::Bson::Double(0.5)
        };
        doc! { "_id": ObjectId::new(), "partno": n.to_string(), "name": "nut", "qty": 1, "cost": cost, "price": 1.0 }
    };
    insert(&database, "parts", (0..300).map(part).collect()).await;
    let (code, found) = json(&database, &["check"]);
    assert_eq!(
        (code, &found["documents"], &found["sampled"]),
        (1, &300.into(), &200.into()),
        "{found}"
    );
    let of_parts = found["collections"].as_array().unwrap();
    let of_parts = of_parts.iter().find(|it| it["name"] == "parts").unwrap();
    assert_eq!(
        (
            &of_parts["documents"],
            &of_parts["sampled"],
            &of_parts["is_complete"]
        ),
        (&300.into(), &200.into(), &false.into())
    );
    let findings = found["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for _ in 0..3 {
        let (_, again) = json(&database, &["check"]);
        assert_eq!(again["findings"], found["findings"]);
    }
    let text = run(&database, &["check"]);
    assert!(
        text.out.contains("200 of 300 documents sampled"),
        "{text:?}"
    );
    let all = run(&database, &["check", "--sample", "300"]);
    assert!(all.out.contains("all 300 documents looked at"), "{all:?}");
    assert!(all.out.contains("6 of 300 in the sample"), "{all:?}");
    let file = std::env::temp_dir().join(format!("{}.rs", database.name()));
    let path = file.to_str().unwrap();
    let told = run(&database, &["pull", "--out", path, "--sample", "200"]);
    assert!(
        told.out.contains("`parts`: 200 of 300 documents sampled"),
        "{told:?}"
    );
    std::fs::remove_file(file).unwrap();
    let advice = run(&database, &["advise", "--sample", "200"]);
    assert!(
        advice.out.contains("200 of 300 documents sampled"),
        "{advice:?}"
    );
}

#[tokio::test]
async fn a_check_finds_what_does_not_fit() {
    let database = database("command_check").await;
    let lacking = run(&database, &["check"]);
    assert_eq!(lacking.code, 1, "{lacking:?}");
    assert!(lacking.out.contains("an index is missing"), "{lacking:?}");
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    let good = run(&database, &["check"]);
    assert_eq!(good.code, 0, "{good:?}");
    let part = ObjectId::new();
    let parts = vec![
        doc! { "_id": part, "partno": "1", "name": "nut", "qty": 1, "cost": 0.5, "price": 1.0 },
        doc! { "_id": "not an id", "partno": "2", "name": 7 },
    ];
    insert(&database, "parts", parts).await;
    let product = doc! { "_id": ObjectId::new(), "name": "p", "manufacturer": "m", "catalog_number": 1, "parts": [part, ObjectId::new()] };
    insert(&database, "products", vec![product]).await;
    let (code, found) = json(&database, &["check"]);
    assert_eq!(code, 1);
    let findings = found["findings"].as_array().unwrap();
    let of = |rule: &str| {
        findings
            .iter()
            .find(|it| it["rule"] == rule)
            .unwrap_or_else(|| panic!("no {rule}: {found}"))
    };
    let dangling = of("dangling");
    assert_eq!(
        (&dangling["count"], &dangling["of"]),
        (&1.into(), &2.into()),
        "{dangling}"
    );
    let decode = findings
        .iter()
        .find(|it| it["rule"] == "decode" && it["example"] == "not an id");
    let decode = decode.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(
        (&decode["collection"], &decode["of"]),
        (&"parts".into(), &2.into()),
        "{decode}"
    );
    let text = run(&database, &["check"]);
    assert!(
        text.out.contains("of 2 in the sample, `_id` \"not an id\""),
        "{text:?}"
    );
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
        ran.err.contains("`nope`") && ran.err.contains("no jobs at all"),
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
    assert_eq!(run(&database, &known).out, "1 jobs forgotten\n");
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
    // It is at work, and listens to signals, when it has looked for jobs.
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
        (ended.status.code(), ended.stdout.as_slice()),
        (Some(0), &b"stopped\n"[..])
    );
}

#[tokio::test]
async fn copies_are_filled_when_told_to() {
    let database = database("command_backfill").await;
    let shown = run(&database, &["backfill"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert_eq!(run(&database, &["backfill", "--apply"]).code, 0);
    let unknown = run(&database, &["backfill", "Nobody"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(
        unknown.err.contains("there is no model `Nobody`"),
        "{unknown:?}"
    );
}

#[tokio::test]
async fn copies_are_shown_first_and_filled_in_stored_documents() {
    let database = database("command_copies").await;
    let authors = [
        doc! { "_id": 1, "name": "Ann" },
        doc! { "_id": 2, "name": "Bob" },
    ];
    insert(&database, "authors", authors.to_vec()).await;
    let post = |n: i32| doc! { "_id": n, "author": n % 2 + 1 };
    insert(&database, "posts", (0..1_500).map(post).collect()).await;
    assert_eq!(
        run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]).code,
        0
    );
    let shown = run_at(WITH_COPIES, database.uri(), &["backfill"]);
    assert_eq!(
        (shown.code, shown.out.as_str()),
        (
            0,
            "models with copies: Post\nnothing was changed; `odm backfill --apply` fills them\n"
        )
    );
    let posts = database.collection("posts");
    let unfilled = doc! { "author_name": { "$exists": false } };
    assert_eq!(
        posts.count_documents(unfilled.clone()).await.unwrap(),
        1_500
    );
    let (code, stale) = json_at(WITH_COPIES, &database, &["verify"]);
    assert_eq!(
        (code, stale["findings"].as_array().unwrap().len()),
        (1, 1_500)
    );
    // What cannot take its copy is named, and the others are filled.
    let odd = doc! { "validator": { "$or": [{ "_id": { "$ne": 7 } }, { "author_name": { "$exists": false } }] } };
    let mut refuse = doc! { "collMod": "posts" };
    refuse.extend(odd);
    database.database().run_command(refuse).await.unwrap();
    let (code, filled) = json_at(WITH_COPIES, &database, &["backfill", "Post", "--apply"]);
    let of_posts = &filled["models"][0];
    assert_eq!((code, &of_posts["model"]), (1, &"Post".into()), "{filled}");
    assert_eq!(
        (&of_posts["changed"], &of_posts["failed"]),
        (&1_499.into(), &serde_json::json!([7])),
        "{filled}"
    );
    assert_eq!(posts.count_documents(unfilled).await.unwrap(), 1);
    let named = doc! { "author": 2, "author_name": "Bob" };
    assert_eq!(posts.count_documents(named).await.unwrap(), 749);
    let allow = doc! { "collMod": "posts", "validator": {} };
    database.database().run_command(allow).await.unwrap();
    let again = run_at(
        WITH_COPIES,
        database.uri(),
        &["backfill", "--apply", "--restart"],
    );
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        again.out.starts_with("Post: ") && again.out.contains('1'),
        "{again:?}"
    );
    assert_eq!(run_at(WITH_COPIES, database.uri(), &["verify"]).code, 0);
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
