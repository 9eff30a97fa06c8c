//! `odm check`: the models against a database.

mod documents;
mod finding;
mod references;

use std::{collections::HashSet, fmt::Write, time::Instant};

use serde_json::json;

use super::{
    arguments::Check,
    failure::{Exit, Failure},
    output::Output,
    progress::Progress,
};
use crate::{
    check::check_models, error::Error, index::IndexDiff, odm::Odm, registry::Only, survey::Survey,
};
use finding::Finding;

/// Checks all models at once: indexes and samples are asked for at the same time, then the targets of references.
pub(super) async fn run(odm: &Odm, options: Check) -> Result<Output, Failure> {
    let began = Instant::now();
    let _progress = Progress::of("checking");
    let models = Only::default().models()?;
    let mut findings = declarations()?;
    let collections: HashSet<&str> = models.iter().map(|model| model.collection).collect();
    let mut survey = odm
        .survey()
        .sample(options.sample)
        .keep_documents()
        .references(false);
    for collection in &collections {
        survey = survey.only(*collection);
    }
    let (diff, survey) = tokio::join!(odm.index_diff().into_future(), survey.into_future());
    let survey = survey?;
    findings.extend(indexes(&diff?));
    findings.extend(unread(&survey));
    findings.extend(documents::check(&survey));
    findings.extend(references::check(odm, &models, &survey).await?);
    let documents: u64 = survey.collections.iter().map(|it| it.sampled).sum();
    Ok(report(models.len(), documents, began, &findings))
}

fn report(models: usize, documents: u64, began: Instant, findings: &[Finding]) -> Output {
    let seconds = began.elapsed().as_secs_f64();
    let mut text = String::new();
    for finding in findings {
        let _ = writeln!(text, "{finding}");
    }
    let _ = write!(
        text,
        "{} findings in {models} models, {documents} documents sampled, {seconds:.1} s",
        findings.len()
    );
    Output {
        text,
        json: json!({
            "models": models,
            "documents": documents,
            "seconds": seconds,
            "findings": findings.iter().map(Finding::json).collect::<Vec<_>>(),
        }),
        exit: Exit::of(!findings.is_empty()),
    }
}

/// What is wrong with the models, without a server.
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
    missing.chain(conflicts).collect()
}

/// What could not be looked at is no good news.
fn unread(survey: &Survey) -> Vec<Finding> {
    let notes = survey
        .collections
        .iter()
        .flat_map(|it| it.notes.iter().map(|note| (&it.name, note)));
    let unread = notes.filter(|(_, note)| note.contains("could not be read"));
    unread
        .map(|(name, note)| Finding::new("unread", name, note))
        .collect()
}
