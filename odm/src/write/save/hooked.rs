//! Calls the hooks of a document that `save` or `replace` writes.
//!
//! The library first reads the stored document:
//!
//! - If no document is stored, a `save` calls `before_insert` with the new document. A `replace` calls no hook.
//! - If a document is stored, `before_update` receives this document, and the update that changes it into the new
//!   document. If the hook does not change this update, the new document replaces the stored one. Otherwise, the
//!   library sends the changed update, and then checks the validation rules of the result.

use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    options::UpdateOptions,
};

use super::SaveWrite;
use crate::{
    client::{command::FindCommand, odm::Exec, place::Place},
    derived::after_commit::Outcome,
    error::{Error, Result},
    graph::{fold::key_of_member, graph},
    hook::{Committed, ModelHooks},
    model::shape::ModelShape,
    query::{
        maintained::Stamp,
        update::{computed_after, difference},
    },
    setters::copy_options,
    value::{key::JoinKey, path::ElementPath},
    write::{
        BoundedUpdate, conflict::GivenVersion, hooked_update::committed, report::UpdateReport,
        send_update::update_expected,
    },
};

/// The hooks of a written document, and the values of the maintained fields, which are set after the hooks.
#[derive(Clone, Debug)]
pub(crate) struct SaveHooks {
    pub(crate) hooks: ModelHooks,
    pub(crate) stamp: Option<Stamp>,
}

/// The next step of a write after the hooks.
pub(super) enum AfterHook {
    /// The library writes the document, which contains the maintained fields.
    Write(RawDocumentBuf, Committed),
    /// The hook has changed the update, and the library has sent it.
    Updated(Box<Outcome<UpdateReport>>),
}

impl SaveHooks {
    /// Calls the hook of the document that a save writes.
    pub(super) async fn call(&self, save: &SaveWrite, exec: &Exec) -> Result<AfterHook> {
        let stored = save.stored(exec).await?;
        let maintained = |document: &RawDocument| self.maintained(document, save.version_number());
        // The maintained fields are set before the hook runs, so that the hook can read the tenant. They are set again
        // afterwards, so that the hook cannot change them.
        let (mut document, mut write) = (maintained(&save.document)?, Committed::Updated);
        match stored {
            None if save.inserts() => {
                write = Committed::Inserted;
                if self.hooks.has.before_insert {
                    document = self.hooks.before_insert(document, exec).await?;
                }
            }
            Some(_) if exec.is_paper() && self.hooks.has.before_update => {
                exec.note(|| "after `before_update`, which may change the statement".to_owned());
            }
            Some(stored) if self.hooks.has.before_update => {
                let update = save.as_update(&stored, self.stamp.clone())?;
                let change = update.clone();
                let update = update.after_hook(&self.hooks, &stored, exec).await?;
                if !update.is_same(&change) {
                    if save.moving && update.writes_shard_key() {
                        let document = self.computed(&update, &stored, exec)?;
                        return Ok(AfterHook::Write(document, write));
                    }
                    let sent = self.update(update, save, exec).await?;
                    return Ok(AfterHook::Updated(Box::new(sent)));
                }
            }
            _ => {}
        }
        Ok(AfterHook::Write(maintained(&document)?, write))
    }

    /// Sets the maintained fields of a document that replaces a stored document with the given version.
    pub(super) fn maintained(
        &self,
        document: &RawDocument,
        version: i64,
    ) -> Result<RawDocumentBuf> {
        match &self.stamp {
            Some(stamp) => stamp.document(document, version),
            None => Ok(document.to_owned()),
        }
    }

    /// Returns the document that results from an update that a hook has changed, if the update also changes the shard
    /// key. The library cannot send such an update to a cluster.
    fn computed(
        &self,
        update: &BoundedUpdate,
        stored: &RawDocument,
        exec: &Exec,
    ) -> Result<RawDocumentBuf> {
        let model = update.model;
        let Some((document, _)) = computed_after(stored, &update.update, model.version()) else {
            let message = format!(
                "`before_update` of `{}` adds an operator that only the server can apply, but the write changes the shard key; \
                 only add operators that set or unset fields",
                model.name
            );
            return Err(Error::invalid(message).in_model(model));
        };
        update.refuse_exceeding(&document)?;
        self.hooks.check_rules(&document, exec)?;
        Ok(document)
    }

    /// Sends the update that a hook has changed.
    async fn update(
        &self,
        mut update: BoundedUpdate,
        save: &SaveWrite,
        exec: &Exec,
    ) -> Result<Outcome<UpdateReport>> {
        if update.is_empty() {
            return Ok(Outcome::new(UpdateReport::of_one(false)));
        }
        if let Some((_, version)) = save.version {
            let id = save.id.clone();
            update.expect(GivenVersion::new(version).of(id))?;
        }
        let effects = update.effects(exec).await?;
        let mut outcome = Box::pin(update_expected(update, effects, exec)).await?;
        if let Some(stored) = save.stored(exec).await? {
            self.hooks.check_rules(&stored, exec)?;
        }
        let ids = std::slice::from_ref(&save.id);
        outcome.committed = committed(&self.hooks, Committed::Updated, ids, exec).await?;
        Ok(outcome)
    }
}

impl SaveWrite {
    /// Reads the stored document with one `find`.
    async fn stored(&self, exec: &Exec) -> Result<Option<RawDocumentBuf>> {
        let find = FindCommand::new(self.place(), doc! { "_id": &self.id });
        Ok(exec.raw_documents(find.first()).await?.pop())
    }

    /// Returns the update that changes the stored document into the new document.
    fn as_update(&self, stored: &RawDocument, stamp: Option<Stamp>) -> Result<BoundedUpdate> {
        let decode = |raw: &RawDocument| Document::try_from(raw);
        let before = decode(stored).map_err(mongodb::error::Error::from)?;
        let linked = Place::of(self.model).keep_links(&self.document, &before)?;
        let after = decode(linked.as_ref().unwrap_or(&self.document));
        let mut after = after.map_err(mongodb::error::Error::from)?;
        keep_derived_fields(self.model, &before, &mut after);
        for field in &self.kept {
            if let Some(stored) = before.get(*field) {
                after.insert(*field, stored.clone());
            }
        }
        let mut change = difference(self.model, &before, &after)?;
        if let Some(kind) = self.model.kind {
            // Documents of the default kind may lack the field that stores the kind.
            without(&mut change, kind.field);
        }
        let mut options = UpdateOptions::default();
        copy_options!(self.options => options, [bypass_document_validation, collation, hint, let_vars, comment]);
        let stamp = stamp.map(|stamp| stamp.with_values_of(&after));
        let mut by_id = doc! { "_id": &self.id };
        let tenant = self.model.tenant();
        by_id.extend(tenant.and_then(|field| Some((field.to_owned(), before.get(field)?.clone()))));
        let (change, moving) = (change.into(), self.moving);
        let mut update =
            BoundedUpdate::with_key(self.model, by_id, change, options, stamp, moving)?;
        update.fan_out = self.fan_out.clone();
        Ok(update)
    }
}

/// Replaces the top-level copies and summaries by the stored ones, because the library determines them. A two-way array
/// is replaced unless both arrays contain the same keys: the references of the other documents determine the keys, so a
/// save can change only their order.
fn keep_derived_fields(model: &'static ModelShape, before: &Document, after: &mut Document) {
    let references = graph().derived_within(model.documents());
    let references = references.filter(|it| it.place == ElementPath::root());
    for copied in references.flat_map(|reference| &reference.fields) {
        let (stored, given) = (before.get(&copied.to), after.get(&copied.to));
        let is_order = copied.fold.key_of_elements().is_some_and(|inner| {
            let stored = sorted_keys(stored, inner);
            stored.is_some() && stored == sorted_keys(given, inner)
        });
        if is_order {
            continue;
        }
        match stored {
            Some(stored) => _ = after.insert(&copied.to, stored.clone()),
            None => _ = after.remove(&copied.to),
        }
    }
}

/// Returns the keys in an array in a fixed order. Returns `None` if the value is not an array.
fn sorted_keys(value: Option<&Bson>, inner: &str) -> Option<Vec<JoinKey>> {
    let items = value?.as_array()?;
    let keys = items.iter().map(|item| key_of_member(item, inner));
    let mut keys: Vec<JoinKey> = keys.collect();
    keys.sort_unstable();
    Some(keys)
}

/// Removes a field from all operators.
fn without(operators: &mut Document, field: &str) {
    for (_, fields) in operators.iter_mut() {
        if let Bson::Document(fields) = fields {
            fields.remove(field);
        }
    }
    let is_empty = |fields: &Bson| fields.as_document().is_some_and(Document::is_empty);
    let all = std::mem::take(operators).into_iter();
    *operators = all.filter(|(_, fields)| !is_empty(fields)).collect();
}
