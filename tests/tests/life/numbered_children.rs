//! Two-way arrays whose keys are numbers, which a deleted child and a live child can share.

use mongo_odm::{Error, prelude::*};
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

/// A ship, with at most two cabins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_ships")]
struct Ship {
    #[serde(rename = "_id")]
    id: Id<Ship, i64>,
    #[refs(many, inverse = "ship", max = 2)]
    cabins: Vec<Id<Cabin, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_cabins")]
struct Cabin {
    #[serde(rename = "_id")]
    id: Id<Cabin, i64>,
    #[parent_ref(inverse = "cabins")]
    ship: Option<Id<Ship, i64>>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// The array keeps the id of the deleted child. The refusal precedes the first write, so the transaction continues.
#[tokio::test]
async fn a_take_counts_the_deleted_children() {
    let t = board("life_take_deleted").await;
    t.odm.sync_indexes().only::<Cabin>().await.unwrap();
    let ships = [1, 2].map(|number| Ship {
        id: id(number),
        cabins: Vec::new(),
    });
    t.given(&ships).await;
    let cabin = |number, ship: i64| Cabin {
        id: id(number),
        ship: Some(id(ship)),
        deleted_at: None,
    };
    t.given(&[cabin(1, 1), cabin(2, 1), cabin(3, 2)]).await;
    Cabin::delete(&t.odm, id(2)).await.unwrap();
    let inside = async |tx: mongo_odm::Tx| {
        let full = ships[0].take_cabins(&tx, [id::<Cabin>(3)]).await;
        assert!(matches!(full, Err(Error::BoundExceeded { .. })), "{full:?}");
        ships[1].take_cabins(&tx, [id::<Cabin>(1)]).await?;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    let mut cabins = Vec::new();
    for ship in &ships {
        let ship = Ship::get(&t.odm, ship.id).await.unwrap();
        cabins.push(ship.cabins.iter().map(|id| *id.key()).collect::<Vec<_>>());
    }
    assert_eq!(cabins, [vec![2], vec![3, 1]]);
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
