//! What is known of the database as a whole.

use super::{Reader, excuse, profile};
use crate::{
    advise::seen::{Need, SeenDatabase},
    command::ListedCollection,
    error::Result,
    registry::models,
    schema,
    stats::Stats,
};

/// Reads the profile, the counters, and the jobs of the library.
pub(super) async fn read(reader: &Reader, listed: &[ListedCollection]) -> Result<SeenDatabase> {
    let odm = reader.exec.odm();
    let mut seen = SeenDatabase {
        name: odm.database().name().to_owned(),
        collections: listed.iter().map(|it| it.name.clone()).collect(),
        grace: odm.settings().grace,
        ..SeenDatabase::default()
    };
    profile::read(reader, &mut seen).await?;
    if !reader.with_models {
        let why = "the advice was asked for without models";
        for need in [Need::Models, Need::Counters, Need::Jobs] {
            seen.unread.insert(need, why.to_owned());
        }
        return Ok(seen);
    }
    seen.models = models();
    seen.stats = odm.stats();
    if is_empty(&seen.stats) {
        let why =
            "this handle has counted no calls: ask one that has done the program's usual work";
        seen.unread.insert(Need::Counters, why.to_owned());
    }
    jobs(reader, &mut seen).await?;
    Ok(seen)
}

fn is_empty(stats: &Stats) -> bool {
    stats.relations.is_empty() && stats.models.is_empty() && stats.lookups.is_empty()
}

async fn jobs(reader: &Reader, seen: &mut SeenDatabase) -> Result<()> {
    let odm = reader.exec.odm();
    if let Err(why) = reader.time() {
        seen.unread.insert(Need::Jobs, why);
        return Ok(());
    }
    let read = async {
        let counts = odm.jobs().count().await?;
        Ok((counts, schema::orphans(odm).await?))
    };
    match read.await {
        Ok((counts, orphans)) => {
            seen.jobs = Some(counts);
            let orphans = orphans.into_iter();
            seen.undeclared = orphans
                .map(|it| (it.relation, it.count.unsigned_abs()))
                .collect();
        }
        Err(error) => {
            seen.unread.insert(Need::Jobs, excuse(error)?);
        }
    }
    Ok(())
}
