//! Measures how much memory a program retains. This is a separate program, because the allocator counts the memory of
//! all tests.

#![allow(clippy::unwrap_used, reason = "tests: they panic to fail")]

use std::time::Duration;

use mongo_odm::{
    Odm, Settings, Settle,
    bson::{DateTime, Document},
    prelude::*,
};
use odm_tests::Harness;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Number of declarations that change between two reads.
const CHANGING: usize = 200;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "memory_depots")]
struct Depot {
    #[serde(rename = "_id")]
    id: Id<Depot>,
    name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "memory_trailers")]
struct Trailer {
    #[serde(rename = "_id")]
    id: Id<Trailer>,
    #[parent_ref]
    depot: Id<Depot>,
    #[denorm(from = "Depot.name")]
    depot_name: String,
}

/// Replaces the declarations of other programs. Each declaration copies the name of a depot into a different
/// collection, kind and field.
async fn redeclare(odm: &Odm, round: usize) {
    let schema = odm.database().collection::<Document>("_odm_schema");
    let others = doc! { "_id": { "$regex": "^memory_other" } };
    schema.delete_many(others).await.unwrap();
    let now = DateTime::now();
    let declarations = (0..CHANGING).map(|number| {
        let target = format!("memory_other{round}_{number}[kind=sort{round}_{number}]");
        let to = format!("name{round}_{number}");
        doc! {
            "_id": format!("{target}.depot <- memory_depots._id"),
            "name": format!("Other{number}.depot <- Depot"),
            "rule": false, "source": "memory_depots", "source_key": "_id", "in_source": false,
            "target": &target, "key": "depot",
            "fields": [{ "from": "name", "to": to, "reads": ["name"], "seen_at": now, "declared_at": now }],
            "by": ["other"], "seen_at": now, "declared_at": now,
        }
    });
    schema.insert_many(declarations).await.unwrap();
}

/// Renames a depot. The write reads the declarations first, and enqueues a job for each declaration.
async fn rename(odm: &Odm, depot: &Depot, round: usize) {
    let name = format!("name of round {round}");
    let renamed = Depot::update(odm, depot.id).set(Depot::fields().name, name);
    let report = renamed.await.unwrap();
    assert!(!report.token().is_empty(), "no job for other programs");
    for collection in ["_odm_jobs", "_odm_cursors"] {
        let collection = odm.database().collection::<Document>(collection);
        collection.delete_many(doc! {}).await.unwrap();
    }
}

#[tokio::test]
async fn ten_thousand_changing_declarations_of_others_leave_no_memory_behind() {
    let t = Harness::new("memory_declarations").await;
    let settings = Settings::default().schema_refresh(Duration::ZERO);
    let odm = t.odm.with_settings(settings.settle(Settle::Manual));
    odm.sync_indexes().await.unwrap();
    let depot = Depot {
        id: Id::new(),
        name: "first".to_owned(),
    };
    depot.insert(&odm).await.unwrap();
    let mut before = 0;
    for round in 0..60 {
        redeclare(&odm, round).await;
        rename(&odm, &depot, round).await;
        // The recorder of the test keeps all commands until it is cleared.
        t.recorder().clear();
        if round == 10 {
            before = MEMORY.current_usage();
        }
    }
    let grown = MEMORY.current_usage().saturating_sub(before);
    // A declaration needs more than a kilobyte, so 9,800 of them would need about ten megabytes.
    assert!(
        grown < 1 << 20,
        "{grown} bytes after {} declarations",
        49 * CHANGING
    );
}
