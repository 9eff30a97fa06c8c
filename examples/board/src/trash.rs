//! Removes documents that were deleted long ago.

use std::time::Duration;

use mongo_odm::{DeleteReport, prelude::*};
use tokio::time::interval;
use tracing::{info, warn};

use crate::model::{Comment, Project, Task};

/// The time for which deleted documents can be restored.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The time between two purges.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Removes the documents of all teams that were deleted before a time. Returns the number of projects, tasks and
/// comments, not counting those that are removed together with their project or task.
///
/// # Errors
///
/// An error of the database.
pub async fn purge(odm: &Odm, before: DateTime) -> mongo_odm::Result<u64> {
    // The service does not know in which teams there are deleted documents.
    let odm = odm.all_tenants();
    let projects = Project::purge_many(&odm, Project::fields().deleted_at.lt(before)).await?;
    let tasks = Task::purge_many(&odm, Task::fields().deleted_at.lt(before)).await?;
    let comments = Comment::purge_many(&odm, Comment::fields().deleted_at.lt(before)).await?;
    let reports: [DeleteReport; 3] = [projects, tasks, comments];
    Ok(reports.iter().map(|report| report.deleted).sum())
}

/// Removes documents that were deleted more than 30 days ago, once an hour.
pub async fn purge_regularly(odm: Odm) {
    let mut hours = interval(EVERY);
    loop {
        hours.tick().await;
        let before = std::time::SystemTime::now() - KEPT;
        match purge(&odm, DateTime::from_system_time(before)).await {
            Ok(0) => {}
            Ok(removed) => info!(removed, "trash"),
            Err(error) => warn!(%error, "the trash was not emptied; it is tried again"),
        }
    }
}
