//! Programs that declare different source fields for the same copy.

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};

use super::{RELATION, car, days_ago, declared, garage, now};
use crate::setting::*;

/// Each program writes its own value, and not only the latest declaration counts.
#[tokio::test]
async fn a_copy_from_two_fields_is_seen_by_both() {
    let (t, maker) = garage("fleet_contradiction").await;
    let odm = program(&t.odm);
    car(&maker).insert(&odm).await.unwrap();
    assert_eq!(odm.health().await.unwrap().contradictions, []);
    let schema = odm.database().collection::<Document>("_odm_schema");
    let other = doc! { "from": "title", "to": "maker_name", "reads": ["title"], "seen_at": now(), "declared_at": now() };
    let more = doc! { "$push": { "fields": other } };
    let more = schema.update_one(doc! { "_id": RELATION }, more).await;
    assert_eq!(more.unwrap().modified_count, 1);
    // A later start of this program keeps the declaration of the other program.
    let odm = program(&t.odm);
    car(&maker).insert(&odm).await.unwrap();
    let copy = format!("{RELATION} (maker_name)");
    let froms = vec!["name".to_owned(), "title".to_owned()];
    let health = odm.health().await.unwrap();
    assert_eq!(health.contradictions, [(copy, froms)]);
    assert!(!health.is_good());
    // The field that this program copies was declared recently, independent of the field of the other program.
    let own = declared(&odm, RELATION).await.unwrap();
    let fields = own.get_array("fields").unwrap().iter();
    let froms: Vec<_> = fields
        .map(|it| it.as_document().unwrap().get("from").cloned())
        .collect();
    assert_eq!(froms.len(), 2, "{froms:?}");
    assert!(froms.contains(&Some(Bson::from("title"))));

    // The other program no longer runs.
    let gone = doc! { "$set": { "fields.$[other].seen_at": days_ago(3) } };
    let gone = schema.update_one(doc! { "_id": RELATION }, gone);
    let gone = gone.array_filters([doc! { "other.from": "title" }]).await;
    assert_eq!(gone.unwrap().modified_count, 1);
    assert_eq!(odm.health().await.unwrap().contradictions, []);
}
