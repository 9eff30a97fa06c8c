//! Fields that are computed from referring documents: recent lists, counts, sums, averages, minima and maxima.

mod among;
mod behind;
mod children;
mod concurrent;
mod decimals;
mod declared;
mod deltas;
mod filters;
mod lists;
mod own_parent;
mod plans;
mod traps;
mod types;
mod without_key;

use std::str::FromStr;

use mongo_odm::{
    Average, Odm,
    bson::{Bson, Decimal128, Document, oid::ObjectId},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

/// A weather station with a list of its latest readings and summaries of all readings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "stations", has_many(readings_of = "Reading.station"))]
pub struct Station {
    #[serde(rename = "_id")]
    pub id: Id<Station>,
    pub name: String,
    #[recent(of = "Reading", via = "station", sort = "time", limit = 3)]
    pub latest: Vec<ReadingLine>,
    #[rollup(count, of = "Reading", via = "station")]
    pub readings: i64,
    #[rollup(sum, of = "Reading", via = "station", field = "rain")]
    pub rain: i64,
    #[rollup(sum, of = "Reading", via = "station", field = "cost")]
    pub cost: Decimal128,
    #[rollup(average, of = "Reading", via = "station", field = "celsius")]
    pub celsius: Average,
    #[rollup(min, of = "Reading", via = "station", field = "celsius")]
    pub coldest: Option<f64>,
    #[rollup(max, of = "Reading", via = "station", field = "time")]
    pub seen: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "readings")]
pub struct Reading {
    #[serde(rename = "_id")]
    pub id: Id<Reading>,
    #[parent_ref(on_delete = "nullify")]
    pub station: Option<Id<Station>>,
    pub time: DateTime,
    pub rain: i64,
    pub cost: Decimal128,
    pub celsius: Option<f64>,
    pub note: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Reading")]
pub struct ReadingLine {
    #[serde(rename = "_id")]
    pub id: Id<Reading>,
    pub time: DateTime,
    pub celsius: Option<f64>,
}

/// A board at the road, which copies computed fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "station_boards")]
pub struct Board {
    #[serde(rename = "_id")]
    pub id: Id<Board>,
    #[refs(one)]
    pub station: Id<Station>,
    #[denorm(from = "Station.readings")]
    pub readings: i64,
}

pub async fn weather(test: &str) -> Harness {
    let t = empty(test).await;
    index_weather(&t.odm).await;
    t
}

pub async fn index_weather(odm: &Odm) {
    let sync = odm.sync_indexes().only::<Station>().only::<Reading>();
    sync.only::<Board>().await.unwrap();
}

pub fn station(name: &str) -> Station {
    Station {
        id: Id::new(),
        name: name.to_owned(),
        latest: Vec::new(),
        readings: 0,
        rain: 0,
        cost: Decimal128::from_str("0").unwrap(),
        celsius: Average::default(),
        coldest: None,
        seen: None,
    }
}

pub fn reading(station: Id<Station>, number: i64) -> Reading {
    Reading {
        id: Id::new(),
        station: Some(station),
        time: DateTime::from_millis(1_700_000_000_000 + number * 1_000),
        rain: number,
        cost: Decimal128::from_str("0.5").unwrap(),
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        celsius: (number % 5 != 0).then_some(number as f64 / 2.0),
        note: "calm".to_owned(),
    }
}

/// Asserts that the fields of every station are correct for its stored readings. The test computes the expected values
/// without the library. In a transaction, it reads one snapshot.
pub async fn assert_right(on: &impl Executor, title: &str) {
    let mut readings: Vec<Reading> = Reading::find(on).await.unwrap();
    readings.sort_by_key(|reading| (reading.time, *reading.id.key()));
    let stations = Station::find(on).project::<Document>(doc! { "name": 0 });
    for stored in stations.await.unwrap() {
        let id = stored.get_object_id("_id").unwrap();
        let is_own = |it: &&Reading| it.station.is_some_and(|of| *of.key() == id);
        let own: Vec<&Reading> = readings.iter().filter(is_own).collect();
        let celsius: Vec<f64> = own.iter().filter_map(|it| it.celsius).collect();
        let line = |it: &&Reading| doc! { "_id": it.id, "time": it.time, "celsius": it.celsius };
        let latest = own[own.len().saturating_sub(3)..].iter().map(line);
        let coldest = celsius.iter().copied().min_by(f64::total_cmp);
        let expected = doc! {
            "latest": latest.collect::<Vec<_>>(),
            "readings": i64::try_from(own.len()).unwrap(),
            "rain": own.iter().map(|it| it.rain).sum::<i64>(),
            "cost": Decimal128::from_str(&halves(own.len())).unwrap(),
            "celsius": { "sum": celsius.iter().sum::<f64>(), "count": i64::try_from(celsius.len()).unwrap() },
            "coldest": coldest,
            "seen": own.last().map(|it| it.time),
        };
        let held = stored.clone().into_iter();
        let held: Document = held
            .filter(|(name, _)| expected.contains_key(name))
            .collect();
        assert_eq!(sorted(held), sorted(expected), "{title}: {stored}");
    }
}

fn halves(count: usize) -> String {
    if count == 0 {
        return "0".to_owned();
    }
    format!("{}.{}", count / 2, count % 2 * 5)
}

fn sorted(document: Document) -> Vec<(String, Bson)> {
    let mut fields: Vec<_> = document.into_iter().collect();
    fields.sort_by(|left, right| left.0.cmp(&right.0));
    fields
}

#[tokio::test]
async fn every_write_of_a_child_reaches_its_parents() {
    for (title, way) in ["inline", "job"].into_iter().zip([false, true]) {
        let t = weather(&format!("computed_{title}")).await;
        let odm = if way { by_jobs(&t.odm) } else { t.odm.clone() };
        let (north, south) = (station("north"), station("south"));
        t.given(&[north.clone(), south.clone()]).await;
        let right = async |step: &str| assert_right(&t.odm, &format!("{title}, {step}")).await;
        let fields = Reading::fields();

        let first = reading(north.id, 1);
        first.insert(&odm).await.unwrap();
        right("insert").await;
        let more: Vec<Reading> = (2..9)
            .map(|n| reading(if n % 2 == 0 { north.id } else { south.id }, n))
            .collect();
        Reading::insert_many(&odm, &more).await.unwrap();
        right("insert_many").await;
        Reading::update(&odm, first.id)
            .set(fields.rain, 100)
            .await
            .unwrap();
        right("another value").await;
        Reading::update(&odm, first.id)
            .set(fields.station, Some(south.id))
            .await
            .unwrap();
        right("another parent").await;
        Reading::update(&odm, more[0].id)
            .set(fields.time, DateTime::from_millis(1_800_000_000_000))
            .await
            .unwrap();
        right("another order").await;
        Reading::update(&odm, more[1].id)
            .set(fields.station, None)
            .await
            .unwrap();
        right("no parent").await;
        Reading::update(&odm, more[2].id)
            .unset(fields.station)
            .await
            .unwrap();
        right("no pointer").await;
        Reading::update_many(&odm, fields.rain.gt(4))
            .inc(fields.rain, 10)
            .await
            .unwrap();
        right("update_many").await;
        Reading::find_one_and_update(&odm, fields.id.eq(more[3].id))
            .set(fields.celsius, Some(-40.0))
            .await
            .unwrap();
        right("find_one_and_update").await;
        let saved = Reading {
            station: Some(north.id),
            ..more[1].clone()
        };
        saved.save(&odm).await.unwrap();
        right("save").await;
        let new = reading(south.id, 20);
        Reading::upsert(&odm, fields.id.eq(new.id))
            .set(fields.station, Some(south.id))
            .set(fields.time, new.time)
            .set(fields.rain, new.rain)
            .set(fields.cost, new.cost)
            .set(fields.celsius, new.celsius)
            .set(fields.note, "dew")
            .await
            .unwrap();
        right("upsert").await;
        Reading::delete(&odm, new.id).await.unwrap();
        right("delete").await;
        Reading::delete_many(&odm, fields.rain.lt(10))
            .await
            .unwrap();
        right("delete_many").await;
        Station::delete(&odm, south.id).await.unwrap();
        right("a parent that goes").await;
        settle(&t.odm).await;
        right("the end").await;
        assert!(t.odm.verify().only::<Station>().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_transaction_of_the_user_changes_children_and_parents_together() {
    let t = weather("computed_tx").await;
    let (north, south) = (station("north"), station("south"));
    t.given(&[north.clone(), south.clone()]).await;
    let several: Vec<Reading> = (0..4).map(|number| reading(north.id, number)).collect();
    let inside = async |tx: mongo_odm::Tx| {
        for reading in &several {
            reading.insert(&tx).await?;
        }
        let moved = Reading::update(&tx, several[3].id);
        moved.set(Reading::fields().station, Some(south.id)).await?;
        let north = Station::get(&tx, north.id).await?;
        assert_eq!((north.readings, north.rain), (3, 3));
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    assert_right(&t.odm, "committed").await;
    let aborted = async |tx: mongo_odm::Tx| {
        Reading::delete(&tx, several[0].id).await?;
        Reading::get(&tx, Id::new()).await
    };
    t.odm.transaction(aborted).await.unwrap_err();
    assert_right(&t.odm, "rolled back").await;
}

#[tokio::test]
async fn what_is_computed_is_copied_further() {
    let t = weather("computed_copied").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let board = Board {
        id: Id::new(),
        station: north.id,
        readings: -1,
    };
    board.insert(&t.odm).await.unwrap();
    for number in 1..=3 {
        reading(north.id, number).insert(&t.odm).await.unwrap();
        let shown = Board::get(&t.odm, board.id).await.unwrap().readings;
        assert_eq!(shown, number);
    }
}

#[tokio::test]
async fn a_parent_that_comes_later_is_right_at_once_and_brings_nothing_of_its_own() {
    let t = weather("computed_late").await;
    let north = station("north");
    for number in 0..5 {
        reading(north.id, number).insert(&t.odm).await.unwrap();
    }
    let boasting = Station {
        readings: 99,
        seen: Some(DateTime::now()),
        ..north.clone()
    };
    boasting.insert(&t.odm).await.unwrap();
    assert_right(&t.odm, "inserted").await;
    let old = Station::get(&t.odm, north.id).await.unwrap();
    reading(north.id, 9).insert(&t.odm).await.unwrap();
    let renamed = Station {
        name: "north pole".to_owned(),
        ..old
    };
    renamed.save(&t.odm).await.unwrap();
    assert_right(&t.odm, "saved with what was read before").await;
    assert_eq!(
        Station::get(&t.odm, north.id).await.unwrap().name,
        "north pole"
    );
    settle(&t.odm).await;
}

#[tokio::test]
async fn what_is_computed_cannot_be_written() {
    let t = weather("computed_refused").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let fields = Station::fields();
    let refused = Station::update(&t.odm, north.id)
        .with(doc! { "$inc": { "readings": 1 } })
        .await;
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("`Station.readings` is `count()` of each `Reading` that refers to the `Station` by `station`"),
        "{message}"
    );
    let refused = Station::update(&t.odm, north.id)
        .with(doc! { "$set": { "latest": [] } })
        .await;
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("write the `Reading`")
    );
    Station::update(&t.odm, north.id)
        .set(fields.name, "n")
        .await
        .unwrap();
}

#[tokio::test]
async fn drift_is_found_and_repaired_and_stations_of_before_are_filled() {
    let t = weather("computed_drift").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    for number in 0..5 {
        reading(north.id, number).insert(&t.odm).await.unwrap();
    }
    settle(&t.odm).await;
    let readings = t.odm.database().collection::<Document>("readings");
    readings.delete_many(doc! { "rain": 4_i64 }).await.unwrap();
    let drift = t.odm.verify().only::<Station>().await.unwrap();
    let paths: Vec<_> = drift.items.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(
        paths,
        ["latest", "readings", "rain", "cost", "celsius", "seen"],
        "{drift}"
    );
    t.odm.verify().only::<Station>().repair().await.unwrap();
    assert_right(&t.odm, "repaired").await;

    put(
        &t.odm,
        "stations",
        [doc! { "_id": ObjectId::new(), "name": "of before" }],
    )
    .await;
    t.odm.backfill::<Station>().await.unwrap();
    assert_right(&t.odm, "filled").await;
    assert!(t.odm.verify().only::<Station>().await.unwrap().is_empty());
}
