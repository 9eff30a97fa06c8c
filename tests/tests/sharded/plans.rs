//! The shards in plans, and the setting that rejects broadcasts.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongo_odm::{
    DocumentChange, Error, Settings,
    bson::{Bson, Document, Regex, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{Event, Host, Log, event, host, log, sharded};

#[tokio::test]
async fn a_plan_shows_the_shards() {
    let t = Harness::new("shards_of_plans").await;
    let (odm, fields) = (&t.odm, Event::fields());
    let shards = |plan: mongo_odm::Result<mongo_odm::Plan>| {
        let statements = plan.unwrap().statements.into_iter();
        statements.flat_map(|it| it.notes).collect::<Vec<_>>()
    };
    let one = fields.room.eq(1).and(fields.id.eq(Id::from_key(7)));
    assert_eq!(shards(Event::find(odm).filter(one).plan()), ["[1 shard]"]);
    let two = fields.room.is_in([1, 2]).and(fields.id.eq(Id::from_key(7)));
    assert_eq!(
        shards(Event::find(odm).filter(two).plan()),
        ["[2 of n shards]"]
    );
    let prefix = Event::find(odm).filter(fields.room.eq(1));
    assert_eq!(shards(prefix.plan()), ["[shards of one prefix]"]);
    assert_eq!(shards(Event::find(odm).plan()), ["[all shards]"]);
    let update = Event::find_one_and_update(odm, fields.state.eq("new")).set(fields.state, "old");
    assert_eq!(shards(update.plan()), ["[all shards]", "[1 shard]"]);
    // The reference is the shard key, so each load is only sent to the shards that contain its keys.
    let host = Host {
        id: Id::from_key(1),
        name: String::new(),
        logs: 0,
    };
    assert_eq!(shards(host.load_logs(odm).plan()), ["[1 shard]"]);
}

#[tokio::test]
async fn explain_names_the_shards_of_the_plan() {
    let odm = sharded("sharded_explain").await;
    for (id, room) in [(1, 10), (2, 60)] {
        event(id, room).insert(&odm).await.unwrap();
    }
    let fields = Event::fields();
    for (filter, shards) in [
        (fields.room.eq(60), 1),
        (fields.room.eq(10).and(fields.id.eq(Id::from_key(1))), 1),
        (fields.state.eq("new"), 2),
    ] {
        let plan = Event::find(&odm).filter(filter).plan().unwrap();
        let filter = plan.statements[0].arguments[0].clone();
        let explain = doc! { "explain": { "find": "sharded_events", "filter": filter } };
        let explained = odm.database().run_command(explain).await.unwrap();
        let text = explained.to_string();
        let asked = ["shard0", "shard1"].map(|shard| text.contains(shard));
        let asked = asked.into_iter().filter(|is_asked| *is_asked).count();
        assert_eq!(asked, shards, "{text}");
    }
}

#[tokio::test]
async fn a_setting_rejects_broadcasts() {
    let odm = sharded("sharded_broadcast").await;
    let odm = odm.with_settings(Settings::default().reject_broadcasts(true));
    event(1, 10).insert(&odm).await.unwrap();
    let fields = Event::fields();
    let failed = Event::find(&odm).await.unwrap_err().to_string();
    let expected = "a cluster would send this `find` of `Event` to all shards, which `Settings::reject_broadcasts` \
                    forbids; add a condition on `room`";
    assert!(failed.contains(expected), "{failed}");
    let found = Event::find(&odm).filter(fields.room.eq(10)).await.unwrap();
    assert_eq!(found.len(), 1);
    let update = Event::find_one_and_update(&odm, fields.state.eq("new")).set(fields.state, "x");
    assert!(update.await.is_err());
    assert!(Log::count(&odm).await.is_err());
    for pipeline in [
        vec![],
        vec![doc! { "$limit": 1 }],
        vec![doc! { "$match": { "state": "new" } }],
    ] {
        let failed = Event::aggregate::<Document>(&odm, pipeline.clone())
            .await
            .unwrap_err();
        assert!(failed.to_string().contains("this `aggregate`"), "{failed}");
        let plan = Event::aggregate::<Document>(&odm, pipeline).plan();
        let plan = plan.unwrap().to_string();
        assert!(plan.contains("[all shards]"), "{plan}");
    }
    let of_room = vec![doc! { "$match": { "room": 10 } }];
    assert_eq!(
        Event::aggregate::<Document>(&odm, of_room)
            .await
            .unwrap()
            .len(),
        1
    );
}

/// On a replica set, the event of an upsert contains only the `_id`, by which a stream reads the copies.
#[tokio::test]
async fn a_stream_is_not_rejected_as_a_broadcast() {
    let t = Harness::new("shards_of_streams").await;
    let indexes = t.odm.sync_indexes().only::<Host>();
    indexes.only::<Log>().await.unwrap();
    host(1).insert(&t.odm).await.unwrap();
    let strict = Settings::default().reject_broadcasts(true);
    let mut logs = Log::watch(&t.odm.with_settings(strict)).await.unwrap();
    let (fields, new) = (Log::fields(), log(7, 1));
    let by_key = fields.id.eq(new.id) & fields.host.eq(new.host);
    let upsert = Log::upsert(&t.odm, by_key).set(fields.text, new.text);
    upsert.await.unwrap();
    let next = tokio::time::timeout(Duration::from_secs(20), logs.try_next());
    let event = next.await.unwrap().unwrap().unwrap();
    let DocumentChange::Inserted(inserted) = event.change else {
        panic!("{event:?}");
    };
    let stored = Log::get(&t.odm, new.id).await.unwrap();
    assert_eq!(stored.host_name, "host 1");
    assert_eq!(inserted, stored);
}

/// After the update has matched nothing, the library reads the version by the `_id`.
#[tokio::test]
async fn a_version_conflict_is_not_rejected_as_a_broadcast() {
    let t = Harness::new("shards_of_conflicts").await;
    let indexes = t.odm.sync_indexes().only::<Host>();
    indexes.only::<Log>().await.unwrap();
    host(1).insert(&t.odm).await.unwrap();
    log(7, 1).insert(&t.odm).await.unwrap();
    let strict = Settings::default().reject_broadcasts(true);
    let (odm, fields) = (t.odm.with_settings(strict), Log::fields());
    let update = |id, version: i64| {
        let update = Log::update(&odm, Id::from_key(id)).filter(fields.host.eq(Id::from_key(1)));
        update.if_version(version).set(fields.text, "x")
    };
    for (id, stored) in [(7, Some(1)), (8, None)] {
        let failed = update(id, 9).await.unwrap_err();
        assert!(
            matches!(failed, Error::Conflict { found, .. } if found == stored),
            "{failed:?}"
        );
        let failed = update(id, 9).returning().await.unwrap_err();
        assert!(
            matches!(failed, Error::Conflict { found, .. } if found == stored),
            "{failed:?}"
        );
    }
    assert_eq!(update(7, 1).await.unwrap().modified, 1);
}

#[tokio::test]
async fn a_written_struct_is_found_by_its_shard_key() {
    let odm = sharded("sharded_structs").await;
    let odm = odm.with_settings(Settings::default().reject_broadcasts(true));
    let stored = event(1, 10).insert(&odm).returning().await.unwrap();
    assert_eq!(stored, event(1, 10));
    // The struct that was loaded may have another shard key than the stored document.
    let changed = Event {
        state: "old".into(),
        ..stored.clone()
    };
    let failed = changed.save_changes(&odm, &stored).await.unwrap_err();
    assert!(failed.to_string().contains("this `update`"), "{failed}");
    let plan = stored.insert(&odm).returning().plan().unwrap();
    let shown: Vec<_> = plan.statements.iter().flat_map(|it| &it.notes).collect();
    assert_eq!(shown, ["[1 shard]"]);
}

#[tokio::test]
async fn a_regular_expression_does_not_select_a_shard() {
    let odm = sharded("sharded_patterns").await;
    for filter in [
        doc! { "room": Bson::RegularExpression(regex()) },
        doc! { "room": { "$in": [1, Bson::RegularExpression(regex())] } },
        doc! { "room": { "$regex": "a" } },
    ] {
        let plan = Event::find(&odm).filter(filter).plan().unwrap();
        assert!(plan.to_string().contains("[all shards]"), "{plan}");
    }
    event(1, 10).insert(&odm).await.unwrap();
    let pattern = doc! { "room": Bson::RegularExpression(regex()) };
    let update = Event::find_one_and_update(&odm, pattern).set(Event::fields().state, "x");
    assert_eq!(update.await.unwrap(), None);
}

#[allow(
    clippy::unnecessary_fallible_conversions,
    reason = "patterns are strings in one major of BSON and C strings in the other"
)]
fn regex() -> Regex {
    Regex {
        pattern: "a".try_into().unwrap(),
        options: "".try_into().unwrap(),
    }
}
