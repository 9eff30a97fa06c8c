//! Checks that the derived fields of hosts equal the results of the corresponding queries.

use futures_util::TryStreamExt;
use mongo_odm::prelude::*;
use odm_benches::Result;

use crate::{
    models::{Host, LIST, LogLine, LogMsg},
    target::Target,
};

/// Fails unless all inserted messages exist and the fields of each host are correct.
pub(crate) async fn check(target: &Target, inserted: usize) -> Result<()> {
    let mut counted = 0;
    for &id in &target.hosts {
        let host = target.odm.collection::<Host>();
        let host = host.find_one(doc! { "_id": id }).await?.ok_or("no host")?;
        let messages = target.odm.collection::<LogMsg>();
        let count = messages.count_documents(doc! { "host": id }).await?;
        let lines = newest(target, id).await?;
        let last = lines.last().map(|line| line.time);
        if i64::try_from(count)? != host.messages || lines != host.logmsgs || last != host.last_seen
        {
            return Err(format!("`{}` is not what its {count} messages say", host.name).into());
        }
        counted += usize::try_from(count)?;
    }
    if counted == inserted {
        return Ok(());
    }
    Err(format!("{counted} of {inserted} messages were counted").into())
}

/// Returns the list of a host as a query computes it, oldest message first.
async fn newest(target: &Target, host: Id<Host>) -> Result<Vec<LogLine>> {
    let messages = target.odm.collection::<LogMsg>();
    let find = messages.clone_with_type::<LogLine>();
    let find = find
        .find(doc! { "host": host })
        .sort(doc! { "time": -1 })
        .limit(i64::try_from(LIST)?)
        .projection(doc! { "_id": 0, "time": 1, "message": 1 });
    let mut lines: Vec<LogLine> = find.await?.try_collect().await?;
    lines.reverse();
    Ok(lines)
}
