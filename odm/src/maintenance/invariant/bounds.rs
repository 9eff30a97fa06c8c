//! Finds arrays that are longer than their `max`.

use mongodb::bson::{Bson, Document};

use super::{
    finding::{Cause, DriftKind, Drifted},
    finding_stream::EventSender,
};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Odm, each_document},
        place::Place,
    },
    error::Result,
    model::{
        array_bound::{Bound, exceeding_filter},
        shape::ModelShape,
    },
    value::{
        codec::decode,
        path::{each_array_at, projection},
    },
};

/// Returns the name that reports use for a bound: `Person.tasks`.
pub(in crate::maintenance) fn name(model: &ModelShape, bound: &Bound) -> String {
    format!("{}.{}", model.name, bound.path)
}

/// Finds documents of a model in which an array exceeds its bound.
pub(in crate::maintenance) async fn verify(
    model: &'static ModelShape,
    bounds: &[Bound],
    odm: &Odm,
    out: &EventSender,
) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let mut batches = exec.open(query(model, bounds)).await?;
    while let Some(batch) = batches.next().await? {
        let mut found = Vec::new();
        each_document(&batch, |raw| {
            match decode(model.collection, raw) {
                Ok(document) => {
                    found.extend(bounds.iter().flat_map(|it| too_long(model, it, &document)));
                }
                Err(error) => {
                    let relation = bounds.first().map(|bound| name(model, bound));
                    let relation = relation.unwrap_or_default();
                    found.extend(Drifted::unreadable(&relation, &[model], &error, None));
                }
            }
            Ok(())
        })?;
        out.add_page(found).await?;
    }
    Ok(())
}

/// Returns the query for documents that exceed one of the bounds. In such a document, the array has an element at
/// the position `max`.
pub(in crate::maintenance) fn query(model: &'static ModelShape, bounds: &[Bound]) -> FindCommand {
    // The projection reads whole top-level fields. A projection of a path inside an array would drop elements
    // that are not documents, which would change the positions of the other elements.
    let tops = bounds
        .iter()
        .filter_map(|bound| bound.path.split('.').next());
    FindCommand::new(Place::of(model), exceeding_filter(bounds)).select(projection(tops))
}

fn too_long(model: &'static ModelShape, bound: &Bound, document: &Document) -> Vec<Drifted> {
    let mut found = Vec::new();
    let Some(id) = document.get("_id") else {
        return found;
    };
    each_array_at(document, &bound.path, &mut |path, items| {
        if !bound.allows(items.len()) {
            found.push(Drifted {
                relation: name(model, bound),
                model: model.name,
                collection: model.collection,
                id: id.clone(),
                path: path.to_owned(),
                key: None,
                stored: i64::try_from(items.len()).ok().map(Bson::Int64),
                source: Some(Bson::Int64(bound.max.into())),
                kind: DriftKind::OverBound,
                pending: false,
                cause: Cause::Unknown,
            });
        }
    });
    found
}
