//! Hooks of documents that are moved.

use mongo_odm::{
    CustomError, Error, Hooks, Odm, Settings, Tx, Update,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use super::{per_shard, split};
use crate::models::empty;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_tickets", hooks, shard_key(room = 1))]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket, i32>,
    room: i32,
    note: String,
    moves: i32,
    #[created_at]
    created: DateTime,
    #[version]
    version: i64,
}

#[derive(Debug)]
struct Refused;

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("refused")
    }
}

impl std::error::Error for Refused {}

impl CustomError for Refused {}

impl Hooks for Ticket {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        if self.note == "elsewhere" {
            (self.room, self.moves) = (self.room + 50, 7);
        }
        Ok(())
    }

    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        let fields = Self::fields();
        let Some(note) = change.value_set(fields.note)? else {
            return Ok(());
        };
        match note.as_str() {
            "refused" => return Err(Refused.into()),
            "noted" => {
                change.set(fields.moves, self.moves + 1);
            }
            "counted" => {
                change.inc(fields.moves, 1);
            }
            _ => {}
        }
        Ok(())
    }
}

async fn stored(odm: &Odm) -> Ticket {
    Ticket::get(odm, Id::from_key(1)).await.unwrap()
}

async fn save(odm: &Odm, room: i32, note: &str) -> mongo_odm::Result<()> {
    let mut ticket = stored(odm).await;
    (ticket.room, ticket.note) = (room, note.to_owned());
    ticket.save(odm).moving().await.map(drop)
}

/// The hook of an upsert runs after the server has inserted the document.
async fn upsert_elsewhere(odm: &Odm) {
    let fields = Ticket::fields();
    let filter = fields.id.eq(Id::from_key(1)) & fields.room.eq(10);
    let upsert = Ticket::upsert(odm, filter).set(fields.note, "elsewhere");
    upsert.set(fields.moves, 0).await.unwrap();
    let stored = stored(odm).await;
    assert_eq!((stored.room, stored.moves), (60, 7));
    assert_eq!(Ticket::count(odm).await.unwrap(), 1);
}

async fn move_tickets(odm: &Odm) {
    let ticket = Ticket {
        id: Id::from_key(1),
        room: 10,
        note: String::new(),
        moves: 0,
        created: DateTime::now(),
        version: 0,
    };
    ticket.insert(odm).await.unwrap();
    let first = stored(odm).await;
    save(odm, 60, "noted").await.unwrap();
    let expected = Ticket {
        room: 60,
        note: "noted".to_owned(),
        moves: 1,
        version: 2,
        ..first.clone()
    };
    assert_eq!(stored(odm).await, expected);
    let failed = save(odm, 10, "refused").await.unwrap_err();
    assert!(matches!(failed, Error::Hook { .. }), "{failed}");
    let failed = save(odm, 10, "counted").await.unwrap_err();
    let message = "`before_update` of `Ticket` adds an operator that only the server can apply";
    assert!(failed.to_string().contains(message), "{failed}");
    assert_eq!(stored(odm).await, expected);
    // The shard key is unchanged, so the server applies the operator.
    save(odm, 60, "counted").await.unwrap();
    assert_eq!((stored(odm).await.moves, stored(odm).await.room), (2, 60));
    save(odm, 11, "unchanged by the hook").await.unwrap();
    let last = stored(odm).await;
    assert_eq!((last.room, last.moves, last.version), (11, 2, 4));
    assert_eq!(last.created, first.created);
}

#[tokio::test]
async fn a_hook_sees_and_changes_a_move() {
    let odm = empty("moving_hooks").await;
    odm.shard_collections().only::<Ticket>().await.unwrap();
    split("moving_hooks.moving_tickets", "room").await;
    move_tickets(&odm).await;
    save(&odm, 60, "noted").await.unwrap();
    assert_eq!(per_shard(&odm, "moving_tickets").await, [0, 1]);
}

#[tokio::test]
async fn a_hook_on_a_replica_set_sees_and_changes_a_move() {
    let t = Harness::new("moving_hooks_replica_set").await;
    move_tickets(&t.odm).await;
}

#[tokio::test]
async fn a_hook_of_an_upsert_changes_the_key() {
    let odm = empty("moving_hooks_upsert").await;
    odm.shard_collections().only::<Ticket>().await.unwrap();
    split("moving_hooks_upsert.moving_tickets", "room").await;
    upsert_elsewhere(&odm).await;
    assert_eq!(per_shard(&odm, "moving_tickets").await, [0, 1]);
    let t = Harness::new("moving_hooks_upsert_replica_set").await;
    upsert_elsewhere(&t.odm).await;
}

/// The hook can change the shard key, so the library reads the inserted document by its `_id`.
#[tokio::test]
async fn a_returned_insert_is_not_rejected_as_a_broadcast() {
    let t = Harness::new("moving_hooks_returned").await;
    let strict = Settings::default().reject_broadcasts(true);
    let ticket = Ticket {
        id: Id::from_key(1),
        room: 10,
        note: "elsewhere".to_owned(),
        moves: 0,
        created: DateTime::now(),
        version: 0,
    };
    let insert = ticket.insert(&t.odm.with_settings(strict)).returning();
    let returned = insert.await.unwrap();
    assert_eq!((returned.room, returned.moves), (60, 7));
    assert_eq!(stored(&t.odm).await, returned);
}

/// A program that stored the key as `i64` does not prevent a save with a hook.
#[tokio::test]
async fn a_hook_does_not_see_an_equal_number_as_another_key() {
    let t = Harness::new("moving_hooks_numbers").await;
    let raw = t.odm.database().collection::<Document>("moving_tickets");
    let ticket = doc! {
        "_id": 1, "room": 10_i64, "note": "", "moves": 0, "created": DateTime::now(), "version": 1_i64,
    };
    raw.insert_one(ticket).await.unwrap();
    let mut ticket = stored(&t.odm).await;
    ticket.note = "noted".to_owned();
    ticket.save(&t.odm).await.unwrap();
    assert_eq!(stored(&t.odm).await.moves, 1);
    save(&t.odm, 10, "counted").await.unwrap();
    let last = stored(&t.odm).await;
    assert_eq!((last.room, last.moves, last.version), (10, 2, 3));
}

/// A booth, whose shard key is inside a struct. Its hook counts the changes of booths with the postal code 2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_booths", hooks, shard_key(spot.city = 1))]
struct Booth {
    #[serde(rename = "_id")]
    id: Id<Booth, i32>,
    spot: BoothSpot,
    visits: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct BoothSpot {
    zip: Option<i32>,
    city: String,
}

impl Hooks for Booth {
    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        if self.spot.zip == Some(2) {
            change.inc(Self::fields().visits, 1);
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_field_beside_the_shard_key_can_change() {
    let t = Harness::new("moving_beside_key").await;
    let id = Id::from_key(1);
    let spot = BoothSpot {
        zip: None,
        city: "Bern".to_owned(),
    };
    let visits = 0;
    Booth { id, spot, visits }.insert(&t.odm).await.unwrap();
    let loaded = async || Booth::get(&t.odm, id).await.unwrap();
    let with_zip = async |zip| {
        let mut booth = loaded().await;
        booth.spot.zip = Some(zip);
        booth
    };
    let booth = with_zip(1).await;
    booth.save_changes(&t.odm, &loaded().await).await.unwrap();
    assert_eq!(loaded().await, booth);
    with_zip(2).await.save(&t.odm).await.unwrap();
    assert_eq!(loaded().await.visits, 0);
    with_zip(3).await.save(&t.odm).await.unwrap();
    assert_eq!(loaded().await.visits, 1);
    with_zip(2).await.save(&t.odm).moving().await.unwrap();
    assert_eq!(loaded().await.visits, 1);
    with_zip(4).await.save(&t.odm).moving().await.unwrap();
    let stored = loaded().await;
    assert_eq!((stored.spot.zip, stored.visits), (Some(4), 2));
    let mut moved = stored.clone();
    moved.spot.city = "Basel".to_owned();
    for failed in [
        moved.save(&t.odm).await,
        moved.save_changes(&t.odm, &stored).await,
    ] {
        let failed = failed.unwrap_err().to_string();
        let expected = "`Booth.spot.city` is part of the shard key";
        assert!(failed.contains(expected), "{failed}");
    }
    moved.save(&t.odm).moving().await.unwrap();
    assert_eq!(loaded().await, moved);
}
