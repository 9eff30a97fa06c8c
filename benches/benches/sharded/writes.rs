//! Prints the statements of each kind of write, and the shards that take part.

use mongo_odm::{Odm, mongodb::Client, prelude::*};
use mongo_odm_testkit::{Cluster, ClusterCounters, Recorder};
use odm_benches::Result;

use crate::models::{
    Reading, Report, SECOND, Sensor, Station, reading, report, sensor, sharded, station, stored,
};

/// Number of copies of each name.
const COPIES: usize = 100;

/// Counts what the writes send.
struct Counts<'c> {
    cluster: &'c Cluster,
    recorder: &'c Recorder,
    odm: Odm,
}

impl Counts<'_> {
    /// Runs a write, and prints a row of the table.
    async fn row<T>(
        &self,
        title: &str,
        write: impl IntoFuture<Output = mongo_odm::Result<T>>,
    ) -> Result<()> {
        let before = self.cluster.counters().await?;
        self.recorder.clear();
        write.await?;
        self.odm.finish_writes().await;
        let sent = self.recorder.round_trips();
        let after = self.cluster.counters().await?;
        let since = |count: fn(&ClusterCounters) -> i64| count(&after) - count(&before);
        println!(
            "| {title} | {sent} | {} | {} | {} | {} |",
            since(|it| it.statements_to_one_shard),
            since(|it| it.statements_to_both_shards),
            since(|it| it.commits_on_one_shard),
            since(|it| it.commits_on_two_shards),
        );
        Ok(())
    }
}

pub(crate) async fn print(cluster: &Cluster, client: &Client, recorder: &Recorder) -> Result<()> {
    let odm = sharded(cluster, client, "writes").await?;
    stored(&odm, COPIES).await?;
    // The first write declares the relations of the program.
    Sensor::update(&odm, Id::from_key(0))
        .set(Sensor::fields().name, "first")
        .await?;
    let counts = Counts {
        cluster,
        recorder,
        odm: odm.clone(),
    };
    println!("| write | round trips | to one shard | to both | commits on one shard | on both |");
    println!("|---|---|---|---|---|---|");
    without_copies(&counts, &odm).await?;
    with_copies(&counts, &odm).await?;
    deletes(&counts, &odm).await?;
    println!();
    Ok(())
}

async fn without_copies(counts: &Counts<'_>, odm: &Odm) -> Result<()> {
    let one = reading(&sensor(1));
    counts
        .row("insert with a copy, one shard", one.insert(odm))
        .await?;
    let celsius = Reading::fields().celsius;
    counts
        .row(
            "update of a field, by `_id`",
            Reading::update(odm, one.id).set(celsius, 1.0),
        )
        .await?;
    let of_sensor = Reading::fields().sensor.eq(one.sensor);
    counts
        .row(
            "`update_many`, key in the filter",
            Reading::update_many(odm, of_sensor).set(celsius, 2.0),
        )
        .await?;
    let hot = celsius.gt(100.0);
    counts
        .row(
            "`update_many`, key not in the filter",
            Reading::update_many(odm, hot).set(celsius, 3.0),
        )
        .await?;
    counts.row("`save`", one.save(odm)).await
}

async fn with_copies(counts: &Counts<'_>, odm: &Odm) -> Result<()> {
    let name = Sensor::fields().name;
    for (title, id) in [
        ("rename, 100 copies on the shard of the jobs", 2),
        ("rename, 100 copies on the other shard", SECOND),
    ] {
        let rename = Sensor::update(odm, Id::from_key(id)).set(name, "renamed");
        counts.row(title, rename).await?;
    }
    let rename = Station::update(odm, Id::from_key(2)).set(Station::fields().name, "renamed");
    counts
        .row("rename, 100 copies on both shards", rename)
        .await?;
    let one = report(&station(3, 0));
    counts
        .row("insert with a copy and a count", one.insert(odm))
        .await?;
    let moved = Report {
        station: Id::from_key(4),
        ..one
    };
    counts
        .row("`save` with another parent", moved.save(odm))
        .await
}

async fn deletes(counts: &Counts<'_>, odm: &Odm) -> Result<()> {
    let one = reading(&sensor(1));
    one.insert(odm).await?;
    counts
        .row("delete, by `_id`", Reading::delete(odm, one.id))
        .await?;
    let parent = Station::delete(odm, Id::from_key(5));
    counts
        .row("delete with 100 children on both shards", parent)
        .await
}
