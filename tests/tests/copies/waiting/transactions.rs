//! Tokens of writes in transactions of the application.

use super::*;

#[tokio::test]
async fn the_token_of_a_transaction_is_refused_until_it_is_committed() {
    let (t, north) = observatory("waiting_tx").await;
    let token = t.odm.transaction(async |tx| {
        let new = reading(north.id, 2);
        let report = new.insert(&tx).deferred().await?;
        let token = report.token().clone();
        assert!(!token.is_empty());
        let error = tx.odm().wait(&token).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("is not committed"), "{error}");
        assert!(serde_json::to_string(&token).is_err());
        Ok(token)
    });
    let token = token.await.unwrap();
    assert_eq!(Station::get(&t.odm, north.id).await.unwrap().readings, 1);
    another(&t.odm).wait(&handed_over(&token)).await.unwrap();
    assert_eq!(Station::get(&t.odm, north.id).await.unwrap().readings, 2);
    assert_right(&t.odm, "committed").await;
    settle(&t.odm).await;
}

#[tokio::test]
async fn the_jobs_of_a_transaction_are_named_and_run_by_its_commit() {
    let (t, host, _) = logs("waiting_tx_jobs").await;
    let odm = by_jobs(&t.odm);
    let token = odm.transaction(async |tx| {
        let rename = Host::update(&tx, host.id).set(Host::fields().ipaddr, "10.0.0.1");
        Ok(rename.await?.token().clone())
    });
    let token = token.await.unwrap();
    assert!(!token.is_empty());
    assert_eq!(stale(&t.odm, &host).await, 0);
    let (waited, sent) = t.sent(async { t.odm.wait(&token).await }).await;
    waited.unwrap();
    assert_eq!(sent, ["aggregate"]);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_token_of_what_was_rolled_back_stays_refused() {
    let (t, host, _) = logs("waiting_rolled_back").await;
    let token = std::sync::Mutex::new(Token::default());
    let rolled_back = t.odm.transaction(async |tx| {
        let rename = Host::update(&tx, host.id).set(Host::fields().ipaddr, "10.0.0.1");
        let report = rename.deferred().await?;
        token.lock().unwrap().clone_from(report.token());
        Err::<(), _>(Error::custom("never mind"))
    });
    rolled_back.await.unwrap_err();
    let error = t.odm.wait(&token.into_inner().unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("is not committed"), "{error}");
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    let report = rename.dry_run().await.unwrap();
    assert!(report.token().is_empty(), "{report:?}");
}
