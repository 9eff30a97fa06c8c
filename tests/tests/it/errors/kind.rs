//! The kinds and codes of errors for programs, and the additional messages of the server.

use std::sync::Arc;

use futures_util::TryStreamExt;
use mongo_odm::{Error, ErrorKind, Result, action::PageToken, bson::Document, prelude::*};
use mongo_odm_testkit::{Server, TestDb};
use odm_tests::{Harness, shop::*};

#[track_caller]
fn is_of<T: std::fmt::Debug>(result: Result<T>, kind: ErrorKind, code: &str) {
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.code()), (kind, code), "{error}");
    assert_eq!(kind.to_string(), code);
}

#[tokio::test]
async fn programs_match_on_the_kind() {
    let t = Harness::new("errors_kind").await;
    let odm = &t.odm;
    let product = product(1, &[part(1)]);
    t.given(std::slice::from_ref(&product)).await;
    let nobody = Part::get(odm, Id::new()).await;
    is_of(nobody, ErrorKind::NotFound, "odm.not_found");
    let all = product.load_parts(odm).require_all().await;
    is_of(all, ErrorKind::Missing, "odm.missing");
    let nothing = Part::update(odm, Id::new()).await;
    is_of(nothing, ErrorKind::Invalid, "odm.invalid");
    let token = "nonsense".parse::<PageToken>();
    is_of(token, ErrorKind::InvalidPageToken, "odm.invalid_page_token");
    let refused = Part::find(odm).filter(doc! { "$nonsense": 1 }).await;
    is_of(refused, ErrorKind::Server, "odm.server");
    let mine = odm.transaction(async |_| Err::<(), _>(Error::custom("no")));
    is_of(mine.await, ErrorKind::Custom, "odm.custom");
    let swallowed = odm.transaction(async |tx| {
        let _ = Product::insert_many(&tx, [&product]).await;
        Ok(())
    });
    assert!(swallowed.await.is_err());
    let ended = odm.transaction(async |tx| Ok(tx)).await.unwrap();
    let late = Part::find(&ended).await;
    is_of(late, ErrorKind::TransactionEnded, "odm.transaction_ended");
}

#[tokio::test]
async fn what_a_call_cannot_mean_names_the_model() {
    let t = Harness::new("errors_model").await;
    let odm = &t.odm;
    let about = |error: Error| match error {
        Error::Invalid {
            model, collection, ..
        } => (model, collection),
        other => panic!("{other:?}"),
    };
    let parts = (Some("Part"), Some("parts"));
    let nothing = || Part::update(odm, Id::new());
    assert_eq!(about(nothing().await.unwrap_err()), parts);
    assert_eq!(about(nothing().plan().unwrap_err()), parts);
    let all = Part::delete_many(odm, doc! {});
    assert_eq!(about(all.await.unwrap_err()), parts);
    let product = product(1, &[part(1)]);
    let without_key = || {
        let load = product.load_parts(odm);
        load.project::<Document>(doc! { "_id": 0 })
    };
    assert_eq!(about(without_key().await.unwrap_err()), parts);
    assert_eq!(about(without_key().plan().unwrap_err()), parts);
    let streamed = without_key().stream().try_collect::<Vec<_>>();
    assert_eq!(about(streamed.await.unwrap_err()), parts);
    let unsorted = Part::find(odm).project::<Document>(doc! { "name": 0 });
    let page = unsorted.sort(Part::fields().name.asc()).page(2);
    assert_eq!(about(page.await.unwrap_err()), parts);
    let unknown = odm.verify().relation("Part.nothing").await;
    assert_eq!(about(unknown.unwrap_err()), (None, None));
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn ids_and_keys_of_errors_are_values() {
    let t = Harness::new("errors_values").await;
    let parts = parts(3);
    let product = product(1, &parts);
    t.given(&parts[..1]).await;
    t.given(std::slice::from_ref(&product)).await;
    let all = product.load_parts(&t.odm).require_all().await;
    let Error::Missing { keys, model, .. } = all.unwrap_err() else {
        panic!("another error")
    };
    let ids = keys.into_iter().map(Id::<Part>::try_from);
    let mut ids: Vec<Id<Part>> = ids.collect::<std::result::Result<_, _>>().unwrap();
    ids.sort();
    let mut gone = [parts[1].id, parts[2].id];
    gone.sort();
    assert_eq!((model, ids.as_slice()), ("Part", gone.as_slice()));

    let joined = Product::join_parts([&product], &t.odm).await.unwrap();
    let missing = joined.missing().into_iter().map(Id::<Part>::try_from);
    let mut missing: Vec<Id<Part>> = missing.map(std::result::Result::unwrap).collect();
    missing.sort();
    assert_eq!(missing, gone);

    let nobody = Part::get(&t.odm, parts[1].id).await.unwrap_err();
    let Error::NotFound { model, filter, .. } = &nobody else {
        panic!("{nobody:?}")
    };
    assert_eq!(*model, "Part");
    assert_eq!(**filter, doc! { "_id": parts[1].id });
    assert_eq!(
        nobody.to_string(),
        format!(
            "no document in `parts` matches {{ _id: ObjectId(\"{}\") }}",
            parts[1].id
        )
    );
}

#[tokio::test]
async fn the_code_of_the_server_is_that_of_the_first_refused_write() {
    let t = Harness::new("errors_validator").await;
    let create = doc! { "create": "parts", "validator": { "qty": { "$gte": 0 } } };
    t.database().database().run_command(create).await.unwrap();
    let mut bad = part(2);
    bad.qty = -1;
    let one = bad.insert(&t.odm).await.unwrap_err();
    let many = Part::insert_many(&t.odm, [&part(1), &bad])
        .await
        .unwrap_err();
    let reason = format!(
        "the validator of `parts` (`Part`) rejects the document with the `_id` ObjectId(\"{}\"): `qty` comparison failed: \
         {{ qty: {{ $gte: 0 }} }}, but is NumberLong(\"-1\") (`$gte`)",
        bad.id
    );
    let of_many = format!(
        "`insert_many` into `parts` (`Part`) stored 1 and rejected 1: document 1 (_id ObjectId(\"{}\")): {reason}",
        bad.id
    );
    for (error, text) in [(one, &reason), (many, &of_many)] {
        assert_eq!(error.kind(), ErrorKind::InvalidDocument);
        assert_eq!(error.server_code(), Some(121), "{error}");
        assert_eq!(&error.to_string(), text);
    }
}

/// Runs a test with a database on its own server, because a fail point is a setting of the whole server.
async fn failing(data: Document, test: impl AsyncFnOnce(Odm)) {
    let server = Server::builder().private().test_commands(true);
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder("errors_failing").server(server);
    let database = database.open().await.unwrap();
    let odm = Odm::new(database.database());
    Part::insert_many(&odm, &[part(1)]).await.unwrap();
    let fail = doc! { "configureFailPoint": "failCommand", "mode": "alwaysOn", "data": data };
    let admin = database.client().database("admin");
    admin.run_command(fail).await.unwrap();
    test(odm).await;
    let off = doc! { "configureFailPoint": "failCommand", "mode": "off" };
    admin.run_command(off).await.unwrap();
}

#[tokio::test]
async fn labels_and_codes_of_bulk_writes_are_kept() {
    let concern = doc! { "code": 64, "errmsg": "too slow", "errorLabels": ["Mine"] };
    let data = doc! { "failCommands": ["insert"], "writeConcernError": concern };
    failing(data, async |odm| {
        let many = Part::insert_many(&odm, [&part(2), &part(3)]).await;
        let one = part(4).insert(&odm).await;
        for error in [many.map(drop).unwrap_err(), one.map(drop).unwrap_err()] {
            assert!(error.contains_label("Mine"), "{error:?}");
            assert_eq!(error.server_code(), Some(64), "{error:?}");
            assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn conflicts_time_limits_and_large_documents_have_kinds() {
    for (code, kind) in [
        (112, ErrorKind::WriteConflict),
        // LockTimeout and NoSuchTransaction.
        (24, ErrorKind::WriteConflict),
        (251, ErrorKind::WriteConflict),
        (50, ErrorKind::Timeout),
        (17419, ErrorKind::Encode),
        // The primary stepped down. The driver does not repeat an `update_many`.
        (189, ErrorKind::Unreachable),
        (13, ErrorKind::Server),
    ] {
        let data = doc! { "failCommands": ["update", "find"], "errorCode": code };
        failing(data, async |odm| {
            let read = Part::find(&odm).await.unwrap_err();
            assert_eq!((read.kind(), read.server_code()), (kind, Some(code)));
            let update = Part::update_many(&odm, doc! {}).inc(Part::fields().qty, 1);
            let error = update.await.unwrap_err();
            assert_eq!((error.kind(), error.server_code()), (kind, Some(code)));
        })
        .await;
    }
}

#[tokio::test]
async fn a_cursor_that_is_lost_names_its_statement() {
    let data = doc! { "failCommands": ["getMore"], "errorCode": 43 };
    failing(data, async |odm| {
        // The first reply of a server contains at most 101 documents.
        Part::insert_many(&odm, &parts(200)).await.unwrap();
        let streamed = Part::find(&odm).stream().try_collect::<Vec<_>>().await;
        let error = streamed.unwrap_err();
        assert_eq!(error.server_code(), Some(43));
        let text = error.to_string();
        assert!(
            text.starts_with("while `getMore` on `parts` (`Part`): "),
            "{text}"
        );
    })
    .await;
}
