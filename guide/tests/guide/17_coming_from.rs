//! Chapter 17: the same calls with the driver, with Mongoose, and with this library.

use futures_util::TryStreamExt;
use mongo_odm::{ErrorKind, UpdateReport, bson::Document, mongodb::Collection, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "riders", has_many(trips = "Trip.rider"))]
struct Rider {
    #[serde(rename = "_id")]
    id: Id<Rider>,
    #[index(unique)]
    email: String,
    name: String,
    #[rollup(count, of = "Trip", via = "rider")]
    rides: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "trips", index(keys(rider = 1, km = -1)))]
struct Trip {
    #[serde(rename = "_id")]
    id: Id<Trip>,
    #[parent_ref(on_delete = "cascade")]
    rider: Id<Rider>,
    #[denorm(from = "Rider.name")]
    rider_name: String,
    km: f64,
    stops: Vec<String>,
}

#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Trip")]
struct Length {
    km: f64,
}

async fn trips_of_the_driver(odm: &Odm) -> mongo_odm::Result<Vec<Document>> {
    let trips = odm.database().collection::<Document>("trips");
    let cursor = trips.find(doc! { "km": { "$gt": 5.0 } }).await?;
    Ok(cursor.try_collect().await?)
}

async fn trips_of_the_library(odm: &Odm) -> mongo_odm::Result<Vec<Trip>> {
    Trip::find(odm).filter(Trip::fields().km.gt(5.0)).await
}

async fn with_the_driver(odm: &Odm) -> mongo_odm::Result<u64> {
    odm.transaction(async |tx| {
        tx.run(|database, session| {
            let trips: Collection<Document> = database.collection("trips");
            Box::pin(async move { trips.count_documents(doc! {}).session(session).await })
        })
        .await
    })
    .await
}

async fn reads(odm: &Odm, rider: &Rider, trips: &[Trip]) -> mongo_odm::Result<()> {
    let (id, km) = (rider.id, Trip::fields().km);
    let email = Rider::fields().email;
    let _ = Rider::get(odm, id).await?;
    let _ = Rider::find_one(odm)
        .filter(email.eq("ann@example.org"))
        .await?;
    let _ = Trip::exists(odm).filter(km.gt(5.0)).await?;
    let _ = Trip::count(odm).filter(km.gt(5.0)).await?;
    let _ = Trip::distinct(odm, Trip::fields().rider).await?;
    let _ = Trip::find(odm).sort(km.desc()).skip(20).limit(10).await?;
    let _ = Trip::find(odm).sort(km.desc()).page(10).await?;
    let lengths = Trip::find(odm).select::<Length>().await?;
    assert!(lengths.iter().all(|length| length.km > 0.0));
    let _ = Trip::find(odm).stream();
    let _ = Trip::find(odm)
        .filter(doc! { "km": { "$gt": 5.0 } })
        .await?;
    let stages = [doc! { "$sample": { "size": 3 } }];
    let _ = Trip::aggregate::<Document>(odm, stages).await?;
    let _ = rider.load_trips(odm).await?;
    let _ = Trip::join_rider(trips, odm).await?;
    let _ = odm.collection::<Trip>();
    let _ = odm.database();
    Ok(())
}

async fn writes(odm: &Odm, rider: &Rider, trip: &Trip) -> mongo_odm::Result<UpdateReport> {
    let (id, km) = (trip.id, Trip::fields().km);
    let name = Rider::fields().name;
    rider.insert(odm).await?;
    trip.insert(odm).await?;
    trip.save(odm).await?;
    Rider::update(odm, rider.id).set(name, "Anna").await?;
    Trip::update(odm, id).inc(km, 1.5).await?;
    Trip::update(odm, id)
        .push(Trip::fields().stops, "Bern")
        .await?;
    Trip::update_many(odm, km.lt(0.0)).set(km, 0.0).await?;
    let old = Trip::find_one_and_update(odm, km.gt(5.0)).set(km, 5.0);
    let _ = old.return_new().await?;
    if let Err(error) = rider.insert(odm).await {
        assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    }
    Trip::delete(odm, id).await?;
    Trip::delete_many(odm, km.lt(1.0)).await?;
    Rider::delete(odm, rider.id).await?;
    Trip::update(odm, id).set(km, 1.0).await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Rider>().only::<Trip>();
    sync.await?;
    let rider = |name: &str| Rider {
        id: Id::new(),
        email: format!("{name}@example.org"),
        name: name.into(),
        rides: 0,
    };
    let trip = |rider: &Rider| Trip {
        id: Id::new(),
        rider: rider.id,
        rider_name: String::new(),
        km: 12.5,
        stops: Vec::new(),
    };
    let (ann, bob) = (rider("ann"), rider("bob"));
    ann.insert(&odm).await?;
    trip(&ann).insert(&odm).await?;
    assert_eq!(trips_of_the_driver(&odm).await?.len(), 1);
    let trips = chapter.sends(&odm, trips_of_the_library(&odm)).await?;
    assert_eq!(with_the_driver(&odm).await?, 1);
    reads(&odm, &ann, &trips).await?;
    writes(&odm, &bob, &trip(&bob)).await?;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("17-coming-from", program).await;
}

/// Each call in the last column of a table must be in this program.
#[test]
fn the_tables_contain_calls_that_compile() {
    let words = |text: &str| text.split_whitespace().collect::<String>();
    let code = words(include_str!("17_coming_from.rs"));
    let text = odm_guide::read(&odm_guide::chapters().join("17-coming-from.md"));
    let rows = text.split("Some concepts differ").next().unwrap().lines();
    let rows = rows.filter(|line| line.starts_with("| "));
    let mut calls = 0;
    for row in rows {
        let cell = row.trim_end_matches('|').rsplit(" | ").next().unwrap();
        for call in cell.split('`').skip(1).step_by(2) {
            let call = call.replace('\\', "");
            assert!(code.contains(&words(&call)), "{call}");
            calls += 1;
        }
    }
    assert!(calls > 40, "{calls}");
}
