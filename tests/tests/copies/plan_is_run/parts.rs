//! Writes that are split into parts, and copies that are updated by jobs.

use mongo_odm::prelude::*;
use odm_tests::{
    cluster::is_sharded,
    planned::{assert_begun, assert_last_part, assert_sent},
};

use super::{
    Keeper, Pet, family,
    pulls::{LineUp, Player, Team, pitch, player},
    setting,
};
use crate::setting::{by_jobs, settle};

fn keeper(number: i64) -> Keeper {
    Keeper {
        id: Id::new(),
        name: "Kate".to_owned(),
        age: number,
        notes: Vec::new(),
    }
}

fn pet(keeper: &Keeper) -> Pet {
    Pet {
        id: Id::new(),
        keeper: Some(keeper.id),
        keeper_name: Some(keeper.name.clone()),
    }
}

/// The plan describes one part. Like the plan, the last part has one document.
#[tokio::test]
async fn the_parts_of_update_many_are_as_it_is_planned() {
    let t = setting("plan_run_update_parts").await;
    let mut keepers: Vec<Keeper> = (0..501).map(keeper).collect();
    keepers.sort_by_key(|keeper| *keeper.id.key());
    t.given(&keepers).await;
    t.given(&[pet(&keepers[500])]).await;
    let fields = Keeper::fields();
    let rename = || Keeper::update_many(&t.odm, fields.age.gte(0)).set(fields.name, "Joe");
    let plan = rename().plan().unwrap();
    assert!(
        plan.to_string().contains("// for each 500 documents"),
        "{plan}"
    );
    t.forget();
    assert_eq!(rename().await.unwrap().modified, 501);
    assert_last_part(&t, "update_many", &plan);
}

#[tokio::test]
async fn the_parts_of_delete_many_are_as_it_is_planned() {
    let t = pitch("plan_run_delete_parts").await;
    let players: Vec<Player> = (0..500)
        .map(|_| Player {
            id: Id::new(),
            name: "Ann".to_owned(),
        })
        .collect();
    t.given(&players).await;
    player(&t.odm).await;
    let delete = || Player::delete_many(&t.odm, doc! {}).everything();
    let plan = delete().plan().unwrap();
    assert!(
        plan.to_string().contains("// for each 500 documents"),
        "{plan}"
    );
    t.forget();
    assert_eq!(delete().await.unwrap().deleted, 501);
    // Documents of several shards have no order, so the last part can be any player.
    if !is_sharded() {
        assert_last_part(&t, "delete_many", &plan);
    }
    let teams = Team::find(&t.odm).await.unwrap();
    assert!(
        teams.iter().all(|team| team.players.len() == 1),
        "{teams:?}"
    );
    let line_ups = LineUp::find(&t.odm).await.unwrap();
    assert!(
        line_ups.iter().all(|it| it.positions.is_empty()),
        "{line_ups:?}"
    );
}

#[tokio::test]
async fn the_parts_of_insert_many_are_planned() {
    let t = setting("plan_run_insert_parts").await;
    let (keeper, ..) = family(&t.odm).await;
    let pets: Vec<Pet> = (0..10_001).map(|_| pet(&keeper)).collect();
    same!(t, "insert_many", Pet::insert_many(&t.odm, &pets));
    let names = t.recorder().names();
    assert_eq!(names.iter().filter(|name| *name == "insert").count(), 2);
}

/// The transaction has the planned statements. The job that writes the copies runs after it.
#[tokio::test]
async fn a_job_writes_more_copies_than_a_transaction_may() {
    let t = setting("plan_run_jobs").await;
    let odm = by_jobs(&t.odm);
    let fields = Keeper::fields();
    let (keeper, ..) = family(&odm).await;
    let rename = |to: &str| Keeper::update(&odm, keeper.id).set(fields.name, to);
    let plan = rename("a").plan().unwrap();
    let left = "// Pet.keeper <- Keeper: more than 0 copies are left to a job";
    assert!(plan.to_string().contains(left), "{plan}");
    t.forget();
    rename("a").await.unwrap();
    let by_job = assert_begun(&t, "update", &plan);
    assert!(by_job.iter().any(|sent| sent.name == "update"));
    settle(&odm).await;

    let by_id = || fields.id.eq(keeper.id);
    let plan = Keeper::update_many(&odm, by_id()).set(fields.name, "b");
    let plan = plan.plan().unwrap();
    t.forget();
    let many = Keeper::update_many(&odm, by_id()).set(fields.name, "b");
    many.await.unwrap();
    assert_begun(&t, "update_many", &plan);
    settle(&odm).await;

    same!(t, "atomic", rename("c").atomic());
    same!(t, "deferred", rename("d").deferred());
    settle(&odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        let rename = |to: &str| Keeper::update(&tx, keeper.id).set(fields.name, to);
        same!(t, "in a transaction", rename("e"));
        Ok(())
    };
    odm.transaction(inside).await.unwrap();
    settle(&odm).await;
    let by_keeper = Pet::fields().keeper.eq(Some(keeper.id));
    let pet = Pet::find_one(&odm)
        .filter(by_keeper)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(pet.keeper_name.as_deref(), Some("e"));
}
