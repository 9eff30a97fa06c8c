//! Clones of a transaction in several tasks, and concurrent calls in one task.

use std::sync::Arc;

use mongo_odm::{Tx, prelude::*};

use super::band::*;
use crate::setting::*;

/// The kinds of writes that can run in any order.
const KINDS: [Kind; 9] = [
    Kind::Insert,
    Kind::InsertMany,
    Kind::Update,
    Kind::UpdateMany,
    Kind::Save,
    Kind::Upsert,
    Kind::UpsertNew,
    Kind::FindOneAndUpdate,
    Kind::Relink,
];

#[tokio::test(flavor = "multi_thread")]
async fn writes_of_all_kinds_and_reads_at_once_in_several_tasks_leave_one_value() {
    let t = empty("cancelled_tasks").await;
    index(&t.odm).await;
    for (way, odm) in both_ways(&t.odm) {
        for round in 0..4 {
            let stored = Arc::new(Stored::anew(&t.odm).await);
            let tasks = async |tx: Tx| {
                let mut tasks = Vec::new();
                for at in 0..KINDS.len() {
                    let kind = KINDS[(at + round) % KINDS.len()];
                    let (tx, stored) = (tx.clone(), Arc::clone(&stored));
                    let write = async move { kind.write(&tx, &stored, &format!("{kind:?}")).await };
                    tasks.push(tokio::spawn(write));
                }
                for _ in 0..3 {
                    let tx = tx.clone();
                    tasks.push(tokio::spawn(async move {
                        let songs = Song::find(&tx).await?;
                        let bands = Song::join_band(&songs, &tx).await?;
                        assert!(bands.missing().is_empty());
                        Ok(())
                    }));
                }
                for task in tasks {
                    task.await.unwrap()?;
                }
                Ok(())
            };
            let context = format!("{way}, round {round}");
            let committed = odm.transaction(tasks).await;
            committed.unwrap_or_else(|error| panic!("{context}: {error}"));
            expect_together(&t.odm, &context).await;
        }
    }
}

#[tokio::test]
async fn two_kinds_of_writes_at_once_leave_one_value() {
    let t = empty("cancelled_join").await;
    index(&t.odm).await;
    for (way, odm, other) in ways(&t.odm) {
        for one in [Kind::InsertMany, Kind::Update, Kind::Save] {
            let context = format!("{way}: {one:?} and {other:?}");
            let stored = Stored::anew(&t.odm).await;
            let both = async |tx: Tx| {
                let writes = (
                    one.write(&tx, &stored, "one"),
                    other.write(&tx, &stored, "other"),
                    Band::count(&tx).into_future(),
                );
                let (one, other, count) = tokio::join!(writes.0, writes.1, writes.2);
                for done in [one, other] {
                    done?;
                }
                count?;
                Ok(())
            };
            let committed = odm.transaction(both).await;
            committed.unwrap_or_else(|error| panic!("{context}: {error}"));
            expect_together(&t.odm, &context).await;
        }
    }
}
