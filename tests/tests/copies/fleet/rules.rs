//! Delete rules that another program does not know at the time of its delete.

use mongo_odm::{Odm, bson::Document, prelude::*};
use odm_tests::Harness;

use super::{everybody_knows, relations};
use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "fleet_docks")]
pub struct Dock {
    #[serde(rename = "_id")]
    pub id: Id<Dock>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "fleet_boats")]
pub struct Boat {
    #[serde(rename = "_id")]
    pub id: Id<Boat>,
    #[parent_ref(on_delete = "cascade")]
    pub dock: Id<Dock>,
}

const RELATION: &str = "fleet_boats.dock -> fleet_docks._id";

fn dock() -> Dock {
    Dock {
        id: Id::new(),
        name: "north".to_owned(),
    }
}

fn boat(dock: &Dock) -> Boat {
    Boat {
        id: Id::new(),
        dock: dock.id,
    }
}

async fn harbour(test: &str) -> (Harness, Dock) {
    let t = undeclared(test).await;
    t.odm.sync_indexes().only::<Boat>().await.unwrap();
    let dock = dock();
    t.given(&[dock.clone()]).await;
    (t, dock)
}

/// Deletes a dock like a program that does not know the rule yet, without a job.
async fn delete_unseen(odm: &Odm, dock: &Dock) {
    let docks = odm.database().collection::<Document>("fleet_docks");
    let deleted = docks.delete_one(doc! { "_id": dock.id }).await;
    assert_eq!(deleted.unwrap().deleted_count, 1);
}

async fn boats(odm: &Odm) -> u64 {
    count(odm, "fleet_boats", doc! {}).await
}

#[tokio::test]
async fn a_delete_that_does_not_know_a_new_rule_is_caught_up_with() {
    let (t, dock) = harbour("fleet_rule_window").await;
    let odm = program(&t.odm);
    boat(&dock).insert(&odm).await.unwrap();
    delete_unseen(&odm, &dock).await;
    assert_eq!(relations(&odm).await, [RELATION]);
    // The job does not run before all programs know the rule, and `verify` knows that it is still to come.
    assert_eq!(odm.run_pending_jobs().await.unwrap().run, 0);
    assert_eq!(odm.verify().await.unwrap().len(), 0);
    assert_eq!(boats(&odm).await, 1);
    everybody_knows(&odm).await;
    assert_eq!(boats(&odm).await, 0);
}

/// The rule does not delete the owner of a reference whose target exists. It does not delete the owner either if the
/// target never existed, because the target may be inserted later.
#[tokio::test]
async fn references_stay_whose_target_was_not_deleted() {
    let (t, dock) = harbour("fleet_rule_kept").await;
    let odm = program(&t.odm);
    boat(&dock).insert(&odm).await.unwrap();
    assert_eq!(relations(&odm).await, [RELATION]);
    everybody_knows(&odm).await;
    assert_eq!(boats(&odm).await, 1);
    let nowhere = Dock {
        id: Id::new(),
        ..dock
    };
    boat(&nowhere).insert(&odm).await.unwrap();
    assert_eq!(relations(&odm).await, [""; 0]);
    everybody_knows(&odm).await;
    assert_eq!(boats(&odm).await, 2);
}

#[tokio::test]
async fn every_kind_of_write_marks_the_targets_of_a_new_rule() {
    let (t, dock) = harbour("fleet_rule_writes").await;
    let odm = program(&t.odm);
    let (fields, other) = (
        Boat::fields(),
        Dock {
            id: Id::new(),
            ..dock.clone()
        },
    );
    t.given(&[other.clone()]).await;
    let given = boat(&dock);
    put(
        &odm,
        "fleet_boats",
        [doc! { "_id": given.id, "dock": dock.id }],
    )
    .await;
    let marked = async |what: &str, dock: &Dock| {
        let found = jobs(&odm).await;
        let ids = found.iter().map(|job| job.get_document("_id").unwrap());
        let expected = doc! { "relation": RELATION, "key": dock.id };
        assert!(ids.eq([&expected]), "{what}: {found:?}");
        let jobs = odm.database().collection::<Document>("_odm_jobs");
        jobs.delete_many(doc! {}).await.unwrap();
    };
    boat(&dock).insert(&odm).await.unwrap();
    marked("insert", &dock).await;
    given.save(&odm).await.unwrap();
    marked("save", &dock).await;
    Boat::update(&odm, given.id)
        .set(fields.dock, other.id)
        .await
        .unwrap();
    marked("update", &other).await;
    Boat::update_many(&odm, fields.id.eq(given.id))
        .set(fields.dock, dock.id)
        .await
        .unwrap();
    marked("update_many", &dock).await;
    let found = Boat::find_one_and_update(&odm, fields.id.eq(given.id)).set(fields.dock, other.id);
    found.await.unwrap();
    marked("find_one_and_update", &other).await;
    let in_tx = odm.transaction(async |tx| {
        Boat::update(&tx, given.id)
            .set(fields.dock, dock.id)
            .await?;
        Ok(())
    });
    in_tx.await.unwrap();
    marked("transaction", &dock).await;

    let plan = boat(&dock).insert(&odm).plan().unwrap().to_string();
    assert!(plan.contains("_odm_jobs"), "{plan}");
    known_to_all(&odm).await;
    let odm = program(&t.odm);
    odm.run_pending_jobs().await.unwrap();
    t.forget();
    boat(&dock).insert(&odm).await.unwrap();
    boat(&dock).insert(&odm).await.unwrap();
    assert_eq!(t.recorder().names(), ["insert", "insert"]);
    let declarations = t.recorder().declarations();
    let declarations: Vec<_> = declarations.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(declarations, ["find"]);
    assert!(jobs(&odm).await.is_empty());
}
