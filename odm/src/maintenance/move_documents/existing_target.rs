//! Decides whether the target already contains a converted document, and whether it contains the same version.

use std::collections::HashMap;
use std::sync::Arc;

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::route::Route;
use crate::{
    client::{command::FindCommand, id_order::id_of, odm::Exec, place::Place},
    derived::values::key_condition,
    error::{Error, Result},
    graph::{ExtendedReference, graph},
    model::shape::{DELETE_ID, ModelShape, RESTORING},
    query::maintained::{check_tenant_of, keep_stored},
    value::{
        key::{JoinKey, is_same_key},
        path::put,
    },
};

/// A document to move, after its conversion.
#[derive(Clone, Debug)]
pub(super) struct ConvertedDocument {
    /// The `_id` of the `Old` document.
    pub(super) from: Bson,
    /// The `_id` of the converted document.
    pub(super) id: Bson,
    /// The converted document, which the move stores in the target.
    pub(super) document: RawDocumentBuf,
}

/// The result of comparing a converted document with the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Missing,
    Same,
    Different,
}

/// Converts documents with the caller's function. Also returns the ids of the documents that cannot be converted, and
/// of those that would be stored without a tenant.
pub(super) fn convert_all(
    route: &Route,
    documents: &[RawDocumentBuf],
    exec: &Exec,
) -> (Vec<ConvertedDocument>, Vec<Bson>) {
    let (mut moving, mut failed) = (Vec::new(), Vec::new());
    for source in documents {
        let Some(from) = id_of(source) else {
            continue;
        };
        let made = route.convert.call(source);
        let made = made.and_then(|document| {
            check_tenant_of(route.to, &document, exec)?;
            keep_delete(route, source, document)
        });
        let made = made.map(|document| id_of(&document).map(|id| (id, document)));
        match made {
            Ok(Some((id, document))) => moving.push(ConvertedDocument { from, id, document }),
            Ok(None) => failed.push(from),
            Err(error) => {
                let id = crate::mongosh::value(&from);
                tracing::error!(model = route.from.name, id, %error, "a document cannot be moved");
                failed.push(from);
            }
        }
    }
    (moving, failed)
}

/// Copies the ids of the deletes that have marked the source document. With these ids, a restore of the target document
/// also restores its children.
fn keep_delete(
    route: &Route,
    source: &RawDocument,
    document: RawDocumentBuf,
) -> Result<RawDocumentBuf> {
    if route.from.deleted_at().is_none() || route.to.deleted_at().is_none() {
        return Ok(document);
    }
    let source = Document::try_from(source).map_err(mongodb::error::Error::from)?;
    let kept = keep_stored(&document, &source, &[DELETE_ID, RESTORING])?;
    Ok(kept.unwrap_or(document))
}

/// Rejects two converted documents with the same `_id`.
pub(super) fn refuse_equal_ids(route: &Route, moving: &[ConvertedDocument]) -> Result<()> {
    let mut by_id = HashMap::new();
    for it in moving {
        let before = by_id.insert(JoinKey::from(it.id.clone()), &it.from);
        if let Some(before) = before {
            let both = format!(
                "the `{}` with the `_id` {} is converted to the same `_id`",
                route.from.name,
                crate::mongosh::value(before)
            );
            return Err(id_taken(route.to, &it.id, both));
        }
    }
    Ok(())
}

/// Compares converted documents with the target. Sends one `find`.
///
/// # Errors
///
/// [`Error::IdTaken`] if a document of a different kind or tenant already has the `_id` of a converted document. Also
/// returns server errors.
pub(super) async fn compare_with_target(
    route: &Route,
    moving: Vec<ConvertedDocument>,
    exec: &Exec,
) -> Result<Vec<(ConvertedDocument, Comparison)>> {
    let to = route.to;
    let ids: Vec<Bson> = moving.iter().map(|it| it.id.clone()).collect();
    let mut there = HashMap::new();
    if !ids.is_empty() {
        let by_ids = doc! { "_id": key_condition(&ids) };
        // The query does not filter by kind, because ids are unique across all kinds in a collection.
        let find = FindCommand::new(Place::whole_collection(to.collection), by_ids);
        for stored in exec.raw_documents(find.all()).await? {
            there.extend(id_of(&stored).map(|id| (JoinKey::from(id), stored)));
        }
    }
    let kept: Vec<_> = graph().derived_within(to.documents()).cloned().collect();
    let found = moving.into_iter().map(|it| {
        let found = match there.get(&JoinKey::from(it.id.clone())) {
            None => Comparison::Missing,
            Some(stored) => {
                refuse_another_kind(to, &it.id, stored)?;
                refuse_another_tenant(to, &it, stored)?;
                let own = own_fields(to, &kept, &it.document)?;
                if own == self::own_fields(to, &kept, stored)? {
                    Comparison::Same
                } else {
                    Comparison::Different
                }
            }
        };
        Ok((it, found))
    });
    found.collect()
}

fn refuse_another_kind(to: &'static ModelShape, id: &Bson, stored: &RawDocument) -> Result<()> {
    let Some(kind) = &to.kind else {
        return Ok(());
    };
    let field = stored.get(kind.field).ok().flatten();
    let field = field.and_then(|field| Bson::try_from(field).ok());
    if kind.is_kind_of(field.as_ref()) {
        return Ok(());
    }
    let other = field.map_or_else(
        || format!("a document without `{}` has it", kind.field),
        |it| {
            format!(
                "a document of the kind {} has it",
                crate::mongosh::value(&it)
            )
        },
    );
    Err(id_taken(to, id, other))
}

/// Rejects a converted document whose `_id` belongs to a document of a different tenant. A save would not find that
/// document, because a save cannot change the tenant.
fn refuse_another_tenant(
    to: &'static ModelShape,
    moving: &ConvertedDocument,
    stored: &RawDocument,
) -> Result<()> {
    let Some(field) = to.tenant() else {
        return Ok(());
    };
    let tenant_of = |document: &RawDocument| {
        let tenant = document.get(field).ok().flatten();
        let tenant = tenant.and_then(|tenant| Bson::try_from(tenant).ok());
        tenant.unwrap_or(Bson::Null)
    };
    let other = tenant_of(stored);
    if is_same_key(&tenant_of(&moving.document), &other) {
        return Ok(());
    }
    let by = format!(
        "a document of the tenant {} has it",
        crate::mongosh::value(&other)
    );
    Err(id_taken(to, &moving.id, by))
}

fn id_taken(to: &'static ModelShape, id: &Bson, by: String) -> Error {
    Error::IdTaken {
        model: to.name,
        collection: to.collection,
        kind: to.kind.as_ref().map(|kind| kind.value),
        id: Box::new(id.clone()),
        by,
    }
}

/// Returns those fields of a document that are compared, in a fixed order. The kind and the data that the library
/// maintains are excluded.
fn own_fields(
    model: &ModelShape,
    kept: &[Arc<ExtendedReference>],
    document: &RawDocument,
) -> Result<RawDocumentBuf> {
    let mut own = Document::try_from(document).map_err(mongodb::error::Error::from)?;
    for reference in kept {
        reference.place.each_mut(&mut own, &mut |inner| {
            for copied in &reference.fields {
                put(inner, &copied.to, None);
            }
        });
    }
    if let Some(kind) = &model.kind {
        own.remove(kind.field);
    }
    // Links are not compared, because a save does not overwrite the stored links.
    if let Some(links) = model.links() {
        own.remove(links.array);
    }
    let mut fields: Vec<_> = own.into_iter().collect();
    fields.sort_by(|left, right| left.0.cmp(&right.0));
    let sorted: Document = fields.into_iter().collect();
    Ok(RawDocumentBuf::try_from(&sorted).map_err(mongodb::error::Error::from)?)
}
