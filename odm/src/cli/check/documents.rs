//! Whether the documents of samples fit their models.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::finding::Finding;
use crate::{
    error::Error,
    registry::{Fits, readers},
    shape::ModelShape,
    survey::{CollectionSurvey, Survey},
};

/// Documents that do not fit for the same reason.
#[derive(Debug, Default)]
struct Misfit {
    count: u64,
    example: Option<Bson>,
}

/// Decodes every sampled document by the models of its collection and kind.
pub(super) fn check(survey: &Survey) -> Vec<Finding> {
    let readers = readers();
    let of = |name: &str| -> Vec<_> {
        let all = readers.iter().copied();
        all.filter(|(model, _)| model.collection == name).collect()
    };
    survey
        .collections
        .iter()
        .flat_map(|it| collection(it, &of(&it.name)))
        .collect()
}

fn collection(sampled: &CollectionSurvey, readers: &[(&'static ModelShape, Fits)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (model, fits) in readers {
        let (mut misfits, mut all) = (BTreeMap::<String, Misfit>::new(), 0);
        let own = sampled.sample.iter().filter(|it| is_of(model, it));
        for document in own {
            all += 1;
            let Err(why) = decode(*fits, &sampled.name, document) else {
                continue;
            };
            let misfit = misfits.entry(why).or_default();
            misfit.count += 1;
            misfit
                .example
                .get_or_insert_with(|| document.get("_id").cloned().unwrap_or(Bson::Null));
        }
        findings.extend(misfits.into_iter().map(|(why, misfit)| {
            let message = format!("documents do not decode as `{}`: {why}", model.name);
            Finding::new("decode", &sampled.name, &message)
                .of(misfit.count, all)
                .example(misfit.example)
        }));
    }
    findings.extend(unknown_kinds(sampled, readers));
    findings
}

fn is_of(model: &ModelShape, document: &Document) -> bool {
    let Some(kind) = &model.kind else {
        return true;
    };
    match document.get(kind.field) {
        Some(Bson::String(value)) => value == kind.value,
        None | Some(Bson::Null) => kind.is_default,
        Some(_) => false,
    }
}

fn decode(fits: Fits, collection: &str, document: &Document) -> Result<(), String> {
    let raw = RawDocumentBuf::try_from(document).map_err(|error| error.to_string())?;
    fits(collection, &raw).map_err(|error| match error {
        // Without the id, which differs.
        Error::Decode { path, message, .. } => format!("`{path}`: {message}"),
        other => other.to_string(),
    })
}

/// Finds documents of kinds that no model has, where all models of the collection have kinds.
fn unknown_kinds(
    sampled: &CollectionSurvey,
    readers: &[(&'static ModelShape, Fits)],
) -> Option<Finding> {
    let field = readers.first()?.0.kind?.field;
    let is_known = |document: &&Document| readers.iter().any(|(model, _)| is_of(model, document));
    let mut unknown = sampled.sample.iter().filter(|it| !is_known(it)).peekable();
    let example = unknown.peek()?;
    let (id, kind) = (example.get("_id").cloned(), example.get(field).cloned());
    let kind = kind.map_or("nothing".to_owned(), |kind| crate::shell::value(&kind));
    let message =
        format!("no model has the kind of some documents, {kind} in `{field}` for instance");
    Some(
        Finding::new("kind", &sampled.name, &message)
            .of(unknown.count() as u64, sampled.sampled)
            .example(id),
    )
}
