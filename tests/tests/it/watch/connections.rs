//! The connections of change streams that are not being polled.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongo_odm::prelude::*;
use odm_tests::Harness;
use tokio::time::timeout;

use super::{Task, task};

#[tokio::test]
async fn streams_that_nobody_polls_keep_no_connection() {
    let t = Harness::new("watch_connections").await;
    task(1, "milk").insert(&t.odm).await.unwrap();
    // The driver opens at most ten connections to a server.
    let mut streams = Vec::new();
    for _ in 0..10 {
        streams.push(Task::watch(&t.odm).await.unwrap());
    }
    for changes in &mut streams {
        // As in `select!`, the future is dropped while the stream waits for the server.
        let nothing = timeout(Duration::from_millis(20), changes.try_next()).await;
        assert!(nothing.is_err(), "{nothing:?}");
    }
    let counted = timeout(Duration::from_secs(20), Task::count(&t.odm).into_future());
    assert_eq!(counted.await.expect("a connection is free").unwrap(), 1);
    Task::delete(&t.odm, Id::from_key(1)).await.unwrap();
    for changes in &mut streams {
        let event = changes.try_next().await.unwrap();
        assert!(event.is_some());
    }
}
