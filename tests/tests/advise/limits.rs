//! The advisor without privileges, without time, and with a large collection.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mongo_odm::{
    ErrorKind, Odm,
    bson::{Bson, Document, doc},
    mongodb::Client,
};
use mongo_odm_testkit::{Server, Topology};
use mongo_odm_tools::OdmTools;
use odm_tests::{Harness, cluster::is_sharded};

use crate::seeds::{array, numbered, stored};

#[tokio::test]
async fn an_empty_database_has_no_findings() {
    let t = Harness::new("advise_empty").await;
    let advice = t.odm.advise().await.unwrap();
    assert_eq!(
        (advice.len(), advice.collections, advice.documents),
        (0, 0, 0)
    );
    assert!(
        advice
            .to_string()
            .starts_with("0 findings in 0 collections"),
        "{advice}"
    );
}

#[tokio::test]
async fn without_time_everything_is_named_that_was_not_looked_at() {
    let t = Harness::new("advise_time").await;
    stored(&t, "pages", numbered(3, "words", |_| array(11_000))).await;
    let advice = t.odm.advise().time_limit(Duration::ZERO).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    let sample = advice
        .not_looked_at
        .iter()
        .find(|it| it.what == "the sample")
        .unwrap();
    assert_eq!(sample.collections, ["pages"]);
    assert!(sample.codes.contains(&"A4"), "{advice}");
    assert!(sample.why.contains("time limit"), "{advice}");
    assert!(advice.to_string().contains("Not looked at"), "{advice}");
}

#[tokio::test]
async fn a_limit_can_have_any_size() {
    let t = Harness::new("advise_largest").await;
    stored(&t, "pages", numbered(3, "words", |_| array(5))).await;
    for documents in [0, i32::MAX.unsigned_abs().into(), u64::MAX] {
        let advice = t.odm.advise().sample(documents).time_limit(Duration::MAX);
        let advice = advice.on_progress(|_| {}).await.unwrap();
        let mut skipped = advice.not_looked_at.iter();
        assert!(skipped.all(|it| it.what != "the sample"), "{advice}");
        let survey = t.odm.survey().sample(documents).time_limit(Duration::MAX);
        survey.await.unwrap();
    }
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_named() {
    let server = Server::builder()
        .topology(Topology::Standalone)
        .test_commands(true)
        .private()
        .start()
        .await
        .unwrap();
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let database = client.database("slow");
    let words: Vec<Document> = (0..3)
        .map(|n| doc! { "_id": n, "words": array(11_000) })
        .collect();
    database
        .collection::<Document>("pages")
        .insert_many(words)
        .await
        .unwrap();
    let data =
        doc! { "failCommands": ["aggregate", "find"], "errorCode": 50, "namespace": "slow.pages" };
    let fail = doc! { "configureFailPoint": "failCommand", "mode": "alwaysOn", "data": data };
    client.database("admin").run_command(fail).await.unwrap();
    let advice = Odm::new(database).advise().await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    let what: Vec<_> = advice.not_looked_at.iter().map(|it| it.what).collect();
    assert!(
        what.contains(&"the sample") && what.contains(&"`$indexStats`"),
        "{advice}"
    );
}

/// A stopped process that continues at the end of the test, even if the test fails.
struct Stopped(String);

impl Stopped {
    fn new(pid: String) -> Self {
        signal("-STOP", &pid);
        Self(pid)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

fn signal(signal: &str, pid: &str) {
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args([signal, pid]).status().unwrap().success());
}

#[tokio::test]
async fn a_server_that_stops_to_answer_leaves_what_was_found_before() {
    let server = Server::builder()
        .topology(Topology::Standalone)
        .private()
        .start()
        .await
        .unwrap();
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let database = client.database("shop");
    for name in ["first", "second", "third", "fourth"] {
        let pages = (0..3).map(|n| doc! { "_id": n, "words": array(11_000) });
        let pages: Vec<Document> = pages.collect();
        database.collection(name).insert_many(pages).await.unwrap();
    }
    let status = database.run_command(doc! { "serverStatus": 1 });
    let pid = status.await.unwrap().get("pid").unwrap().to_string();
    let stopped = Arc::new(Mutex::new(None));
    let (at, process) = (Arc::clone(&stopped), pid.clone());
    let odm = Odm::new(database);
    let asked = odm.advise().time_limit(Duration::from_secs(1));
    let asked = asked.on_progress(move |reached| {
        // The sample of the first collection is complete.
        if reached.documents > 0 {
            let mut stopped = at.lock().unwrap();
            stopped.get_or_insert_with(|| Stopped::new(process.clone()));
        }
    });
    let advice = asked.await.unwrap();
    assert!(
        advice.findings.iter().any(|it| it.code == "A4") && advice.len() < 4,
        "{advice}"
    );
    let sample = advice.not_looked_at.iter();
    let mut sample = sample.filter(|it| it.what == "the sample");
    assert!(
        sample.any(|it| it.collections.contains(&"third".to_owned())),
        "{advice}"
    );

    // If nothing could be read, the call fails instead of returning a report.
    let error = odm.advise().time_limit(Duration::from_secs(1)).await;
    let error = error.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Timeout | ErrorKind::Unreachable),
        "{error}"
    );
    drop(stopped);
}

#[tokio::test]
async fn what_a_user_may_not_read_is_named_and_the_rest_is_looked_at() {
    let server = Server::builder()
        .topology(Topology::Standalone)
        .test_commands(true)
        .private()
        .start()
        .await
        .unwrap();
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let database = client.database("shop");
    let pages = (0..3).map(|n| doc! { "_id": n, "words": array(11_000) });
    let pages: Vec<Document> = pages.collect();
    database
        .collection("pages")
        .insert_many(pages)
        .await
        .unwrap();
    // The first aggregation is `$collStats`. The sample of three documents needs no aggregation, so the next one is
    // `$indexStats`.
    let data = doc! { "failCommands": ["aggregate"], "errorCode": 13, "namespace": "shop.pages" };
    let mode = doc! { "skip": 1 };
    let fail = doc! { "configureFailPoint": "failCommand", "mode": mode, "data": data };
    client.database("admin").run_command(fail).await.unwrap();
    let advice = Odm::new(database).advise().await.unwrap();
    let codes: Vec<_> = advice.findings.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["A4"], "{advice}");
    let not_looked_at = advice
        .not_looked_at
        .iter()
        .find(|it| it.what == "`$indexStats`");
    let not_looked_at = not_looked_at.unwrap();
    assert_eq!(
        (&not_looked_at.codes, &not_looked_at.collections),
        (&vec!["I2"], &vec!["pages".to_owned()])
    );
    assert!(not_looked_at.why.contains("13"), "{advice}");
}

#[tokio::test]
async fn a_connection_string_is_enough_and_is_never_shown() {
    let t = Harness::new("advise_uri").await;
    stored(&t, "pages", numbered(3, "words", |_| array(11_000))).await;
    let uri = t.database().uri().to_owned();
    let asked = mongo_odm_tools::advise(uri.as_str());
    let shown = format!("{asked:?}");
    assert!(!shown.contains("mongodb://"), "{shown}");
    let advice = asked.await.unwrap();
    assert_eq!(advice.findings[0].code, "A4", "{advice}");
}

#[tokio::test]
async fn a_million_documents_are_not_scanned() {
    let t = Harness::new("advise_million").await;
    let pages = t.database().collection("pages");
    let words: Vec<Document> = numbered(1_000, "words", |n| array(n % 3)).collect();
    pages.insert_many(&words).await.unwrap();
    let more = vec![
        doc! { "$set": { "n": { "$range": [1, 1_000] } } },
        doc! { "$unwind": "$n" },
        doc! { "$set": { "_id": { "$add": ["$_id", { "$multiply": ["$n", 1_000] }] } } },
        doc! { "$unset": "n" },
        doc! { "$merge": { "into": "pages", "whenMatched": "fail" } },
    ];
    let mut done = pages.aggregate(more).await.unwrap();
    assert!(!done.advance().await.unwrap());
    assert_eq!(pages.estimated_document_count().await.unwrap(), 1_000_000);
    profile(&t, 2).await;
    let models = t.odm.advise().await.unwrap();
    let without = mongo_odm_tools::advise(&t.odm).await.unwrap();
    profile(&t, 0).await;
    assert!(
        models.is_empty() && without.is_empty(),
        "{models}\n{without}"
    );
    assert_eq!((models.documents, models.sampled), (1_000_000, 1_000));
    if !is_sharded() {
        assert_few_are_examined(&t).await;
    }
}

/// Sets the level of the server's profiler. A router has no profiler.
async fn profile(t: &Harness, level: i32) {
    if !is_sharded() {
        let profile = doc! { "profile": level };
        t.odm.database().run_command(profile).await.unwrap();
    }
}

/// Checks with the profiler that no statement on the pages has examined many documents.
async fn assert_few_are_examined(t: &Harness) {
    let profile = t.database().collection("system.profile");
    let mut entries = profile
        .find(doc! { "ns": { "$regex": "pages$" } })
        .await
        .unwrap();
    let mut statements = 0;
    while entries.advance().await.unwrap() {
        let entry = entries.deserialize_current().unwrap();
        let examined = entry
            .get("docsExamined")
            .and_then(Bson::as_i32)
            .unwrap_or_default();
        let keys = entry
            .get("keysExamined")
            .and_then(Bson::as_i32)
            .unwrap_or_default();
        assert!(examined <= 2_000 && keys <= 2_000, "{entry}");
        statements += 1;
    }
    assert!(statements >= 4, "the profile is empty");
}
