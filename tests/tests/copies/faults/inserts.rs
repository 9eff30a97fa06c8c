//! Inserts of copies during a concurrent rename: T6, T7. `edges::races` tests more schedules.

use std::time::Duration;

use mongo_odm::prelude::*;

use super::{
    lab::*,
    process::{Act, Process},
};
use crate::{models::*, setting::*};

/// T6 (a): the inserter has read the old value, and a rename and its last look end before the insert. The inserter
/// corrects its copy before it returns.
#[tokio::test]
async fn an_inserter_that_a_whole_rename_overtakes_puts_its_copy_right() {
    let lab = Lab::new("faults_insert").await;
    let host = lab.logs(3).await;
    for command in ["insert", "commitTransaction"] {
        let trap = lab.hold(&[command], None, Duration::from_millis(800)).await;
        let message = messages(&host, 1).remove(0);
        let inserted = tokio::spawn(message.insert(&lab.odm).into_future());
        lab.sprung(&trap).await;
        rename(&lab.other, &host, command).await.unwrap();
        settle(&lab.other).await;
        assert!(!inserted.is_finished(), "it was held too shortly");
        inserted.await.unwrap().unwrap();
        assert_eq!(stale(&lab.other, &host).await, 0, "{command}");
    }
}

/// T6 (b): the inserter is killed before it reads the source again. The last look of the rename's job corrects the
/// copy.
#[tokio::test]
async fn the_copy_of_a_killed_inserter_is_put_right_by_the_job() {
    let lab = Lab::new("faults_insert_killed").await;
    let host = lab.logs(3).await;
    let held = Duration::from_millis(800);
    let trap = lab.hold(&["commitTransaction"], None, held).await;
    let process = Process::start(Act::Insert, lab.database.uri());
    lab.sprung(&trap).await;
    rename(&lab.other, &host, "new").await.unwrap();
    drop(process);
    eventually("the insert", async || {
        count(&lab.other, "logmsg", doc! {}).await == 4
    })
    .await;
    assert_eq!(
        stale(&lab.other, &host).await,
        1,
        "the schedule is one in which both miss the other"
    );
    lab.expect_equal(&host, "").await;
}
