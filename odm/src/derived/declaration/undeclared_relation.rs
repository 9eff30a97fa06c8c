//! Finds and removes jobs for relations that no program declares.

use std::collections::HashSet;

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{
    cache::DeclarationCache,
    lifetime::is_fresh,
    live::fresh,
    stored::{StoredDeclaration, find},
};
use crate::{
    client::{
        command::{AggregateCommand, DeleteCommand},
        odm::{Exec, Odm},
    },
    derived::outbox::jobs,
    error::Result,
    graph::graph,
};

/// The stored jobs for a relation that no program declares.
#[derive(Clone, Debug)]
pub(crate) struct UndeclaredJobs {
    pub(crate) relation: String,
    pub(crate) count: i64,
    /// The `_id` of the oldest of these jobs.
    pub(crate) oldest: Bson,
    /// The time at which the oldest of these jobs began to wait.
    pub(crate) since: DateTime,
    /// Whether the relation was once declared, but not in the last seven days.
    has_expired: bool,
}

/// Returns the aggregation that counts the jobs for relations that this program does not declare.
pub(crate) fn of_others() -> AggregateCommand {
    let known: Vec<String> = graph().relations().collect();
    let others = doc! { "_id.relation": { "$type": "string", "$nin": known } };
    let oldest = doc! { "at": { "$ifNull": ["$changed_at", "$$NOW"] }, "id": "$_id" };
    let group =
        doc! { "_id": "$_id.relation", "count": { "$sum": 1_i64 }, "oldest": { "$min": oldest } };
    let pipeline = vec![
        doc! { "$match": others },
        doc! { "$group": group },
        doc! { "$sort": { "_id": 1 } },
    ];
    AggregateCommand::new(jobs(), pipeline)
}

/// Lists the relations for which jobs are stored although no program declares them. Sends one `aggregate`, and also one
/// `find` if there are jobs for other programs.
pub(crate) async fn orphans(odm: &Odm) -> Result<Vec<UndeclaredJobs>> {
    let groups = Exec::on(odm.clone()).documents(of_others()).await?;
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let stored = find(doc! {}, odm).await?;
    let ever: HashSet<String> = stored
        .iter()
        .flat_map(StoredDeclaration::relations)
        .collect();
    let live = fresh(stored);
    let live: HashSet<String> = live
        .values()
        .flat_map(StoredDeclaration::relations)
        .collect();
    let of_nobody = groups
        .iter()
        .filter_map(|group| UndeclaredJobs::read(group, &ever));
    Ok(of_nobody
        .filter(|it| !live.contains(&it.relation))
        .collect())
}

/// Removes jobs for relations that no program has declared for seven days. Logs a warning about other jobs whose
/// relations no program declares. Runs at most once an hour.
pub(crate) async fn remove_orphans(odm: &Odm) -> Result<()> {
    let known = odm.deployment().shared::<DeclarationCache>();
    if !known.looks_for_orphans() {
        return Ok(());
    }
    for orphans in orphans(odm).await? {
        let removed = orphans.remove(odm).await?;
        let (relation, waiting) = (
            &orphans.relation,
            orphans.count.saturating_sub_unsigned(removed),
        );
        if removed > 0 {
            tracing::warn!(
                relation,
                removed,
                "jobs are removed, because no program has declared their relation for seven days"
            );
        }
        if waiting > 0 && known.is_new(&format!("orphans of {relation}")) {
            tracing::warn!(
                relation,
                waiting,
                "no program declares the relation of these jobs; start a program that declares it, or call \
                 `forget_declaration` with it; after seven days the jobs are removed"
            );
        }
    }
    Ok(())
}

impl UndeclaredJobs {
    fn read(group: &Document, ever: &HashSet<String>) -> Option<Self> {
        let relation = group.get_str("_id").ok()?.to_owned();
        let oldest = group.get_document("oldest").ok()?;
        Some(Self {
            count: group.get_i64("count").ok()?,
            oldest: oldest.get("id")?.clone(),
            since: *oldest.get_datetime("at").ok()?,
            has_expired: ever.contains(&relation),
            relation,
        })
    }

    /// Removes the jobs if the declaration of their relation has expired. Jobs for a relation that was never declared
    /// are removed only if they are at least seven days old.
    async fn remove(&self, odm: &Odm) -> Result<u64> {
        let mut nobodys = doc! { "_id.relation": &self.relation };
        if !self.has_expired {
            nobodys.insert("$expr", doc! { "$not": is_fresh("$changed_at") });
        }
        Exec::on(odm.clone())
            .send(DeleteCommand::many(jobs(), nobodys))
            .await
    }
}
