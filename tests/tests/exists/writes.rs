//! Each kind of write is rejected as a whole if it would add a dangling reference.

use mongo_odm::{Error, ErrorKind, bson::Document, prelude::*};
use odm_tests::Harness;

use crate::models::*;

/// Stores one maker and two tools.
async fn given(test: &str) -> Harness {
    let t = workshop(test).await;
    t.given(&[maker(1)]).await;
    t.given(&[tool(1), tool(2)]).await;
    t
}

async fn stored(t: &Harness, number: i64) -> Tool {
    Tool::get(&t.odm, id(number)).await.unwrap()
}

#[tokio::test]
async fn an_error_names_the_field_the_key_and_what_to_do() {
    let t = given("exists_words").await;
    let new = Tool {
        maker: Some(id(9)),
        ..tool(3)
    };
    let error = new.insert(&t.odm).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Tool.maker` would refer to NumberLong(\"9\"), and no document of `makers` has such a `_id` (`exists`); insert the `Maker` first, or \
         refer to one that is there"
    );
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::NoTarget, "odm.no_target")
    );
    assert_eq!(Tool::count(&t.odm).await.unwrap(), 2);
}

#[tokio::test]
async fn a_reference_in_any_place_is_looked_at() {
    let t = given("exists_places").await;
    let wrong = |change: &dyn Fn(&mut Tool)| {
        let mut new = tool(3);
        change(&mut new);
        new
    };
    let cases = [
        (wrong(&|it| it.maker = Some(id(7))), no("maker", [7])),
        (
            wrong(&|it| it.spares = vec![id(1), id(7), id(8)]),
            no("spares", [7, 8]),
        ),
        (wrong(&|it| it.ends = [Some(id(7)), None]), no("ends", [7])),
        (
            wrong(&|it| {
                it.uses = vec![
                    Use {
                        with: id(1),
                        times: 1,
                    },
                    Use {
                        with: id(7),
                        times: 1,
                    },
                ];
            }),
            no("uses.with", [7]),
        ),
        (
            wrong(&|it| it.best = Some(Plain { tool: id(7) })),
            no("best.tool", [7]),
        ),
    ];
    for (new, expected) in cases {
        assert_eq!(refused(new.insert(&t.odm).await), expected);
    }
    let by_code = wrong(&|it| it.brand = Some("M7".to_owned()));
    let (field, keys) = refused(by_code.insert(&t.odm).await);
    assert_eq!((field.as_str(), keys), ("brand", vec!["M7".into()]));
    assert_eq!(Tool::count(&t.odm).await.unwrap(), 2);

    let right = Tool {
        maker: Some(id(1)),
        brand: Some("M1".to_owned()),
        spares: vec![id(1), id(2)],
        ends: [Some(id(1)), None],
        uses: vec![Use {
            with: id(1),
            times: 1,
        }],
        best: Some(Plain { tool: id(2) }),
        rival: Some(id(99)),
        ..tool(3)
    };
    right.insert(&t.odm).await.unwrap();
    assert_eq!(stored(&t, 3).await, right);
}

/// Only the documents that exist when the write is committed matter.
#[tokio::test]
async fn documents_of_one_insert_may_refer_to_themselves_and_to_each_other() {
    let t = given("exists_each_other").await;
    let of = |number, spare| Tool {
        spares: vec![id(number), id(spare)],
        ..tool(number)
    };
    Tool::insert_many(&t.odm, &[of(3, 4), of(4, 3)])
        .await
        .unwrap();
    let wrong = Tool::insert_many(&t.odm, &[of(5, 6), of(6, 7)]).await;
    assert_eq!(refused(wrong), no("spares", [7]));
    assert_eq!(Tool::count(&t.odm).await.unwrap(), 4);
}

#[tokio::test]
async fn every_kind_of_write_is_refused() {
    let t = given("exists_kinds").await;
    let (odm, fields) = (&t.odm, Tool::fields());
    let one = || Tool::update(odm, id(1));
    assert_eq!(
        refused(one().set(fields.maker, id(7)).await),
        no("maker", [7])
    );
    assert_eq!(
        refused(one().push(fields.spares, id(7)).await),
        no("spares", [7])
    );
    assert_eq!(
        refused(one().add_to_set(fields.spares, id(7)).await),
        no("spares", [7])
    );
    let line = Use {
        with: id(7),
        times: 2,
    };
    assert_eq!(
        refused(one().push(fields.uses, line).await),
        no("uses.with", [7])
    );
    let by_name = || fields.name.eq("tool 1");
    let many = Tool::update_many(odm, by_name())
        .set(fields.maker, id(7))
        .await;
    assert_eq!(refused(many), no("maker", [7]));
    let found = Tool::find_one_and_update(odm, by_name())
        .set(fields.maker, id(7))
        .await;
    assert_eq!(refused(found), no("maker", [7]));
    let saved = Tool {
        maker: Some(id(7)),
        ..tool(1)
    };
    assert_eq!(refused(saved.save(odm).await), no("maker", [7]));
    let upsert = |name: &str| {
        let by_name = fields.name.eq(name);
        Tool::upsert(odm, by_name)
            .set(fields.maker, id(7))
            .set_on_insert(fields.id, id(3))
            .with(doc! { "$setOnInsert": { "spares": [], "ends": [null, null], "uses": [] } })
    };
    assert_eq!(refused(upsert("tool 1").await), no("maker", [7]));
    assert_eq!(refused(upsert("new").await), no("maker", [7]));
    let in_tx = odm.transaction(async |tx| {
        maker(8).insert(&tx).await?;
        Tool::update(&tx, id(1)).set(fields.maker, id(7)).await
    });
    assert_eq!(refused(in_tx.await), no("maker", [7]));
    assert_eq!(Maker::count(odm).await.unwrap(), 1);
    assert_eq!(stored(&t, 1).await, tool(1));
    assert_eq!(Tool::count(odm).await.unwrap(), 2);

    // The same writes succeed with a maker that exists.
    one().set(fields.maker, id(1)).await.unwrap();
    one().push(fields.spares, id(2)).await.unwrap();
    Tool::update_many(odm, by_name())
        .set(fields.maker, id(1))
        .await
        .unwrap();
    Tool::find_one_and_update(odm, by_name())
        .set(fields.maker, id(1))
        .await
        .unwrap();
    let saved = Tool {
        maker: Some(id(1)),
        ..tool(2)
    };
    saved.save(odm).await.unwrap();
}

/// The keys are not visible in an update pipeline, so the library reads the updated document.
#[tokio::test]
async fn what_only_the_updated_document_tells_is_looked_at() {
    let t = given("exists_pipeline").await;
    let set = |key: i64| vec![doc! { "$set": { "maker": { "$literal": key } } }];
    let one = |key| Tool::update(&t.odm, id(1)).modifications(set(key));
    assert_eq!(refused(one(7).await), no("maker", [7]));
    one(1).await.unwrap();
    let renamed = doc! { "$rename": { "rival": "maker" } };
    let odm = &t.odm;
    Tool::update(odm, id(2))
        .set(Tool::fields().rival, id(7))
        .await
        .unwrap();
    assert_eq!(
        refused(Tool::update(odm, id(2)).with(renamed).await),
        no("maker", [7])
    );
}

/// A reference that is already dangling stays unchanged, and does not prevent other changes.
#[tokio::test]
async fn what_a_document_held_before_is_not_asked_for_again() {
    let t = given("exists_before").await;
    let (odm, fields) = (&t.odm, Tool::fields());
    let own = Tool {
        maker: Some(id(1)),
        spares: vec![id(2)],
        ..tool(1)
    };
    own.save(odm).await.unwrap();
    Maker::delete(odm, id(1)).await.unwrap();
    let renamed = Tool {
        name: "a".to_owned(),
        ..own.clone()
    };
    renamed.save(odm).await.unwrap();
    Tool::update(odm, id(1))
        .set(fields.name, "b")
        .set(fields.maker, id(1))
        .await
        .unwrap();
    Tool::update_many(odm, fields.id.eq(id(1)))
        .set(fields.maker, id(1))
        .await
        .unwrap();
    let other = Tool::update_many(odm, fields.id.gt(id(0)))
        .set(fields.maker, id(1))
        .await;
    assert_eq!(refused(other), no("maker", [1]));
    // Removing keys causes no check.
    Tool::update(odm, id(1))
        .pull(fields.spares, id(2))
        .await
        .unwrap();
    Tool::update(odm, id(1)).unset(fields.maker).await.unwrap();
}

#[tokio::test]
async fn a_write_that_brings_no_key_sends_what_it_always_sent() {
    let t = given("exists_cost").await;
    let odm = &t.odm;
    let rename = Tool::update(odm, id(1)).set(Tool::fields().name, "a");
    let (done, sent) = t.sent(async { rename.await }).await;
    done.unwrap();
    assert_eq!(sent, ["update"]);
    let refer = Tool::update(odm, id(1)).set(Tool::fields().maker, id(1));
    let (done, sent) = t.sent(async { refer.await }).await;
    done.unwrap();
    // One check and no job, because the delete rule for makers does nothing.
    assert_eq!(sent, ["findAndModify", "find", "commitTransaction"]);
}

/// If the caller handles the error, the part of the transaction that was sent still cannot be committed.
#[tokio::test]
async fn a_refusal_that_is_swallowed_is_not_committed() {
    let t = given("exists_swallowed").await;
    let done = t.odm.transaction(async |tx| {
        let new = Tool {
            maker: Some(id(7)),
            ..tool(3)
        };
        refused(new.insert(&tx).await);
        Ok(())
    });
    let error = done.await.unwrap_err();
    assert!(matches!(error, Error::TransactionPoisoned(_)), "{error:?}");
    assert_eq!(Tool::count(&t.odm).await.unwrap(), 2);
}

/// References that are stored without the library stay unchanged. The next write that contains such a reference is
/// checked.
#[tokio::test]
async fn a_move_of_documents_is_a_write() {
    let t = given("exists_raw").await;
    let tools = t.odm.database().collection::<Document>("tools");
    let dangling = doc! { "$set": { "maker": 7_i64 } };
    tools
        .update_one(doc! { "_id": 1_i64 }, dangling)
        .await
        .unwrap();
    let mut read = stored(&t, 1).await;
    read.id = id(3);
    assert_eq!(refused(read.insert(&t.odm).await), no("maker", [7]));
}

/// The server does not report which documents an aggregation has written.
#[tokio::test]
async fn an_aggregation_that_writes_such_documents_is_refused() {
    let t = given("exists_merge").await;
    let merge = vec![
        doc! { "$set": { "maker": 7_i64 } },
        doc! { "$merge": "tools" },
    ];
    let error = Tool::aggregate::<Document>(&t.odm, merge)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
}

/// The documents of the inserts are checked together.
#[tokio::test]
async fn a_bulk_write_in_a_transaction_lists_the_inserts_with_dangling_references() {
    let t = given("exists_bulk").await;
    let made_by = |number: i64, maker: i64| Tool {
        maker: Some(id(maker)),
        ..tool(number)
    };
    let tools = [made_by(3, 1), made_by(4, 7), made_by(5, 1), made_by(6, 8)];
    let failed = async |unordered: bool| {
        let done = t.odm.transaction(async |tx| {
            let bulk = tx.bulk_write();
            let bulk = bulk.add_all(tools.iter().map(|tool| tool.insert(&tx)));
            if unordered {
                bulk.unordered().await
            } else {
                bulk.await
            }
        });
        let Err(Error::BulkWrite { failed, .. }) = done.await else {
            panic!("references are dangling");
        };
        let reasons = failed.iter().map(|it| (it.index, it.reason.to_string()));
        reasons.collect::<Vec<_>>()
    };
    let reason = async |at: usize| (at, tools[at].insert(&t.odm).await.unwrap_err().to_string());
    assert_eq!(failed(false).await, [reason(1).await]);
    assert_eq!(failed(true).await, [reason(1).await, reason(3).await]);
    assert_eq!(Tool::count(&t.odm).await.unwrap(), 2);
}
