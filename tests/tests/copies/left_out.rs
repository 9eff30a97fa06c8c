//! Fields that serde omits from a document (`skip_serializing_if`). The library also omits these fields.

use std::time::Duration;

use mongo_odm::{
    Settings, Update,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::raw;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "skipped_teams")]
struct Team {
    #[serde(rename = "_id")]
    id: Id<Team, i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    badge: Option<String>,
    motto: Option<String>,
    #[rollup(min, of = "Player", via = "team", field = "number")]
    #[index(unique, sparse)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lowest: Option<i64>,
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

mod millis {
    use super::*;
    use serde::{Deserializer, Serializer};

    #[allow(clippy::ref_option, reason = "the signature of serde")]
    pub fn serialize<S: Serializer>(value: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        let millis = value.map(|it| i64::try_from(it.as_millis()).unwrap());
        millis.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        let millis = Option::<u64>::deserialize(from)?;
        Ok(millis.map(Duration::from_millis))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Entry {
    what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[refs(one, on_delete = "nullify")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<Id<Team, i64>>,
    #[denorm(from = Team.badge, on_delete = "nullify")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    badge: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Sponsor {
    #[refs(one)]
    team: Id<Team, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "skipped_players")]
struct Player {
    #[serde(rename = "_id")]
    id: Id<Player, i64>,
    #[refs(one, on_delete = "nullify")]
    #[index(unique, sparse)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    team: Option<Id<Team, i64>>,
    #[denorm(from = Team.badge, via = team, on_delete = "nullify")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    badge: Option<String>,
    #[denorm(from = Team.motto, via = team, on_delete = "nullify")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    motto: Option<String>,
    #[embed(on_delete = "nullify")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sponsor: Option<Sponsor>,
    #[index(unique, sparse)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "is_blank")]
    bio: String,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "millis")]
    best: Option<Duration>,
    #[embed]
    #[serde(default)]
    entries: Vec<Entry>,
}

async fn league(test: &str) -> Harness {
    let mut t = Harness::new(test).await;
    t.odm =
        Odm::new(t.odm.database().clone()).with_settings(Settings::default().grace(Duration::ZERO));
    let sync = t.odm.sync_indexes().only::<Team>().only::<Player>();
    sync.await.unwrap();
    for number in 1..3 {
        let team = Team {
            id: Id::from_key(number),
            badge: Some(format!("badge {number}")),
            motto: None,
            lowest: None,
        };
        team.insert(&t.odm).await.unwrap();
        player(number).insert(&t.odm).await.unwrap();
    }
    t
}

fn player(number: i64) -> Player {
    let team = Id::from_key(number);
    Player {
        id: Id::from_key(number),
        team: Some(team),
        badge: None,
        motto: None,
        sponsor: Some(Sponsor { team }),
        number: Some(number),
        tags: vec!["fast".to_owned()],
        bio: "born".to_owned(),
        best: Some(Duration::from_secs(number.unsigned_abs())),
        entries: vec![Entry {
            what: "won".to_owned(),
            note: Some("once".to_owned()),
            by: Some(team),
            badge: None,
        }],
    }
}

/// Asserts that a document is stored as the model writes it.
async fn assert_as_serde_writes(t: &Harness, number: i64) -> Document {
    let stored = raw(&t.odm, "skipped_players", number).await;
    let player = Player::get(&t.odm, Id::from_key(number)).await.unwrap();
    player.save(&t.odm).await.unwrap();
    let written = raw(&t.odm, "skipped_players", number).await;
    let sorted = |document: &Document| {
        let mut fields: Vec<(String, Bson)> = document.clone().into_iter().collect();
        fields.sort_by(|one, other| one.0.cmp(&other.0));
        fields
    };
    assert_eq!(sorted(&stored), sorted(&written));
    stored
}

fn names(document: &Document) -> Vec<&str> {
    document.keys().map(String::as_str).collect()
}

#[tokio::test]
async fn set_removes_a_field_that_serde_leaves_out() {
    let t = league("left_out_set").await;
    let fields = Player::fields();
    // The unique sparse index accepts two documents without a number.
    for number in 1..3 {
        Player::update(&t.odm, Id::from_key(number))
            .set(fields.number, None)
            .set(fields.tags, Vec::new())
            .set(fields.bio, " ")
            .set(fields.best, None)
            .set(fields.team, None)
            .await
            .unwrap();
        let stored = assert_as_serde_writes(&t, number).await;
        assert_eq!(names(&stored), ["_id", "sponsor", "entries"]);
    }
    let one = Player::find_one_and_update(&t.odm, fields.id.eq(Id::from_key(1)));
    one.set(fields.bio, "again")
        .set(fields.number, 7)
        .await
        .unwrap();
    let one = Player::find_one_and_update(&t.odm, fields.id.eq(Id::from_key(1)));
    one.set(fields.bio, "")
        .set(fields.number, None)
        .await
        .unwrap();
    Player::update_many(&t.odm, doc! {})
        .set(fields.sponsor, None)
        .await
        .unwrap();
    let stored = assert_as_serde_writes(&t, 1).await;
    assert_eq!(names(&stored), ["_id", "entries"]);
}

#[tokio::test]
async fn the_last_of_two_values_counts() {
    let fields = Player::fields();
    let update = |update: Update<Player>| format!("{:?}", update.into_modifications().unwrap());
    let some_then_none = Update::new().set(fields.number, 1).set(fields.number, None);
    assert_eq!(
        update(some_then_none),
        update(Update::new().set(fields.number, None))
    );
    let none_then_some = Update::new().set(fields.number, None).set(fields.number, 1);
    assert_eq!(
        update(none_then_some),
        update(Update::new().set(fields.number, 1))
    );
}

#[tokio::test]
async fn an_element_loses_a_field_that_serde_leaves_out() {
    let t = league("left_out_element").await;
    let entries = Player::fields().entries;
    Player::update(&t.odm, Id::from_key(1))
        .set(entries.every().note, None)
        .await
        .unwrap();
    let stored = assert_as_serde_writes(&t, 1).await;
    let expected = doc! { "what": "won", "by": 1_i64, "badge": "badge 1" };
    assert_eq!(stored.get_array("entries").unwrap()[0], expected.into());
    Player::update(&t.odm, Id::from_key(1))
        .set(entries.at::<0>().by, None)
        .await
        .unwrap();
    let stored = assert_as_serde_writes(&t, 1).await;
    assert_eq!(
        stored.get_array("entries").unwrap()[0],
        doc! { "what": "won" }.into()
    );
}

#[tokio::test]
async fn an_upsert_inserts_what_serde_writes() {
    let t = league("left_out_upsert").await;
    let fields = Player::fields();
    for number in 5..7 {
        Player::upsert(&t.odm, fields.id.eq(Id::from_key(number)))
            .set_on_insert(fields.number, None)
            .set_on_insert(fields.bio, "")
            .set_on_insert(fields.tags, Vec::new())
            .set_on_insert(fields.team, None)
            .set_on_insert(fields.entries, Vec::new())
            .await
            .unwrap();
        let stored = assert_as_serde_writes(&t, number).await;
        assert_eq!(names(&stored), ["_id", "entries"]);
    }
    Player::upsert(&t.odm, fields.id.eq(Id::from_key(8)))
        .set_on_insert(fields.number, None)
        .await
        .unwrap();
    assert_eq!(
        raw(&t.odm, "skipped_players", 8_i64).await,
        doc! { "_id": 8_i64 }
    );
}

#[tokio::test]
async fn a_target_of_two_sparse_references_can_be_deleted() {
    let t = league("left_out_nullify").await;
    for number in 1..3 {
        Team::delete(&t.odm, Id::from_key(number)).await.unwrap();
        let stored = assert_as_serde_writes(&t, number).await;
        assert_eq!(
            names(&stored),
            ["_id", "number", "tags", "bio", "best", "entries"]
        );
        let entry = doc! { "what": "won", "note": "once" };
        assert_eq!(stored.get_array("entries").unwrap()[0], entry.into());
    }
}

#[tokio::test]
async fn a_copy_that_becomes_empty_is_left_out() {
    let t = league("left_out_copy").await;
    // The copies of a source that stores null, and of a source without the field.
    let stored = assert_as_serde_writes(&t, 1).await;
    assert!(!stored.contains_key("motto"), "{stored}");
    assert_eq!(stored.get_str("badge").unwrap(), "badge 1");
    let fields = Team::fields();
    Team::update(&t.odm, Id::from_key(1))
        .set(fields.badge, None)
        .await
        .unwrap();
    let stored = assert_as_serde_writes(&t, 1).await;
    assert!(!stored.contains_key("badge"), "{stored}");
    Team::update(&t.odm, Id::from_key(1))
        .set(fields.motto, "higher")
        .await
        .unwrap();
    let stored = assert_as_serde_writes(&t, 1).await;
    assert_eq!(stored.get_str("motto").unwrap(), "higher");
    Team::update(&t.odm, Id::from_key(1))
        .set(fields.motto, None)
        .await
        .unwrap();
    let stored = assert_as_serde_writes(&t, 1).await;
    assert!(!stored.contains_key("motto"), "{stored}");
    let verified = t.odm.verify().await.unwrap();
    assert!(verified.is_empty(), "{verified:?}");
}

#[tokio::test]
async fn an_extreme_of_no_children_is_left_out() {
    let t = league("left_out_extreme").await;
    let team = Team::get(&t.odm, Id::from_key(1)).await.unwrap();
    assert_eq!(team.lowest, Some(1));
    Player::delete_many(&t.odm, doc! {})
        .everything()
        .await
        .unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    for number in 1..3 {
        let stored = raw(&t.odm, "skipped_teams", number).await;
        assert!(!stored.contains_key("lowest"), "{stored}");
    }
    player(2).insert(&t.odm).await.unwrap();
    let team = Team::get(&t.odm, Id::from_key(2)).await.unwrap();
    assert_eq!(team.lowest, Some(2));
    let verified = t.odm.verify().await.unwrap();
    assert!(verified.is_empty(), "{verified:?}");
}
