//! Writers of sources that are delayed, disconnected or in conflict with each other.

use std::time::Duration;

use mongo_odm::{bson::Document, prelude::*};

use super::lab::*;
use crate::{models::*, setting::*};

const HELD: Duration = Duration::from_millis(250);

/// T1: one writer is held at each of its statements while another writer renames the same source. Both end, and the
/// copies equal the source.
#[tokio::test]
async fn a_writer_that_is_held_anywhere_and_another_one_leave_one_value() {
    let lab = Lab::new("faults_two_renames").await;
    let host = lab.logs(5).await;
    for inline in [1_000, 0] {
        let slow = lab.odm.with_settings(settings().inline_copies(inline));
        for command in ["findAndModify", "aggregate", "update", "commitTransaction"] {
            let context = format!("{command}, inline {inline}");
            let trap = lab.hold(&[command], None, HELD).await;
            let held = tokio::spawn(rename(&slow, &host, &context).into_future());
            lab.sprung(&trap).await;
            rename(&lab.other, &host, "the other").await.unwrap();
            held.await.unwrap().unwrap();
            assert_eq!(stale(&lab.other, &host).await, 0, "{context}");
            lab.expect_equal(&host, &context).await;
            let last = Host::get(&lab.other, host.id).await.unwrap().ipaddr;
            assert!(
                [context.as_str(), "the other"].contains(&last.as_str()),
                "{last}"
            );
        }
    }
}

/// The ways in which a statement or its reply gets lost, with the statements.
fn losses() -> Vec<(i32, &'static str, Document)> {
    let labels = |label: &str| doc! { "errorLabels": [label] };
    let with = |mut failure: Document, code: i32| {
        failure.insert("errorCode", code);
        failure
    };
    let conflict = || with(labels("TransientTransactionError"), 112);
    let closed = || doc! { "closeConnection": true };
    vec![
        (1, "findAndModify", closed()),
        (1, "update", closed()),
        (1, "find", closed()),
        (3, "findAndModify", conflict()),
        (3, "update", conflict()),
        (2, "commitTransaction", closed()),
        (
            2,
            "commitTransaction",
            with(labels("TransientTransactionError"), 251),
        ),
        (
            2,
            "commitTransaction",
            with(labels("UnknownTransactionCommitResult"), 50_000),
        ),
        (
            1,
            "commitTransaction",
            doc! { "writeConcernError": { "code": 64, "errmsg": "slow" } },
        ),
    ]
}

/// T4, T8: whichever statement or reply gets lost, the source changes by exactly one, and so do its copies.
#[tokio::test]
async fn a_lost_statement_or_reply_changes_the_source_once() {
    let lab = Lab::new("faults_lost").await;
    let part = part(1);
    part.insert(&lab.other).await.unwrap();
    let product = product(0, [&part]);
    product.insert(&lab.other).await.unwrap();
    let mut expected = 0;
    for inline in [1_000, 0] {
        let odm = lab.odm.with_settings(settings().inline_copies(inline));
        for (times, command, failure) in losses() {
            let context = format!("{command} {failure}, inline {inline}");
            lab.trap(doc! { "times": times }, &[command], failure).await;
            let count = Product::update(&odm, product.id).inc(Product::fields().catalog_number, 1);
            count
                .await
                .unwrap_or_else(|error| panic!("{context}: {error}"));
            expected += 1;
            lab.disarm().await;
            runners_are_dead(&lab.other).await;
            settle(&lab.other).await;
            let source = Product::get(&lab.other, product.id).await.unwrap();
            let copy = Part::get(&lab.other, part.id).await.unwrap();
            assert_eq!(source.catalog_number, expected, "{context}");
            assert_eq!(copy.product_catalog_number, Some(expected), "{context}");
        }
    }
}

/// T4: the server has executed a write outside a transaction, but its reply is lost. When the runner claims the job
/// again, the library recognizes the first claim as its own.
#[tokio::test]
async fn a_lost_reply_to_the_claim_of_a_job_is_no_other_runner() {
    let lab = Lab::new("faults_lost_claim").await;
    let host = lab.logs(3).await;
    rename(&lab.other, &host, "new").deferred().await.unwrap();
    let close = doc! {
        "configureFailPoint": "onPrimaryTransactionalWrite", "mode": { "times": 1 },
        "data": { "closeConnection": true },
    };
    lab.admin(close).await;
    let ran = tokio::time::timeout(Duration::from_secs(10), lab.odm.run_pending_jobs());
    let ran = ran.await.unwrap().unwrap();
    let off = doc! { "configureFailPoint": "onPrimaryTransactionalWrite", "mode": "off" };
    let met = lab.admin(off).await;
    assert!(met.get("count").is_some_and(|it| it != &0.into()), "{met}");
    assert_eq!((ran.modified, ran.left), (3, 0));
    lab.expect_equal(&host, "").await;
}

/// T15: a struct that was loaded before a rename is saved during the rename.
#[tokio::test]
async fn a_save_of_an_old_struct_during_a_rename_brings_nothing_back() {
    let lab = Lab::new("faults_save").await;
    let host = lab.logs(5).await;
    for inline in [1_000, 0] {
        let slow = lab.odm.with_settings(settings().inline_copies(inline));
        for command in ["findAndModify", "update", "commitTransaction"] {
            let context = format!("{command}, inline {inline}");
            let old = LogMsg::find_one(&lab.other).filter(LogMsg::fields().host.eq(host.id));
            let mut old = old.await.unwrap().unwrap();
            let trap = lab.hold(&[command], None, HELD).await;
            let held = tokio::spawn(rename(&slow, &host, &context).into_future());
            lab.sprung(&trap).await;
            old.message = context.clone();
            old.save(&lab.other).await.unwrap();
            held.await.unwrap().unwrap();
            lab.expect_equal(&host, &context).await;
            let stored = LogMsg::get(&lab.other, old.id).await.unwrap();
            assert_eq!((stored.message, stored.ipaddr), (context.clone(), context));
        }
    }
}

/// T16: one writer changes the name and is held, while another writer changes the number. The copies contain both
/// changes.
#[tokio::test]
async fn two_fields_of_one_source_changed_by_two_writers_are_both_copied() {
    let lab = Lab::new("faults_tuple").await;
    let part = part(1);
    part.insert(&lab.other).await.unwrap();
    let product = product(0, [&part]);
    product.insert(&lab.other).await.unwrap();
    let fields = Product::fields();
    let mut number = 0;
    for inline in [1_000, 0] {
        let slow = lab.odm.with_settings(settings().inline_copies(inline));
        for command in ["findAndModify", "update", "commitTransaction"] {
            let context = format!("{command}, inline {inline}");
            number += 1;
            let trap = lab.hold(&[command], None, HELD).await;
            let name = Product::update(&slow, product.id).set(fields.name, &context);
            let held = tokio::spawn(name.into_future());
            lab.sprung(&trap).await;
            let renumber =
                Product::update(&lab.other, product.id).set(fields.catalog_number, number);
            renumber.await.unwrap();
            held.await.unwrap().unwrap();
            lab.disarm().await;
            settle(&lab.other).await;
            let copy = Part::get(&lab.other, part.id).await.unwrap();
            assert_eq!(copy.product_name.as_ref(), Some(&context));
            assert_eq!(copy.product_catalog_number, Some(number), "{context}");
        }
    }
}
