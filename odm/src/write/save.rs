//! Replaces whole documents, and fills in their copies from the sources.

mod hooked;

use std::borrow::Cow;

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::ReplaceOptions,
};

use super::{
    conflict::{conflict, deleted, explained, refuse_deleted, stored_version},
    hooked_update::committed,
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
    shard_move::replace_or_move,
};
use crate::{
    client::{
        command::{FindCommand, ReplaceCommand, Rows, UpdateCommand, Updated},
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{
        after_commit::Outcome,
        follow::{Effects, FanOut, ReferredKeys},
    },
    error::Result,
    model::shape::ModelShape,
    query::{
        maintained::{has_version, keep_stored},
        update::{changed_key, changed_tenant},
    },
    value::{
        key::is_same_key,
        path::{projection, value_at},
    },
};
use hooked::AfterHook;
pub(crate) use hooked::SaveHooks;

/// A write of a whole document.
#[derive(Clone, Debug)]
pub(crate) struct SaveWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) id: Bson,
    pub(crate) document: RawDocumentBuf,
    /// The fields that keep their stored values. Their values in `document` are used only if no values are stored.
    pub(crate) kept: Vec<&'static str>,
    /// The documents that the save can replace.
    pub(crate) visibility: Visibility,
    /// Whether the save can change the shard key of the stored document.
    pub(crate) moving: bool,
    /// The stored name of the version field, and the version that the stored document must have.
    pub(crate) version: Option<(&'static str, i64)>,
    pub(crate) hooks: Option<SaveHooks>,
    pub(crate) options: ReplaceOptions,
    pub(crate) fan_out: FanOut,
}

impl Operation for SaveWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        Common {
            model: self.model,
            write_concern: self.options.write_concern.as_ref(),
            fan_out: &self.fan_out,
        }
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        let effects = Effects::of_write(self.model, &self.fan_out, exec).await?;
        if self.hooks.is_some() || self.moving {
            return Ok(Start::Run(effects, Transaction::Required));
        }
        if has_other_key(self.model) {
            return Ok(Start::Run(effects, Transaction::IfSupported));
        }
        Ok(Start::run(effects, Transaction::None))
    }

    async fn apply(mut self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let (images, existing) = (&effects.images, &effects.existing);
        let place = self.place();
        let is_loaded = self.is_loaded();
        if is_loaded {
            // If a loaded document has been deleted, the save must not insert it again.
            self.options.upsert = Some(false);
        }
        let stored = self.stored_key(&exec).await?;
        if let Some(stored) = stored.as_ref().filter(|_| !exec.is_paper()) {
            self.check_key(stored, &self.stamped_like(stored)?)?;
        }
        let mut called = None;
        if let Some(hooks) = self.hooks.take() {
            match hooks.call(&self, &exec).await? {
                AfterHook::Write(document, write) => {
                    self.document = document;
                    called = Some((hooks.hooks, write));
                }
                AfterHook::Updated(outcome) => return Ok(*outcome),
            }
        }
        let kept = self.kept_keys(&effects, &exec).await?;
        let ids = [self.id];
        let before = images.by_ids(&place, &ids, &exec).await?.pop();
        let mut rows = Rows::new(vec![self.document]);
        for stored in before.iter().chain(stored.as_ref()).chain(kept.as_ref()) {
            rows.change(|document| place.keep_links(document, stored))?;
            rows.change(|document| keep_stored(document, stored, &self.kept))?;
        }
        let moving = stored.filter(|_| self.moving);
        let filter = filter_of_stored(&place, &ids, moving.as_ref(), &rows)?;
        let new = self.options.upsert == Some(true)
            && before.is_none()
            && moving.is_none()
            && !is_stored(&effects, &filter, &exec).await?;
        // The summaries of an `_id` are filled in only for a document of this tenant, because this applies the deltas of the
        // `_id`.
        let can_be_of_other = self.options.upsert != Some(true)
            && self.model.tenant().is_some()
            && exec.in_transaction()
            && before.is_none()
            && effects.inbound.have_deltas();
        let is_of_other = can_be_of_other
            && (!images.is_empty()
                || !exec
                    .any(FindCommand::new(place.clone(), filter.clone()))
                    .await?);
        let written = if is_of_other {
            Vec::new()
        } else {
            effects.inbound.fill(&mut rows, new, &exec).await?
        };
        effects.precede(before.as_slice(), &exec).await?;
        // The images are read from the document whose copies were filled in, because the copies in the struct may be
        // old.
        let after = images.take_all(&rows)?;
        let referred = existing.held(rows.iter().map(|raw| &**raw));
        let referred_before = if referred.is_empty() {
            ReferredKeys::default()
        } else {
            existing.stored(&place, &ids, &exec).await?
        };
        let document = rows.iter().next().cloned().unwrap_or_default();
        let mut replace = ReplaceCommand::one(place, filter, document);
        replace.kept = self.kept;
        match self.version {
            Some((field, version)) if is_loaded => {
                replace.filter.extend(has_version(field, version));
            }
            version => replace.unversioned = version.map(|(field, _)| field),
        }
        replace.options = self.options;
        let [id] = &ids;
        let replaced = send(self.model, (replace, moving.is_some()), id, &exec).await?;
        let is_stored = replaced.matched == 1 || replaced.upserted_id.is_some();
        if let Some((_, expected)) = self.version {
            // A successful write always changes the version.
            let is_changed = replaced.modified == 1 || replaced.upserted_id.is_some();
            if !is_changed && (is_stored || is_loaded) {
                let [id] = ids;
                let found = stored_version(self.model, &id, Visibility::Live, &exec).await?;
                return Err(conflict(self.model, id, expected, found));
            }
        }
        let mut outcome = Outcome::new(UpdateReport::from(replaced));
        if !is_stored {
            refuse_deleted(self.model, id, &exec).await?;
            return Ok(outcome);
        }
        existing.require(&referred_before, &referred, &exec).await?;
        let (images, how) = ((before.as_ref(), after.as_slice()), self.fan_out.how);
        outcome.follow(&effects, images, how, &exec).await?;
        // The values were read before the write, so `follow` must not treat them as a correction.
        outcome.written = written;
        if let Some((hooks, write)) = called {
            outcome.committed = committed(&hooks, write, &ids, &exec).await?;
        }
        Ok(outcome)
    }
}

impl SaveWrite {
    /// Reads the stored document if the save can change its shard key, or only the stored key if the save must keep the
    /// key. Sends nothing if the shard key does not contain fields other than the `_id`.
    async fn stored_key(&self, exec: &Exec) -> Result<Option<Document>> {
        if !has_other_key(self.model) {
            return Ok(None);
        }
        let mut find = FindCommand::new(Place::of(self.model), doc! { "_id": &self.id });
        if !self.moving {
            let key: Vec<String> = self.model.shard_key_paths().collect();
            find = find.select(projection(key.iter().map(String::as_str)));
        }
        let stored = exec.documents(find.first()).await?.pop();
        // A plan without `moving` assumes that the key is unchanged.
        Ok(stored.filter(|_| self.moving || !exec.is_paper()))
    }

    /// Reads those of the kept fields that contain keys of copies, or references with `exists`. The struct can contain
    /// different keys. Sends nothing if there are no such fields, or if the images contain them.
    async fn kept_keys(&self, effects: &Effects, exec: &Exec) -> Result<Option<Document>> {
        let known = effects.images.projection();
        let is_read = |field: &&str| effects.has_key_in(field) && !known.contains_key(*field);
        let keys: Vec<&str> = self.kept.iter().copied().filter(is_read).collect();
        if keys.is_empty() {
            return Ok(None);
        }
        let find = FindCommand::new(self.place(), doc! { "_id": &self.id });
        let find = find.select(projection(keys)).first();
        Ok(exec.documents(find).await?.pop())
    }

    /// Checks that the new document can replace the stored one. Without `moving`, the shard key must be unchanged.
    /// Otherwise, a cluster would store a second document with this `_id` on another shard.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the write would change the tenant, or the key without `moving`.
    /// [`Error::Deleted`](crate::Error::Deleted) if a write with `moving` finds a deleted document.
    fn check_key(&self, stored: &Document, new: &Document) -> Result<()> {
        if !self.moving {
            let mut key = self.model.shard_key_paths();
            let changed = key.find(|path| path != "_id" && !is_same(stored, new, path));
            return changed.map_or(Ok(()), |path| Err(changed_key(self.model, &path)));
        }
        let tenant = self.model.tenant();
        if tenant.is_some_and(|tenant| !is_same(stored, new, tenant)) {
            return Err(changed_tenant(self.model));
        }
        let mut deletion = self.model.deletion_fields();
        if deletion.any(|field| value_of(stored, field) != &Bson::Null) {
            return Err(deleted(self.model, self.id.clone()));
        }
        Ok(())
    }

    /// Returns the new document with its maintained fields, which can be part of the shard key.
    fn stamped_like(&self, stored: &Document) -> Result<Document> {
        let mut document = Cow::Borrowed(&self.document);
        if let Some(hooks) = &self.hooks {
            document = Cow::Owned(hooks.maintained(&document, self.version_number())?);
        }
        if let Some(kept) = keep_stored(&document, stored, &self.kept)? {
            document = Cow::Owned(kept);
        }
        Ok(Document::try_from(&**document).map_err(mongodb::error::Error::from)?)
    }

    /// Returns the place of the stored document. A handle for all tenants must not replace a document of another tenant, so
    /// the place has the tenant of the struct.
    fn place(&self) -> Place {
        let place = Place::live(self.model).seeing(self.visibility);
        let tenant = self.model.tenant();
        let tenant = tenant.and_then(|field| self.document.get(field).ok()?);
        match tenant.map(Bson::try_from) {
            Some(Ok(tenant)) if tenant != Bson::Null => place.of_tenant(tenant),
            _ => place,
        }
    }

    /// Returns the version that the stored document must have, or 0 if the model has no version.
    fn version_number(&self) -> i64 {
        self.version.map_or(0, |(_, version)| version)
    }

    /// Whether the struct was loaded from the database, according to its version. A negative version also counts,
    /// because a request can contain it. An insert would store this version plus one.
    fn is_loaded(&self) -> bool {
        self.version_number() != 0
    }

    /// Whether the write inserts the document if none is stored.
    fn inserts(&self) -> bool {
        self.options.upsert == Some(true)
    }

    /// Returns the id if the caller must check whether the document is deleted, because the server does not report this
    /// as an error.
    pub(super) fn id_if_checked(&self) -> Option<&Bson> {
        let is_checked = !self.inserts() && self.model.deleted_at().is_some();
        is_checked.then_some(&self.id)
    }

    /// Returns the save as one statement, or `None` if it needs further statements, or steps after the server's reply.
    /// In a transaction, the caller must check the id that [`id_if_checked`](Self::id_if_checked) returns.
    ///
    /// Outside of a transaction, a reply about several statements does not show which documents were deleted. A later
    /// `find` would not show this either, because another call can delete or restore a document in the meantime.
    pub(super) async fn statement(&self, exec: &Exec) -> Result<Option<UpdateCommand>> {
        let effects = Effects::of_write(self.model, &self.fan_out, exec).await?;
        let needs_reply =
            self.version.is_some() || (self.id_if_checked().is_some() && !exec.in_transaction());
        if needs_reply || self.hooks.is_some() || !effects.is_empty() {
            return Ok(None);
        }
        let place = self.place();
        let filter = place.filter_of_document(self.id.clone(), &self.document);
        let mut replace = ReplaceCommand::one(place, filter, self.document.clone());
        replace.kept.clone_from(&self.kept);
        replace.options = self.options.clone();
        Ok(replace.into_update()?)
    }
}

/// Returns the filter for the stored document. The filter contains the stored shard key if the save can change the key.
/// Otherwise, the new document has the same key.
fn filter_of_stored(
    place: &Place,
    [id]: &[Bson; 1],
    moving: Option<&Document>,
    rows: &Rows,
) -> Result<Document> {
    let moving = moving.map(RawDocumentBuf::try_from).transpose();
    let moving = moving.map_err(mongodb::error::Error::from)?;
    let keyed = moving.as_ref().or_else(|| rows.iter().next());
    let filter = keyed.map(|document| place.filter_of_document(id.clone(), document));
    Ok(filter.unwrap_or_else(|| doc! { "_id": id }))
}

/// Whether the document is already stored. Sends one `find`, but only if the document contains snapshots and no other
/// statement of the write reads the stored document.
async fn is_stored(effects: &Effects, filter: &Document, exec: &Exec) -> Result<bool> {
    if effects.inbound.snapshots.is_empty() || !effects.images.is_empty() {
        return Ok(false);
    }
    exec.any(FindCommand::new(effects.place(), filter.clone()))
        .await
}

/// Whether the shard key contains fields other than the `_id`. A save must then compare the stored key.
fn has_other_key(model: &ModelShape) -> bool {
    model.shard_key_paths().any(|path| path != "_id")
}

/// Returns the value at a path, or null if it is missing.
fn value_of<'d>(document: &'d Document, path: &str) -> &'d Bson {
    value_at(document, path).unwrap_or(&Bson::Null)
}

fn is_same(stored: &Document, new: &Document, path: &str) -> bool {
    is_same_key(value_of(stored, path), value_of(new, path))
}

/// Sends the replace of the document with the given id.
async fn send(
    model: &'static ModelShape,
    (replace, is_moved): (ReplaceCommand, bool),
    id: &Bson,
    exec: &Exec,
) -> Result<Updated> {
    let place = replace.place.clone();
    let sent = if is_moved {
        replace_or_move(replace, exec).await
    } else {
        exec.send(replace).await
    };
    match sent {
        Ok(replaced) => Ok(replaced),
        Err(error) => Err(explained(model, (&place, &doc! { "_id": id }), error, exec).await),
    }
}
