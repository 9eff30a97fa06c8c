//! Structs that reject unknown fields or collect them in a map. The fields in which the library stores a delete are
//! hidden from these structs.

use std::collections::BTreeMap;

use mongo_odm::{bson::Bson, prelude::*};
use odm_tests::Harness;

use crate::models::{id, settings};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "exact_strict")]
#[serde(deny_unknown_fields)]
pub struct Strict {
    #[serde(rename = "_id")]
    pub id: Id<Strict, i64>,
    #[deleted_at]
    pub deleted: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "exact_strict_archived", on_delete = "archive", hooks)]
#[serde(deny_unknown_fields)]
pub struct StrictArchived {
    #[serde(rename = "_id")]
    pub id: Id<StrictArchived, i64>,
    pub name: String,
}

impl Hooks for StrictArchived {
    async fn before_delete(&self, _tx: &Tx) -> mongo_odm::Result<()> {
        assert_eq!(self.name, "one");
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "exact_numbers")]
pub struct Numbers {
    #[serde(rename = "_id")]
    pub id: Id<Numbers, i64>,
    #[deleted_at]
    pub deleted: Option<DateTime>,
    #[serde(flatten)]
    pub others: BTreeMap<String, i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "exact_values", on_delete = "archive")]
pub struct Extras {
    #[serde(rename = "_id")]
    pub id: Id<Extras, i64>,
    #[serde(flatten)]
    pub others: BTreeMap<String, Bson>,
}

async fn empty(test: &str) -> Harness {
    let mut t = Harness::new(test).await;
    t.odm = t.odm.with_settings(settings());
    t.odm
        .sync_indexes()
        .only::<Strict>()
        .only::<StrictArchived>()
        .only::<Numbers>()
        .only::<Extras>()
        .await
        .unwrap();
    t
}

#[tokio::test]
async fn a_struct_without_unknown_fields_reads_deleted_and_restored_documents() {
    let t = empty("exact_strict").await;
    let document = Strict {
        id: id(1),
        deleted: None,
    };
    document.insert(&t.odm).await.unwrap();
    for _ in 0..2 {
        Strict::delete(&t.odm, id(1)).await.unwrap();
        let deleted = Strict::find(&t.odm).only_deleted().await.unwrap();
        assert!(deleted[0].deleted.is_some());
        Strict::restore(&t.odm, id(1)).await.unwrap();
        assert_eq!(Strict::get(&t.odm, id(1)).await.unwrap(), document);
    }
    let stored = t.odm.database().collection::<Bson>("exact_strict");
    let restoring = doc! { "$set": { "_odm_restoring": [ObjectId::new()] } };
    stored
        .update_one(doc! { "_id": 1_i64 }, restoring)
        .await
        .unwrap();
    assert_eq!(Strict::get(&t.odm, id(1)).await.unwrap(), document);

    let document = StrictArchived {
        id: id(1),
        name: "one".into(),
    };
    document.insert(&t.odm).await.unwrap();
    for _ in 0..2 {
        StrictArchived::delete(&t.odm, id(1)).await.unwrap();
        let archived = StrictArchived::find(&t.odm).only_deleted().await.unwrap();
        assert_eq!(archived.as_slice(), std::slice::from_ref(&document));
        StrictArchived::restore(&t.odm, id(1)).await.unwrap();
        assert_eq!(StrictArchived::get(&t.odm, id(1)).await.unwrap(), document);
    }
}

#[tokio::test]
async fn a_map_of_unknown_fields_does_not_contain_the_delete() {
    let t = empty("exact_maps").await;
    let document = Numbers {
        id: id(1),
        deleted: None,
        others: BTreeMap::from([("points".into(), 3)]),
    };
    document.insert(&t.odm).await.unwrap();
    Numbers::delete(&t.odm, id(1)).await.unwrap();
    let deleted = Numbers::find(&t.odm).with_deleted().await.unwrap();
    assert_eq!(deleted[0].others, document.others);
    Numbers::restore(&t.odm, id(1)).await.unwrap();
    assert_eq!(Numbers::get(&t.odm, id(1)).await.unwrap(), document);

    let document = Extras {
        id: id(1),
        others: BTreeMap::from([("points".into(), Bson::from(3))]),
    };
    document.insert(&t.odm).await.unwrap();
    Extras::delete(&t.odm, id(1)).await.unwrap();
    let archived = Extras::find(&t.odm).only_deleted().await.unwrap();
    assert_eq!(archived.as_slice(), std::slice::from_ref(&document));
    Extras::restore(&t.odm, id(1)).await.unwrap();
    let restored = Extras::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(restored, document);
    // A save keeps the id of the delete, although the struct does not contain it.
    restored.save(&t.odm).await.unwrap();
    let stored = t.odm.database().collection::<Bson>("exact_values");
    let marked = doc! { "_odm_delete": { "$exists": true } };
    assert_eq!(stored.count_documents(marked).await.unwrap(), 1);
}
