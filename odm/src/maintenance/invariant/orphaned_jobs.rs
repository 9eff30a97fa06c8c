//! Finds jobs that no program can run, because no program declares their relation.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::bson::Bson;

use super::{
    Check, Checking, Invariant, Invariants, Query, Scope,
    finding::{DriftKind, Drifted},
    list,
};
use crate::{
    derived::{
        declaration::{UndeclaredJobs, of_others, orphans},
        outbox::JOBS,
    },
    error::Result,
    model::{
        registry::ModelSelection,
        shape::{DocumentSet, ModelShape},
    },
};

#[derive(Debug)]
struct OrphanedJobs;

pub(super) fn all(_: &Scope<'_>) -> Invariants {
    list([OrphanedJobs])
}

/// The server groups the jobs, and the stored declarations determine which jobs are orphaned. So there are no suspects
/// to confirm.
impl Check for OrphanedJobs {
    fn check(self: Arc<Self>, checking: &Checking) -> BoxFuture<'_, Result<()>> {
        Box::pin(async {
            let orphans = orphans(&checking.odm).await?.into_iter();
            checking.out.add_page(orphans.map(finding).collect()).await
        })
    }
}

impl Invariant for OrphanedJobs {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        Vec::new()
    }

    fn is_selected(&self, only: &ModelSelection) -> bool {
        only.includes(DocumentSet::whole_collection(JOBS))
    }

    fn query(&self) -> Query {
        Query::Aggregate(of_others().into())
    }
}

fn finding(orphans: UndeclaredJobs) -> Drifted {
    let kind = DriftKind::OrphanedJobs;
    Drifted {
        path: "_id.relation".to_owned(),
        stored: Some(Bson::Int64(orphans.count)),
        source: Some(Bson::DateTime(orphans.since)),
        ..Drifted::new(&orphans.relation, JOBS, JOBS, orphans.oldest, kind)
    }
}
