//! Upserts of kinds whose link is one string of two ids.

use mongo_odm::{Error, prelude::*};
use odm_tests::Harness;

use crate::models::board;

/// A shelf, whose key is its own id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_library", kind(doc_type = "shelf"))]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf, String>,
    room: i64,
    #[links(form = "prefix", one_sided, separator = "#")]
    #[serde(default)]
    key: String,
}

/// A volume, whose key is the id of its shelf and its own id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_library", kind(doc_type = "volume"))]
struct Volume {
    #[serde(rename = "_id")]
    id: Id<Volume, String>,
    pages: i64,
    #[links(form = "prefix", separator = "#")]
    #[serde(default)]
    key: String,
}

async fn library(test: &str) -> Harness {
    let t = board(test).await;
    let sync = t.odm.sync_indexes().only::<Shelf>().only::<Volume>();
    sync.await.unwrap();
    t
}

fn key<M>(id: &str) -> Id<M, String> {
    Id::from_key(id.to_owned())
}

#[tokio::test]
async fn an_upsert_stores_the_own_id_as_the_key_and_keeps_a_stored_key() {
    let t = library("life_prefix_upserts").await;
    let (shelf, volume) = (Shelf::fields(), Volume::fields());
    let upsert = Shelf::upsert(&t.odm, shelf.id.eq(key("S/1"))).set(shelf.room, 4);
    upsert.await.unwrap();
    let stored: Shelf = Shelf::get(&t.odm, key("S/1")).await.unwrap();
    let expected = Shelf {
        id: key("S/1"),
        room: 4,
        key: "S/1".to_owned(),
    };
    assert_eq!(stored, expected);

    let upsert = async |pages: i64| {
        let upsert = Volume::upsert(&t.odm, volume.id.eq(key("V1"))).set(volume.pages, pages);
        upsert.await.unwrap();
        let stored: Volume = Volume::get(&t.odm, key("V1")).await.unwrap();
        (stored.pages, stored.key)
    };
    assert_eq!(upsert(10).await, (10, "V1".to_owned()));
    let stored: Volume = Volume::get(&t.odm, key("V1")).await.unwrap();
    stored.link(&t.odm, &expected).await.unwrap();
    assert_eq!(upsert(20).await, (20, "S/1#V1".to_owned()));
    let found = Volume::linked_to(&t.odm, &expected).await.unwrap();
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn an_upsert_with_an_id_that_contains_the_separator_is_rejected() {
    let t = library("life_prefix_separator").await;
    let shelf = Shelf::fields();
    let upsert = Shelf::upsert(&t.odm, shelf.id.eq(key("S#1"))).set(shelf.room, 4);
    let rejected = upsert.await.unwrap_err();
    assert!(matches!(rejected, Error::Invalid { .. }), "{rejected:?}");
    let text = rejected.to_string();
    let reason = "has an `_id` that contains the separator; choose another `_id`";
    assert!(text.contains(reason), "{text}");
    assert_eq!(Shelf::count(&t.odm).await.unwrap(), 0);
}
