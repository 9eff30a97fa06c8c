//! Streams return many documents with few round trips, and can be dropped at any time.

use std::pin::pin;

use futures_util::{StreamExt, TryStreamExt};
use mongo_odm::prelude::*;
use odm_tests::{Harness, shop::*};

const MANY: i64 = 5_000;

async fn stock(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.given(&parts(MANY)).await;
    t
}

/// Returns the number of open cursors on the server.
async fn open_cursors(t: &Harness) -> usize {
    let pipeline = [
        doc! { "$currentOp": { "idleCursors": true, "allUsers": true } },
        doc! { "$match": { "ns": format!("{}.parts", t.database().name()), "type": "idleCursor" } },
    ];
    let admin = t.odm.client().database("admin");
    admin.aggregate(pipeline).await.unwrap().count().await
}

async fn no_cursor_stays_open(t: &Harness) {
    for _ in 0..100 {
        if open_cursors(t).await == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("a cursor is still open\n{}", t.recorder());
}

/// Runs a check on the database and in a transaction.
macro_rules! both {
    ($name:ident, $database:literal, $check:ident) => {
        #[tokio::test]
        async fn $name() {
            let t = stock($database).await;
            $check(&t, &t.odm).await;
            no_cursor_stays_open(&t).await;
            t.odm
                .transaction(async |tx| {
                    $check(&t, &tx).await;
                    Part::update_many(&tx, doc! {})
                        .set(Part::fields().qty, 1)
                        .await
                })
                .await
                .unwrap();
            no_cursor_stays_open(&t).await;
            assert_eq!(
                Part::count(&t.odm)
                    .filter(Part::fields().qty.eq(1))
                    .await
                    .unwrap(),
                MANY.unsigned_abs()
            );
        }
    };
}

both!(
    a_stream_of_thousands_costs_two_round_trips,
    "streams_many",
    many
);

async fn many(t: &Harness, odm: &impl Executor) {
    let (count, sent) = t
        .sent(async {
            let stream = Part::find(odm).stream();
            stream
                .try_fold(0, |count, _| async move { Ok(count + 1) })
                .await
                .unwrap()
        })
        .await;
    assert_eq!(count, MANY);
    assert_eq!(sent, ["find", "getMore"]);
    let (found, sent) = t.sent(async { Part::find(odm).await.unwrap() }).await;
    assert_eq!(found.len(), 5_000);
    assert_eq!(sent, ["find"]);
    let (found, sent) = t
        .sent(async { Part::find(odm).limit(0).await.unwrap() })
        .await;
    assert_eq!(found.len(), 5_000);
    assert_eq!(sent, ["find"]);
    let (found, sent) = t
        .sent(async { Part::find(odm).limit(3_000).await.unwrap() })
        .await;
    assert_eq!(found.len(), 3_000);
    assert_eq!(sent, ["find"]);
    let batches = Box::pin(Part::find(odm).batches(1_000));
    let (batches, sent) = t
        .sent(async { batches.try_collect::<Vec<_>>().await.unwrap() })
        .await;
    assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [1_000; 5]);
    assert_eq!(sent, ["find", "getMore"]);
    let small = Part::find(odm).options(|options| options.batch_size = Some(1_000));
    let (found, sent) = t
        .sent(async { small.stream().try_collect::<Vec<_>>().await.unwrap() })
        .await;
    assert_eq!(found.len(), 5_000);
    assert_eq!(sent.iter().filter(|name| *name == "getMore").count(), 5);
}

both!(a_stream_may_be_dropped_early, "streams_drop", dropped);

async fn dropped(t: &Harness, odm: &impl Executor) {
    t.forget();
    for taken in [0, 1, 50, 101, 102, 300] {
        let small = Part::find(odm).options(|options| options.batch_size = Some(101));
        let mut stream = pin!(small.stream());
        for _ in 0..taken {
            assert!(stream.try_next().await.unwrap().is_some());
        }
    }
    let unpolled = Part::find(odm).stream();
    drop(unpolled);
    assert_eq!(Part::count(odm).await.unwrap(), MANY.unsigned_abs());
    assert_eq!(
        t.recorder().count("find"),
        5,
        "a stream that is never polled sends nothing"
    );
    let mut several = [
        pin!(Part::find(odm).stream()),
        pin!(Part::find(odm).stream()),
    ];
    for _ in 0..200 {
        for stream in &mut several {
            assert!(stream.try_next().await.unwrap().is_some());
        }
    }
}

both!(
    an_aggregation_streams_as_well,
    "streams_aggregate",
    aggregation
);

async fn aggregation(t: &Harness, odm: &impl Executor) {
    let all = || Part::aggregate::<PartName>(odm, [doc! { "$project": { "name": 1 } }]);
    let (names, sent) = t
        .sent(async { all().stream().try_collect::<Vec<_>>().await.unwrap() })
        .await;
    assert_eq!(names.len(), 5_000);
    assert_eq!(sent, ["aggregate", "getMore"]);
    let mut stream = pin!(all().stream());
    assert!(stream.try_next().await.unwrap().is_some());
}

#[tokio::test]
async fn a_stream_in_a_transaction_ends_with_it() {
    let t = stock("streams_ended").await;
    let mut stream = t
        .odm
        .transaction(async |tx| {
            let small = Part::find(&tx).options(|options| options.batch_size = Some(101));
            let mut stream = Box::pin(small.stream());
            assert!(stream.try_next().await?.is_some());
            Ok(stream)
        })
        .await
        .unwrap();
    let mut rest = 0;
    let error = loop {
        match stream.try_next().await {
            Ok(Some(_)) => rest += 1,
            Ok(None) => panic!("the stream ended without an error after {rest}"),
            Err(error) => break error,
        }
    };
    assert_eq!(rest, 100, "what was there already");
    assert!(
        matches!(error, mongo_odm::Error::TransactionEnded),
        "{error:?}"
    );
}
