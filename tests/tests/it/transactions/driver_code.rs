//! Driver code that uses the session of a transaction, and concurrent calls that need the session.

use futures_util::TryStreamExt;
use mongo_odm::{ErrorKind, Settings, mongodb};
use tokio::sync::Notify;

use super::*;

type Call = futures_util::future::BoxFuture<'static, Result<()>>;

/// Calls that would wait for the session of the transaction, which the surrounding code uses.
fn calls(tx: &Tx, product: &Product) -> Vec<(&'static str, Call)> {
    fn call(call: impl Future<Output = Result<()>> + Send + 'static) -> Call {
        Box::pin(call)
    }
    let of = || (tx.clone(), product.clone());
    let ((one, _), (two, _), (three, _), (four, _), (five, _)) = (of(), of(), of(), of(), of());
    let ((six, products), (seven, _), (eight, _)) = (of(), of(), of());
    vec![
        (
            "get",
            call(async move { Part::get(&one, Id::new()).await.map(drop) }),
        ),
        (
            "insert",
            call(async move { part(9).insert(&two).await.map(drop) }),
        ),
        (
            "delete",
            call(async move { Part::delete(&three, Id::new()).await.map(drop) }),
        ),
        (
            "stream",
            call(async move {
                Part::find(&four)
                    .stream()
                    .try_collect::<Vec<_>>()
                    .await
                    .map(drop)
            }),
        ),
        (
            "count",
            call(async move { Part::count(&five).await.map(drop) }),
        ),
        (
            "join",
            call(async move { Product::join_parts(&[products], &six).await.map(drop) }),
        ),
        (
            "run",
            call(async move { seven.run(|_, _| Box::pin(async { Ok(()) })).await }),
        ),
        (
            "transaction",
            call(async move {
                let odm = eight.odm().clone();
                odm.transaction(async |_| Part::count(&eight).await)
                    .await
                    .map(drop)
            }),
        ),
    ]
}

#[tokio::test]
async fn a_call_of_the_library_inside_driver_code_is_an_error_at_once() {
    let t = Harness::new("tx_within_run").await;
    let odm = t.odm.with_settings(Settings::default().split_from(2));
    let parts = parts(8);
    t.given(&parts).await;
    let product = product(1, &parts);
    for at in 0..8 {
        let committed = odm.transaction(async |tx| {
            part(100 + at).insert(&tx).await?;
            let (name, call) = calls(&tx, &product).swap_remove(usize::try_from(at).unwrap());
            let run = tx.run(|_, _| {
                Box::pin(async move { call.await.map_err(mongodb::error::Error::custom) })
            });
            let ended = tokio::time::timeout(Duration::from_secs(5), run).await;
            let error = ended
                .unwrap_or_else(|_| panic!("{name} waits"))
                .unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid, "{name}: {error}");
            assert!(
                error.to_string().contains("make it before or after"),
                "{error}"
            );
            // The library sent nothing for the call, so the transaction can continue.
            Part::count(&tx).await
        });
        let committed = tokio::time::timeout(Duration::from_secs(5), committed).await;
        assert_eq!(committed.unwrap().unwrap(), 9 + u64::try_from(at).unwrap());
    }
}

#[tokio::test]
async fn driver_code_may_use_the_database_and_another_transaction() {
    let t = Harness::new("tx_within_run_other").await;
    // Creates the collection, because two transactions that create it would conflict.
    part(0).insert(&t.odm).await.unwrap();
    let total = t.odm.transaction(async |tx| {
        part(1).insert(&tx).await?;
        let odm = t.odm.clone();
        tx.run(move |_, _| {
            let both = async move {
                part(2).insert(&odm).await?;
                let other = async |other: Tx| {
                    other.run(|_, _| Box::pin(async { Ok(()) })).await?;
                    part(3).insert(&other).await
                };
                odm.transaction(other).await
            };
            Box::pin(async move { both.await.map_err(mongodb::error::Error::custom) })
        })
        .await
    });
    total.await.unwrap();
    assert_eq!(Part::count(&t.odm).await.unwrap(), 4);
}

#[tokio::test]
async fn statements_of_other_tasks_wait_for_driver_code_and_go_on() {
    let t = Harness::new("tx_run_others").await;
    t.odm
        .transaction(async |tx| {
            let (began, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
            let (begins, goes_on) = (Arc::clone(&began), Arc::clone(&go_on));
            let of_run = tx.clone();
            let run = tokio::spawn(async move {
                of_run
                    .run(move |_, _| {
                        Box::pin(async move {
                            begins.notify_one();
                            goes_on.notified().await;
                            Ok(())
                        })
                    })
                    .await
            });
            began.notified().await;
            let (writer, reader) = (tx.clone(), tx.clone());
            let write = tokio::spawn(async move { part(1).insert(&writer).await });
            let read = tokio::spawn(async move { Part::count(&reader).await });
            // Both tasks now wait for the session, because the test runs on one thread.
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(!write.is_finished() && !read.is_finished());
            go_on.notify_one();
            run.await.unwrap()?;
            assert!(write.await.unwrap().is_ok() && read.await.unwrap()? <= 1);
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(Part::count(&t.odm).await.unwrap(), 1);
}
