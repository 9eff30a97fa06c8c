//! The positions of change streams: tokens, lost cursors and dropped collections.

use futures_util::{StreamExt, TryStreamExt};
use mongo_odm::{
    Error,
    action::{DocumentChange, ResumeToken},
    bson::{Document, RawDocumentBuf},
    prelude::*,
};
use odm_tests::Harness;

use super::{Task, next, task};

#[tokio::test]
async fn a_stream_continues_after_a_token() {
    let t = Harness::new("watch_token").await;
    let mut changes = Task::watch(&t.odm).await.unwrap();
    let start = changes.token();
    for id in 1..=3 {
        task(id, "a").insert(&t.odm).await.unwrap();
    }
    let first = next(&mut changes).await;
    assert_eq!(changes.token(), first.token);
    drop(changes);
    // A client sends the token back as text.
    let text = first.token.to_string();
    let token: ResumeToken = text.parse().unwrap();
    assert_eq!(token, first.token);
    let json = serde_json::to_string(&token).unwrap();
    assert_eq!(json, format!("\"{text}\""));
    assert_eq!(serde_json::from_str::<ResumeToken>(&json).unwrap(), token);
    let mut rest = Task::watch(&t.odm).after(token).await.unwrap();
    for expected in 2..=3 {
        let event = next(&mut rest).await;
        assert_eq!(
            event.change.document().map(|it| *it.id.key()),
            Some(expected)
        );
    }
    let mut all = Task::watch(&t.odm).after(start).await.unwrap();
    assert_eq!(next(&mut all).await.token, first.token);
}

#[tokio::test]
async fn a_stream_survives_the_loss_of_its_cursor() {
    let t = Harness::new("watch_lost_cursor").await;
    let mut changes = Task::watch(&t.odm).comment("lost cursor").await.unwrap();
    task(1, "a").insert(&t.odm).await.unwrap();
    next(&mut changes).await;
    for id in 2..=4 {
        kill_cursors(&t).await;
        task(id, "a").insert(&t.odm).await.unwrap();
        let event = next(&mut changes).await;
        assert_eq!(event.change.document().map(|it| *it.id.key()), Some(id));
    }
}

/// Kills the idle and the waiting cursors on the watched collection.
async fn kill_cursors(t: &Harness) {
    let admin = t.odm.database().client().database("admin");
    let operations = [
        doc! { "$currentOp": { "idleCursors": true, "allUsers": true } },
        doc! { "$match": { "cursor.originatingCommand.comment": "lost cursor" } },
    ];
    let found = admin.aggregate(operations).await.unwrap();
    let found: Vec<Document> = found.try_collect().await.unwrap();
    let cursors: Vec<i64> = found
        .iter()
        .map(|it| {
            it.get_document("cursor")
                .unwrap()
                .get_i64("cursorId")
                .unwrap()
        })
        .collect();
    assert!(!cursors.is_empty(), "{found:?}");
    let kill = doc! { "killCursors": "watched_tasks", "cursors": cursors };
    t.odm.database().run_command(kill).await.unwrap();
}

#[tokio::test]
async fn a_stream_ends_when_its_collection_is_dropped() {
    let t = Harness::new("watch_dropped").await;
    task(1, "a").insert(&t.odm).await.unwrap();
    let mut changes = Task::watch(&t.odm).await.unwrap();
    t.odm.collection::<Task>().drop().await.unwrap();
    assert!(changes.next().await.is_none());
    task(2, "b").insert(&t.odm).await.unwrap();
    let token = changes.token();
    let mut again = Task::watch(&t.odm).after(token).await.unwrap();
    let event = next(&mut again).await.change;
    assert!(matches!(event, DocumentChange::Inserted(task) if *task.id.key() == 2));
}

#[tokio::test]
async fn a_token_that_is_not_available_is_an_error() {
    let t = Harness::new("watch_bad_token").await;
    for text in ["", "82", "zz", "0500000000"] {
        let error = text.parse::<ResumeToken>().unwrap_err();
        assert!(matches!(error, Error::InvalidResumeToken(_)), "{error}");
    }
    let other = RawDocumentBuf::try_from(&doc! { "_data": "82ff" }).unwrap();
    let digits = other.as_bytes().iter().map(|byte| format!("{byte:02x}"));
    let text = digits.collect::<Vec<_>>().concat();
    let foreign: ResumeToken = text.parse().unwrap();
    let error = Task::watch(&t.odm).after(foreign).await.unwrap_err();
    assert_eq!(error.code(), "odm.invalid_resume_token", "{error}");
    assert!(error.to_string().contains("`Task`"), "{error}");
    assert_eq!(error.kind().http_status(), 410);
}

#[tokio::test]
async fn an_invalid_filter_is_not_an_invalid_token() {
    let t = Harness::new("watch_bad_filter").await;
    let token = Task::watch(&t.odm).await.unwrap().token();
    for filter in [
        doc! { "title": { "$regex": "(" } },
        doc! { "title": { "$unknown": 1 } },
    ] {
        let watch = || Task::watch(&t.odm).filter(filter.clone());
        for watch in [watch(), watch().after(token.clone())] {
            let error = watch.await.unwrap_err();
            assert_eq!(error.code(), "odm.server", "{error}");
        }
    }
}
