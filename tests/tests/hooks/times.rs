//! One write stores one time: in its document, in the writes of its hook, and in all fields of a soft delete.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicI64, Ordering},
};

use super::*;

/// A document with the times of its writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_visits", hooks)]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i64>,
    text: String,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    #[version]
    version: i64,
    #[deleted_at]
    deleted: Option<DateTime>,
}

/// The entry of a log that the hooks write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_visit_log")]
struct LogEntry {
    #[serde(rename = "_id")]
    id: Id<LogEntry>,
    #[created_at]
    written: DateTime,
    now: DateTime,
}

async fn log(tx: &Tx) -> mongo_odm::Result<()> {
    let entry = LogEntry {
        id: Id::new(),
        written: DateTime::from_millis(0),
        now: tx.now(),
    };
    entry.insert(tx).await.map(drop)
}

impl Hooks for Visit {
    async fn before_insert(&mut self, tx: &Tx) -> mongo_odm::Result<()> {
        log(tx).await
    }

    async fn before_update(&self, _: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        log(tx).await
    }

    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        log(tx).await
    }
}

/// Returns a handle whose clock advances each time it is read.
async fn ticking(test: &str) -> (Harness, Odm) {
    let t = Harness::new(test).await;
    let ticks = AtomicI64::new(0);
    let clock = move || DateTime::from_millis(ticks.fetch_add(1_000, Ordering::Relaxed));
    let odm = t.odm.with_settings(Settings::default().clock(clock));
    (t, odm)
}

/// Removes the only entry of the log and returns its time.
async fn logged(odm: &Odm) -> DateTime {
    let entries = LogEntry::find(odm).await.unwrap();
    let [entry] = &*entries else {
        panic!("{entries:?}");
    };
    assert_eq!(entry.written, entry.now);
    LogEntry::delete(odm, entry.id).await.unwrap();
    entry.now
}

#[tokio::test]
async fn a_write_and_its_hook_store_one_time() {
    let (_t, odm) = ticking("hooks_times").await;
    let visit = Visit {
        id: Id::from_key(1),
        text: "#1".into(),
        created: DateTime::from_millis(0),
        updated: DateTime::from_millis(0),
        version: 0,
        deleted: None,
    };
    let stored = visit.insert(&odm).returning().await.unwrap();
    let inserted = logged(&odm).await;
    assert_eq!((stored.created, stored.updated), (inserted, inserted));
    let update = Visit::update(&odm, visit.id).set(Visit::fields().text, "#2");
    let stored = update.returning().await.unwrap();
    let updated = logged(&odm).await;
    assert_eq!((stored.created, stored.updated), (inserted, updated));
    assert!(updated > inserted);
    Visit::delete(&odm, visit.id).await.unwrap();
    let deleted = logged(&odm).await;
    let stored = Visit::find(&odm).only_deleted().await.unwrap().remove(0);
    assert_eq!((stored.deleted, stored.updated), (Some(deleted), deleted));
    assert!(deleted > updated);
    // Another write reads the clock again.
    assert!(odm.now() > deleted);
}

#[tokio::test]
async fn the_operations_of_a_bulk_write_store_one_time() {
    let (_t, odm) = ticking("hooks_bulk_times").await;
    let visit = |number, text: &str| Visit {
        id: Id::from_key(number),
        text: text.into(),
        created: DateTime::from_millis(0),
        updated: DateTime::from_millis(0),
        version: 0,
        deleted: None,
    };
    visit(1, "#1").insert(&odm).await.unwrap();
    let inserted = logged(&odm).await;
    let text = Visit::fields().text;
    let bulk = odm.bulk_write().add(visit(2, "#2").insert(&odm));
    let bulk = bulk.add(Visit::update(&odm, Id::from_key(1)).set(text, "#3"));
    bulk.add(Visit::delete(&odm, Id::from_key(2)))
        .await
        .unwrap();
    let entries = LogEntry::find(&odm).await.unwrap();
    let times: BTreeSet<_> = entries.iter().map(|entry| entry.now).collect();
    assert_eq!((entries.len(), times.len()), (3, 1));
    let stored = Visit::find(&odm)
        .with_deleted()
        .sort(Visit::fields().id.asc());
    let stored = stored.await.unwrap();
    let now = entries[0].now;
    assert_eq!((stored[0].created, stored[0].updated), (inserted, now));
    assert_eq!((stored[1].created, stored[1].deleted), (now, Some(now)));
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, Patch)]
#[patch(of = Visit)]
#[serde(default)]
struct VisitPatch {
    #[serde(skip_serializing_if = "Presence::is_missing")]
    text: Presence<String>,
}

#[tokio::test]
async fn an_empty_patch_calls_no_hook() {
    let (t, odm) = ticking("hooks_empty_patch").await;
    let visit = Visit {
        id: Id::from_key(1),
        text: "#1".into(),
        created: DateTime::from_millis(0),
        updated: DateTime::from_millis(0),
        version: 0,
        deleted: None,
    };
    let stored = visit.insert(&odm).returning().await.unwrap();
    logged(&odm).await;
    t.forget();
    let empty = || Visit::update(&odm, visit.id).patch(VisitPatch::default());
    empty().await.unwrap();
    assert_eq!(t.recorder().names(), [""; 0]);
    let returned = empty().if_version(1).returning().await.unwrap();
    assert_eq!(returned, stored);
    let found = Visit::find_one_and_update(&odm, Visit::fields().id.eq(visit.id));
    let found = found.patch(VisitPatch::default()).await.unwrap();
    assert_eq!(found, Some(stored));
    empty().if_version(7).returning().await.unwrap_err();
    assert!(LogEntry::find(&odm).await.unwrap().is_empty());
}
