//! The errors after which a transaction is run again, and those after which it is not.

use super::*;

#[tokio::test]
async fn a_transient_error_runs_the_closure_again() {
    let t = Failing::new("tx_transient").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    for (command, code) in [("update", 112), ("commitTransaction", 251), ("find", 112)] {
        let before = t.qty(&part).await;
        let labels = ["TransientTransactionError"];
        t.fail(
            2,
            &[command],
            doc! { "errorCode": code, "errorLabels": labels.to_vec() },
        )
        .await;
        let runs = AtomicUsize::new(0);
        t.odm
            .transaction(async |tx| {
                runs.fetch_add(1, Relaxed);
                Part::get(&tx, part.id).await?;
                buy(&tx, &part).await
            })
            .await
            .unwrap();
        assert_eq!(runs.load(Relaxed), 3, "{command}");
        assert_eq!(t.qty(&part).await, before - 1, "{command}");
    }
}

#[tokio::test]
async fn a_transient_error_is_tried_again_behind_an_error_of_the_application() {
    let t = Failing::new("tx_mapped").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let labels = ["TransientTransactionError"];
    t.fail(
        1,
        &["update"],
        doc! { "errorCode": 112, "errorLabels": labels.to_vec() },
    )
    .await;
    let runs = AtomicUsize::new(0);
    t.odm
        .transaction(async |tx| {
            runs.fetch_add(1, Relaxed);
            buy(&tx, &part).await.map_err(|_| Error::custom(fmt::Error))
        })
        .await
        .unwrap();
    assert_eq!(runs.load(Relaxed), 2);
    assert_eq!(t.qty(&part).await, part.qty - 1);
}

#[tokio::test]
async fn another_error_is_not_tried_again() {
    let t = Failing::new("tx_permanent").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    t.fail(1, &["update"], doc! { "errorCode": 20 }).await;
    let runs = AtomicUsize::new(0);
    let error = t
        .odm
        .transaction(async |tx| {
            runs.fetch_add(1, Relaxed);
            buy(&tx, &part).await
        })
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Driver { .. }), "{error:?}");
    assert_eq!(runs.load(Relaxed), 1);
    assert_eq!(t.count("abortTransaction"), 1);
    assert_eq!(t.qty(&part).await, part.qty);
}

#[tokio::test]
async fn a_commit_of_unknown_outcome_is_tried_again_without_the_closure() {
    let t = Failing::new("tx_unknown").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let lost = doc! { "closeConnection": true };
    let committed = doc! { "writeConcernError": { "code": 64, "errmsg": "waiting timed out" } };
    for (failure, times) in [(lost, 3), (committed, 1)] {
        let before = t.qty(&part).await;
        t.fail(times, &["commitTransaction"], failure).await;
        let runs = AtomicUsize::new(0);
        t.odm
            .transaction(async |tx| {
                runs.fetch_add(1, Relaxed);
                buy(&tx, &part).await
            })
            .await
            .unwrap();
        assert_eq!(runs.load(Relaxed), 1);
        assert_eq!(
            t.count("commitTransaction"),
            usize::try_from(times).unwrap() + 1
        );
        assert_eq!(t.qty(&part).await, before - 1, "once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_in_conflict_all_end_and_none_is_lost() {
    let t = Harness::new("tx_conflict").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let (odm, id) = (t.odm.clone(), part.id);
            tokio::spawn(async move {
                odm.transaction(|tx| async move {
                    let now = Part::get(&tx, id).await?;
                    Part::update(&tx, id)
                        .set(Part::fields().qty, now.qty - 1)
                        .await
                })
                .await
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap().matched, 1);
    }
    assert_eq!(Part::get(&t.odm, part.id).await.unwrap().qty, part.qty - 10);
}

/// The server marks this error as transient, although it never reads a capped collection in a transaction.
#[tokio::test]
async fn a_read_of_a_capped_collection_is_not_repeated() {
    let t = Harness::new("transaction_capped").await;
    let create = doc! { "create": "parts", "capped": true, "size": 4096 };
    t.odm.database().run_command(create).await.unwrap();
    t.recorder().clear();
    let read = t.odm.transaction(async |tx| Part::find(&tx).await);
    let error = read.await.unwrap_err();
    assert!(error.to_string().contains("capped collections"), "{error}");
    let finds = t.recorder().names().into_iter().filter(|it| *it == "find");
    assert_eq!(finds.count(), 1);
}
