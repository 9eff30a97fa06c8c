//! D1 to D3: renames with 100 copies, compared with the same call on a replica set.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

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
    for (name, title, limit, variants) in [
        (
            "d1",
            "D1 rename, copies on one shard",
            limit,
            handles.each_ref().map(|odm| sensors(odm, 0)),
        ),
        (
            "d2",
            "D2 rename, copies on the other shard",
            Limit::None,
            handles.each_ref().map(|odm| sensors(odm, SECOND)),
        ),
        (
            "d3",
            "D3 rename, copies on both shards",
            Limit::None,
            handles.each_ref().map(stations),
        ),
    ] {
        if options.wants(name) {
            compare(title, &variants, limit, options, table).await?;
        }
    }
    Ok(())
}

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

/// Renames the sensors from an id on.
fn sensors(odm: &Odm, first: i32) -> Variant {
    renames(odm, move |odm, at, name| async move {
        let id = Id::from_key(first + at);
        let name = Sensor::update(&odm, id).set(Sensor::fields().name, name);
        Ok(name.await?)
    })
}

fn stations(odm: &Odm) -> Variant {
    renames(odm, |odm, at, name| async move {
        let id = Id::from_key(at);
        let name = Station::update(&odm, id).set(Station::fields().name, name);
        Ok(name.await?)
    })
}

fn renames<F, Running>(odm: &Odm, rename: F) -> Variant
where
    F: Fn(Odm, i32, String) -> Running + Clone + Send + Sync + 'static,
    Running: Future<Output = Result<UpdateReport>> + Send + 'static,
{
    let (odm, next) = (odm.clone(), Arc::new(AtomicUsize::new(0)));
    Variant::new("rename", Kind::Library, move |number| {
        let (odm, rename) = (odm.clone(), rename.clone());
        let name = format!("name {}", next.fetch_add(1, Ordering::Relaxed));
        async move {
            let at = i32::try_from(number)? % SENSORS;
            let report = rename(odm, at, name).await?;
            Ok(report.copies.iter().map(|copies| copies.modified).sum())
        }
    })
}
