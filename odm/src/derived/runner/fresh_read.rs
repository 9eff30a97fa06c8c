//! Updates stale derived data in one document before the document is read.
//!
//! 1. The library lists the relations and keys of the document. If a source field of a copy is itself a copy, the
//!    library also lists the relations and keys of that copy.
//! 2. The library completes the pending jobs and deltas of these keys, sources first.
//! 3. If a job waits for its last look, the write might have missed the document. So the library compares the job's
//!    copies in this document with their source (`follow::correct_stale`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use mongodb::bson::{Bson, doc};

use super::{catch_up::CatchUp, job_group::run_all};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{
        follow::{correct_stale, keys_in},
        outbox::JobId,
        values::key_condition,
    },
    error::Result,
    graph::{ExtendedReference, Sources, Targets, graph},
    model::shape::DocumentSet,
    value::{key::JoinKey, path::projection},
};

/// For each model, the extended references to update, and the ids of the documents that contain the derived data.
type Wanted = BTreeMap<DocumentSet<'static>, (Vec<Arc<ExtendedReference>>, BTreeSet<JoinKey>)>;

/// Updates the derived data in one document, if the data has been stale for longer than a given age.
pub(crate) async fn freshen(
    documents: DocumentSet<'static>,
    id: Bson,
    older_than: Duration,
    timeout: Duration,
    odm: Odm,
) -> Result<()> {
    let references: Vec<_> = graph().copied_into(documents).cloned().collect();
    if references.is_empty() {
        return Ok(());
    }
    // The check rejects cycles of copies, because the search for the sources in a cycle would never end.
    graph().check(documents.collection)?;
    let waiting = CatchUp::new(timeout, odm.clone()).of(id.clone(), older_than);
    let work = waiting.clone();
    let all = async move {
        let ids = BTreeSet::from([JoinKey::from(id)]);
        let wanted = Wanted::from([(documents, (references, ids))]);
        // Sources are updated before the copies that depend on them.
        for level in levels(wanted, &odm).await?.into_iter().rev() {
            let settling = work.finish(level.names.into_iter().collect()).await?;
            look_again(level.copies, &settling, &odm).await?;
        }
        Ok(())
    };
    waiting.run(all).await
}

/// The derived data of one step in a chain of copies.
#[derive(Default)]
struct FreshLevel {
    names: BTreeSet<JobId>,
    copies: Vec<Copies>,
}

/// The copies that some documents contain for some keys.
struct Copies {
    reference: Arc<ExtendedReference>,
    keys: Vec<JoinKey>,
    ids: BTreeSet<JoinKey>,
}

/// Corrects the copies of jobs that wait for their last look. Runs the jobs for copies that depend on corrected copies.
async fn look_again(copies: Vec<Copies>, settling: &[JobId], odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    for Copies {
        reference,
        mut keys,
        ids,
    } in copies
    {
        let relations: Vec<String> = reference.correcting_relations().collect();
        let own = settling
            .iter()
            .filter(|id| relations.contains(&id.relation));
        let own: BTreeSet<&JoinKey> = own.map(|id| &id.key).collect();
        keys.retain(|key| own.contains(key));
        if keys.is_empty() {
            continue;
        }
        let ids = ids.iter().map(JoinKey::to_bson).collect();
        let jobs = correct_stale(reference, keys, Some(ids), &exec).await?;
        run_all(jobs, None, odm).await?;
    }
    Ok(())
}

/// Lists the relations and keys to update, level by level. The first level updates the derived data in the given
/// documents. Each further level updates the source fields from which the previous level copies, if the keys are
/// `_id`s.
async fn levels(mut wanted: Wanted, odm: &Odm) -> Result<Vec<FreshLevel>> {
    let mut levels = Vec::new();
    while !wanted.is_empty() {
        let mut level = FreshLevel::default();
        let mut next = Wanted::new();
        for (references, ids) in wanted.into_values() {
            for (reference, keys) in keys_of(references, &ids, odm).await? {
                for relation in reference.correcting_relations() {
                    level.names.extend(keys.iter().map(|key| JobId {
                        relation: relation.clone(),
                        key: key.clone(),
                    }));
                }
                level.copies.push(Copies {
                    reference: Arc::clone(&reference),
                    keys: keys.clone(),
                    ids: ids.clone(),
                });
                let source = match reference.sources() {
                    Sources::OneById if !keys.is_empty() => reference.source.linked(),
                    Sources::OneById | Sources::FirstByKey | Sources::All => None,
                };
                let Some(source) = source else {
                    continue;
                };
                let source = source.documents();
                for feeding in graph()
                    .copied_into(source)
                    .filter(|it| it.feeds(&reference))
                {
                    let (references, ids) = next.entry(source).or_default();
                    references.push(Arc::clone(feeding));
                    ids.extend(keys.iter().cloned());
                }
            }
        }
        if !level.names.is_empty() {
            levels.push(level);
        }
        wanted = next;
    }
    Ok(levels)
}

/// Returns the keys for the derived data in the given documents. The keys are either the ids of these documents, or the
/// references that they contain. Sends one `find` if references have to be read.
async fn keys_of(
    references: Vec<Arc<ExtendedReference>>,
    ids: &BTreeSet<JoinKey>,
    odm: &Odm,
) -> Result<Vec<(Arc<ExtendedReference>, Vec<JoinKey>)>> {
    let (by_document, others): (Vec<_>, Vec<_>) =
        references.into_iter().partition(|it| match it.targets() {
            Targets::OneById => true,
            Targets::All => false,
        });
    let mut keys: Vec<_> = by_document
        .into_iter()
        .map(|reference| (reference, ids.iter().cloned().collect()))
        .collect();
    let Some(target) = others.first().map(|it| it.target.clone()) else {
        return Ok(keys);
    };
    let paths: Vec<String> = others.iter().map(|it| it.key_path()).collect();
    let ids: Vec<Bson> = ids.iter().map(JoinKey::to_bson).collect();
    let find = FindCommand::new(
        // The read uses the read concern `majority` on the primary. A secondary could still return the reference as it
        // was before the write that the caller wants to see.
        Place::whole_collection(target.collection().to_owned()).durable(),
        doc! { "_id": key_condition(&ids) },
    );
    let find = find.select(projection(paths.iter().map(String::as_str)));
    let documents = Exec::on(odm.clone()).raw_documents(find.all()).await?;
    for reference in others {
        let held = keys_in(&reference, documents.iter().map(AsRef::as_ref));
        keys.push((reference, held));
    }
    Ok(keys)
}
