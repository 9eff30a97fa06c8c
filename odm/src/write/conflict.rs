//! Reports that a write of a loaded struct does not match the stored document: the stored version is different, or the
//! document is deleted.

use mongodb::bson::{Bson, Document, RawBsonRef, doc};

use crate::{
    client::{
        command::FindCommand,
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::values::key_condition,
    error::{Error, Result},
    model::{VersionNumber, shape::ModelShape},
    mongosh,
    query::{
        filter::merge,
        maintained::{has_version, version_in},
    },
    value::{
        key::JoinKey,
        path::{equality_in, projection},
    },
};

/// The version that a call requires of a document.
#[derive(Clone, Debug)]
pub(crate) struct GivenVersion {
    version: i64,
    /// The id of the struct that contains the version, if the call passes a struct.
    of: Option<Bson>,
}

impl GivenVersion {
    pub(crate) fn new(version: impl VersionNumber) -> Self {
        Self {
            version: version.number(),
            of: None,
        }
    }

    /// Sets the id of the struct that contains the version.
    pub(crate) fn of(mut self, id: Bson) -> Self {
        self.of = Some(id);
        self
    }
}

/// The id and the version that the document of a write must have.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedVersion {
    id: Bson,
    version: i64,
}

impl ExpectedVersion {
    /// Adds the version to the filter of a write, so that the write does not match a document that has changed.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the filter selects a document other than that of the given struct, or if it does not
    /// select exactly one document.
    pub(crate) fn add_to(
        filter: &mut Document,
        given: GivenVersion,
        model: &'static ModelShape,
    ) -> Result<Self> {
        let id = equality_in(filter, "_id").cloned();
        let message = match (id, given.of) {
            (Some(id), None) => return Ok(Self::of(id, given.version, filter, model)),
            (Some(id), Some(of)) if id == of => {
                return Ok(Self::of(id, given.version, filter, model));
            }
            (_, Some(of)) => format!(
                "`if_unchanged` has the `{}` {}, and the write is about another document; pass the struct with the id of \
                 the write",
                model.name,
                mongosh::value(&of)
            ),
            (None, None) => format!(
                "`if_version` needs the id of one `{}`; write `{0}::update(..)` or `{0}::delete(..)`",
                model.name
            ),
        };
        Err(Error::invalid(message).in_model(model))
    }

    fn of(id: Bson, version: i64, filter: &mut Document, model: &'static ModelShape) -> Self {
        let field = model.version().unwrap_or_default();
        *filter = merge("$and", std::mem::take(filter), has_version(field, version));
        Self { id, version }
    }

    /// Fails if the stored document has a version other than the expected one, or if it does not exist. A write that
    /// has matched nothing calls this function. If the version is the expected one, another condition of the filter did
    /// not match, and the function does not fail.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] in these two cases. [`Error::Deleted`] if the document is deleted and the write applies only
    /// to live documents.
    pub(super) async fn check(
        self,
        model: &'static ModelShape,
        sees: Visibility,
        exec: &Exec,
    ) -> Result<()> {
        if exec.is_paper() {
            return Ok(());
        }
        match stored_version(model, &self.id, sees, exec).await? {
            Some(found) if found == self.version => Ok(()),
            found => Err(conflict(model, self.id, self.version, found)),
        }
    }
}

/// Reads the version of a stored document with one `find`. Returns `None` if the document does not exist.
///
/// # Errors
///
/// [`Error::Deleted`] if the document is deleted, unless the write applies to deleted documents.
pub(super) async fn stored_version(
    model: &'static ModelShape,
    id: &Bson,
    sees: Visibility,
    exec: &Exec,
) -> Result<Option<i64>> {
    let field = model.version().unwrap_or_default();
    let find = FindCommand::new(Place::of(model).for_tenant_of_handle(), doc! { "_id": id });
    let paths = [field].into_iter().chain(model.deleted_at());
    let find = find.select(projection(paths)).first();
    let Some(found) = exec.after_write().raw_documents(find).await?.pop() else {
        return Ok(None);
    };
    let deleted_at = model.deleted_at().filter(|_| sees == Visibility::Live);
    match deleted_at.and_then(|it| found.get(it).ok()?) {
        None | Some(RawBsonRef::Null) => Ok(Some(version_in(&found, field))),
        Some(_) => Err(deleted(model, id.clone())),
    }
}

/// Checks the error of a write that inserts a document if none matches. `matched` is the place and the filter of the
/// write. Returns [`Error::Deleted`] if a deleted document has the duplicate `_id`, and the given error otherwise. If the
/// `_id` is a duplicate and the model has `#[deleted_at]`, sends one `find`, or two in a transaction.
pub(super) async fn explained(
    model: &'static ModelShape,
    (place, filter): (&Place, &Document),
    error: Error,
    exec: &Exec,
) -> Error {
    let id = match &error {
        Error::DuplicateKey { index, fields, .. } if index == "_id_" => fields.get("_id"),
        _ => None,
    };
    let Some(id) = id.filter(|_| model.deleted_at().is_some()) else {
        return error;
    };
    let by_id = doc! { "_id": id };
    let mut looks = vec![(
        Place::live(model).seeing(Visibility::Deleted),
        by_id.clone(),
    )];
    if exec.in_transaction() && filter.keys().all(|path| path == "_id") {
        // The server has already ended the transaction. If an earlier statement of the transaction has deleted the
        // document, the document is live again. Then the write would match the document outside of the transaction.
        looks.push((place.clone(), merge("$and", filter.clone(), by_id)));
    }
    let outside = Exec::on(exec.odm().clone());
    for (place, filter) in looks {
        if outside
            .any(FindCommand::new(place, filter))
            .await
            .unwrap_or(false)
        {
            return deleted(model, id.clone());
        }
    }
    error
}

/// Rejects a replace that matched nothing if the document is deleted. Sends one `find` if the model has `#[deleted_at]`.
///
/// # Errors
///
/// [`Error::Deleted`] if the document is deleted.
pub(super) async fn refuse_deleted(
    model: &'static ModelShape,
    id: &Bson,
    exec: &Exec,
) -> Result<()> {
    if model.deleted_at().is_none() || exec.is_paper() {
        return Ok(());
    }
    let place = Place::live(model).seeing(Visibility::Deleted);
    let find = FindCommand::new(place, doc! { "_id": id });
    if exec.after_write().any(find).await? {
        return Err(deleted(model, id.clone()));
    }
    Ok(())
}

/// Returns the error for an update that matched nothing although it must return the document. Sends one `find` if the
/// model has `#[deleted_at]` and the filter contains the `_id`.
pub(crate) async fn unmatched(model: &'static ModelShape, filter: Document, exec: &Exec) -> Error {
    let refused = match equality_in(&filter, "_id") {
        Some(id) => refuse_deleted(model, id, exec).await,
        None => Ok(()),
    };
    refused.err().unwrap_or_else(|| model.not_found(filter))
}

/// Returns the ids in the list that belong to deleted documents. Sends one `find`.
pub(super) async fn deleted_ids(
    model: &'static ModelShape,
    ids: &[Bson],
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let place = Place::live(model).seeing(Visibility::Deleted);
    let find = FindCommand::new(place, doc! { "_id": key_condition(ids) });
    let found = exec.after_write().ids(find.all()).await?;
    Ok(found.into_iter().map(JoinKey::from).collect())
}

/// Notes in each error whether the document with the same `_id` is deleted. Each error is paired with the `_id` of its
/// document. Sends one `find`, but only if the model keeps deleted documents in its collection and the server has rejected
/// an `_id`.
pub(super) async fn note_deleted(
    model: &'static ModelShape,
    errors: impl Iterator<Item = (Bson, &mut Error)>,
    exec: &Exec,
) {
    if model.deleted_at().is_none() {
        return;
    }
    let of_ids =
        |error: &Error| matches!(error, Error::DuplicateKey { index, .. } if index == "_id_");
    let mut errors: Vec<_> = errors.filter(|(_, error)| of_ids(error)).collect();
    if errors.is_empty() {
        return;
    }
    let ids: Vec<Bson> = errors.iter().map(|(id, _)| id.clone()).collect();
    // The server has already ended the transaction of the insert.
    let outside = Exec::on(exec.odm().clone());
    // If the read fails, the error of the insert is still correct.
    let Ok(found) = deleted_ids(model, &ids, &outside).await else {
        return;
    };
    for (id, error) in &mut errors {
        if let Error::DuplicateKey { deleted, .. } = error {
            *deleted = found.contains(&JoinKey::from(std::mem::replace(id, Bson::Null)));
        }
    }
}

pub(super) fn deleted(model: &'static ModelShape, id: Bson) -> Error {
    Error::Deleted {
        model: model.name,
        collection: model.collection,
        id: Box::new(id),
    }
}

/// Returns the error for a document that a write with the version `expected` has not matched. `found` is the stored
/// version of the document.
pub(super) fn conflict(
    model: &'static ModelShape,
    id: Bson,
    expected: i64,
    found: Option<i64>,
) -> Error {
    if let (true, Some(tenant)) = (found == Some(expected), model.tenant()) {
        let (collection, name, id) = (model.collection, model.name, mongosh::value(&id));
        let message = format!(
            "the document {id} of `{collection}` has another value in `{tenant}` than the `{name}`; a write cannot change \
             the tenant of a document: set the stored tenant in the struct, or delete the document and insert it for the \
             other tenant"
        );
        return Error::invalid(message).in_model(model);
    }
    Error::Conflict {
        model: model.name,
        collection: model.collection,
        id: Box::new(id),
        expected,
        found,
    }
}
