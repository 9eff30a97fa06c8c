//! Counts the stale copies that jobs still have to write.

use mongodb::bson::{Bson, doc};

use crate::{
    batches::{parts, size_of},
    client::{command::UpdateCommand, odm::Exec},
    derived::{
        follow,
        outbox::JobId,
        values::{SourceValues, by_values, read_sources, update_of},
    },
    error::Result,
    graph::{ExtendedReference, graph},
    value::key::JoinKey,
};

/// Largest number of documents that one aggregation counts.
const COUNTED: u64 = 100_000;
/// Largest number of conditions in one aggregation.
const CONDITIONS: usize = 100;

/// Counts the documents with copies that the given jobs still have to write.
pub(super) async fn copies_behind(jobs: &[JobId], exec: &Exec) -> Result<u64> {
    let mut behind = 0;
    for (relation, keys) in by_relation(jobs) {
        for reference in graph().references_of(relation) {
            match differing(reference, &keys, exec).await {
                // Alerts use the count, so one unreadable source must not prevent counting the other copies.
                Err(error) if error.is_about_one_document() => {
                    tracing::warn!(reference = %reference.name, %error, "cannot count the stale copies of a relation");
                }
                counted => behind += counted?,
            }
        }
    }
    Ok(behind)
}

/// Groups the jobs' keys by relation. Jobs for single fields belong to the group of the whole relation, because they
/// update the same copies.
fn by_relation(jobs: &[JobId]) -> Vec<(&str, Vec<JoinKey>)> {
    let mut groups: Vec<(&str, Vec<JoinKey>)> = Vec::new();
    for job in jobs {
        let relation = ExtendedReference::field_of(&job.relation).0;
        match groups.iter_mut().find(|(of, _)| *of == relation) {
            Some((_, keys)) if keys.contains(&job.key) => {}
            Some((_, keys)) => keys.push(job.key.clone()),
            None => groups.push((relation, vec![job.key.clone()])),
        }
    }
    groups
}

/// Counts the documents that a run of the jobs for the given keys would change.
async fn differing(reference: &ExtendedReference, keys: &[JoinKey], exec: &Exec) -> Result<u64> {
    let resolved = read_sources(reference, keys.iter().cloned(), exec).await?;
    let groups = by_values(keys, &resolved)?;
    let updates = groups
        .iter()
        .filter_map(|(keys, values)| update_of(reference, keys, SourceValues::of(*values)));
    let (mut place, mut conditions) = (None, Vec::new());
    for update in updates {
        conditions.push(Bson::Document(update.filter));
        place = Some(update.place);
    }
    let mut differing = 0;
    for part in parts(&conditions, CONDITIONS, size_of) {
        if let Some(place) = &place {
            let any = doc! { "$or": part };
            let update = UpdateCommand::many(place.clone(), any, doc! {});
            differing += follow::count(&update, COUNTED, exec).await?;
        }
    }
    Ok(differing)
}
