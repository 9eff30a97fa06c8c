//! Maintained fields in the shard key: the tenant and the time of the insert.

use mongo_odm::{Error, Hooks, Odm, Tx, bson::doc, prelude::*};
use odm_tests::Harness;

use super::per_shard;
use crate::models::{cluster, empty};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "moving_visits",
    tenant = "org",
    hooks,
    shard_key(org = 1, room = 1)
)]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    org: Option<i32>,
    room: i32,
}

impl Hooks for Visit {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        assert!(self.org.is_some());
        Ok(())
    }
}

/// A model whose shard key is set by the library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_entries", shard_key(at = 1))]
struct Entry {
    #[serde(rename = "_id")]
    id: Id<Entry, i32>,
    #[created_at]
    at: DateTime,
    text: String,
}

fn visit(org: Option<i32>, room: i32) -> Visit {
    Visit {
        id: Id::from_key(1),
        org,
        room,
    }
}

async fn move_visits(odm: &Odm) {
    let ten = odm.for_tenant(10);
    visit(None, 10).insert(&ten).await.unwrap();
    // The struct has no tenant, so the handle's tenant is used as the shard key.
    visit(None, 10).save(&ten).await.unwrap();
    visit(None, 60).save(&ten).moving().await.unwrap();
    let stored = async || Visit::get(&ten, Id::from_key(1)).await.unwrap();
    assert_eq!(stored().await, visit(Some(10), 60));
    let all = odm.all_tenants();
    visit(Some(10), 61).save(&all).moving().await.unwrap();
    assert_eq!(stored().await, visit(Some(10), 61));
    let expected = "`Visit.org` is the tenant of the stored document, which a write cannot change";
    for failed in [
        visit(Some(20), 61).save(&all).await,
        visit(Some(20), 61).save(&all).moving().await,
        visit(None, 10).save(&odm.for_tenant(20)).moving().await,
        visit(None, 10).replace(&odm.for_tenant(20)).moving().await,
    ] {
        let failed = failed.unwrap_err();
        assert!(failed.to_string().contains(expected), "{failed}");
    }
    let unknown = visit(None, 60).save(odm).moving().await;
    assert!(matches!(unknown, Err(Error::Invalid { .. })));
    assert_eq!(stored().await, visit(Some(10), 61));
    assert_eq!(Visit::count(&all).await.unwrap(), 1);
}

#[tokio::test]
async fn a_document_moves_within_its_tenant() {
    let odm = empty("moving_tenants").await;
    odm.shard_collections().only::<Visit>().await.unwrap();
    let (cluster, namespace) = (cluster().await, "moving_tenants.moving_visits");
    let middle = doc! { "org": 10, "room": 50 };
    cluster.split(namespace, middle).await.unwrap();
    for (room, shard) in [(0, 0), (99, 1)] {
        let at = doc! { "org": 10, "room": room };
        cluster.move_chunk(namespace, at, shard).await.unwrap();
    }
    move_visits(&odm).await;
    assert_eq!(per_shard(&odm, "moving_visits").await, [0, 1]);
}

#[tokio::test]
async fn on_a_replica_set_a_document_moves_within_its_tenant() {
    let t = Harness::new("moving_tenants_replica_set").await;
    move_visits(&t.odm).await;
}

#[tokio::test]
async fn a_save_keeps_the_time_of_the_insert_in_the_shard_key() {
    let odm = empty("moving_times").await;
    odm.shard_collections().only::<Entry>().await.unwrap();
    let entry = |text: &str| Entry {
        id: Id::from_key(1),
        at: DateTime::from_millis(0),
        text: text.to_owned(),
    };
    let first = entry("first").insert(&odm).returning().await.unwrap();
    let second = entry("second").save(&odm).returning().await.unwrap();
    assert_eq!((second.at, second.text.as_str()), (first.at, "second"));
    assert_eq!(Entry::count(&odm).await.unwrap(), 1);
    // The model does not have `.moving()`.
    let failed = entry("third").save(&odm).keep_timestamps().await;
    let failed = failed.unwrap_err().to_string();
    let expected = "`Entry.at` is part of the shard key, and the library sets it in the insert";
    assert!(failed.contains(expected), "{failed}");
}
