//! Enqueues jobs for the keys of all copies, after the oplog has lost the history or a collection was replaced.

use std::sync::Arc;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{AggregateOptions, ReadConcern},
};

use crate::{
    client::{
        command::{AggregateCommand, simple},
        odm::{Exec, Odm, each_document},
        place::Place,
    },
    derived::outbox::{JobEntry, Phase, record_all},
    error::Result,
    graph::{ExtendedReference, graph},
    model::shape::DocumentSet,
    value::key::JoinKey,
};

/// Number of jobs that one statement stores.
const KEYS: usize = 1_000;

/// Stores jobs for the keys of all copies whose sources are in the given collections. For each extended reference, the
/// function sends one aggregation over the documents that contain copies, and one `update` for every 1,000 keys.
///
/// No jobs are stored for delete rules. A dangling reference may be older than the lost history, or its target may soon
/// be restored.
pub(super) async fn enqueue(sources: &[&str], odm: &Odm) -> Result<()> {
    for source in sources {
        for reference in graph().from(DocumentSet::whole_collection(source)) {
            enqueue_for(reference, odm).await?;
        }
    }
    Ok(())
}

async fn enqueue_for(reference: &Arc<ExtendedReference>, odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let mut options = AggregateOptions::default();
    options.allow_disk_use = Some(true);
    options.read_concern = Some(ReadConcern::majority());
    options.collation = (reference.key_path() != "_id").then(simple);
    let distinct = AggregateCommand::new(Place::at(&reference.target), distinct_keys(reference));
    let mut batches = exec.open(distinct.with(options)).await?;
    let mut keys = Vec::new();
    while let Some(batch) = batches.next().await? {
        each_document(&batch, |found| {
            let found = Document::try_from(found).map_err(mongodb::error::Error::from)?;
            keys.extend(found.get("_id").cloned().map(JoinKey::from));
            Ok(())
        })?;
        while keys.len() >= KEYS {
            let rest = keys.split_off(KEYS);
            record(reference, &std::mem::replace(&mut keys, rest), &exec).await?;
        }
    }
    record(reference, &keys, &exec).await
}

async fn record(reference: &Arc<ExtendedReference>, keys: &[JoinKey], exec: &Exec) -> Result<()> {
    let entries = JobEntry::of_reference(reference, keys, Phase::Run);
    record_all(&entries, exec).await
}

fn distinct_keys(reference: &ExtendedReference) -> Vec<Document> {
    let path = reference.key_path();
    if path == "_id" {
        return vec![doc! { "$project": { "_id": 1 } }];
    }
    let mut pipeline = Vec::new();
    let mut array = String::new();
    for level in &reference.place.arrays {
        array = crate::value::path::join(&array, level);
        pipeline.push(doc! { "$unwind": format!("${array}") });
    }
    pipeline.push(doc! { "$group": { "_id": format!("${path}") } });
    pipeline.push(doc! { "$match": { "_id": { "$ne": Bson::Null } } });
    pipeline
}
