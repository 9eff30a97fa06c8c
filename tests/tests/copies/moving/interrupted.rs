//! Moves that are interrupted at any point, and then continue at this point.

use std::{
    future::IntoFuture,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use super::*;

/// Returns the number of students in the school and the number of stored positions.
async fn moved(t: &Harness) -> (u64, usize) {
    let cursors = all(&t.odm, "_odm_cursors").await.len();
    (Student::count(&t.odm).await.unwrap(), cursors)
}

async fn assert_all_moved(t: &Harness, number: u64) {
    let drift = there(&t.odm).check().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(drift.compared, number);
    settle(&t.odm).await;
    assert_eq!(moved(t).await, (number, 0));
    assert!(t.odm.verify().only::<Person>().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_killed_goes_on_where_it_was() {
    let t = students("moving_resume", 100).await;
    let batches = Arc::new(AtomicU64::new(0));
    let (seen, stopped) = (Arc::clone(&batches), Arc::new(tokio::sync::Notify::new()));
    let (stop, odm) = (Arc::clone(&stopped), t.odm.clone());
    let first = tokio::spawn(async move {
        let counted = there(&odm).batch_size(10).on_progress(move |so_far| {
            seen.store(so_far.batches, Ordering::Relaxed);
            if so_far.batches == 4 {
                stop.notify_one();
                // The task is aborted before the move continues.
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        });
        counted.await
    });
    stopped.notified().await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    t.odm.finish_writes().await;
    let before = batches.load(Ordering::Relaxed);
    assert_eq!(moved(&t).await, (before * 10, 1));
    let report = there(&t.odm).batch_size(10).await.unwrap();
    assert!(report.resumed);
    assert_eq!(
        (report.looked_at, report.moved, report.present),
        (100, 100, 0)
    );
    assert_eq!(report.batches, 10 - before);
    assert_all_moved(&t, 100).await;
}

/// Stops a move after two batches of ten.
async fn stopped(moving: MoveDocuments<OldStudent, Student>) {
    let moving = moving.batch_size(10).on_progress(|so_far| {
        assert!(so_far.batches < 2, "stopped");
    });
    tokio::spawn(moving.into_future()).await.unwrap_err();
}

#[tokio::test]
async fn with_other_options_or_restarted_it_begins_anew() {
    let t = students("moving_options", 50).await;
    stopped(there(&t.odm)).await;
    assert_eq!(moved(&t).await, (20, 1));
    // The documents before the stored position are not deleted yet, so the call reads them again.
    let report = there(&t.odm).delete_moved().await.unwrap();
    assert!(!report.resumed);
    assert_eq!((report.present, report.moved, report.deleted), (20, 30, 50));
    let t = students("moving_restart", 50).await;
    stopped(there(&t.odm)).await;
    let report = there(&t.odm).restart().await.unwrap();
    assert!(!report.resumed);
    assert_eq!((report.present, report.moved), (20, 30));
    assert_all_moved(&t, 50).await;
}

/// A batch is written with its position, or not at all, whichever statement is running when the caller drops the move.
#[tokio::test]
async fn a_caller_that_goes_at_any_statement_leaves_whole_batches() {
    let t = students("moving_cancelled", 300).await;
    for statement in 0..24 {
        t.recorder().clear();
        let sent = async {
            while t.recorder().names().len() <= statement {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        };
        tokio::select! {
            biased;
            done = there(&t.odm).batch_size(3).into_future() => {
                done.unwrap();
            }
            () = sent => {}
        }
        t.odm.finish_writes().await;
        let (moved, positions) = moved(&t).await;
        assert_eq!(moved % 3, 0, "{statement}");
        if positions == 1 {
            assert!(
                moved < 300,
                "{statement}: the position is that of the first call"
            );
            let position = all(&t.odm, "_odm_cursors").await.remove(0);
            let written = position.get_i64("moved").unwrap_or(0);
            assert_eq!(written, i64::try_from(moved).unwrap(), "{statement}");
        }
    }
    there(&t.odm).await.unwrap();
    assert_all_moved(&t, 300).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_share_the_work() {
    let t = students("moving_two", 90).await;
    let one = there(&t.odm).batch_size(4).into_future();
    let two = there(&t.odm).batch_size(5).into_future();
    let (one, two) = futures_util::join!(one, two);
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.looked_at.max(two.looked_at), 90);
    assert!(one.differing.is_empty() && two.differing.is_empty());
    assert_all_moved(&t, 90).await;
}

/// Each call has its own position.
#[tokio::test(flavor = "multi_thread")]
async fn two_with_different_options_do_not_end_each_other() {
    let t = students("moving_two_options", 60).await;
    let one = there(&t.odm).batch_size(4).into_future();
    let two = there(&t.odm).overwrite().batch_size(5).into_future();
    let (one, two) = futures_util::join!(one, two);
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!((one.looked_at, two.looked_at), (60, 60));
    assert_eq!(one.moved + two.moved, 60);
    assert_all_moved(&t, 60).await;
}

#[tokio::test]
async fn a_batch_whose_position_is_not_stored_is_not_written() {
    let t = students("moving_position", 40).await;
    let odm = &t.odm;
    stopped(there(odm)).await;
    let far = doc! { "looked_at": { "$gte": 25_i64 } };
    validate(odm, "_odm_cursors", doc! { "$nor": [far] }).await;
    there(odm).batch_size(10).await.unwrap_err();
    assert_eq!(moved(&t).await, (24, 1));
    validate(odm, "_odm_cursors", doc! {}).await;
    let report = there(odm).await.unwrap();
    assert_eq!((report.moved, report.resumed), (40, true));
    assert_all_moved(&t, 40).await;
}
