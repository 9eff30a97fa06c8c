//! Chapter 13: declared and implied indexes.

use mongo_odm::{IndexDiff, IndexReport, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "sensors")]
struct Sensor {
    #[serde(rename = "_id")]
    id: Id<Sensor, String>,
    #[index(unique)]
    serial: String,
    place: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "measurements",
    index(keys(sensor = 1, at = -1)),
    index(keys(value = -1), partial = r#"{ "alarm": true }"#, name = "alarms")
)]
struct Measurement {
    #[serde(rename = "_id")]
    id: Id<Measurement>,
    #[parent_ref]
    sensor: Id<Sensor, String>,
    #[denorm(from = "Sensor.place")]
    place: String,
    #[index(expire_after_secs = 2_592_000)]
    at: DateTime,
    value: f64,
    alarm: bool,
}

async fn difference(odm: &Odm) -> mongo_odm::Result<IndexDiff> {
    odm.index_diff()
        .only::<Sensor>()
        .only::<Measurement>()
        .await
}

async fn sync(odm: &Odm) -> mongo_odm::Result<IndexReport> {
    odm.sync_indexes()
        .only::<Sensor>()
        .only::<Measurement>()
        .await
}

async fn largest_alarms(odm: &Odm) -> mongo_odm::Result<Vec<Measurement>> {
    Measurement::find(odm)
        .filter(Measurement::fields().alarm.eq(true))
        .sort(Measurement::fields().value.desc())
        .limit(10)
        .await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sensor = |id: &str| Sensor {
        id: Id::from_key(id.into()),
        serial: "A-17".into(),
        place: "roof".into(),
    };
    chapter.shows(difference(&odm).await?);
    chapter.shows(sync(&odm).await?);
    sensor("north").insert(&odm).await?;
    chapter.stores(&odm, "sensors").await?;
    chapter.sends(&odm, largest_alarms(&odm)).await?;
    chapter.shows(sensor("south").insert(&odm).await.unwrap_err());

    let index = doc! { "key": { "place": 1 }, "name": "place_1" };
    let create = doc! { "createIndexes": "sensors", "indexes": [index] };
    odm.database().run_command(create).await?;
    chapter.shows(difference(&odm).await?);

    let drop = doc! { "dropIndexes": "measurements", "index": "at_1" };
    odm.database().run_command(drop).await?;
    let index = doc! { "key": { "at": 1 }, "name": "at_1" };
    let create = doc! { "createIndexes": "measurements", "indexes": [index] };
    odm.database().run_command(create).await?;
    chapter.shows(sync(&odm).await.unwrap_err());
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("13-indexes", program).await;
}
