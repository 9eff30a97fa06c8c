//! Many concurrent writers and readers of one parent.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering::SeqCst},
};

use mongo_odm::Settle;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn each_reader_sees_all_that_was_written_before_in_a_storm_of_writers() {
    const WRITERS: i64 = 8;
    const EACH: i64 = 15;
    let (t, north) = observatory("fresh_storm").await;
    let settings = settings().settle(Settle::Background);
    let done = Arc::new(AtomicI64::new(1));
    let begun = Arc::new(AtomicI64::new(1));
    let writer = |number: i64| {
        let (done, begun, id) = (Arc::clone(&done), Arc::clone(&begun), north.id);
        // Each writer has its own handle, whose background tasks fold the deltas of this writer.
        let odm = Odm::new(t.odm.database().clone()).with_settings(settings.clone());
        async move {
            for step in 0..EACH {
                let new = reading(id, 100 * number + step);
                begun.fetch_add(1, SeqCst);
                let insert = new.insert(&odm);
                let insert = if step % 3 == 0 {
                    insert.deferred()
                } else {
                    insert
                };
                insert.await.unwrap();
                done.fetch_add(1, SeqCst);
                let before = done.load(SeqCst);
                let fresh = Station::get(&odm, id).fresh().await.unwrap();
                let after = begun.load(SeqCst);
                assert!(
                    (before..=after).contains(&fresh.readings),
                    "{before}..={after}: {}",
                    fresh.readings
                );
            }
            odm.finish_writes().await;
        }
    };
    let writers: Vec<_> = (0..WRITERS)
        .map(|number| tokio::spawn(writer(number)))
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let fresh = Station::get(&t.odm, north.id).fresh().await.unwrap();
    assert_eq!(fresh.readings, 1 + WRITERS * EACH);
    assert_right(&t.odm, "after the storm").await;
    settle(&t.odm).await;
}
