//! Writes of documents on both shards.

use mongo_odm::{
    Error, Odm,
    bson::{Document, doc},
    mongodb::options::Collation,
    prelude::*,
};

use crate::models::{Event, Host, Log, empty, event, host, log, sharded};

/// Returns the statements of a call, without those that declare the models.
async fn sent<T>(odm: &Odm, call: impl Future<Output = T>) -> (T, Vec<String>) {
    let observed = odm.observe(call).await;
    let own = observed.sent.iter().filter(|sent| {
        let collection = sent.collection.as_deref().unwrap_or_default();
        sent.command != "hello" && !collection.starts_with("_odm")
    });
    let statements = own.map(|sent| sent.statement.to_string());
    (observed.value, statements.collect())
}

async fn events(name: &str) -> Odm {
    let odm = sharded(name).await;
    let all: Vec<Event> = [(1, 10), (2, 60), (3, 10), (4, 60)]
        .map(|(id, room)| event(id, room))
        .into();
    Event::insert_many(&odm, &all).await.unwrap();
    odm
}

#[tokio::test]
async fn an_update_finds_the_key_of_its_document() {
    let odm = events("sharded_update").await;
    let fields = Event::fields();
    for id in [1, 2] {
        let id = Id::from_key(id);
        let updated = Event::update(&odm, id).set(fields.state, "seen").await;
        assert_eq!(updated.unwrap().modified, 1);
        assert_eq!(Event::get(&odm, id).await.unwrap().state, "seen");
    }
    let push = Event::update(&odm, Id::from_key(2)).push(fields.tags, "a".to_owned());
    assert_eq!(push.await.unwrap().modified, 1);
    let missing = Event::update(&odm, Id::from_key(9)).set(fields.state, "seen");
    assert_eq!(missing.await.unwrap().matched, 0);
}

#[tokio::test]
async fn find_one_and_update_reads_the_key_only_if_the_filter_lacks_it() {
    let odm = events("sharded_find_update").await;
    let fields = Event::fields();
    let take = || {
        let take = Event::find_one_and_update(&odm, fields.state.eq("new"));
        take.set(fields.state, "taken").sort(fields.id.desc())
    };
    let (taken, statements) = sent(&odm, async { take().await.unwrap() }).await;
    assert_eq!(taken.unwrap().id, Id::from_key(4));
    assert_eq!(statements.len(), 2, "{statements:#?}");
    assert!(statements[0].starts_with("db.sharded_events.find("));
    assert!(
        statements[1].contains("{ $and: [{ _id: 4, room: 60 }, { state: \"new\" }] }"),
        "{statements:#?}"
    );
    let filter = fields.room.eq(10).and(fields.id.eq(Id::from_key(1)));
    let one = Event::find_one_and_update(&odm, filter).set(fields.state, "taken");
    let (taken, statements) = sent(&odm, async { one.await.unwrap() }).await;
    assert_eq!(taken.unwrap().id, Id::from_key(1));
    assert_eq!(statements.len(), 1, "{statements:#?}");
    let none = Event::find_one_and_update(&odm, fields.state.eq("none"));
    assert!(none.set(fields.state, "taken").await.unwrap().is_none());
}

/// All callers find the same document first. Each caller except one must then find a different one.
#[tokio::test]
async fn concurrent_callers_take_different_documents() {
    let odm = sharded("sharded_queue").await;
    let all: Vec<Event> = (0..12).map(|id| event(id, id * 9)).collect();
    Event::insert_many(&odm, &all).await.unwrap();
    let fields = Event::fields();
    let calls = (0..12).map(|_| async {
        let take = Event::find_one_and_update(&odm, fields.state.eq("new"));
        take.set(fields.state, "taken")
            .sort(fields.id.asc())
            .await
            .unwrap()
            .unwrap()
            .id
    });
    let mut taken = futures_util::future::join_all(calls).await;
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 12);
}

/// With their copies, the documents do not fit into one command, so the driver sends two.
#[tokio::test]
async fn an_insert_of_two_commands_leaves_out_a_rejected_document() {
    let odm = sharded("sharded_large_insert").await;
    let mut long = host(1);
    long.name = "n".repeat(20_000);
    long.insert(&odm).await.unwrap();
    let line = |id| Log {
        text: "t".repeat(976_000),
        ..log(id, 1)
    };
    let all: Vec<Log> = (0..49).map(line).collect();
    all[0].insert(&odm).await.unwrap();
    let insert = Log::insert_many(&odm, &all).unordered();
    let error = insert.await.unwrap_err();
    let Error::InsertMany {
        inserted, rejected, ..
    } = error
    else {
        panic!("{error:?}");
    };
    let positions: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!((inserted, positions), (48, vec![0]));
    assert_eq!(Log::count(&odm).await.unwrap(), 49);
}

#[tokio::test]
async fn deletes_find_the_key_of_their_document() {
    let odm = events("sharded_delete").await;
    assert_eq!(
        Event::delete(&odm, Id::from_key(2)).await.unwrap().deleted,
        1
    );
    assert_eq!(
        Event::delete(&odm, Id::from_key(2)).await.unwrap().deleted,
        0
    );
    let many = Event::delete_many(&odm, Event::fields().state.eq("new"));
    assert_eq!(many.await.unwrap().deleted, 3);
}

#[tokio::test]
async fn a_save_inserts_and_replaces_on_the_shard_of_its_key() {
    let odm = events("sharded_save").await;
    let mut changed = event(2, 60);
    changed.state = "saved".into();
    assert_eq!(changed.save(&odm).await.unwrap().modified, 1);
    assert_eq!(event(5, 70).save(&odm).await.unwrap().matched, 0);
    assert_eq!(Event::count(&odm).await.unwrap(), 5);
    assert_eq!(changed.replace(&odm).await.unwrap().matched, 1);
    assert_eq!(event(6, 70).replace(&odm).await.unwrap().matched, 0);
}

/// Without the error, two documents on different shards would have the same `_id`.
#[tokio::test]
async fn a_save_with_another_key_fails() {
    let odm = events("sharded_moved").await;
    let failed = event(1, 60).save(&odm).await.unwrap_err();
    let expected = "`Event.room` is part of the shard key, which only `save` and `replace` with `.moving()` can change; set \
                    the field in the struct, and call `.save(&odm).moving()`";
    assert!(failed.to_string().contains(expected), "{failed}");
    let replaced = event(1, 60).replace(&odm).await;
    assert!(
        matches!(replaced, Err(Error::Invalid { .. })),
        "{replaced:?}"
    );
    assert_eq!(Event::count(&odm).await.unwrap(), 4);
    let fields = Event::fields();
    let update = Event::update(&odm, Id::from_key(1)).set(fields.room, 60);
    let failed = update.await.unwrap_err().to_string();
    assert!(failed.contains(expected), "{failed}");
    let many = Event::update_many(&odm, fields.state.eq("new")).inc(fields.room, 1);
    assert!(matches!(many.await, Err(Error::Invalid { .. })));
}

#[tokio::test]
async fn a_delete_and_an_insert_change_the_key() {
    let odm = events("sharded_remedy").await;
    let moved = odm.transaction(async |tx| {
        Event::delete(&tx, Id::from_key(1)).await?;
        event(1, 60).insert(&tx).await
    });
    moved.await.unwrap();
    let found = Event::get(&odm, Id::from_key(1)).await.unwrap();
    assert_eq!((found.room, Event::count(&odm).await.unwrap()), (60, 4));
}

#[tokio::test]
async fn an_upsert_needs_the_key_in_its_filter() {
    let odm = events("sharded_upsert").await;
    let fields = Event::fields();
    let upsert = |filter| {
        let upsert = Event::upsert(&odm, filter).set(fields.state, "seen");
        upsert.set_on_insert(fields.tags, Vec::new())
    };
    let failed = upsert(fields.id.eq(Id::from_key(7))).await.unwrap_err();
    let expected = "an upsert of `Event` needs the shard key in its filter, and the filter has no value for `room`";
    assert!(failed.to_string().contains(expected), "{failed}");
    let by_key = |id, room| fields.id.eq(Id::from_key(id)).and(fields.room.eq(room));
    let new = upsert(by_key(7, 70)).await.unwrap();
    assert!(new.upserted_id.is_some());
    let known = upsert(by_key(2, 60)).await.unwrap();
    assert_eq!(known.modified, 1);
    assert_eq!(Event::get(&odm, Id::from_key(7)).await.unwrap().room, 70);
}

#[tokio::test]
async fn copies_summaries_and_cascades_reach_both_shards() {
    let odm = sharded("sharded_derived").await;
    Host::insert_many(&odm, &[host(1), host(60)]).await.unwrap();
    let logs: Vec<Log> = [(1, 1), (2, 1), (3, 60)].map(|(id, of)| log(id, of)).into();
    Log::insert_many(&odm, &logs).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let name = async |id: i32| Log::get(&odm, Id::from_key(id)).await.unwrap().host_name;
    assert_eq!(name(3).await, "host 60");
    let rename = Host::update(&odm, Id::from_key(60)).set(Host::fields().name, "db");
    rename.await.unwrap();
    assert_eq!(
        (name(3).await, name(1).await),
        ("db".into(), "host 1".into())
    );
    let count = async |id: i32| Host::get(&odm, Id::from_key(id)).await.unwrap().logs;
    assert_eq!(count(1).await, 2);
    Log::delete(&odm, Id::from_key(2)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(count(1).await, 1);
    Host::delete(&odm, Id::from_key(60)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Log::count(&odm).await.unwrap(), 1);
    let drift = odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift:?}");
}

#[tokio::test]
async fn a_version_is_compared_on_the_shard_of_the_document() {
    let odm = sharded("sharded_version").await;
    Host::insert_many(&odm, &[host(60)]).await.unwrap();
    log(1, 60).insert(&odm).await.unwrap();
    let loaded = Log::get(&odm, Id::from_key(1)).await.unwrap();
    let first = Log::update(&odm, loaded.id).set(Log::fields().text, "first");
    first.if_unchanged(&loaded).await.unwrap();
    let second = Log::update(&odm, loaded.id).set(Log::fields().text, "second");
    let failed = second.if_unchanged(&loaded).await.unwrap_err();
    assert!(matches!(failed, Error::Conflict { .. }), "{failed:?}");
    assert!(matches!(
        loaded.save(&odm).await,
        Err(Error::Conflict { .. })
    ));
}

/// A program that stored the key as `i64` does not prevent a save by a program that stores it as `i32`.
#[tokio::test]
async fn equal_numbers_of_different_types_are_the_same_key() {
    let odm = sharded("sharded_numbers").await;
    let raw = odm.database().collection::<Document>("sharded_events");
    for (id, room) in [(1, 10), (2, 60)] {
        let stored = doc! { "_id": id, "room": i64::from(room), "state": "old", "tags": [] };
        raw.insert_one(stored).await.unwrap();
        let mut event = Event::get(&odm, Id::from_key(id)).await.unwrap();
        event.state = "seen".into();
        event.save(&odm).await.unwrap();
        event.replace(&odm).await.unwrap();
        event.save(&odm).moving().await.unwrap();
        let stored = Event::get(&odm, Id::from_key(id)).await.unwrap();
        assert_eq!((stored.room, stored.state.as_str()), (room, "seen"));
        assert_eq!(
            Event::count(&odm).await.unwrap(),
            u64::try_from(id).unwrap()
        );
    }
}

/// A package. Older packages lack the region, which is the shard key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_packages", shard_key(region = 1))]
struct Package {
    #[serde(rename = "_id")]
    id: Id<Package, i32>,
    #[serde(default)]
    region: i32,
    name: String,
}

#[tokio::test]
async fn a_document_without_its_key_is_found_by_null() {
    let odm = empty("sharded_without_key").await;
    odm.shard_collections().only::<Package>().await.unwrap();
    let raw = odm.database().collection("sharded_packages");
    raw.insert_one(doc! { "_id": 1, "name": "a" })
        .await
        .unwrap();
    let (id, fields) = (Id::from_key(1), Package::fields());
    let first = Package::find_one_and_update(&odm, fields.name.eq("a")).set(fields.name, "b");
    assert!(first.await.unwrap().is_some());
    let second = Package::update(&odm, id).set(fields.name, "c").returning();
    let mut stored = second.await.unwrap();
    assert_eq!((stored.region, stored.name.as_str()), (0, "c"));
    // The default value is a different key from the missing value.
    assert!(matches!(
        stored.save(&odm).await,
        Err(Error::Invalid { .. })
    ));
    stored.region = 60;
    stored.save(&odm).moving().await.unwrap();
    assert_eq!(Package::find(&odm).await.unwrap(), [stored]);
}

/// A model whose shard key contains text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sharded_towns", shard_key(name = 1))]
struct Town {
    #[serde(rename = "_id")]
    id: Id<Town, i32>,
    name: String,
    people: i32,
}

#[tokio::test]
async fn a_collation_does_not_find_the_shard_of_a_text() {
    let odm = empty("sharded_collated").await;
    odm.shard_collections().only::<Town>().await.unwrap();
    let towns = [(1, "Bern"), (2, "bern")].map(|(id, name)| Town {
        id: Id::from_key(id),
        name: name.to_owned(),
        people: 0,
    });
    Town::insert_many(&odm, &towns).await.unwrap();
    let fields = Town::fields();
    let collation = || {
        let strength = mongo_odm::mongodb::options::CollationStrength::Secondary;
        Collation::builder().locale("en").strength(strength).build()
    };
    let found = || {
        let found = Town::find(&odm).filter(fields.name.eq("BERN"));
        found.collation(collation())
    };
    let plan = found().plan().unwrap().to_string();
    assert!(plan.contains("[all shards]"), "{plan}");
    assert_eq!(found().await.unwrap().len(), 2);
    let one = Town::find_one_and_update(&odm, fields.name.eq("BERN")).collation(collation());
    let error = one.inc(fields.people, 1).await.unwrap_err();
    assert_eq!(error.code(), "odm.invalid");
    let message = error.to_string();
    assert!(
        message.contains("cannot change one `Town` with a collation"),
        "{message}"
    );
}

#[tokio::test]
async fn a_pipeline_that_builds_a_new_document_keeps_the_key() {
    let odm = events("sharded_pipelines").await;
    let update = |stage: Document| {
        let id = Id::from_key(1);
        Event::update(&odm, id).modifications(vec![stage])
    };
    for stage in [
        doc! { "$replaceWith": { "$mergeObjects": ["$$ROOT", { "room": 20 }] } },
        doc! { "$project": { "state": 1, "tags": 1 } },
    ] {
        let error = update(stage).await.unwrap_err().to_string();
        assert!(
            error.contains("`Event.room` is part of the shard key"),
            "{error}"
        );
    }
    for stage in [
        doc! { "$project": { "room": 1, "state": 1, "tags": 1 } },
        doc! { "$project": { "other": 0.0 } },
        doc! { "$replaceWith": "$$ROOT" },
        doc! { "$replaceRoot": { "newRoot": { "$mergeObjects": ["$$ROOT", { "state": "old" }] } } },
        doc! { "$set": { "state": "seen" } },
    ] {
        update(stage).await.unwrap();
    }
    assert_eq!(
        Event::get(&odm, Id::from_key(1)).await.unwrap().state,
        "seen"
    );
}
