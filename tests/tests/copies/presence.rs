//! Copies below a field that may be missing or null.

use mongo_odm::{
    Presence,
    bson::{Bson, Document},
    prelude::*,
};

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "presence_parts")]
struct Bolt {
    #[serde(rename = "_id")]
    id: Id<Bolt, i32>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct BoltLine {
    #[refs(one)]
    bolt: Id<Bolt, i32>,
    #[denorm(from = Bolt.name)]
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    name: Presence<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "presence_kits")]
struct BoltKit {
    #[serde(rename = "_id")]
    id: Id<BoltKit, i32>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[embed]
    lines: Presence<Vec<BoltLine>>,
}

#[tokio::test]
async fn copies_below_follow_and_what_is_missing_stays_so() {
    let t = empty("presence_copies").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Bolt>();
    sync.only::<BoltKit>().await.unwrap();
    let bolt = Bolt {
        id: Id::from_key(1),
        name: "old".to_owned(),
    };
    bolt.insert(odm).await.unwrap();
    let kits = t.database().collection("presence_kits");
    let without = [doc! { "_id": 1 }, doc! { "_id": 2, "lines": Bson::Null }];
    kits.insert_many(without.clone()).await.unwrap();
    let line = BoltLine {
        bolt: bolt.id,
        name: Presence::Missing,
    };
    let kit = BoltKit {
        id: Id::from_key(3),
        lines: vec![line].into(),
    };
    kit.insert(odm).await.unwrap();
    let stored = async |id: i32| -> Document {
        let found = kits.find_one(doc! { "_id": id }).await.unwrap();
        found.unwrap()
    };
    let with = |name: &str| doc! { "_id": 3, "lines": [{ "bolt": 1, "name": name }] };
    assert_eq!(stored(3).await, with("old"));
    Bolt::update(odm, bolt.id)
        .set(Bolt::fields().name, "new")
        .await
        .unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(stored(3).await, with("new"));
    for kit in BoltKit::find(odm).await.unwrap() {
        kit.save(odm).await.unwrap();
    }
    assert_eq!([stored(1).await, stored(2).await], without);
    assert_eq!(stored(3).await, with("new"));
    assert_eq!(odm.verify().await.unwrap().len(), 0);
}
