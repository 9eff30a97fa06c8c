//! The command `odm check`, which compares the models with a database.

mod documents;
mod finding;
mod references;
mod samples;

use std::{fmt::Write, sync::Arc, time::Instant};

use futures_util::{StreamExt, TryStreamExt, stream};
use mongo_odm::{__tools::linked_models, Error, IndexDiff, Odm, ValidatorDiff, check_models};
use serde_json::json;

use super::{
    arguments::Check,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
    sampled::{self, Sampled},
};
use crate::{advise::ShardChecks, numbers::several, survey::CollectionSurvey};
use finding::Finding;

/// Number of references that are looked up concurrently.
const IN_FLIGHT: usize = 8;

/// Checks all models. Reads indexes and samples concurrently, and then looks up the targets of the references.
pub(super) async fn run(odm: &Odm, options: Check) -> Result<Output, Failure> {
    let began = Instant::now();
    let _progress = Progress::of("checking");
    let models = linked_models()?;
    let mut findings = declarations()?;
    let shard_checks = Arc::new(ShardChecks::read(odm).await?);
    findings.extend(shard_checks.unread().map(unread_shard_keys));
    let samples = samples::look(odm, &models, options.sample, shard_checks);
    let (diff, validators, looked) = tokio::join!(
        odm.index_diff().into_future(),
        odm.validator_diff().into_future(),
        samples
    );
    let looked = looked?;
    findings.extend(indexes(&diff?));
    findings.extend(outdated_validators(&validators?));
    findings.extend(samples::unread(&looked));
    let (mut held, mut collections) = (Vec::new(), Vec::new());
    for mut it in looked {
        findings.append(&mut it.findings);
        held.append(&mut it.held);
        collections.push(it.of);
    }
    let looked_up = stream::iter(held).map(|held| held.look_up(odm.clone()));
    let looked_up: Vec<_> = looked_up.buffered(IN_FLIGHT).try_collect().await?;
    findings.extend(looked_up.into_iter().flatten());
    Ok(report(models.len(), &collections, began, &findings))
}

fn report(
    models: usize,
    collections: &[CollectionSurvey],
    began: Instant,
    findings: &[Finding],
) -> Output {
    let seconds = began.elapsed().as_secs_f64();
    let mut text = String::new();
    for finding in findings {
        let _ = writeln!(text, "{finding}");
    }
    let sampled = Sampled::of(collections);
    let _ = write!(
        text,
        "{} in {}, {sampled}, {seconds:.1} s",
        several(findings.len() as u64, "finding"),
        several(models as u64, "model")
    );
    Output {
        text,
        json: json!({
            "models": models,
            "documents": sampled.documents,
            "sampled": sampled.sampled,
            "collections": collections.iter().map(sampled::json).collect::<Vec<_>>(),
            "seconds": seconds,
            "findings": findings.iter().map(Finding::json).collect::<Vec<_>>(),
        }),
        exit: Exit::of(!findings.is_empty()),
    }
}

/// Returns the mistakes in the declarations of the models, which can be found without a server.
fn declarations() -> Result<Vec<Finding>, Failure> {
    match check_models() {
        Ok(()) => Ok(Vec::new()),
        Err(Error::Declaration(message)) => Ok(message
            .lines()
            .map(|line| Finding::new("declaration", "", line))
            .collect()),
        Err(error) => Err(error.into()),
    }
}

fn unread_shard_keys(why: &str) -> Finding {
    let message = format!("the shard keys could not be read: {why}");
    Finding::new("unread", "", &message)
}

fn indexes(diff: &IndexDiff) -> Vec<Finding> {
    let missing = diff.missing.iter().map(|index| {
        Finding::new(
            "missing_index",
            &index.collection,
            &format!("an index is missing: {index}"),
        )
    });
    let conflicts = diff.conflicts.iter().map(|conflict| {
        Finding::new(
            "index_conflict",
            &conflict.wanted.collection,
            &conflict.to_string(),
        )
    });
    let on_views = diff.on_views.iter();
    let on_views =
        on_views.map(|index| Finding::new("view", &index.collection, &index.why_not_of_a_view()));
    let pre_images = diff.pre_images.iter().map(|collection| {
        let message = "a model declares `pre_images`, but the server does not keep them; call `sync_indexes`, or run `odm \
                       indexes --apply`";
        Finding::new("pre_images", collection, message)
    });
    let indexes = missing.chain(conflicts).chain(on_views);
    indexes.chain(pre_images).collect()
}

/// Returns a finding for each validator that the library wrote, but that differs from the models. A collection without
/// a validator does not cause a finding, because validators are optional.
fn outdated_validators(diff: &ValidatorDiff) -> impl Iterator<Item = Finding> {
    diff.outdated.iter().map(|change| {
        let message = format!(
            "the validator differs from the models; call `sync_validators`, which sends {}",
            change.wanted
        );
        Finding::new("validator", &change.wanted.collection, &message)
    })
}
