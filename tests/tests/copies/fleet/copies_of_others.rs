//! Copies that another version of the program declares in documents of this version.

use std::time::Duration;

use mongo_odm::{
    Guarantee, Odm, Token,
    bson::{Bson, Document},
    prelude::*,
};

use super::{Car, NAME, RELATION, car, garage, job, now, relations};
use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "fleet_depots")]
pub struct Depot {
    #[serde(rename = "_id")]
    pub id: Id<Depot>,
    pub name: String,
}

/// A trailer, which remains when its depot is deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "fleet_trailers")]
pub struct Trailer {
    #[serde(rename = "_id")]
    pub id: Id<Trailer>,
    #[refs(one, on_delete = "nullify")]
    pub depot: Option<Id<Depot>>,
    #[denorm(from = Depot.name)]
    pub depot_name: Option<String>,
}

/// A depot, and a trailer without a depot.
fn depot_and_trailer() -> (Depot, Trailer) {
    let depot = Depot {
        id: Id::new(),
        name: "north".to_owned(),
    };
    let trailer = Trailer {
        id: Id::new(),
        depot: None,
        depot_name: None,
    };
    (depot, trailer)
}

/// Updates a car without the library.
async fn put_town(odm: &Odm, car: &Car, update: Document) {
    let cars = odm.database().collection::<Document>("fleet_cars");
    let updated = cars.update_one(doc! { "_id": car.id }, update).await;
    assert_eq!(updated.unwrap().matched_count, 1);
}

/// Declares a copy of the town, as another version of the program does.
async fn declare_town(odm: &Odm, relation: &str) {
    let schema = odm.database().collection::<Document>("_odm_schema");
    let field = doc! { "from": "town", "to": "maker_town", "reads": ["town"], "seen_at": now(), "declared_at": now() };
    let more = doc! { "$push": { "fields": field } };
    let more = schema.update_one(doc! { "_id": relation }, more).await;
    assert_eq!(more.unwrap().modified_count, 1);
}

#[tokio::test]
async fn a_rule_that_makes_a_key_null_removes_the_copies_of_others_with_it() {
    let t = undeclared("fleet_left_nullify").await;
    let (depot, mut trailer) = depot_and_trailer();
    trailer.depot = Some(depot.id);
    t.odm.sync_indexes().only::<Trailer>().await.unwrap();
    depot.insert(&t.odm).await.unwrap();
    trailer.insert(&t.odm).await.unwrap();
    let odm = long_known(&t.odm).await;
    declare_town(&odm, "fleet_trailers.depot <- fleet_depots._id").await;
    let trailers = odm.database().collection::<Document>("fleet_trailers");
    let town = doc! { "$set": { "maker_town": "known" } };
    trailers.update_many(doc! {}, town).await.unwrap();
    Depot::delete(&odm, depot.id).await.unwrap();
    let stored = trailers.find_one(doc! {}).await.unwrap().unwrap();
    let expected = doc! { "_id": trailer.id, "depot": Bson::Null, "depot_name": Bson::Null };
    assert_eq!(stored, expected);
}

#[tokio::test]
async fn a_pipeline_that_makes_a_key_null_removes_the_copies_of_others_with_it() {
    let t = undeclared("fleet_left_pipeline").await;
    let (depot, mut trailer) = depot_and_trailer();
    trailer.depot = Some(depot.id);
    t.odm.sync_indexes().only::<Trailer>().await.unwrap();
    depot.insert(&t.odm).await.unwrap();
    trailer.insert(&t.odm).await.unwrap();
    let odm = long_known(&t.odm).await;
    declare_town(&odm, "fleet_trailers.depot <- fleet_depots._id").await;
    let trailers = odm.database().collection::<Document>("fleet_trailers");
    for many in [false, true] {
        let town = doc! { "$set": { "maker_town": "known", "depot": depot.id } };
        trailers.update_many(doc! {}, town).await.unwrap();
        let set = vec![doc! { "$set": { "depot": { "$literal": Bson::Null } } }];
        if many {
            let update = Trailer::update_many(&odm, doc! {}).modifications(set);
            update.await.unwrap();
        } else {
            let update = Trailer::update(&odm, trailer.id).modifications(set);
            update.await.unwrap();
        }
        let stored = trailers.find_one(doc! {}).await.unwrap().unwrap();
        let expected = doc! { "_id": trailer.id, "depot": Bson::Null, "depot_name": Bson::Null };
        assert_eq!(stored, expected, "{many}");
    }
}

#[tokio::test]
async fn a_token_has_the_jobs_for_others_if_an_own_copy_is_corrected_too() {
    let t = undeclared("fleet_left_beside").await;
    let (depot, trailer) = depot_and_trailer();
    t.odm.sync_indexes().only::<Trailer>().await.unwrap();
    depot.insert(&t.odm).await.unwrap();
    trailer.insert(&t.odm).await.unwrap();
    let odm = long_known(&t.odm).await;
    declare_town(&odm, "fleet_trailers.depot <- fleet_depots._id").await;
    // Only the updated document contains the value of its own copy.
    let to_depot = doc! { "$set": { "depot": depot.id }, "$min": { "depot_name": "a" } };
    let updated = Trailer::update(&odm, trailer.id)
        .with(to_depot)
        .await
        .unwrap();
    assert!(!updated.token().is_empty(), "{updated:?}");
    let wait = odm.wait(updated.token()).timeout(Duration::from_millis(1));
    wait.await.unwrap_err();
}

/// Another version of the program copies one more field into the same documents.
#[tokio::test]
async fn copies_of_others_in_ones_own_documents_are_left_to_them() {
    let (t, maker) = garage("fleet_left").await;
    let odm = long_known(&t.odm).await;
    declare_town(&odm, RELATION).await;
    let left = async |what: &str, token: &Token| {
        let found = jobs(&odm).await;
        assert_eq!(
            relations(&odm).await,
            [format!("{RELATION} (maker_town)")],
            "{what}"
        );
        assert_eq!(found[0].get_str("phase").unwrap(), "run");
        // A caller that waits for the write also waits for the other program.
        let wait = odm.wait(token).timeout(Duration::from_millis(1)).await;
        assert!(wait.is_err(), "{what}");
        let jobs = odm.database().collection::<Document>("_odm_jobs");
        jobs.delete_many(doc! {}).await.unwrap();
        odm.wait(token).await.unwrap();
    };
    let (fields, one) = (Car::fields(), car(&maker));
    let inserted = one.insert(&odm).await.unwrap();
    assert_eq!(inserted.copies[0].guarantee, Guarantee::Eventual);
    left("insert", inserted.token()).await;
    let saved = one.save(&odm).await.unwrap();
    left("save", saved.token()).await;
    let to_maker = Car::update(&odm, one.id).set(fields.maker, maker.id);
    left("update", to_maker.await.unwrap().token()).await;
    let to_maker = Car::update_many(&odm, fields.id.eq(one.id)).set(fields.maker, maker.id);
    left("update_many", to_maker.await.unwrap().token()).await;
    let new = car(&maker);
    let upsert = Car::upsert(&odm, fields.id.eq(new.id)).set(fields.maker, maker.id);
    left("upsert", upsert.await.unwrap().token()).await;
    // A copy that a program sets to a wrong value is treated like a lost copy.
    let town = doc! { "$set": { "maker_town": "wrong" } };
    let town = Car::update(&odm, one.id).with(town).await.unwrap();
    left("a field beside the key", town.token()).await;
    // A job applies to a key. Without a key, no other program would check the copy.
    let towns = async || {
        count(
            &odm,
            "fleet_cars",
            doc! { "maker_town": { "$exists": true } },
        )
        .await
    };
    for gone in [
        doc! { "$unset": { "maker": "" } },
        doc! { "$set": { "maker": Bson::Null } },
    ] {
        let known = doc! { "$set": { "maker_town": "known" } };
        put_town(&odm, &one, known).await;
        assert_eq!(towns().await, 1);
        Car::update(&odm, one.id).with(gone).await.unwrap();
        assert_eq!(towns().await, 0);
        let back = doc! { "$set": { "maker": maker.id } };
        put_town(&odm, &one, back).await;
    }
    let other = doc! { "$set": { "colour": "red" } };
    Car::update(&odm, one.id).with(other).await.unwrap();
    assert_eq!(relations(&odm).await, [""; 0]);
}

/// A runner of another version has stopped behind all cars. It declares other copies, so it has not written these.
#[tokio::test]
async fn a_run_that_another_version_has_begun_begins_again() {
    let (t, maker) = garage("fleet_left_begun").await;
    let odm = long_known(&t.odm).await;
    let patient = odm.with_settings(settings().grace(Duration::from_secs(600)));
    // An earlier version of the library stores the position without the copies.
    for tie in [NAME.to_owned(), format!("{NAME} (maker_town)")] {
        let ids: Vec<ObjectId> = (0..3).map(|_| ObjectId::new()).collect();
        let car = |id: &ObjectId| doc! { "_id": id, "maker": maker.id, "maker_name": "older" };
        put(&odm, "fleet_cars", ids.iter().map(car)).await;
        let begun = job(RELATION, maker.id, now());
        let cursor = doc! {
            "_id": begun.get("_id").unwrap(), "version": begun.get("version").unwrap(), "token": 1_i64,
            "until": DateTime::MIN, "tie": &tie, "lo": ids.last().unwrap(),
        };
        put(&odm, "_odm_jobs", [begun]).await;
        put(&odm, "_odm_cursors", [cursor]).await;
        patient.run_pending_jobs().await.unwrap();
        let stale = doc! { "maker_name": "older" };
        assert_eq!(count(&odm, "fleet_cars", stale).await, 0, "{tie}");
        let found = jobs(&odm).await;
        assert_eq!(found[0].get_str("phase").unwrap(), "settle", "{tie}");
        let jobs = odm.database().collection::<Document>("_odm_jobs");
        jobs.delete_many(doc! {}).await.unwrap();
    }
}

#[tokio::test]
async fn a_document_that_rejects_its_copy_keeps_no_copies_from_others() {
    let (t, maker) = garage("fleet_left_rejected").await;
    let odm = long_known(&t.odm).await;
    declare_town(&odm, RELATION).await;
    let sealed = ObjectId::new();
    let car = |id: ObjectId| doc! { "_id": id, "maker": maker.id, "maker_name": "older" };
    put(&odm, "fleet_cars", [sealed, ObjectId::new()].map(car)).await;
    let rejected = doc! { "_id": sealed, "maker_name": "old" };
    validate(&odm, "fleet_cars", doc! { "$nor": [rejected] }).await;
    let mut left = job(RELATION, maker.id, now());
    left.insert("fields", vec!["maker_name", "maker_town"]);
    put(&odm, "_odm_jobs", [left]).await;
    odm.run_pending_jobs().await.unwrap();
    let written = doc! { "maker_name": "old" };
    assert_eq!(count(&odm, "fleet_cars", written).await, 1);
    // The other program writes the town of both cars, also while the own job is postponed.
    let of_town = format!("{RELATION} (maker_town)");
    assert_eq!(relations(&odm).await, [RELATION.to_owned(), of_town]);
    let found = jobs(&odm).await;
    assert_eq!(found[0].get_array("failed").unwrap(), &[Bson::from(sealed)]);
    assert_eq!(found[1].get_str("phase").unwrap(), "run");
}
