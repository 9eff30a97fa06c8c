//! Reads samples of all collections, and finds problems in them.
//!
//! The samples remain raw BSON, because `check` needs no statistics about values. The samples are examined in blocking
//! threads while the next samples are read.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::{TryFutureExt, TryStreamExt};
use mongo_odm::{__tools::StoredReference, Error, Odm, Result, shape::ModelShape};

use tokio::task::spawn_blocking;

use super::{documents, finding::Finding, references::Held};
use crate::{
    OdmTools,
    advise::ShardChecks,
    survey::{CollectionSurvey, RawSample},
};

/// Number of samples that are examined concurrently.
const IN_FLIGHT: usize = 4;

/// The result of examining one sample.
pub(super) struct Looked {
    /// The survey of the collection. This survey contains no statistics about the documents.
    pub(super) of: CollectionSurvey,
    pub(super) findings: Vec<Finding>,
    pub(super) held: Vec<Held>,
}

/// Reads a sample of each collection that has a model, and examines each sample while other samples are read.
pub(super) async fn look(
    odm: &Odm,
    models: &[&'static ModelShape],
    documents: u64,
    shard_checks: Arc<ShardChecks>,
) -> Result<Vec<Looked>> {
    let collections: BTreeSet<&str> = models.iter().map(|model| model.collection).collect();
    let mut survey = odm.survey().sample(documents).repeatable();
    for collection in collections {
        survey = survey.only(collection);
    }
    let references = Arc::new(StoredReference::all(models));
    let samples = survey.raw_samples().await?;
    let looked = samples.map_ok(|sample| {
        let references = Arc::clone(&references);
        let shard_checks = Arc::clone(&shard_checks);
        spawn_blocking(move || into(sample, &references, &shard_checks)).map_err(
            |error| match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Error::Shutdown,
            },
        )
    });
    looked.try_buffered(IN_FLIGHT).try_collect().await
}

fn into(sample: RawSample, references: &[StoredReference], shards: &ShardChecks) -> Looked {
    let own = references.iter();
    let own = own.filter(|it| it.model.collection == sample.of.name);
    let mut findings = documents::check(&sample);
    let of_shards = shards.findings(&sample.of, &sample.documents);
    findings.extend(of_shards.iter().map(Finding::of_advice));
    Looked {
        findings,
        held: own
            .filter_map(|it| Held::by(it, &sample.documents))
            .collect(),
        of: sample.of,
    }
}

/// Returns a finding for each collection that could not be read. Without these findings, the command would appear to
/// have succeeded.
pub(super) fn unread(looked: &[Looked]) -> impl Iterator<Item = Finding> {
    let notes = looked
        .iter()
        .flat_map(|it| it.of.notes.iter().map(|note| (&it.of.name, note)));
    let unread = notes.filter(|(_, note)| note.contains("could not be read"));
    unread.map(|(name, note)| Finding::new("unread", name, note))
}
