//! Writes the fields that the library maintains: `#[created_at]`, `#[updated_at]`, `#[created_by]`, `#[updated_by]`,
//! `#[version]`, `#[deleted_at]` and the tenant.
//!
//! A [`Stamp`] is applied once to every write of a document's own fields. The builders stamp documents and updates
//! before the library computes the effects of the write, because other documents may contain copies of the maintained
//! fields. Delete rules stamp their updates. Writes of derived data, moves and repairs are not stamped.
//!
//! | write | `#[created_at]` | `#[updated_at]` | `#[version]` |
//! |---|---|---|---|
//! | insert | current time | current time | 1 |
//! | save, replace | stored value; current time if it is missing | current time | version of the struct + 1, or a conflict |
//! | update, delete rule | stored value | current time | stored version + 1 |
//! | upsert that inserts | current time | current time | 1 |
//! | delete that marks the document, restore | stored value | current time | stored version + 1 |
//! | delete that archives the document | stored value | stored value | stored version |
//!
//! `#[created_by]` and `#[updated_by]` store the actor of the handle whenever `#[created_at]` and `#[updated_at]` store
//! a time. If the handle does not have an actor, they store null, or the write fails if a field cannot be null. Delete
//! rules keep the stored actor, because a job may apply them long after the call.
//!
//! A missing version counts as 0.
//!
//! A write stores the tenant of the handle. The library rejects a document of a different tenant. With
//! [`Odm::all_tenants`](crate::Odm::all_tenants), the struct must contain the tenant.
//!
//! `#[deleted_at]` is null in every document that the application writes. Only deletes set it (`write::delete`), and
//! only a restore sets it to null again.
//!
//! A stamp only adds fields to a statement, so it does not cost a round trip. [`Exec::now`] returns the current time.

mod actor_check;
mod rebuilt_document;
mod version;

use mongodb::{
    bson::{Bson, DateTime, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc},
    options::UpdateModifications,
};

use super::update::{add_field, stage_writes, written_paths};
use crate::{
    client::{
        odm::{Exec, Tenant},
        place::{check_tenant, without_tenant},
    },
    error::{Error, Result},
    model::shape::{DELETE_ID, FieldShape, Maintained, ModelShape, RESTORING},
    mongosh,
    value::{
        codec::{document_from_elements, elements},
        key::is_same_key,
        path::{equality_in, overlap},
    },
};
use actor_check::check_actor;
use rebuilt_document::keep_in_rebuilt;
pub(crate) use version::{has_version, version_in};

/// The values that one write stores in the maintained fields of its documents.
#[derive(Clone, Debug)]
pub(crate) struct Stamp {
    model: &'static ModelShape,
    now: DateTime,
    /// The actor of the write. `None` means that the write keeps the stored actors.
    actor: Option<Bson>,
    tenant: Tenant,
    keeps_timestamps: bool,
    /// The maintained fields of a struct that keeps its timestamps and actors, if a hook can change the update that stores
    /// the struct.
    own: Document,
}

impl Stamp {
    /// Returns the stamp of an application's write that can insert documents, or `None` if the model does not have
    /// maintained fields.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if a field cannot store the actor of the handle.
    pub(crate) fn of_write(model: &'static ModelShape, exec: &Exec) -> Result<Option<Self>> {
        Self::of_call(model, |_| true, exec)
    }

    /// Returns the stamp of a struct that an application stores. If the struct keeps its timestamps, it also keeps its
    /// actors, so the handle need not have an actor.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if a field cannot store the actor of the handle.
    pub(crate) fn of_struct(
        model: &'static ModelShape,
        keeps_timestamps: bool,
        exec: &Exec,
    ) -> Result<Option<Self>> {
        let writes = if keeps_timestamps {
            |_| false
        } else {
            |_| true
        };
        let stamp = Self::of_call(model, writes, exec)?;
        Ok(stamp.map(|stamp| Self {
            keeps_timestamps,
            ..stamp
        }))
    }

    /// Returns the stamp of an application's write that only changes documents. Fields that only an insert sets keep
    /// their values, so they do not have to be able to store the actor.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if a field cannot store the actor of the handle.
    pub(crate) fn of_change(model: &'static ModelShape, exec: &Exec) -> Result<Option<Self>> {
        Self::of_call(model, |kind| !is_of_insert(kind), exec)
    }

    fn of_call(
        model: &'static ModelShape,
        writes: fn(Maintained) -> bool,
        exec: &Exec,
    ) -> Result<Option<Self>> {
        let actor = exec.odm().actor().cloned().unwrap_or(Bson::Null);
        check_actor(model, writes, &actor)?;
        Self::of(model, Some(actor), exec)
    }

    /// Returns the stamp of a delete rule, which keeps the stored actors.
    pub(crate) fn of_delete_rule(model: &'static ModelShape, exec: &Exec) -> Result<Option<Self>> {
        Self::of(model, None, exec)
    }

    fn of(model: &'static ModelShape, actor: Option<Bson>, exec: &Exec) -> Result<Option<Self>> {
        // If the model keeps deleted documents, a save keeps the stored id of the latest delete, so the write needs a
        // stamp.
        if model.maintained().next().is_none() && !model.keeps_deleted() {
            return Ok(None);
        }
        check_tenant(model, exec.odm().tenancy())?;
        Ok(Some(Self {
            model,
            now: exec.now(),
            actor,
            tenant: exec.odm().tenancy().clone(),
            keeps_timestamps: false,
            own: Document::new(),
        }))
    }

    /// Lets an update store the timestamps and actors of this struct, if the write keeps them.
    pub(crate) fn with_values_of(mut self, document: &Document) -> Self {
        if self.keeps_timestamps {
            let names = self.model.maintained().map(|(field, _)| field.stored);
            self.own = names
                .filter_map(|name| Some((name.to_owned(), document.get(name)?.clone())))
                .collect();
        }
        self
    }

    /// Sets the maintained fields of a whole document. `version` is the version with which the document was loaded, or
    /// 0 for a new document.
    pub(crate) fn document(&self, document: &RawDocument, version: i64) -> Result<RawDocumentBuf> {
        let tenant = self.tenant_of(document)?;
        let fields = self.model.maintained();
        let values = fields.filter_map(|(field, kind)| {
            let value: Bson = match kind {
                Maintained::Version => version.saturating_add(1).into(),
                Maintained::Tenant(_) => tenant.clone()?,
                _ if self.keeps_timestamps => return None,
                // A document that lacks the field also counts as not deleted, so the field is not added.
                Maintained::DeletedAt if matches!(document.get(field.stored), Ok(None)) => {
                    return None;
                }
                Maintained::DeletedAt => Bson::Null,
                Maintained::CreatedAt | Maintained::UpdatedAt => self.now.into(),
                Maintained::CreatedBy(_) | Maintained::UpdatedBy(_) => self.actor.clone()?,
            };
            Some((field.stored, value))
        });
        with_fields(document, values)
    }

    /// Returns the stored names of the fields that keep their stored values in a save.
    pub(crate) fn kept(&self) -> Vec<&'static str> {
        let fields = self.model.maintained();
        let kept = fields.filter(|(_, kind)| is_of_insert(*kind));
        let kept = kept.filter(|_| !self.keeps_timestamps);
        let kept = kept.map(|(field, _)| field.stored);
        kept.chain(self.of_deletes()).collect()
    }

    /// Returns the names of the fields that store the ids of deletes, if documents of the model can have these fields.
    fn of_deletes(&self) -> impl Iterator<Item = &'static str> + use<> {
        let fields = [DELETE_ID, RESTORING].into_iter();
        let keeps = self.model.keeps_deleted();
        fields.filter(move |_| keeps)
    }

    /// Adds the maintained fields to an update.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the update already writes a maintained field.
    pub(crate) fn update(
        &self,
        update: UpdateModifications,
        is_upsert: bool,
    ) -> Result<UpdateModifications> {
        match update {
            UpdateModifications::Document(mut operators) => {
                self.refuse_written(&written_paths(&operators))?;
                self.add_to_operators(&mut operators, is_upsert);
                Ok(operators.into())
            }
            UpdateModifications::Pipeline(mut stages) => {
                self.refuse_stages(&stages)?;
                let names = self.model.maintained().map(|(field, _)| field.stored);
                let names = names.chain(self.of_deletes());
                keep_in_rebuilt(&mut stages, &names.collect::<Vec<_>>());
                let expressions = self.expressions(is_upsert);
                if !expressions.is_empty() {
                    stages.push(doc! { "$set": expressions });
                }
                Ok(stages.into())
            }
            other => Ok(other),
        }
    }

    /// Returns the operators that mark a document as deleted, or the operators that restore it if `deleted_at` is
    /// `None`.
    pub(crate) fn deletion(&self, deleted_at: Option<DateTime>) -> Document {
        let field = self.model.deleted_at().unwrap_or_default();
        let mut operators = doc! { "$set": { field: deleted_at } };
        self.add_to_operators(&mut operators, false);
        operators
    }

    /// Sets the maintained fields of a document that is moved out of the archive, as an update would.
    pub(crate) fn restored(&self, document: &mut Document) {
        for (field, kind) in self.model.maintained() {
            let value = match kind {
                Maintained::Version => {
                    let stored = document.get(field.stored);
                    let stored =
                        stored.and_then(|it| it.as_i64().or_else(|| it.as_i32().map(i64::from)));
                    Some(stored.unwrap_or(0).saturating_add(1).into())
                }
                kind if is_of_insert(kind) => None,
                kind => self.value(field, kind),
            };
            if let Some(value) = value {
                document.insert(field.stored, value);
            }
        }
    }

    fn add_to_operators(&self, operators: &mut Document, is_upsert: bool) {
        // An upsert that consists only of `$setOnInsert` does not change an existing document.
        let is_insert = operators.keys().all(|operator| operator == "$setOnInsert");
        for (field, kind) in self.model.maintained() {
            let Some(value) = self.value(field, kind) else {
                if self.removes(field, kind) {
                    add_field(operators, "$unset", field.stored, "".into());
                }
                continue;
            };
            let operator = match kind {
                _ if is_insert || (is_of_insert(kind) && !self.keeps_timestamps) => "$setOnInsert",
                Maintained::Version => "$inc",
                _ => "$set",
            };
            // The server ignores `$setOnInsert` in an update that is not an upsert.
            if is_upsert || operator != "$setOnInsert" {
                add_field(operators, operator, field.stored, value);
            }
        }
    }

    /// Returns the content of the `$set` stage that is appended to the pipeline of an update.
    fn expressions(&self, is_upsert: bool) -> Document {
        let mut fields = Document::new();
        for (field, kind) in self.model.maintained() {
            let name = field.stored;
            let Some(value) = self.value(field, kind) else {
                if self.removes(field, kind) {
                    fields.insert(name, "$$REMOVE");
                }
                continue;
            };
            let value = match kind {
                Maintained::Version => doc! { "$add": [or_stored(name, 0_i64), value] },
                _ if !is_of_insert(kind) || self.keeps_timestamps => literal(value),
                _ if is_upsert => or_stored(name, literal(value)),
                _ => continue,
            };
            fields.insert(name, value);
        }
        fields
    }

    /// Returns the value that an update stores in a field, or adds to it. Returns `None` if the field keeps its value.
    fn value(&self, field: &FieldShape, kind: Maintained) -> Option<Bson> {
        match kind {
            Maintained::Version => Some(1_i64.into()),
            Maintained::DeletedAt | Maintained::Tenant(_) => None,
            _ if self.keeps_timestamps => self.own.get(field.stored).cloned(),
            Maintained::CreatedAt | Maintained::UpdatedAt => Some(self.now.into()),
            Maintained::CreatedBy(_) | Maintained::UpdatedBy(_) => self.actor.clone(),
        }
    }

    /// Whether an update removes a field, because the struct that keeps its timestamps and actors lacks this field.
    fn removes(&self, field: &FieldShape, kind: Maintained) -> bool {
        let is_kept = !matches!(
            kind,
            Maintained::Version | Maintained::DeletedAt | Maintained::Tenant(_)
        );
        self.keeps_timestamps && is_kept && !self.own.contains_key(field.stored)
    }

    /// Returns the tenant of a new document, or `None` if the document already contains it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the document belongs to a different tenant, or if neither the document nor the handle has
    /// a tenant.
    pub(crate) fn tenant_of(&self, document: &RawDocument) -> Result<Option<Bson>> {
        let Some(field) = self.model.tenant() else {
            return Ok(None);
        };
        let given = match document.get(field) {
            Ok(Some(RawBsonRef::Null) | None) | Err(_) => None,
            Ok(Some(given)) => Bson::try_from(given).ok(),
        };
        let name = self.model.name;
        let message = match (&self.tenant, given) {
            (Tenant::One(tenant), None) => return Ok(Some((**tenant).clone())),
            (Tenant::One(tenant), Some(given)) if is_same_key(tenant, &given) => {
                return Ok(None);
            }
            (Tenant::One(tenant), Some(given)) => {
                let message = format!(
                    "`{name}.{field}` is {}, but the handle has the tenant {}; write the document with a handle that \
                     `odm.for_tenant(..)` returns for its tenant",
                    mongosh::value(&given),
                    mongosh::value(tenant)
                );
                return Err(Error::invalid_in_document(message).in_model(self.model));
            }
            (Tenant::All, Some(_)) => return Ok(None),
            (Tenant::All, None) => format!(
                "`{name}.{field}` is null, and the handle is for all tenants; set the field, or write with a handle that \
                 `odm.for_tenant(..)` returns"
            ),
            (Tenant::Unknown, _) => return Err(without_tenant(self.model)),
        };
        Err(Error::invalid(message).in_model(self.model))
    }

    /// Rejects an upsert through a handle for all tenants, if its filter does not contain a tenant. Such an upsert
    /// could insert a document without a tenant. Also rejects an upsert whose filter contains a different tenant than
    /// the handle.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] in both cases. The message contains the name of the tenant field.
    pub(crate) fn check_upsert(&self, filter: &Document) -> Result<()> {
        let Some(field) = self.model.tenant() else {
            return Ok(());
        };
        let name = self.model.name;
        let message = match (&self.tenant, equality_in(filter, field)) {
            (Tenant::All, None | Some(Bson::Null)) => format!(
                "this upsert could insert a `{name}` without `{field}`, because the handle is for all tenants; add `{field}` to the \
                 filter, or write with a handle that `odm.for_tenant(..)` returns"
            ),
            (Tenant::One(tenant), Some(given)) if !is_same_key(tenant, given) => format!(
                "the filter of this upsert requires {} in `{name}.{field}`, but the handle has the tenant {}; write with a \
                 handle that `odm.for_tenant(..)` returns for the tenant in the filter",
                mongosh::value(given),
                mongosh::value(tenant)
            ),
            _ => return Ok(()),
        };
        Err(Error::invalid(message).in_model(self.model))
    }

    fn refuse_stages(&self, stages: &[Document]) -> Result<()> {
        for (field, _) in self.model.maintained() {
            if stages.iter().any(|stage| stage_writes(stage, field.stored)) {
                return Err(self.refused(field.stored));
            }
        }
        Ok(())
    }

    /// A delete rule can write an actor, because an actor can be a reference.
    fn refuse_written(&self, paths: &[String]) -> Result<()> {
        for (field, kind) in self.model.maintained() {
            let is_actor = matches!(kind, Maintained::CreatedBy(_) | Maintained::UpdatedBy(_));
            if is_actor && self.actor.is_none() {
                continue;
            }
            if paths.iter().any(|path| overlap(path, field.stored)) {
                return Err(self.refused(field.stored));
            }
        }
        Ok(())
    }

    fn refused(&self, field: &str) -> Error {
        let name = self.model.name;
        Error::invalid(format!(
            "an update writes `{name}.{field}`, which the library maintains; remove it from the update"
        ))
        .in_model(self.model)
    }
}

/// Whether only the insert of a document sets the field.
const fn is_of_insert(kind: Maintained) -> bool {
    matches!(kind, Maintained::CreatedAt | Maintained::CreatedBy(_))
}

/// Checks the tenant of a struct, as a write of the struct does. Returns the tenant that the write would add to the
/// document, or `None` if the document already contains its tenant.
///
/// # Errors
///
/// [`Error::Invalid`] if the document belongs to a different tenant than the handle, or if its tenant is unknown.
pub(crate) fn check_tenant_of(
    model: &'static ModelShape,
    document: &RawDocument,
    exec: &Exec,
) -> Result<Option<Bson>> {
    let stamp = Stamp::of(model, None, exec)?;
    stamp.map_or(Ok(None), |stamp| stamp.tenant_of(document))
}

/// Returns an expression for the stored value of a field. If the stored document lacks the field, or if the document is
/// new, the expression evaluates to the given value.
fn or_stored(field: &str, value: impl Into<Bson>) -> Document {
    doc! { "$ifNull": [format!("${field}"), value.into()] }
}

/// Returns an expression that evaluates to the value itself, even if the value is a string that looks like a path.
fn literal(value: Bson) -> Document {
    doc! { "$literal": value }
}

/// Copies the stored values of the given fields into a document that replaces the stored one. Returns `None` if
/// `stored` contains none of these fields, for example because it is a projection.
pub(crate) fn keep_stored(
    document: &RawDocument,
    stored: &Document,
    fields: &[&'static str],
) -> Result<Option<RawDocumentBuf>> {
    let kept = fields
        .iter()
        .filter_map(|field| Some((*field, stored.get(*field)?.clone())));
    let kept: Vec<_> = kept.collect();
    if kept.is_empty() {
        return Ok(None);
    }
    with_fields(document, kept.into_iter()).map(Some)
}

/// Sets fields of an encoded document without decoding its other fields.
fn with_fields<V: Into<Bson>>(
    document: &RawDocument,
    fields: impl Iterator<Item = (&'static str, V)>,
) -> Result<RawDocumentBuf> {
    let mut new = Document::new();
    for (field, value) in fields {
        new.insert(field, value);
    }
    let new = RawDocumentBuf::try_from(&new).map_err(mongodb::error::Error::from)?;
    let mut left = elements(&new)?;
    let mut bytes = Vec::with_capacity(document.as_bytes().len() + new.as_bytes().len());
    for (name, element) in elements(document)? {
        match left.iter().position(|(field, _)| *field == name) {
            Some(at) => bytes.extend_from_slice(left.remove(at).1),
            None => bytes.extend_from_slice(element),
        }
    }
    for (_, element) in left {
        bytes.extend_from_slice(element);
    }
    Ok(RawDocumentBuf::from_bytes(document_from_elements(&bytes))
        .map_err(mongodb::error::Error::from)?)
}
