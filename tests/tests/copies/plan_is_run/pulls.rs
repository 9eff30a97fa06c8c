//! Deletes that remove keys from the remaining documents (`on_delete = "pull"`, `"nullify"`).

use mongo_odm::{Executor, prelude::*};
use odm_tests::{Harness, planned::assert_sent};

use crate::setting::{empty, settle};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_players")]
pub struct Player {
    #[serde(rename = "_id")]
    pub id: Id<Player>,
    pub name: String,
}

/// A team with the keys of its players in an array. `LineUp` has structs with a key and a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_teams")]
pub struct Team {
    #[serde(rename = "_id")]
    pub id: Id<Team>,
    #[refs(many, on_delete = "pull")]
    pub players: Vec<Id<Player>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_line_ups")]
pub struct LineUp {
    #[serde(rename = "_id")]
    pub id: Id<LineUp>,
    #[embed]
    pub positions: Vec<Position>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Position {
    #[refs(one, on_delete = "pull")]
    pub player: Id<Player>,
    #[denorm(from = Player.name)]
    pub name: String,
}

pub async fn pitch(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Player>().only::<Team>();
    sync.only::<LineUp>().await.unwrap();
    // Sends the statements that a handle sends only once.
    let player = player(&t.odm).await;
    Player::delete(&t.odm, player.id).await.unwrap();
    t
}

/// A player of a team, who is also in its line-up.
pub async fn player(odm: &impl Executor) -> Player {
    let player = Player {
        id: Id::new(),
        name: "Joe".to_owned(),
    };
    let team = Team {
        id: Id::new(),
        players: vec![player.id, Id::new()],
    };
    let position = Position {
        player: player.id,
        name: player.name.clone(),
    };
    let line_up = LineUp {
        id: Id::new(),
        positions: vec![position],
    };
    player.insert(odm).await.unwrap();
    team.insert(odm).await.unwrap();
    line_up.insert(odm).await.unwrap();
    player
}

#[tokio::test]
async fn deletes_that_pull_keys_send_what_they_plan() {
    let t = pitch("plan_run_pulls").await;
    pulls(&t, &t.odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        pulls(&t, &tx).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    settle(&t.odm).await;
    assert_eq!(Player::count(&t.odm).await.unwrap(), 0);
    let drift = t.odm.verify().only::<Team>().only::<LineUp>();
    let drift = drift.await.unwrap();
    let dangling = drift
        .items
        .iter()
        .filter(|it| it.relation != "Team.players -> Player");
    assert_eq!(dangling.count(), 0, "{drift}");
    let line_ups = LineUp::find(&t.odm).await.unwrap();
    assert!(line_ups.iter().all(|it| it.positions.is_empty()));
}

/// Each delete deletes a different player.
async fn pulls(t: &Harness, odm: &impl Executor) {
    let one = player(odm).await;
    same!(*t, "delete", Player::delete(odm, one.id));
    let one = player(odm).await;
    same!(*t, "atomic", Player::delete(odm, one.id).atomic());
    let one = player(odm).await;
    same!(*t, "deferred", Player::delete(odm, one.id).deferred());
    let one = player(odm).await;
    let delete = || Player::delete_many(odm, Player::fields().id.eq(one.id));
    same!(*t, "delete_many", delete());
    let one = player(odm).await;
    let delete = || Player::delete_many(odm, Player::fields().id.eq(one.id));
    same!(*t, "delete_many, atomic", delete().atomic());
}
