//! Queries and preparations that precede the statements of a write. These fail several times, but the write succeeds.

use mongo_odm::{ErrorKind, bson::Document, prelude::*};

use super::lab::*;
use crate::setting::*;

/// The commands before the first write of a handle, with their collections and with the failures of a server that is
/// available again a moment later. After each failure, the driver waits half a second before it checks the server
/// again.
fn failing() -> Vec<(&'static str, &'static str, Document)> {
    let closed = || doc! { "closeConnection": true };
    // NotWritablePrimary, ShutdownInProgress.
    let [stepped_down, stopping] = [10_107, 91].map(|code| doc! { "errorCode": code });
    vec![
        ("update", "_odm_schema", closed()),
        ("find", "_odm_schema", closed()),
        ("find", "_odm_schema", stepped_down.clone()),
        ("find", "_odm_schema", stopping),
        ("createIndexes", "_odm_jobs", closed()),
        ("listIndexes", "logmsg", stepped_down),
    ]
}

/// Opens the database with a new handle of the faulty application, which has sent no statements yet.
fn new_handle(lab: &Lab) -> Odm {
    Odm::new(lab.database.database()).with_settings(settings())
}

#[tokio::test]
async fn a_write_does_not_fail_if_what_it_asks_before_fails_three_times() {
    let lab = Lab::new("faults_before").await;
    let host = lab.logs(3).await;
    for (command, collection, mut failure) in failing() {
        let context = format!("{command} of {collection}: {failure}");
        failure.extend(lab.namespace(collection));
        lab.trap(doc! { "times": 3 }, &[command], failure).await;
        let renamed = rename(&new_handle(&lab), &host, &context).await;
        renamed.unwrap_or_else(|error| panic!("{context}: {error}"));
        lab.expect_equal(&host, &context).await;
    }
}

#[tokio::test]
async fn a_transaction_does_not_fail_if_its_first_write_reads_declarations_in_vain() {
    let lab = Lab::new("faults_before_transaction").await;
    let host = lab.logs(3).await;
    let mut failure = doc! { "closeConnection": true };
    failure.extend(lab.namespace("_odm_schema"));
    lab.trap(doc! { "times": 3 }, &["find"], failure).await;
    let inside = async |tx: Tx| rename(&tx, &host, "inside").await;
    new_handle(&lab).transaction(inside).await.unwrap();
    lab.expect_equal(&host, "transaction").await;
}

/// The library asks with `hello` whether the server supports transactions. The driver sends this command only once.
#[tokio::test]
async fn a_write_does_not_fail_if_it_asks_in_vain_whether_there_are_transactions() {
    let lab = Lab::new("faults_before_hello").await;
    let host = lab.logs(3).await;
    let refused = doc! { "errorCode": 91 };
    lab.trap(doc! { "times": 3 }, &["hello"], refused).await;
    rename(&new_handle(&lab), &host, "asked").await.unwrap();
    lab.expect_equal(&host, "hello").await;
}

/// An error that another attempt cannot change is returned at once.
#[tokio::test]
async fn a_write_that_may_not_read_declarations_fails_at_once() {
    let lab = Lab::new("faults_before_refused").await;
    let host = lab.logs(1).await;
    let mut refused = doc! { "errorCode": 13 };
    refused.extend(lab.namespace("_odm_schema"));
    lab.trap("alwaysOn", &["find"], refused).await;
    let began = std::time::Instant::now();
    let renamed = rename(&new_handle(&lab), &host, "never").await;
    assert_eq!(renamed.unwrap_err().kind(), ErrorKind::Server);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    lab.disarm().await;
}
