//! Two-way arrays whose keys are numbers, which a deleted child and a live child can share.

use mongo_odm::prelude::*;
use odm_tests::Harness;

use crate::models::{board, id};

/// A squad, with the numbers of its passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_squads")]
struct Squad {
    #[serde(rename = "_id")]
    id: Id<Squad, i64>,
    #[refs(many, to = "Pass.number", inverse = "squad")]
    passes: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_passes")]
struct Pass {
    #[serde(rename = "_id")]
    id: Id<Pass, i64>,
    #[index(unique)]
    number: i64,
    #[parent_ref(inverse = "passes")]
    squad: Option<Id<Squad, i64>>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

fn pass(id: i64, number: i64) -> Pass {
    Pass {
        id: self::id(id),
        number,
        squad: Some(self::id(1)),
        deleted_at: None,
    }
}

async fn squad(test: &str) -> Harness {
    let t = board(test).await;
    t.odm.sync_indexes().only::<Squad>().await.unwrap();
    t.given(&[Squad {
        id: id(1),
        passes: Vec::new(),
    }])
    .await;
    t
}

async fn passes(t: &Harness) -> Vec<i64> {
    let squad: Squad = Squad::get(&t.odm, id(1)).await.unwrap();
    squad.passes
}

/// Checks that jobs change nothing, and that the array is what a recomputation would store.
async fn assert_holds(t: &Harness, expected: &[i64]) {
    assert_eq!(passes(t).await, expected);
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(passes(t).await, expected);
    let drift = t.odm.verify().only::<Squad>().only::<Pass>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}

#[tokio::test]
async fn a_purge_of_a_deleted_child_keeps_the_key_of_a_live_child_with_its_number() {
    let t = squad("life_numbers_purge").await;
    t.odm.sync_indexes().only::<Pass>().await.unwrap();
    t.given(&[pass(1, 7), pass(2, 8)]).await;
    assert_holds(&t, &[7, 8]).await;
    Pass::delete(&t.odm, id(1)).await.unwrap();
    t.given(&[pass(3, 7)]).await;
    Pass::purge(&t.odm, id(1)).await.unwrap();
    let mut numbers = passes(&t).await;
    numbers.sort_unstable();
    assert_eq!(numbers, [7, 8]);
    let numbers = passes(&t).await;
    assert_holds(&t, &numbers).await;
    Pass::purge(&t.odm, id(3)).await.unwrap();
    assert_holds(&t, &[8]).await;
}

/// The database has no unique index for the numbers.
#[tokio::test]
async fn two_new_children_with_one_number_store_one_key() {
    let t = squad("life_numbers_many").await;
    Pass::insert_many(&t.odm, &[pass(1, 7), pass(2, 7)])
        .await
        .unwrap();
    assert_holds(&t, &[7]).await;
    Pass::purge(&t.odm, id(1)).await.unwrap();
    assert_holds(&t, &[7]).await;
    Pass::purge(&t.odm, id(2)).await.unwrap();
    assert_holds(&t, &[]).await;
}
