//! Maintained fields and hooks: timestamps, versions, deleted documents and tenants.

use mongo_odm::bson::{Bson, DateTime, Document};

use super::{Doing, Refusal};
use crate::{
    compose::{HANDLES, TENANTS},
    declaration::{Declaration, Field, MOST, Maintained, Model},
    program::{Call, Change, Operator, Write},
    world::{World, key},
};

/// Represents, in a drawn document, the version that is stored when the call is made.
pub const STORED: &str = "the stored version";
/// Represents the tenant of the handle in a drawn document.
pub const OWN: &str = "the tenant of the handle";
/// Represents a different tenant in a drawn document.
pub const OTHER: &str = "another tenant";

/// Represents the time of the step in an expected document.
const NOW: Bson = Bson::MaxKey;
/// Represents, in an expected document, a version that a delete rule has increased at least once.
const MORE: Bson = Bson::MinKey;
/// The field with the id of the delete that has marked a document.
pub const DELETE: &str = "_odm_delete";
/// The field with the ids of earlier deletes, if the restores after them have left documents to jobs.
pub const RESTORING: &str = "_odm_restoring";

/// Returns whether a document is deleted, but not purged.
pub fn is_deleted(model: &Model, document: &Document) -> bool {
    let field = model.maintained(Maintained::DeletedAt);
    field.is_some_and(|it| !matches!(document.get(it), None | Some(Bson::Null)))
}

/// Replaces the placeholders in the documents of a call by stored values.
pub fn resolve(all: &Declaration, world: &World, call: &Call) -> Call {
    let mut call = call.clone();
    let (model, handle) = (call.model, TENANTS[call.handle % HANDLES]);
    let one = |document: &mut Document, is_many: bool| {
        of_document(all, world, (model, handle), document, is_many);
    };
    match &mut call.write {
        Write::Insert(it) | Write::Save(it) | Write::Replace(it) => one(it, false),
        Write::InsertMany(all, _) => all.iter_mut().for_each(|it| one(it, true)),
        Write::Relate(it) => one(&mut it.of, true),
        _ => {}
    }
    call
}

fn of_document(
    all: &Declaration,
    world: &World,
    (number, handle): (usize, Option<&str>),
    document: &mut Document,
    is_own: bool,
) {
    let model = all.model(number);
    let id = key(document.get("_id")).unwrap_or_default();
    let stored = world.get(number, id);
    if let Some(field) = model.maintained(Maintained::Version)
        && text(document, field) == Some(STORED)
    {
        let version = stored.and_then(|it| it.get_i64(field).ok());
        document.insert(field, version.unwrap_or(0));
    }
    if let Some(field) = model.maintained(Maintained::Tenant) {
        let of_stored = stored.and_then(|it| it.get_str(field).ok());
        let own = handle.or(of_stored).unwrap_or("a");
        let other = if own == "a" { "b" } else { "a" };
        let is_other = text(document, field) == Some(OTHER) && !is_own && handle.is_some();
        document.insert(field, if is_other { other } else { own });
    }
}

fn text<'d>(document: &'d Document, field: &str) -> Option<&'d str> {
    document.get(field).and_then(Bson::as_str)
}

/// Returns whether a call contains a document of a different tenant than the handle's.
pub(super) fn gives_other_tenant(all: &Declaration, call: &Call) -> bool {
    let field = all.model(call.model).maintained(Maintained::Tenant);
    let (Some(field), Some(own)) = (field, TENANTS[call.handle % HANDLES]) else {
        return false;
    };
    match &call.write {
        Write::Insert(it) | Write::Save(it) | Write::Replace(it) => text(it, field) != Some(own),
        _ => false,
    }
}

/// Returns whether a call could insert a document without a tenant.
pub(super) fn lacks_tenant(all: &Declaration, call: &Call) -> bool {
    let field = all.model(call.model).maintained(Maintained::Tenant);
    let is_for_all = TENANTS[call.handle % HANDLES].is_none();
    field.is_some() && is_for_all && matches!(call.write, Write::Upsert(..))
}

/// Replaces times and versions that the naive model cannot compute by the stored ones, if these can be correct.
pub fn accept(expected: &mut World, stored: &World, began: DateTime) {
    for ((model, id), document) in &mut expected.0 {
        let Some(stored) = stored.get(*model, *id) else {
            continue;
        };
        for (name, value) in document.iter_mut() {
            let found = stored.get(name);
            let is_right = match found {
                Some(Bson::DateTime(at)) => *value == NOW && *at >= began && *at <= DateTime::now(),
                Some(Bson::Int64(_)) => *value == MORE,
                _ => false,
            };
            if is_right {
                *value = found.cloned().unwrap_or(Bson::Null);
            }
        }
        // The ids of deletes are not compared, because only the set of documents with the same id matters.
        for field in [DELETE, RESTORING] {
            match stored.get(field) {
                Some(id) => _ = document.insert(field, id.clone()),
                None => _ = document.remove(field),
            }
        }
    }
}

/// Records that a document's own fields were written.
pub(super) fn touch(model: &Model, document: &mut Document) {
    if let Some(field) = model.maintained(Maintained::UpdatedAt) {
        document.insert(field, NOW);
    }
    if let Some(field) = model.maintained(Maintained::Version) {
        let version = match document.get(field) {
            Some(Bson::Int64(version)) => Bson::Int64(version + 1),
            Some(unknown) => unknown.clone(),
            None => Bson::Int64(1),
        };
        document.insert(field, version);
    }
}

/// Records that a delete rule has written a document at least once.
pub(super) fn touch_by_rule(model: &Model, document: &mut Document) {
    touch(model, document);
    if let Some(field) = model.maintained(Maintained::Version) {
        document.insert(field, MORE);
    }
}

impl Doing<'_> {
    fn own_model(&self) -> &Model {
        self.all.model(self.model)
    }

    /// Returns the document with the given id if the calls of the handle can read it.
    pub(super) fn visible(&self, id: i64) -> Option<&Document> {
        let document = self.world.get(self.model, id)?;
        (self.is_of_tenant(document) && !is_deleted(self.own_model(), document)).then_some(document)
    }

    pub(super) fn is_of_tenant(&self, document: &Document) -> bool {
        let field = self.own_model().maintained(Maintained::Tenant);
        match (field, self.tenant) {
            (Some(field), Some(tenant)) => text(document, field) == Some(tenant),
            _ => true,
        }
    }

    /// Returns why a document cannot be stored if a document that the handle cannot read has the same id.
    pub(super) fn hidden(&self, id: i64) -> Option<Refusal> {
        let document = self.world.get(self.model, id)?;
        Some(if self.is_of_tenant(document) {
            Refusal::Deleted
        } else {
            Refusal::Duplicate
        })
    }

    /// Sets the maintained fields of a new document.
    pub(super) fn stamp_new(&self, document: &mut Document) {
        let model = self.own_model();
        self.limit(document);
        if let Some(field) = model.maintained(Maintained::CreatedAt) {
            document.insert(field, NOW);
        }
        if let Some(field) = model.maintained(Maintained::Version) {
            document.remove(field);
        }
        if let Some(field) = model.maintained(Maintained::DeletedAt) {
            document.insert(field, Bson::Null);
        }
        if let (Some(field), Some(tenant)) = (model.maintained(Maintained::Tenant), self.tenant) {
            document.insert(field, tenant);
        }
        touch(model, document);
    }

    /// Sets the maintained fields of a document that replaces a stored one.
    pub(super) fn stamp_saved(&self, document: &mut Document, stored: &Document) {
        let model = self.own_model();
        if let Some(field) = self.hooked()
            && document.get(&field.stored) != stored.get(&field.stored)
        {
            self.limit(document);
        }
        for kind in [Maintained::CreatedAt, Maintained::Version] {
            if let Some(field) = model.maintained(kind) {
                document.insert(field, stored.get(field).cloned().unwrap_or(Bson::Null));
            }
        }
        if let Some(field) = model.maintained(Maintained::DeletedAt) {
            document.insert(field, Bson::Null);
        }
        if let Some(id) = stored.get(DELETE) {
            document.insert(DELETE, id.clone());
        }
        touch(model, document);
    }

    /// Rejects a struct whose version differs from the stored one. The version 0 means that the struct was not loaded.
    pub(super) fn check_version(
        &self,
        document: &Document,
        stored: Option<&Document>,
    ) -> Result<(), Refusal> {
        let Some(field) = self.own_model().maintained(Maintained::Version) else {
            return Ok(());
        };
        let given = document.get_i64(field).unwrap_or(0);
        let found = stored.map(|it| it.get(field).cloned().unwrap_or(Bson::Int64(0)));
        match found {
            Some(Bson::MinKey) => Err(Refusal::Unclear),
            Some(found) if found != Bson::Int64(given) => Err(Refusal::Conflict),
            None if given > 0 => Err(Refusal::Conflict),
            _ => Ok(()),
        }
    }

    fn hooked(&self) -> Option<&Field> {
        let model = self.own_model();
        model.hook.as_ref().map(|name| model.field(name))
    }

    fn limit(&self, document: &mut Document) {
        if let Some(field) = self.hooked()
            && document
                .get_i64(&field.stored)
                .is_ok_and(|value| value > MOST)
        {
            document.insert(&field.stored, MOST);
        }
    }

    /// Returns the changes as the hook modifies them.
    pub(super) fn after_hook(&self, changes: &[Change]) -> Vec<Change> {
        let mut changes = changes.to_vec();
        let Some(field) = self.hooked() else {
            return changes;
        };
        let set = changes
            .iter_mut()
            .filter(|it| it.field == field.name && it.operator == Operator::Set);
        for change in set {
            if matches!(change.value, Bson::Int64(value) if value > MOST) {
                change.value = MOST.into();
                change.plain = None;
            }
        }
        changes
    }

    /// Returns whether a pipeline sets the number that the hook limits. The hook cannot read the value in a pipeline.
    pub(super) fn is_past_hook(&self, changes: &[Change]) -> bool {
        self.hooked()
            .is_some_and(|field| changes.iter().any(|it| it.field == field.name))
    }

    /// Marks documents as deleted.
    pub(super) fn mark(&mut self, gone: impl IntoIterator<Item = (usize, i64)>) {
        let ids = self.world.0.values();
        let last = ids.filter_map(|it| it.get_i64(DELETE).ok()).max();
        let delete = last.unwrap_or(0) + 1;
        for at in gone {
            let model = self.all.model(at.0);
            if let Some(document) = self.world.0.get_mut(&at) {
                let field = model.maintained(Maintained::DeletedAt).unwrap_or_default();
                document.insert(field, NOW);
                document.insert(DELETE, delete);
                touch(model, document);
            }
        }
    }

    /// Restores marked documents.
    pub(super) fn unmark(&mut self, back: impl IntoIterator<Item = (usize, i64)>) {
        for at in back {
            let model = self.all.model(at.0);
            if let Some(document) = self.world.0.get_mut(&at) {
                let field = model.maintained(Maintained::DeletedAt).unwrap_or_default();
                document.insert(field, Bson::Null);
                touch(model, document);
            }
        }
    }
}
