//! Writes of a model to which a reference with an `alias` refers.

use mongo_odm::{Error, bson::Document, prelude::*};
use odm_tests::Harness;

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "alias_teams")]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i32>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "alias_players")]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player, i32>,
    #[parent_ref(on_delete = "restrict")]
    #[serde(rename = "club", alias = "team")]
    team: Id<Team, i32>,
}

/// The delete rule would not find references that are stored with the alias as their name.
#[tokio::test]
async fn a_delete_is_rejected_like_the_writes_of_the_other_end() {
    let t = Harness::new("writes_alias").await;
    let database = t.odm.database();
    let insert = async |collection: &str, document| {
        let collection = database.collection::<Document>(collection);
        collection.insert_one(document).await.unwrap();
    };
    insert("alias_teams", doc! { "_id": 1 }).await;
    insert("alias_players", doc! { "_id": 1, "team": 1 }).await;
    let team = Id::from_key(1);
    let refused = Team::delete(&t.odm, team).await.unwrap_err();
    assert!(matches!(refused, Error::Declaration(_)), "{refused}");
    assert!(refused.to_string().contains("`Player.club`"), "{refused}");
    assert_eq!(Team::count(&t.odm).await.unwrap(), 1);
}
