//! The models: sensors and their readings, each with a copy of the name of its sensor.

use mongo_odm::{
    Odm,
    mongodb::{Client, bson::Document},
    prelude::*,
};
use mongo_odm_testkit::Cluster;
use odm_benches::{
    Result,
    place::{fill, odm},
};

/// Number of sensors in each group.
pub(crate) const SENSORS: i32 = 8;

/// The smallest id of a sensor on the second shard.
pub(crate) const SECOND: i32 = 1_000;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_sensors", shard_key(_id = 1))]
pub(crate) struct Sensor {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Sensor, i32>,
    pub(crate) name: String,
}

/// A reading, which is stored with the other readings of its sensor.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_readings", shard_key(sensor = 1))]
pub(crate) struct Reading {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Reading>,
    #[parent_ref]
    pub(crate) sensor: Id<Sensor, i32>,
    #[denorm(from = Sensor.name)]
    pub(crate) sensor_name: String,
    pub(crate) celsius: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_stations", shard_key(_id = 1))]
pub(crate) struct Station {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Station, i32>,
    pub(crate) name: String,
    #[rollup(count, of = "Report", via = "station")]
    pub(crate) reports: i64,
}

/// A report, whose shard does not depend on its station.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_reports", shard_key(_id = "hashed"))]
pub(crate) struct Report {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Report>,
    #[parent_ref(on_delete = "cascade")]
    pub(crate) station: Id<Station, i32>,
    #[denorm(from = Station.name)]
    pub(crate) station_name: String,
}

/// Returns an empty database on the cluster. Sensors and readings below `SECOND` are on the shard that also stores the
/// jobs, and the others on the other shard.
pub(crate) async fn sharded(cluster: &Cluster, client: &Client, name: &str) -> Result<Odm> {
    let odm = odm(client, name);
    odm.database().drop().await?;
    odm.sync_indexes().await?;
    odm.shard_collections().await?;
    let jobs = shard_of_jobs(cluster, &odm).await?;
    for (collection, field) in [
        ("bench_sensors", "_id"),
        ("bench_stations", "_id"),
        ("bench_readings", "sensor"),
    ] {
        let namespace = format!("{}.{collection}", odm.database().name());
        cluster.split(&namespace, doc! { field: SECOND }).await?;
        for (key, shard) in [(0, jobs), (SECOND, 1 - jobs)] {
            let key = doc! { field: key };
            cluster.move_chunk(&namespace, key, shard).await?;
        }
    }
    Ok(odm)
}

/// Returns the position of the primary shard, which stores unsharded collections, such as the jobs.
pub(crate) async fn shard_of_jobs(cluster: &Cluster, odm: &Odm) -> Result<usize> {
    let config = odm.database().client().database("config");
    let databases = config.collection::<Document>("databases");
    let found = databases
        .find_one(doc! { "_id": odm.database().name() })
        .await?;
    let found = found.unwrap_or_default();
    let primary = found.get_str("primary")?;
    let shards = cluster.shards().await?;
    let position = shards.iter().position(|shard| shard == primary);
    position.ok_or_else(|| format!("there is no shard {primary}").into())
}

/// Stores sensors with readings on both shards, and stations with reports.
pub(crate) async fn stored(odm: &Odm, copies: usize) -> Result<()> {
    let ids = (0..SENSORS).chain(SECOND..SECOND + SENSORS);
    let sensors: Vec<_> = ids.clone().map(sensor).collect();
    let readings = sensors.iter().cycle().take(copies * sensors.len());
    fill(readings.map(reading), odm).await?;
    fill(sensors.into_iter(), odm).await?;
    let stations: Vec<_> = ids.map(|id| station(id, copies)).collect();
    let reports = stations.iter().cycle().take(copies * stations.len());
    fill(reports.map(report), odm).await?;
    fill(stations.into_iter(), odm).await
}

pub(crate) fn sensor(id: i32) -> Sensor {
    Sensor {
        id: Id::from_key(id),
        name: format!("sensor {id}"),
    }
}

pub(crate) fn reading(sensor: &Sensor) -> Reading {
    Reading {
        id: Id::new(),
        sensor: sensor.id,
        sensor_name: sensor.name.clone(),
        celsius: 21.5,
    }
}

pub(crate) fn station(id: i32, reports: usize) -> Station {
    Station {
        id: Id::from_key(id),
        name: format!("station {id}"),
        reports: i64::try_from(reports).unwrap_or_default(),
    }
}

pub(crate) fn report(station: &Station) -> Report {
    Report {
        id: Id::new(),
        station: station.id,
        station_name: station.name.clone(),
    }
}
