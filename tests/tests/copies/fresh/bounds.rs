//! Limits for the age of a derived field, according to the server's clock.

use super::*;

const SECONDS: fn(u64) -> Duration = Duration::from_secs;

/// Moves the time of pending work into the past. The time is a date in jobs and a timestamp in deltas.
async fn date_back(odm: &Odm, collection: &str, field: &str, seconds: i64) {
    let then = DateTime::now().timestamp_millis() / 1_000 - seconds;
    let then = if field == "at" {
        let time = u32::try_from(then).unwrap();
        doc! { field: bson::Timestamp { time, increment: 1 } }
    } else {
        doc! { field: DateTime::from_millis(then * 1_000) }
    };
    let waiting = odm.database().collection::<Document>(collection);
    let dated = waiting.update_many(doc! {}, doc! { "$set": then }).await;
    assert!(dated.unwrap().modified_count > 0);
}

#[tokio::test]
async fn a_bound_that_is_kept_costs_a_look_and_reads_what_is_there() {
    let (t, north) = observatory("fresh_within").await;
    let new = reading(north.id, 2);
    new.insert(&t.odm).deferred().await.unwrap();
    let within = Station::get(&t.odm, north.id).fresh_within(SECONDS(600));
    let (read, sent) = t.sent(within.into_future()).await;
    assert_eq!(read.unwrap().readings, 1);
    assert_eq!(sent, ["aggregate", "find"]);
    let at_once = Station::get(&t.odm, north.id).fresh_within(Duration::ZERO);
    assert_eq!(at_once.await.unwrap().readings, 2);
    settle(&t.odm).await;
}

#[tokio::test]
async fn the_server_says_how_old_a_delta_is() {
    let (t, north) = observatory("fresh_old_delta").await;
    let new = reading(north.id, 2);
    new.insert(&t.odm).deferred().await.unwrap();
    date_back(&t.odm, "_odm_deltas", "at", 10).await;
    let within = async |bound| {
        let read = Station::get(&t.odm, north.id).fresh_within(bound);
        read.await.unwrap().readings
    };
    assert_eq!(within(SECONDS(600)).await, 1);
    assert_eq!(within(SECONDS(5)).await, 2);

    // A server whose clock is behind cannot determine the age of a delta with a time in the future.
    let new = reading(north.id, 3);
    new.insert(&t.odm).deferred().await.unwrap();
    date_back(&t.odm, "_odm_deltas", "at", -100).await;
    assert_eq!(within(SECONDS(600)).await, 3);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_job_is_as_old_as_the_first_change_that_it_has_to_follow() {
    let (t, host, messages) = logs("fresh_old_job").await;
    let within = async |bound| {
        let read = LogMsg::get(&t.odm, messages[0].id).fresh_within(bound);
        read.await.unwrap().ipaddr
    };
    rename(&t.odm, &host, "10.0.0.1").await;
    date_back(&t.odm, "_odm_jobs", "stale_since", 10).await;
    rename(&t.odm, &host, "10.0.0.2").await;
    assert_eq!(within(SECONDS(600)).await, host.ipaddr);
    assert_eq!(within(SECONDS(5)).await, "10.0.0.2");
    // With the next change, the age is counted again from zero.
    rename(&t.odm, &host, "10.0.0.3").await;
    assert_eq!(within(SECONDS(5)).await, "10.0.0.2");
    assert_eq!(within(Duration::ZERO).await, "10.0.0.3");
    settle(&t.odm).await;
}

/// The document that rejects the second value still has the value from before the first change.
#[tokio::test]
async fn a_postponed_job_is_as_old_as_the_first_change_that_was_rejected() {
    let (t, host, messages) = logs("fresh_old_put_off").await;
    let rejected = doc! { "_id": messages[0].id, "ipaddr": { "$in": ["10.0.0.1", "10.0.0.2"] } };
    validate(&t.odm, "logmsg", doc! { "$nor": [rejected] }).await;
    rename(&t.odm, &host, "10.0.0.1").await;
    t.odm.run_pending_jobs().await.unwrap();
    date_back(&t.odm, "_odm_jobs", "stale_since", 700).await;
    rename(&t.odm, &host, "10.0.0.2").await;
    t.odm.run_pending_jobs().await.unwrap();
    let within = |message: &LogMsg| LogMsg::get(&t.odm, message.id).fresh_within(SECONDS(600));
    let error = within(&messages[0]).await.unwrap_err();
    assert_eq!(pending(&error)[0].relation, MESSAGES);
    let other = within(&messages[1]).await.unwrap();
    assert_eq!(other.ipaddr, "10.0.0.2");
}

#[tokio::test]
async fn operators_see_how_many_deltas_wait_and_for_how_long() {
    let (t, north) = observatory("fresh_counts").await;
    t.odm.sync_indexes().await.unwrap();
    settle(&t.odm).await;
    let health = t.odm.health().await.unwrap();
    assert_eq!((health.jobs.deltas, health.jobs.oldest_delta), (0, None));
    assert!(health.is_good(), "{health:?}");
    for number in 2..5 {
        let new = reading(north.id, number);
        new.insert(&t.odm).deferred().await.unwrap();
    }
    let counts = t.odm.jobs().count().await.unwrap();
    assert_eq!((counts.deltas, counts.copies_behind), (3, 1));
    assert!(
        counts.oldest_delta.is_some_and(|age| age < SECONDS(60)),
        "{counts:?}"
    );
    let others = t.odm.jobs().relation(MESSAGES).count().await.unwrap();
    assert_eq!((others.deltas, others.oldest_delta), (0, None));
    let own = t
        .odm
        .jobs()
        .relation(READINGS)
        .key(bson::Bson::from(north.id));
    assert_eq!(own.count().await.unwrap().deltas, 3);
    date_back(&t.odm, "_odm_deltas", "at", 301).await;
    let health = t.odm.health().await.unwrap();
    assert!(
        health
            .jobs
            .oldest_delta
            .is_some_and(|age| age >= SECONDS(301)),
        "{health:?}"
    );
    assert!(!health.is_good());
    settle(&t.odm).await;
}
