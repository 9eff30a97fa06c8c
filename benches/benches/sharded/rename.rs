//! D1 to D3: renames with 100 copies, compared with the same call on a replica set. The same comparison of hand-written
//! code shows the costs that the cluster itself causes.

use std::sync::atomic::{AtomicUsize, Ordering};

use mongo_odm::{Odm, UpdateReport, mongodb::Client, prelude::*};
use mongo_odm_testkit::Cluster;
use odm_benches::{
    Result,
    measure::{Kind, Variant, check, measure, median},
    place::Place,
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    Options,
    homes::{self, Home, by_hand},
    models::{SECOND, SENSORS, Sensor, Station, sharded, stored},
};

/// Number of copies of each name.
const COPIES: usize = 100;

pub(crate) async fn run(
    cluster: &Cluster,
    client: &Client,
    unsharded: &Place,
    options: &Options,
    table: &mut Table,
) -> Result<()> {
    let handles = [
        sharded(cluster, client, "renames").await?,
        unsharded.database("renames").await?,
    ];
    for odm in &handles {
        stored(odm, COPIES).await?;
    }
    let limit = Limit::AtMost(1.20);
    let sensors_on_both = |first| handles.each_ref().map(move |odm| sensors(odm, first));
    let readings_by_hand = |first| {
        handles
            .each_ref()
            .map(move |odm| by_hand(odm, READINGS, first, Home::None))
    };
    for (name, title, limit, library, hand) in [
        (
            "d1",
            "D1 rename, copies on one shard",
            limit,
            sensors_on_both(0),
            readings_by_hand(0),
        ),
        (
            "d2",
            "D2 rename, copies on the other shard",
            Limit::None,
            sensors_on_both(SECOND),
            readings_by_hand(SECOND),
        ),
        (
            "d3",
            "D3 rename, copies on both shards",
            Limit::None,
            handles.each_ref().map(stations),
            handles
                .each_ref()
                .map(|odm| by_hand(odm, REPORTS, 0, Home::None)),
        ),
    ] {
        if options.wants(name) {
            compare(title, &library, limit, options, table).await?;
            let title = format!("{title}, hand-written");
            compare(&title, &hand, Limit::None, options, table).await?;
        }
    }
    if options.wants("homes") {
        let [odm, _] = &handles;
        homes::run(cluster, odm, options, table).await?;
    }
    Ok(())
}

/// The names of a collection, of the collection with its copies, and of the fields with the key and with the copy.
pub(crate) type Names = [&'static str; 4];

pub(crate) const READINGS: Names = ["bench_sensors", "bench_readings", "sensor", "sensor_name"];
const REPORTS: Names = ["bench_stations", "bench_reports", "station", "station_name"];

async fn compare(
    title: &str,
    variants: &[Variant],
    limit: Limit,
    options: &Options,
    table: &mut Table,
) -> Result<()> {
    check(variants, 4).await?;
    let rounds = measure(variants, 1, options.seconds, options.least, None).await?;
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| Some(round.get(at)?.time))
    };
    let text = |at| format!("{:.2} ms", median(of(at)));
    let ratio = Ratio::of(of(0).zip(of(1)));
    table.row(title, &text(0), &text(1), &ratio, limit);
    Ok(())
}

/// Returns a variant that renames sensors, starting with the id `first`.
fn sensors(odm: &Odm, first: i32) -> Variant {
    renames(odm, move |odm, at, name| async move {
        let id = Id::from_key(first + at);
        let name = Sensor::update(&odm, id).set(Sensor::fields().name, name);
        Ok(copies_in(&name.await?))
    })
}

fn stations(odm: &Odm) -> Variant {
    renames(odm, |odm, at, name| async move {
        let id = Id::from_key(at);
        let name = Station::update(&odm, id).set(Station::fields().name, name);
        Ok(copies_in(&name.await?))
    })
}

fn copies_in(report: &UpdateReport) -> u64 {
    report.copies.iter().map(|copies| copies.modified).sum()
}

pub(crate) fn renames<F, Running>(odm: &Odm, rename: F) -> Variant
where
    F: Fn(Odm, i32, String) -> Running + Clone + Send + Sync + 'static,
    Running: Future<Output = Result<u64>> + Send + 'static,
{
    /// The number of the next name. Variants that rename the same documents must not repeat a name.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let odm = odm.clone();
    Variant::new("rename", Kind::Library, move |number| {
        let (odm, rename) = (odm.clone(), rename.clone());
        let name = format!("name {}", NEXT.fetch_add(1, Ordering::Relaxed));
        async move {
            let at = i32::try_from(number)? % SENSORS;
            rename(odm, at, name).await
        }
    })
}
