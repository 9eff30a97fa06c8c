//! Every kind of write keeps copies equal to their source.

use mongo_odm::{Error, Guarantee, bson::Bson, prelude::*};

use crate::{models::*, setting::*};

#[tokio::test]
async fn an_insert_takes_the_values_of_the_source() {
    let t = shop("copies_insert").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let mut product = product(1, [&part]);
    product.parts[0].name = "an old name".to_owned();
    t.forget();
    product.insert(&t.odm).await.unwrap();
    let stored = Product::get(&t.odm, product.id).await.unwrap();
    assert_eq!(stored.parts[0].name, part.name);
    settle(&t.odm).await;
}

#[tokio::test]
async fn an_insert_of_many_sends_one_insert_and_two_reads_of_the_sources() {
    let t = shop("copies_insert_many").await;
    let hosts = [host(1), host(2)];
    t.given(&hosts).await;
    let mut all = messages(&hosts[0], 500);
    all.extend(messages(&hosts[1], 500));
    all[7].ipaddr = "old".to_owned();
    t.forget();
    LogMsg::insert_many(&t.odm, &all).await.unwrap();
    assert_eq!(
        t.recorder().names(),
        ["find", "insert", "commitTransaction", "find"]
    );
    let stored = LogMsg::get(&t.odm, all[7].id).await.unwrap();
    assert_eq!(stored.ipaddr, hosts[0].ipaddr);
}

#[tokio::test]
async fn a_rename_writes_its_copies_in_its_own_transaction() {
    let t = shop("copies_rename_statements").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let rename = |to: &'static str| Host::update(&t.odm, host.id).set(Host::fields().ipaddr, to);
    rename("10.0.0.1").await.unwrap();
    t.forget();
    rename("10.0.0.2").await.unwrap();
    assert_eq!(
        t.recorder().names(),
        [
            "findAndModify",
            "findAndModify",
            "aggregate",
            "update",
            "commitTransaction"
        ]
    );
    assert_eq!(jobs(&t.odm).await.len(), 1);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_write_that_changes_nothing_that_is_copied_leaves_no_job() {
    let t = shop("copies_untouched").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.forget();
    Host::update(&t.odm, host.id)
        .set(Host::fields().name, "x")
        .await
        .unwrap();
    assert_eq!(t.recorder().names(), ["update"]);
    Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, host.ipaddr.as_str())
        .await
        .unwrap();
    assert!(jobs(&t.odm).await.is_empty());
}

#[tokio::test]
async fn a_push_takes_the_value_of_the_source() {
    let t = shop("copies_push").await;
    let parts = [part(1), part(2)];
    t.given(&parts).await;
    let product = product(1, [&parts[0]]);
    product.insert(&t.odm).await.unwrap();
    let stale = PartLine {
        id: parts[1].id,
        name: "an old name".to_owned(),
    };
    Product::update(&t.odm, product.id)
        .push(Product::fields().parts, stale)
        .await
        .unwrap();
    let stored = Product::get(&t.odm, product.id).await.unwrap();
    assert_eq!(stored.parts[1].name, parts[1].name);
    let owned = Part::get(&t.odm, parts[1].id).await.unwrap();
    assert_eq!(owned.product_name.as_deref(), Some(product.name.as_str()));
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_changed_reference_brings_its_copies() {
    let t = shop("copies_relink").await;
    let hosts = [host(1), host(2)];
    t.given(&hosts).await;
    let messages = messages(&hosts[0], 2);
    t.given(&messages).await;
    t.forget();
    LogMsg::update(&t.odm, messages[0].id)
        .set(LogMsg::fields().host, hosts[1].id)
        .await
        .unwrap();
    assert_eq!(
        t.recorder().names(),
        ["find", "update", "commitTransaction", "find"]
    );
    let stored = LogMsg::get(&t.odm, messages[0].id).await.unwrap();
    assert_eq!(stored.ipaddr, hosts[1].ipaddr);
    let fields = LogMsg::fields();
    LogMsg::update_many(&t.odm, fields.message.exists())
        .set(fields.host, hosts[1].id)
        .await
        .unwrap();
    let stored = LogMsg::get(&t.odm, messages[1].id).await.unwrap();
    assert_eq!(stored.ipaddr, hosts[1].ipaddr);
}

#[tokio::test]
async fn a_save_of_an_old_struct_does_not_bring_old_copies_back() {
    let t = shop("copies_save").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let mut loaded = product(1, [&part]);
    loaded.insert(&t.odm).await.unwrap();
    Part::update(&t.odm, part.id)
        .set(Part::fields().name, "new")
        .await
        .unwrap();
    loaded.manufacturer = "Emca".to_owned();
    loaded.save(&t.odm).await.unwrap();
    let stored = Product::get(&t.odm, loaded.id).await.unwrap();
    assert_eq!(stored.manufacturer, "Emca");
    assert_eq!(stored.parts[0].name, "new");
}

#[tokio::test]
async fn an_update_of_many_sources_reaches_all_copies() {
    let t = shop("copies_update_many").await;
    let parts: Vec<_> = (0..1_200).map(part).collect();
    t.given(&parts).await;
    let product = product(1, &parts);
    product.insert(&t.odm).await.unwrap();
    let fields = Part::fields();
    let report = Part::update_many(&t.odm, fields.qty.eq(94))
        .set(fields.name, "grommet")
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (1_200, 1_200));
    let stored = Product::get(&t.odm, product.id).await.unwrap();
    assert!(stored.parts.iter().all(|line| line.name == "grommet"));
    settle(&t.odm).await;
}

/// Ids that do not fit into one statement are sent in several statements, which still use one transaction.
#[tokio::test]
async fn a_large_update_is_cut_by_the_size_of_a_statement() {
    let t = shop("copies_update_many_cut").await;
    let mut small = settings();
    small.range_bytes = 200;
    let odm = t.odm.with_settings(small);
    let parts: Vec<_> = (0..30).map(part).collect();
    t.given(&parts).await;
    let product = product(1, &parts);
    product.insert(&t.odm).await.unwrap();
    t.forget();
    let fields = Part::fields();
    let update = Part::update_many(&odm, fields.qty.eq(94)).set(fields.name, "grommet");
    let report = update.atomic().await.unwrap();
    assert_eq!((report.matched, report.modified), (30, 30));
    let sent = t.recorder().commands();
    let updates = sent
        .iter()
        .filter(|it| it.command.get_str("update").is_ok_and(|of| of == "parts"));
    // Eight ids fit into 200 bytes.
    assert_eq!(updates.count(), 4);
    assert_eq!(t.recorder().count("commitTransaction"), 1);
    let stored = Product::get(&odm, product.id).await.unwrap();
    assert!(stored.parts.iter().all(|line| line.name == "grommet"));
    settle(&odm).await;
}

#[tokio::test]
async fn find_and_update_and_upsert_fan_out() {
    let t = shop("copies_find_and_update").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 1);
    t.given(&messages).await;
    let fields = Host::fields();
    let old = Host::find_one_and_update(&t.odm, fields.name.eq(host.name.as_str()))
        .set(fields.ipaddr, "10.0.0.1")
        .await
        .unwrap();
    assert_eq!(old.unwrap().ipaddr, host.ipaddr);
    let stored = LogMsg::get(&t.odm, messages[0].id).await.unwrap();
    assert_eq!(stored.ipaddr, "10.0.0.1");
    Host::upsert(&t.odm, fields.id.eq(host.id))
        .set(fields.ipaddr, "10.0.0.2")
        .set_on_insert(fields.name, "new")
        .await
        .unwrap();
    let stored = LogMsg::get(&t.odm, messages[0].id).await.unwrap();
    assert_eq!(stored.ipaddr, "10.0.0.2");
    settle(&t.odm).await;
}

#[tokio::test]
async fn an_upsert_that_inserts_fills_its_copies() {
    let t = shop("copies_upsert").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let fields = LogMsg::fields();
    let id = Id::new();
    LogMsg::upsert(&t.odm, fields.id.eq(id))
        .set(fields.host, host.id)
        .set(fields.message, "hello")
        .set_on_insert(fields.time, DateTime::from_millis(0))
        .with(doc! { "$setOnInsert": { "ipaddr": "whatever" } })
        .await
        .unwrap();
    let stored = LogMsg::get(&t.odm, id).await.unwrap();
    assert_eq!(stored.ipaddr, host.ipaddr);
}

#[tokio::test]
async fn an_upsert_inserts_no_document_that_lacks_a_required_copy() {
    let t = shop("copies_upsert_lacks").await;
    let fields = LogMsg::fields();
    let upsert = |host| {
        LogMsg::upsert(&t.odm, fields.id.eq(Id::new()))
            .set(fields.host, host)
            .set(fields.message, "hello")
            .set(fields.time, DateTime::from_millis(0))
    };
    let error = upsert(Id::new()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "an upsert of `LogMsg` would insert a document without `ipaddr`, which could not be decoded: `ipaddr` is a \
         copy of `Host.ipaddr`, and no `Host` has the key in `host`; insert the `Host` first, or make `ipaddr` an \
         `Option` or give it `#[serde(default)]`"
    );
    assert!(matches!(error, Error::Invalid { .. }));
    assert_eq!(LogMsg::count(&t.odm).await.unwrap(), 0);
    // The update can set the copy explicitly, as an inserted struct does.
    let said = upsert(Id::new()).with(doc! { "$setOnInsert": { "ipaddr": "10.0.0.1" } });
    said.await.unwrap();
    // An existing document keeps its copy.
    let stored = LogMsg::find_one(&t.odm).filter(fields.ipaddr.eq("10.0.0.1"));
    let stored = stored.await.unwrap().unwrap();
    let moved = LogMsg::upsert(&t.odm, fields.id.eq(stored.id)).set(fields.host, Id::new());
    moved
        .set(fields.message, "moved")
        .set(fields.time, DateTime::from_millis(0))
        .await
        .unwrap();
    assert_eq!(
        LogMsg::get(&t.odm, stored.id).await.unwrap().ipaddr,
        "10.0.0.1"
    );
}

#[tokio::test]
async fn a_copy_cannot_be_written_by_itself() {
    let t = shop("copies_direct").await;
    let error = LogMsg::update(&t.odm, Id::new())
        .with(doc! { "$set": { "ipaddr": "x" } })
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`LogMsg.ipaddr` is a copy of `Host.ipaddr`; update the `Host`, and the copy follows"
    );
    assert!(matches!(error, Error::Invalid { .. }));
}

#[tokio::test]
async fn atomic_and_deferred_say_how_copies_follow() {
    let t = shop("copies_atomic_deferred").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 1_500)).await;
    let rename = |to: &'static str| Host::update(&t.odm, host.id).set(Host::fields().ipaddr, to);
    let fields = LogMsg::fields();

    let report = rename("10.0.0.1").atomic().await.unwrap();
    assert_eq!(report.copies[0].guarantee, Guarantee::Atomic);
    assert_eq!(report.copies[0].modified, 1_500);

    let report = rename("10.0.0.2").deferred().await.unwrap();
    assert_eq!(report.copies[0].guarantee, Guarantee::Eventual);
    let moved = LogMsg::count(&t.odm).filter(fields.ipaddr.eq("10.0.0.2"));
    assert_eq!(moved.await.unwrap(), 0);
    let ran = t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(ran.modified, 1_500);
    let moved = LogMsg::count(&t.odm).filter(fields.ipaddr.eq("10.0.0.2"));
    assert_eq!(moved.await.unwrap(), 1_500);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_transaction_of_the_caller_holds_source_and_copies() {
    let t = shop("copies_transaction").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 1_500);
    t.given(&messages).await;
    let rename = |to: &'static str| Host::update(&t.odm, host.id).set(Host::fields().ipaddr, to);
    let _ = rename;
    let error = t
        .odm
        .transaction(async |tx| {
            Host::update(&tx, host.id)
                .set(Host::fields().ipaddr, "10.0.0.1")
                .await?;
            Err::<(), _>(Error::custom("no"))
        })
        .await;
    assert!(error.is_err());
    assert!(jobs(&t.odm).await.is_empty());
    t.odm
        .transaction(async |tx| {
            Host::update(&tx, host.id)
                .set(Host::fields().ipaddr, "10.0.0.1")
                .await?;
            Ok(())
        })
        .await
        .unwrap();
    let moved = LogMsg::count(&t.odm).filter(LogMsg::fields().ipaddr.eq("10.0.0.1"));
    assert_eq!(moved.await.unwrap(), 1_500);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_fan_out_without_its_index_is_refused_unless_forced() {
    let t = shop("copies_no_index").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let odm = mongo_odm::Odm::new(t.odm.database().clone()).with_settings(settings());
    let messages = odm.database().collection::<Bson>("logmsg");
    messages.drop_index("host_1__id_1").await.unwrap();
    let rename = |to: &'static str| Host::update(&odm, host.id).set(Host::fields().ipaddr, to);
    let error = rename("10.0.0.1").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the copies `LogMsg.host <- Host` cannot be found without an index on `logmsg` \
         { host: 1, _id: 1 }; call `odm.sync_indexes()`, or add `.force()` to the write"
    );
    rename("10.0.0.1").force().await.unwrap();
    let moved = LogMsg::count(&odm).filter(LogMsg::fields().ipaddr.eq("10.0.0.1"));
    assert_eq!(moved.await.unwrap(), 3);
    // Jobs also run without the index: for the last look of this write, and for the copies of a deferred write.
    rename("10.0.0.2").force().deferred().await.unwrap();
    settle(&odm).await;
    let moved = LogMsg::count(&odm).filter(LogMsg::fields().ipaddr.eq("10.0.0.2"));
    assert_eq!(moved.await.unwrap(), 3);
    assert_eq!(jobs(&odm).await, []);
}

#[tokio::test]
async fn a_hidden_index_does_not_find_copies() {
    let t = shop("copies_hidden_index").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let hide = |hidden: bool| {
        let index = doc! { "name": "host_1__id_1", "hidden": hidden };
        let database = t.odm.database();
        database.run_command(doc! { "collMod": "logmsg", "index": index })
    };
    hide(true).await.unwrap();
    // A new handle, because a handle remembers the indexes that it has found.
    let odm = mongo_odm::Odm::new(t.odm.database().clone()).with_settings(settings());
    let rename = || Host::update(&odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    let error = rename().await.unwrap_err();
    assert_eq!(error.kind(), mongo_odm::ErrorKind::NoIndex);
    hide(false).await.unwrap();
    rename().await.unwrap();
    let moved = LogMsg::count(&odm).filter(LogMsg::fields().ipaddr.eq("10.0.0.1"));
    assert_eq!(moved.await.unwrap(), 3);
}

#[tokio::test]
async fn a_fan_out_reports_the_documents_that_cannot_take_their_copies() {
    let t = shop("copies_failed").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 1_200);
    t.given(&messages).await;
    let refuse = doc! { "message": &messages[700].message, "ipaddr": "10.0.0.1" };
    let validator = doc! { "collMod": "logmsg", "validator": { "$nor": [refuse] } };
    t.odm.database().run_command(validator).await.unwrap();
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    let report = rename.await.unwrap();
    let copies = &report.copies[0];
    assert_eq!(copies.failed, [messages[700].id.into()]);
    assert_eq!(
        (copies.modified, copies.guarantee),
        (1_199, Guarantee::Eventual)
    );
}

#[tokio::test]
async fn a_job_reaches_documents_whose_ids_are_of_several_types() {
    let t = shop("copies_mixed_ids").await;
    let odm = t.odm.with_settings(settings().inline_copies(0));
    let host = host(1);
    t.given(&[host.clone()]).await;
    let stored = |id: Bson| {
        doc! {
            "_id": id, "time": DateTime::from_millis(0), "message": "", "host": host.id,
            "ipaddr": &host.ipaddr,
        }
    };
    let messages = odm.database().collection("logmsg");
    let ids = (0..500).flat_map(|at: i32| {
        let other: Bson = if at % 2 == 0 {
            at.into()
        } else {
            doc! { "at": at }.into()
        };
        [
            Bson::ObjectId(ObjectId::new()),
            at.to_string().into(),
            other,
        ]
    });
    messages.insert_many(ids.map(stored)).await.unwrap();
    let report = Host::update(&odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .await
        .unwrap();
    assert_eq!(report.copies[0].modified, 1_500);
    settle(&odm).await;
}

/// An update with the driver's `upsert` option does not do the work of an upsert for a new source.
#[tokio::test]
async fn an_update_with_the_option_upsert_is_refused_with_the_remedy() {
    let t = shop("writes_option_upsert").await;
    let id = Id::<Host>::new();
    let (fields, filter) = (Host::fields(), || Host::fields().id.eq(id));
    t.forget();
    let one = Host::update(&t.odm, id).set(fields.ipaddr, "10.0.0.1");
    let many = Host::update_many(&t.odm, filter()).set(fields.ipaddr, "10.0.0.1");
    let found = Host::find_one_and_update(&t.odm, filter()).set(fields.ipaddr, "10.0.0.1");
    let errors = [
        one.options(|it| it.upsert = Some(true)).await.unwrap_err(),
        many.options(|it| it.upsert = Some(true)).await.unwrap_err(),
        found
            .options(|it| it.upsert = Some(true))
            .await
            .unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        assert!(error.to_string().contains("`Host::upsert(..)`"), "{error}");
    }
    assert_eq!(t.recorder().names(), Vec::<String>::new());
    // With the remedy, copies that have waited for their source get its value.
    let message = &messages(&host(1), 1)[0];
    let message = LogMsg {
        host: id,
        ..message.clone()
    };
    message.insert(&t.odm).await.unwrap();
    let upsert = Host::upsert(&t.odm, filter()).set(fields.ipaddr, "10.0.0.1");
    upsert.set(fields.name, "goofy").await.unwrap();
    assert_eq!(
        stale(&t.odm, &Host::get(&t.odm, id).await.unwrap()).await,
        0
    );
    settle(&t.odm).await;
}
