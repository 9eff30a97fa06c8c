//! Parents and children that are kinds of one collection, together with parents of a different kind that have the same
//! fields.

use super::*;

/// A team. Players refer to it by its code, which a club can also have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_sports", kind(form = "team"))]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, String>,
    #[index]
    code: i64,
    #[refs(many, inverse = "team")]
    #[serde(default)]
    players: Vec<Id<Player, String>>,
    #[rollup(count, of = "Goal", via = "team")]
    #[serde(default)]
    goals: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_sports", kind(form = "player"))]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player, String>,
    #[refs(one, to = "Team.code", inverse = "players")]
    team: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_sports", kind(form = "goal"))]
struct Goal {
    #[serde(rename = "_id")]
    id: Id<Goal, i64>,
    #[parent_ref]
    team: Id<Team, String>,
}

/// A club with the code of the team, and all fields of a team.
fn club() -> Document {
    doc! { "_id": "A", "form": "club", "code": 7_i64, "players": ["p3", "p2", "p1"], "goals": 5_i64 }
}

async fn sports(test: &str) -> (Harness, Id<Team, String>) {
    let t = empty(test).await;
    t.odm.sync_indexes().only::<Team>().await.unwrap();
    put(&t.odm, "kind_sports", [club()]).await;
    let id: Id<Team, String> = Id::from_key("B".to_owned());
    let team = Team {
        id: id.clone(),
        code: 7,
        players: Vec::new(),
        goals: 0,
    };
    team.insert(&t.odm).await.unwrap();
    (t, id)
}

async fn assert_club_is_untouched(t: &Harness) {
    assert_eq!(raw(&t.odm, "kind_sports", "A").await, club());
}

#[tokio::test]
async fn an_addition_to_a_document_of_another_kind_adds_nothing() {
    let (t, team) = sports("kinds_additions").await;
    let goals: Vec<_> = [(1, "A"), (2, "B"), (3, "B")]
        .map(|(n, team)| Goal {
            id: Id::from_key(n),
            team: Id::from_key(team.to_owned()),
        })
        .into();
    for (way, odm) in both_ways(&t.odm) {
        Goal::insert_many(&odm, &goals).await.unwrap();
        settle(&odm).await;
        assert_eq!(Team::get(&odm, &team).await.unwrap().goals, 2, "{way}");
        assert_club_is_untouched(&t).await;
        let all = Goal::delete_many(&odm, doc! {}).everything();
        all.await.unwrap();
        settle(&odm).await;
        assert_eq!(Team::get(&odm, &team).await.unwrap().goals, 0, "{way}");
        assert_club_is_untouched(&t).await;
    }
}

#[tokio::test]
async fn an_array_that_is_computed_anew_keeps_its_own_order() {
    let (t, team) = sports("kinds_members").await;
    let odm = &t.odm;
    for name in ["p1", "p2", "p3"] {
        let player = Player {
            id: Id::from_key(name.to_owned()),
            team: 7,
        };
        player.insert(odm).await.unwrap();
    }
    settle(odm).await;
    let own = doc! { "$set": { "players": ["p2", "p1"] } };
    let stored = odm.database().collection::<Document>("kind_sports");
    stored.update_one(doc! { "_id": "B" }, own).await.unwrap();
    assert_eq!(odm.backfill::<Team>().await.unwrap().changed, 1);
    let players = Team::get(odm, &team).await.unwrap().players;
    assert_eq!(
        players,
        ["p2", "p1", "p3"].map(|it| Id::from_key(it.to_owned()))
    );
    assert_club_is_untouched(&t).await;
}
