//! Chapter 24: sharded clusters.

use mongo_odm::{
    Plan,
    maintenance::{ShardingDiff, ShardingReport},
    prelude::*,
};
use mongo_odm_testkit::Cluster;
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "probes", shard_key(_id = "hashed"))]
struct Sensor {
    #[serde(rename = "_id")]
    id: Id<Sensor, i32>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "probe_values", shard_key(sensor = 1))]
struct Reading {
    #[serde(rename = "_id")]
    id: Id<Reading, i32>,
    #[parent_ref]
    sensor: Id<Sensor, i32>,
    #[denorm(from = Sensor.name, via = sensor)]
    sensor_name: String,
    celsius: f64,
}

async fn difference(odm: &Odm) -> mongo_odm::Result<ShardingDiff> {
    odm.shard_collections().diff().await
}

async fn shard(odm: &Odm) -> mongo_odm::Result<ShardingReport> {
    odm.shard_collections().await
}

fn of_one_sensor(odm: &Odm, sensor: Id<Sensor, i32>) -> mongo_odm::Result<Plan> {
    let fields = Reading::fields();
    Reading::find(odm).filter(fields.sensor.eq(sensor)).plan()
}

fn hot(odm: &Odm) -> mongo_odm::Result<Plan> {
    Reading::find(odm)
        .filter(Reading::fields().celsius.gt(40.0))
        .plan()
}

async fn correct(odm: &Odm) -> mongo_odm::Result<Option<Reading>> {
    let fields = Reading::fields();
    Reading::find_one_and_update(odm, fields.celsius.lt(-90.0))
        .set(fields.celsius, 0.0)
        .await
}

async fn assign(odm: &Odm, mut reading: Reading, sensor: Id<Sensor, i32>) -> mongo_odm::Result<()> {
    reading.sensor = sensor;
    reading.save(odm).moving().await?;
    Ok(())
}

async fn program(chapter: &mut Chapter, _: Odm) -> mongo_odm::Result<()> {
    let cluster = Cluster::start().await.unwrap();
    println!("{cluster}");
    let odm = Odm::connect(format!("{}farm", cluster.uri())).await?;
    chapter.shows(difference(&odm).await?);
    chapter.shows(shard(&odm).await?);
    odm.sync_indexes()
        .only::<Sensor>()
        .only::<Reading>()
        .await?;
    chapter.plans(&of_one_sensor(&odm, Id::from_key(7))?);
    chapter.plans(&hot(&odm)?);
    let sensors = [7, 8].map(|id| Sensor {
        id: Id::from_key(id),
        name: format!("barn {id}"),
    });
    Sensor::insert_many(&odm, &sensors).await?;
    let reading = Reading {
        id: Id::from_key(1),
        sensor: Id::from_key(7),
        sensor_name: String::new(),
        celsius: -99.0,
    };
    reading.insert(&odm).await?;
    chapter.sends(&odm, correct(&odm)).await?;
    let moved = Reading::update(&odm, reading.id).set(Reading::fields().sensor, Id::from_key(8));
    chapter.shows(moved.await.unwrap_err());
    let reading = Reading::get(&odm, reading.id).await?;
    chapter
        .outlines(&odm, assign(&odm, reading, Id::from_key(8)))
        .await?;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("24-sharded-clusters", program).await;
}
