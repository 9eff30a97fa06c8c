//! Reads the data that concerns the database as a whole.

use mongo_odm::{Result, Stats, models, schema};
use mongodb::bson::{Bson, Document, doc};

use super::{Reader, declared, excuse_of_database, profile};
use crate::{
    advise::{derived::derived_fields, need::Need, seen::SeenDatabase},
    listed_collection::ListedCollection,
};

/// Reads the profile, the counters, and the library's jobs.
pub(super) async fn read(
    reader: &Reader,
    listed: &[ListedCollection],
    are_declared: bool,
) -> Result<SeenDatabase> {
    let odm = reader.reads.odm();
    let mut seen = SeenDatabase {
        name: odm.database().name().to_owned(),
        collections: listed.iter().map(|it| it.name.clone()).collect(),
        grace: odm.settings().grace,
        ..SeenDatabase::default()
    };
    if reader.with_models {
        seen.derived = derived_fields(&schema());
    }
    profile::read(reader, &mut seen).await?;
    deployment(reader, &mut seen).await?;
    sharding(reader, &mut seen).await?;
    declared::read(reader, &mut seen, are_declared).await?;
    if !reader.with_models {
        let why = "the advice does not use models";
        for need in [Need::Models, Need::Counters, Need::Jobs] {
            seen.unread.insert(need, why.to_owned());
        }
        return Ok(seen);
    }
    seen.models = models();
    seen.stats = odm.stats();
    if is_empty(&seen.stats) {
        let why =
            "this handle has counted no calls: use a handle that has done the program's usual work";
        seen.unread.insert(Need::Counters, why.to_owned());
    }
    jobs(reader, &mut seen).await?;
    Ok(seen)
}

/// Reads the number of collections in all databases of the deployment. Sends one `serverStatus`, from which the large
/// sections are excluded.
async fn deployment(reader: &Reader, seen: &mut SeenDatabase) -> Result<()> {
    let question = doc! {
        "serverStatus": 1, "repl": 0, "metrics": 0, "locks": 0, "wiredTiger": 0, "tcmalloc": 0, "opLatencies": 0,
    };
    let answer = match reader.time() {
        Ok(()) => {
            let reads = &reader.reads;
            reads.command("serverStatus", question).await
        }
        Err(why) => {
            seen.unread.insert(Need::Deployment, why);
            return Ok(());
        }
    };
    match answer {
        Ok(status) => {
            seen.in_deployment = collections_in(&status);
            if seen.in_deployment.is_none() {
                let why = "the reply has no `catalogStats`; a router does not count collections";
                seen.unread.insert(Need::Deployment, why.to_owned());
            }
        }
        Err(error) => {
            seen.unread
                .insert(Need::Deployment, excuse_of_database(error)?);
        }
    }
    Ok(())
}

/// Reads the shard keys and chunks of a sharded cluster.
async fn sharding(reader: &Reader, seen: &mut SeenDatabase) -> Result<()> {
    let read = match reader.time() {
        Ok(()) => reader.reads.sharding().await,
        Err(why) => {
            seen.unread.insert(Need::Sharding, why);
            return Ok(());
        }
    };
    match read {
        Ok(sharding) => seen.sharding = sharding,
        Err(error) => {
            let why = excuse_of_database(error)?;
            seen.unread.insert(Need::Sharding, why);
        }
    }
    Ok(())
}

fn collections_in(status: &Document) -> Option<u64> {
    match status
        .get_document("catalogStats")
        .ok()?
        .get("collections")?
    {
        Bson::Int32(number) => u64::try_from(*number).ok(),
        Bson::Int64(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

fn is_empty(stats: &Stats) -> bool {
    stats.relations.is_empty() && stats.models.is_empty() && stats.lookups.is_empty()
}

async fn jobs(reader: &Reader, seen: &mut SeenDatabase) -> Result<()> {
    let odm = reader.reads.odm();
    if let Err(why) = reader.time() {
        seen.unread.insert(Need::Jobs, why);
        return Ok(());
    }
    let read = async {
        let counts = odm.jobs().count().await?;
        Ok((counts, odm.undeclared_jobs().await?))
    };
    match read.await {
        Ok((counts, undeclared)) => {
            seen.jobs = Some(counts);
            seen.undeclared = undeclared;
        }
        Err(error) => {
            seen.unread.insert(Need::Jobs, excuse_of_database(error)?);
        }
    }
    Ok(())
}
