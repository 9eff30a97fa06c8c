//! Waits for work that another runner is doing, and for work that cannot be done.

use std::fmt::Write;

use futures_util::FutureExt;

use super::*;

#[tokio::test]
async fn a_wait_ends_in_time_while_another_runner_has_the_job() {
    let (t, host, _) = logs("waiting_held").await;
    let token = rename(&t.odm, &host, "10.0.0.1").await;
    held(&t.odm, &host).await;
    let waiting = t.odm.wait(&token).timeout(Duration::from_millis(300));
    let error = waiting.await.unwrap_err();
    let [left] = pending(&error) else {
        panic!("{error}");
    };
    assert_eq!(
        (left.relation.as_str(), &left.key),
        (MESSAGES, &host.id.into())
    );
    assert!(left.age.is_some(), "{left:?}");
    assert!(error.to_string().contains(MESSAGES), "{error}");
    // No task continues to wait.
    t.odm.finish_writes().await;
    let_go(&t.odm).await;
    assert_eq!(stale(&t.odm, &host).await, 3);
    t.odm.wait(&token).await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_wait_sees_when_the_runner_that_has_the_job_is_done() {
    let (t, host, _) = logs("waiting_released").await;
    let token = rename(&t.odm, &host, "10.0.0.1").await;
    held(&t.odm, &host).await;
    let waiting = tokio::spawn(t.odm.wait(&token).into_future());
    while !t.recorder().names().contains(&"findAndModify".to_owned()) {
        tokio::task::yield_now().await;
    }
    assert!(!waiting.is_finished());
    let_go(&t.odm).await;
    waiting.await.unwrap().unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    settle(&t.odm).await;
}

#[tokio::test]
async fn what_a_dropped_wait_has_begun_goes_on() {
    let (t, host, _) = logs("waiting_dropped").await;
    let token = rename(&t.odm, &host, "10.0.0.1").await;
    let mut waiting = t.odm.wait(&token).into_future();
    assert!((&mut waiting).now_or_never().is_none());
    drop(waiting);
    t.odm.finish_writes().await;
    assert_eq!(stale(&t.odm, &host).await, 0);
    settle(&t.odm).await;
}

#[tokio::test]
async fn what_cannot_be_written_is_named_at_once() {
    let (t, host, messages) = logs("waiting_put_off").await;
    validate(&t.odm, "logmsg", doc! { "ipaddr": { "$ne": "refused" } }).await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "refused");
    let report = rename.await.unwrap();
    assert_eq!(report.copies[0].guarantee, Guarantee::Eventual);
    for _ in 0..2 {
        let error = t.odm.wait(report.token()).await.unwrap_err();
        let why = pending(&error)[0].why.as_deref().unwrap();
        assert!(
            why.starts_with("3 documents cannot take their copies"),
            "{why}"
        );
        assert!(why.contains(&messages[0].id.to_string()), "{why}");
    }
    validate(&t.odm, "logmsg", doc! {}).await;
    t.odm.jobs().relation(MESSAGES).retry().await.unwrap();
    t.odm.wait(report.token()).await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    settle(&t.odm).await;
}

/// The token is from a program with more declarations.
#[tokio::test]
async fn what_this_program_does_not_know_is_waited_for() {
    let (t, _) = observatory("waiting_unknown").await;
    let relation = "harbours._id <- ships.harbour";
    let bytes = bson::RawDocumentBuf::try_from(&doc! { relation: [7] }).unwrap();
    let mut text = String::new();
    for byte in bytes.as_bytes() {
        write!(text, "{byte:02x}").unwrap();
    }
    let token: Token = serde_json::from_value(text.into()).unwrap();
    t.odm.wait(&token).await.unwrap();

    let of = doc! { "relation": relation, "key": 7 };
    let job = doc! { "_id": &of, "phase": "run", "changed_at": DateTime::now() };
    let steps = vec![doc! { "field": "ships", "number": 1_i64 }];
    let delta = doc! { "_id": 1, "of": &of, "at": DateTime::now(), "steps": steps };
    for (collection, left) in [("_odm_jobs", job), ("_odm_deltas", delta)] {
        put(&t.odm, collection, [left]).await;
        let waiting = t.odm.wait(&token).timeout(Duration::from_millis(100));
        let error = waiting.await.unwrap_err();
        assert_eq!(pending(&error)[0].relation, relation);
        let left = t.odm.database().collection::<Document>(collection);
        let waiting = tokio::spawn(t.odm.wait(&token).into_future());
        left.delete_many(doc! {}).await.unwrap();
        waiting.await.unwrap().unwrap();
    }
}
