//! Whether the documents of samples fit their models.

use super::finding::Finding;
use crate::{
    registry::{Fits, readers},
    shape::ModelShape,
    survey::{CollectionSurvey, Misfits, Survey, is_of, misfits},
};

/// Decodes every sampled document by the models of its collection and kind.
pub(super) fn check(survey: &Survey) -> Vec<Finding> {
    let readers = readers();
    let of = |name: &str| -> Vec<_> {
        let all = readers.iter().copied();
        all.filter(|(model, _)| model.collection == name).collect()
    };
    let each = survey.collections.iter().flat_map(|it| {
        let unknown = unknown_kinds(it, &of(&it.name));
        let misfits = misfits(it).into_iter().map(|misfit| finding(it, misfit));
        misfits.chain(unknown).collect::<Vec<_>>()
    });
    each.collect()
}

fn finding(sampled: &CollectionSurvey, it: Misfits) -> Finding {
    let why = match it.path.as_str() {
        "" => it.message,
        path => format!("`{path}`: {}", it.message),
    };
    let message = format!("documents do not decode as `{}`: {why}", it.model.name);
    Finding::new("decode", &sampled.name, &message)
        .of(it.count, it.documents)
        .example(it.example)
}

/// Finds documents of kinds that no model has, where all models of the collection have kinds.
fn unknown_kinds(
    sampled: &CollectionSurvey,
    readers: &[(&'static ModelShape, Fits)],
) -> Option<Finding> {
    let field = readers.first()?.0.kind?.field;
    let is_known = |document: &&mongodb::bson::Document| {
        readers.iter().any(|(model, _)| is_of(model, document))
    };
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
