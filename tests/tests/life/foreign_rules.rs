//! Delete rules of other programs for models that keep deleted documents.

use mongo_odm::{
    JoinKey,
    bson::{Bson, Document, doc},
    prelude::*,
};

use crate::models::{board, id};

/// A harbour. Another program deletes the boats of a deleted harbour; this program has no model of boats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_harbours")]
struct Harbour {
    #[serde(rename = "_id")]
    id: Id<Harbour, i64>,
    name: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[tokio::test]
async fn a_delete_and_a_restore_store_jobs_for_the_rules_of_another_program() {
    let t = board("life_foreign_rules").await;
    let (relation, now) = ("life_boats.harbour -> life_harbours._id", DateTime::now());
    let rule = doc! {
        "_id": relation, "name": "Boat.harbour", "rule": true, "source": "life_harbours", "source_key": "_id",
        "in_source": false, "target": "life_boats", "key": "harbour", "by": ["boats"], "fields": [], "seen_at": now,
        "declared_at": now,
    };
    let schema = t.odm.database().collection::<Document>("_odm_schema");
    schema.insert_one(rule).await.unwrap();
    let odm = &t.odm;
    let harbour = |number: i64| Harbour {
        id: id(number),
        name: format!("harbour {number}"),
        deleted_at: None,
    };
    let harbours: Vec<Harbour> = (1..=4).map(harbour).collect();
    t.given(&harbours).await;
    let keys = async || {
        let jobs = odm.jobs().relation(relation).await.unwrap();
        let mut keys: Vec<JoinKey> = jobs.into_iter().map(|job| job.key).collect();
        keys.sort();
        odm.jobs().relation(relation).forget().await.unwrap();
        keys
    };
    let expected = |numbers: &[i64]| {
        let keys = numbers.iter().map(|it| JoinKey::from(Bson::from(*it)));
        keys.collect::<Vec<_>>()
    };
    let name = Harbour::fields().name;
    Harbour::update(odm, id(1)).set(name, "x").await.unwrap();
    assert_eq!(keys().await, []);

    Harbour::delete(odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(keys().await, expected(&[1]));
    Harbour::restore(odm, id(1)).await.unwrap();
    assert_eq!(keys().await, expected(&[1]));
    let some = Harbour::fields().id.is_in([id(2), id(3)]);
    Harbour::delete_many(odm, some).await.unwrap();
    assert_eq!(keys().await, expected(&[2, 3]));
    Harbour::purge(odm, id(4)).await.unwrap();
    assert_eq!(keys().await, expected(&[4]));
}
