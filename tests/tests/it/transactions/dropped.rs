//! Calls that are dropped in a transaction.

use super::*;

/// Waits until a condition is true.
async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..100 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {what}");
}

#[tokio::test]
async fn a_dropped_write_is_carried_out_and_the_handle_stays_usable() {
    let t = Failing::new("tx_dropped_write").await;
    let (a, b) = (part(1), part(2));
    t.fail(1, &["insert"], block()).await;
    let dropped = tokio::time::timeout(IMPATIENT, a.insert(&t.odm)).await;
    assert!(dropped.is_err());
    b.insert(&t.odm).await.unwrap();
    eventually("the dropped insert", async || {
        Part::count(&t.odm).await.unwrap() == 2
    })
    .await;

    t.fail(1, &["find"], block()).await;
    let dropped = tokio::time::timeout(IMPATIENT, Part::get(&t.odm, a.id)).await;
    assert!(dropped.is_err());
    assert_eq!(Part::get(&t.odm, a.id).await.unwrap(), a);
}

#[tokio::test]
async fn a_statement_dropped_in_a_transaction_leaves_the_transaction_usable() {
    let t = Failing::new("tx_dropped_statement").await;
    let (a, b) = (part(1), part(2));
    b.insert(&t.odm).await.unwrap();
    t.fail(1, &["insert"], block()).await;
    t.odm
        .transaction(async |tx| {
            let dropped = tokio::time::timeout(IMPATIENT, a.insert(&tx)).await;
            assert!(dropped.is_err());
            buy(&tx, &b).await?;
            assert_eq!(
                Part::count(&tx).await?,
                2,
                "the dropped insert was carried out before"
            );
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(Part::get(&t.odm, a.id).await.unwrap(), a);
    assert_eq!(t.qty(&b).await, b.qty - 1);

    t.fail(1, &["find"], block()).await;
    t.odm
        .transaction(async |tx| {
            tokio::select! {
                biased;
                found = Part::get(&tx, b.id).into_future() => panic!("{found:?}"),
                () = tokio::time::sleep(IMPATIENT) => {}
            }
            buy(&tx, &b).await
        })
        .await
        .unwrap();
    assert_eq!(t.qty(&b).await, b.qty - 2);
}

#[tokio::test]
async fn a_dropped_transaction_is_aborted() {
    let t = Failing::new("tx_dropped").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    t.fail(1, &["find"], block()).await;
    let dropped = t.odm.transaction(async |tx| {
        buy(&tx, &part).await?;
        Part::get(&tx, part.id).await
    });
    assert!(tokio::time::timeout(IMPATIENT, dropped).await.is_err());
    // The update waits until the transaction ends. Without the abort, this would take a minute.
    let update = Part::update(&t.odm, part.id).inc(Part::fields().qty, 100);
    let update = tokio::time::timeout(Duration::from_secs(20), update.into_future()).await;
    assert_eq!(update.unwrap().unwrap().modified, 1);
    assert_eq!(t.qty(&part).await, part.qty + 100);
    eventually("an abort", async || t.count("abortTransaction") == 1).await;
}

#[tokio::test]
async fn a_dropped_transaction_is_aborted_although_a_clone_of_its_handle_is_kept() {
    let t = Failing::new("tx_dropped_clone").await;
    let (a, b) = (part(1), part(2));
    let (give, given) = tokio::sync::oneshot::channel();
    let give = std::sync::Mutex::new(Some(give));
    let dropped = t.odm.transaction(async |tx| {
        a.insert(&tx).await?;
        let give = give.lock().unwrap().take().unwrap();
        give.send(tx).unwrap();
        std::future::pending::<Result<()>>().await
    });
    let tx: Tx = tokio::select! {
        ended = dropped => panic!("{ended:?}"),
        tx = given => tx.unwrap(),
    };
    let error = b.insert(&tx).await.unwrap_err();
    assert_eq!(error.code(), "odm.transaction_ended", "{error}");
    // The insert waits until the transaction ends. Without the abort, this would take a minute.
    let insert = tokio::time::timeout(Duration::from_secs(20), a.insert(&t.odm).into_future());
    assert_eq!(insert.await.unwrap().unwrap().inserted, 1);
    assert_eq!(Part::count(&t.odm).await.unwrap(), 1);
    drop(tx);
}

#[tokio::test]
async fn a_transaction_dropped_at_its_commit_leaves_the_handle_usable() {
    let t = Failing::new("tx_dropped_commit").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    t.fail(1, &["commitTransaction"], block()).await;
    let dropped = t.odm.transaction(async |tx| buy(&tx, &part).await);
    assert!(tokio::time::timeout(IMPATIENT, dropped).await.is_err());
    tokio::time::sleep(BLOCKED).await;
    let after = t.qty(&part).await;
    assert!(
        after == part.qty || after == part.qty - 1,
        "one of the two: {after}"
    );
    t.odm
        .transaction(async |tx| buy(&tx, &part).await)
        .await
        .unwrap();
    assert_eq!(t.qty(&part).await, after - 1);
}
