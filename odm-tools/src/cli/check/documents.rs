//! Reports findings about sampled documents that cannot be decoded as their models.

use mongo_odm::{__tools::mongosh_value, models, shape::Maintained};
use mongodb::bson::{Bson, RawBsonRef, RawDocumentBuf};

use super::finding::Finding;
use crate::survey::{Misfits, RawSample, id_of, is_of, misfits};

/// Decodes all sampled documents of a collection, each as the model of its kind, and returns findings for failures.
pub(super) fn check(sample: &RawSample) -> Vec<Finding> {
    let name = &sample.of.name;
    let misfits = misfits(name, &sample.documents).into_iter();
    let misfits = misfits.map(|misfit| finding(name, misfit));
    misfits
        .chain(unknown_kinds(sample))
        .chain(missing_versions(sample))
        .collect()
}

/// Returns a finding for each model that declares a version but has sampled documents that lack the version.
fn missing_versions(sample: &RawSample) -> impl Iterator<Item = Finding> {
    let models = models().into_iter();
    let models = models.filter(|model| model.collection == sample.of.name);
    models.filter_map(|model| {
        let mut fields = model.fields.iter();
        let version = fields.find(|it| matches!(it.maintained, Some(Maintained::Version)))?;
        let own = sample.documents.iter().filter(|it| is_of(model, it));
        let lacks = |it: &&RawDocumentBuf| {
            let stored = it.get(version.stored).ok().flatten();
            stored.is_none_or(|value| value == RawBsonRef::Null)
        };
        let lacking: Vec<&RawDocumentBuf> = own.clone().filter(lacks).collect();
        let example = id_of(lacking.first()?);
        let message = format!(
            "documents of `{name}` lack the version `{field}`, so a program that does not declare it has stored them; deploy \
             `{name}.{field}` to all programs before one of them calls `if_unchanged`",
            name = model.name,
            field = version.name
        );
        Some(
            Finding::new("version", &sample.of.name, &message)
                .of(lacking.len() as u64, own.count() as u64)
                .example(example),
        )
    })
}

fn finding(collection: &str, it: Misfits) -> Finding {
    let why = match it.path.as_str() {
        "" => it.message,
        path => format!("`{path}`: {}", it.message),
    };
    let message = format!("documents do not decode as `{}`: {why}", it.model.name);
    Finding::new("decode", collection, &message)
        .of(it.count, it.documents)
        .example(it.example)
}

/// Returns a finding if sampled documents have a kind that no model declares. Returns `None` if the models of the
/// collection have no kinds.
fn unknown_kinds(sample: &RawSample) -> Option<Finding> {
    let mut models = models();
    models.retain(|model| model.collection == sample.of.name);
    let field = models.first()?.kind?.field;
    let is_known = |document: &&RawDocumentBuf| models.iter().any(|model| is_of(model, document));
    let unknown = sample.documents.iter().filter(|it| !is_known(it));
    let mut unknown = unknown.peekable();
    let example = unknown.peek()?;
    let kind = example.get(field).ok().flatten();
    let kind = kind.and_then(|kind| Bson::try_from(kind).ok());
    let kind = kind.map_or("nothing".to_owned(), |kind| mongosh_value(&kind));
    let message =
        format!("no model has the kind of some documents, for example {kind} in `{field}`");
    let id = id_of(example);
    Some(
        Finding::new("kind", &sample.of.name, &message)
            .of(unknown.count() as u64, sample.of.sampled)
            .example(id),
    )
}
