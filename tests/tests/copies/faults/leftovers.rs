//! Documents that killed runners and backfills leave in `_odm_cursors`.

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::{Document, oid::ObjectId},
    mongodb::options::ReadConcern,
    prelude::*,
};

use super::lab::*;
use crate::{models::*, setting::*};

const HOUR: i64 = 3_600_000;

/// Moves the times of all cursors into the past, as if hours had passed.
async fn hours_pass(lab: &Lab, hours: i64) {
    let cursors = lab.database.collection("_odm_cursors");
    let earlier = doc! { "$subtract": ["$until", hours * HOUR] };
    let earlier = vec![doc! { "$set": { "until": earlier } }];
    cursors.update_many(doc! {}, earlier).await.unwrap();
}

/// Returns the first field of the id of each cursor. Reads the cursors that a majority has, because the library reads
/// these.
async fn cursors(lab: &Lab) -> Vec<String> {
    let cursors = lab.other.database().collection::<Document>("_odm_cursors");
    let found = cursors.find(doc! {}).sort(doc! { "_id": 1 });
    let found = found.read_concern(ReadConcern::majority()).await.unwrap();
    let all: Vec<Document> = found.try_collect().await.unwrap();
    let ids = all.iter().map(|it| it.get_document("_id").unwrap());
    ids.map(|id| id.keys().next().unwrap().clone()).collect()
}

#[tokio::test]
async fn a_cursor_ends_after_a_day_and_a_position_after_a_week() {
    let lab = Lab::with("ttlMonitorSleepSecs=1", "faults_leftovers").await;
    let host = lab.logs(50).await;
    // A backfill that stops in its third batch.
    let mut stop = doc! { "errorCode": 8_000 };
    stop.extend(lab.namespace("logmsg"));
    lab.trap(doc! { "skip": 2 }, &["find"], stop).await;
    let backfill = lab.odm.backfill::<LogMsg>().batch_size(10);
    backfill.await.unwrap_err();
    lab.disarm().await;
    assert_eq!(cursors(&lab).await, ["backfill"]);
    // The cursor of a crashed runner whose job is gone.
    let runner = doc! { "relation": "logmsg.host <- hosts._id", "key": host.id };
    let cursor = doc! {
        "_id": runner, "version": ObjectId::new(), "token": 1_i64, "until": DateTime::now(),
    };
    put(&lab.other, "_odm_cursors", [cursor]).await;

    hours_pass(&lab, 25).await;
    eventually("the cursor of the runner is gone", async || {
        cursors(&lab).await == ["backfill"]
    })
    .await;
    hours_pass(&lab, 7 * 24 - 24).await;
    eventually("the position is gone", async || {
        cursors(&lab).await.is_empty()
    })
    .await;
    // The next call begins again at the first document.
    let report = lab.odm.backfill::<LogMsg>().await.unwrap();
    assert!(!report.resumed);
    assert_eq!(report.looked_at, 50);
    assert_eq!(cursors(&lab).await, [""; 0]);
}

/// The position of a backfill remains as long as the backfill is continued, however slowly.
#[tokio::test]
async fn each_batch_makes_a_position_last_a_week_more() {
    let lab = Lab::new("faults_position").await;
    lab.logs(30).await;
    let mut stop = doc! { "errorCode": 8_000 };
    stop.extend(lab.namespace("logmsg"));
    let stored = async || {
        let all = all(&lab.other, "_odm_cursors").await;
        let until = all[0].get_datetime("until").unwrap();
        let left = until.timestamp_millis() - DateTime::now().timestamp_millis();
        (all[0].get("lo").cloned(), left / HOUR)
    };
    let mut before = None;
    for _ in 0..2 {
        lab.trap(doc! { "skip": 1 }, &["find"], stop.clone()).await;
        let backfill = lab.odm.backfill::<LogMsg>().batch_size(10);
        backfill.await.unwrap_err();
        lab.disarm().await;
        let (lo, left) = stored().await;
        assert!((143..=144).contains(&left), "{left} hours");
        assert!(lo.is_some() && lo != before);
        before = lo;
        hours_pass(&lab, 100).await;
    }
    let report: Document = all(&lab.other, "_odm_cursors").await.remove(0);
    assert_eq!(report.get_i64("looked_at").unwrap(), 20);
}
