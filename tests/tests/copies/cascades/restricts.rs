//! References that prevent a delete.

use std::time::Duration;

use mongo_odm::{Error, bson::Document};

use super::*;

/// A reference does not prevent the delete if its owner is deleted with the document, in whichever order the rules are
/// checked.
#[tokio::test]
async fn a_reference_that_goes_with_the_delete_forbids_nothing() {
    let t = cascades("cascade_restrict_own").await;
    ordered(&t).await;
    let alone = OrderLine::delete(&t.odm, id(1)).await.unwrap_err();
    assert!(matches!(alone, Error::Restricted { .. }), "{alone:?}");
    Order::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 0);
    assert_eq!(Invoice::count(&t.odm).await.unwrap(), 0);
    settle(&t.odm).await;
}

/// Jobs delete the owners of the references, so the references still exist when the call returns.
#[tokio::test]
async fn a_reference_that_goes_with_a_deferred_delete_forbids_nothing() {
    let t = cascades("cascade_restrict_own_later").await;
    t.given(&[Folder {
        id: id(1),
        parent: None,
    }])
    .await;
    let file = File {
        id: id(1),
        folder: id(1),
        shown_in: Some(id(1)),
    };
    t.given(&[file]).await;
    Folder::delete(&t.odm, id(1)).deferred().await.unwrap();
    ordered(&t).await;
    Order::delete(&t.odm, id(1)).deferred().await.unwrap();
    settle(&t.odm).await;
    assert_eq!(File::count(&t.odm).await.unwrap(), 0);
    assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 0);
    assert_eq!(Invoice::count(&t.odm).await.unwrap(), 0);
}

/// The delete leaves the owners of the references to a job, because there are too many of them for its transaction.
#[tokio::test]
async fn references_that_go_with_a_job_of_the_delete_forbid_nothing() {
    let t = cascades("cascade_restrict_left").await;
    let odm = t.odm.with_settings(settings().inline_copies(3));
    for is_deferred in [false, true] {
        t.given(&[Order { id: id(1) }]).await;
        let line = |number| OrderLine {
            id: id(number),
            order: id(1),
        };
        t.given(&[line(1), line(2)]).await;
        let invoice = |number, order: Option<i64>| Invoice {
            id: id(number),
            order: order.map(id),
            line: id(1 + number % 2),
        };
        let invoices: Vec<_> = (1..=5).map(|number| invoice(number, Some(1))).collect();
        t.given(&invoices).await;
        let kept = invoice(6, None);
        t.given(std::slice::from_ref(&kept)).await;
        let delete = || async {
            let delete = Order::delete(&odm, id(1));
            if is_deferred {
                delete.deferred().await
            } else {
                delete.await
            }
        };

        let error = delete().await.unwrap_err();
        assert!(matches!(error, Error::Restricted { .. }), "{error:?}");
        assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 2);
        assert_eq!(Invoice::count(&t.odm).await.unwrap(), 6);

        Invoice::delete(&t.odm, kept.id).await.unwrap();
        assert_eq!(delete().await.unwrap().deleted, 1);
        settle(&t.odm).await;
        assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 0);
        assert_eq!(Invoice::count(&t.odm).await.unwrap(), 0);
    }
    t.given(&[Folder {
        id: id(1),
        parent: None,
    }])
    .await;
    let file = |number| File {
        id: id(number),
        folder: id(1),
        shown_in: Some(id(1)),
    };
    t.given(&(0..5).map(file).collect::<Vec<_>>()).await;
    Folder::delete(&odm, id(1)).await.unwrap();
    settle(&t.odm).await;
    assert_eq!(File::count(&t.odm).await.unwrap(), 0);
}

/// The invoice cannot be deleted while a transaction writes it. Meanwhile, the job for the lines must not run, because
/// the invoice would forbid its delete.
#[tokio::test]
async fn a_job_runs_after_the_jobs_that_delete_the_restricting_documents() {
    for (test, inline) in [("jobs", None), ("call", Some(0))] {
        let t = cascades(&format!("cascade_restrict_turns_{test}")).await;
        ordered(&t).await;
        let mut session = t.odm.database().client().start_session().await.unwrap();
        session.start_transaction().await.unwrap();
        let invoices = t.odm.database().collection::<Document>("cascade_invoices");
        let hold = invoices.update_one(doc! { "_id": 1 }, doc! { "$set": { "held": true } });
        hold.session(&mut session).await.unwrap();

        let odm = match inline {
            Some(inline) => t.odm.with_settings(settings().inline_copies(inline)),
            None => t.odm.clone(),
        };
        let delete = tokio::spawn(async move {
            if inline.is_some() {
                Order::delete(&odm, id(1)).await.unwrap();
                return;
            }
            Order::delete(&odm, id(1)).deferred().await.unwrap();
            let ran = odm.run_pending_jobs().await.unwrap();
            assert_eq!((ran.failed, ran.left), (0, 0), "{ran}");
        });
        // The library repeats the delete of the invoice.
        while t.recorder().count("delete") < 30 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        session.abort_transaction().await.unwrap();
        delete.await.unwrap();
        assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 0);
        assert_eq!(Invoice::count(&t.odm).await.unwrap(), 0);
        settle(&t.odm).await;
    }
}

/// An order with a line, and an invoice of both.
async fn ordered(t: &Harness) {
    t.given(&[Order { id: id(1) }]).await;
    let line = OrderLine {
        id: id(1),
        order: id(1),
    };
    t.given(&[line]).await;
    let invoice = Invoice {
        id: id(1),
        order: Some(id(1)),
        line: id(1),
    };
    t.given(&[invoice]).await;
}

/// A `restrict` reference to a document on a deeper level prevents the whole delete.
#[tokio::test]
async fn a_reference_to_a_deeper_level_forbids_the_whole_delete() {
    let t = cascades("cascade_restrict_deep").await;
    t.given(&[Order { id: id(1) }]).await;
    let line = |number| OrderLine {
        id: id(number),
        order: id(1),
    };
    t.given(&(0..20).map(line).collect::<Vec<_>>()).await;
    let invoice = Invoice {
        id: id(1),
        order: None,
        line: id(7),
    };
    t.given(&[invoice]).await;
    t.forget();
    let order = || Order::delete(&t.odm, id(1));
    for delete in [order(), order().deferred()] {
        let error = delete.await.unwrap_err();
        let Error::Restricted { reference, key, .. } = &error else {
            panic!("{error:?}");
        };
        assert_eq!(
            (reference.as_str(), &**key),
            ("Invoice.line", &Bson::Int64(7))
        );
    }
    // The library looks for references before it deletes.
    assert_eq!(t.recorder().count("delete"), 0);
    assert_eq!(OrderLine::count(&t.odm).await.unwrap(), 20);
    assert_eq!(Order::count(&t.odm).await.unwrap(), 1);
}

/// If the closure of a transaction ignores an error of `restrict`, the error of the transaction names the reference.
#[tokio::test]
async fn a_swallowed_restrict_is_named_by_the_error_of_the_transaction() {
    let t = cascades("cascade_restrict_swallowed").await;
    let folder = |number, parent: Option<i64>| Folder {
        id: id(number),
        parent: parent.map(id),
    };
    t.given(&[folder(1, None), folder(2, Some(1))]).await;
    let committed = t.odm.transaction(async |tx| {
        let _ = Folder::delete(&tx, id(1)).await;
        Ok(())
    });
    let error = committed.await.unwrap_err();
    assert!(matches!(error, Error::TransactionPoisoned(_)), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("`Folder.parent` still refers to NumberLong(\"1\")"),
        "{error}"
    );
    assert_eq!(Folder::count(&t.odm).await.unwrap(), 2);
}

/// A plan describes one part, and mentions the check before the first of several parts.
#[tokio::test]
async fn a_plan_says_that_references_are_looked_for_before_the_first_of_several_parts() {
    let t = cascades("cascade_restrict_plan").await;
    let look =
        "// for each 500 documents; with several batches, `restrict` rules are checked before";
    let plan = Folder::delete_many(&t.odm, doc! {})
        .everything()
        .plan()
        .unwrap();
    assert!(plan.to_string().contains(look), "{plan}");
    let plan = Invoice::delete_many(&t.odm, doc! {})
        .everything()
        .plan()
        .unwrap();
    assert!(!plan.to_string().contains(look), "{plan}");
}
