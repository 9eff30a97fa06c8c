//! Chapter 14: changes of models while documents exist.

use mongo_odm::{BackfillReport, MoveReport, UpdateReport, bson::Document, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "teams")]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, String>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "players")]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player, i32>,
    name: String,
    #[parent_ref]
    team: Id<Team, String>,
    #[denorm(from = "Team.name")]
    #[serde(default)]
    team_name: Option<String>,
    #[serde(default)]
    shirt: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "old_coaches")]
struct OldCoach {
    #[serde(rename = "_id")]
    id: Id<OldCoach, i32>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "staff", kind(role = "coach"))]
struct Coach {
    #[serde(rename = "_id")]
    id: Id<Coach, String>,
    name: String,
}

async fn backfill(odm: &Odm) -> mongo_odm::Result<BackfillReport> {
    odm.backfill::<Player>()
        .on_progress(|so_far| println!("{so_far}"))
        .await
}

async fn rename_field(odm: &Odm) -> mongo_odm::Result<UpdateReport> {
    let only_old = doc! { "number": { "$exists": true }, "shirt": { "$exists": false } };
    Player::update_many(odm, only_old)
        .with(doc! { "$rename": { "number": "shirt" } })
        .await
}

async fn move_coaches(odm: &Odm) -> mongo_odm::Result<MoveReport> {
    let moving = odm.move_documents(|old: OldCoach| Coach {
        id: Id::from_key(format!("C{}", old.id)),
        name: old.name,
    });
    let report = moving.clone().await?;
    let drift = moving.clone().check().await?;
    assert!(drift.is_empty(), "{drift}");
    moving.delete_moved().await?;
    Ok(report)
}

/// Stores documents as an older version of the program has stored them.
async fn store_old(odm: &Odm) -> mongo_odm::Result<()> {
    let old = |name: &str| odm.database().collection::<Document>(name);
    let team = doc! { "_id": "red", "name": "Red Foxes" };
    old("teams").insert_one(team).await?;
    let players = [
        doc! { "_id": 1, "name": "Ann", "team": "red", "number": 9 },
        doc! { "_id": 2, "name": "Bob", "team": "red" },
    ];
    old("players").insert_many(players).await?;
    let coaches = [
        doc! { "_id": 1, "name": "Kim" },
        doc! { "_id": 2, "name": "Lee" },
    ];
    old("old_coaches").insert_many(coaches).await?;
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Player>().await?;
    store_old(&odm).await?;
    chapter.stores(&odm, "players").await?;
    chapter.shows(odm.verify().only::<Player>().await?);
    chapter.shows(backfill(&odm).await?);
    chapter.stores(&odm, "players").await?;
    chapter.sends(&odm, rename_field(&odm)).await?;
    chapter.shows(move_coaches(&odm).await?);
    chapter.stores(&odm, "staff").await?;
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("14-changing-a-model", program).await;
}
