//! Updates stale derived data in one document before the document is read.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use mongodb::bson::{Bson, doc};

use super::catch_up::CatchUp;
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Odm},
        place::Place,
    },
    derived::{follow::keys_in, outbox::JobId, values::key_condition},
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
        for names in levels(wanted, &odm).await?.into_iter().rev() {
            work.finish(names.into_iter().collect()).await?;
        }
        Ok(())
    };
    waiting.run(all).await
}

/// Lists the relations and keys to update, level by level. The first level updates the derived data in the given
/// documents. Each further level updates the source fields from which the previous level copies, if the keys are
/// `_id`s.
async fn levels(mut wanted: Wanted, odm: &Odm) -> Result<Vec<BTreeSet<JobId>>> {
    let mut levels = Vec::new();
    while !wanted.is_empty() {
        let mut level = BTreeSet::new();
        let mut next = Wanted::new();
        for (references, ids) in wanted.into_values() {
            for (reference, keys) in keys_of(references, &ids, odm).await? {
                for relation in reference.relations() {
                    level.extend(keys.iter().map(|key| JobId {
                        relation: relation.clone(),
                        key: key.clone(),
                    }));
                }
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
        if !level.is_empty() {
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
        // The read uses the concern `majority` and the primary. A secondary could still return the reference as it was
        // before the write that the caller wants to see.
        Place::at(&target).durable(),
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
