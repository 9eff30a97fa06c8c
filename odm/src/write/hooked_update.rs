//! Calls the hooks of updated documents.
//!
//! An update of a model with hooks runs in a transaction:
//!
//! 1. The library reads the matching documents.
//! 2. `before_update` runs for each document, and can add operators to the update of this document.
//! 3. The library sets the maintained fields, and groups the documents by their updates. For each group, it computes the
//!    effects of the update, and sends one statement.
//! 4. For `after_commit`, the library reads the documents again.

use mongodb::bson::{Bson, RawDocument, RawDocumentBuf, doc};

use super::{
    BoundedUpdate,
    bounded_update::GivenUpdate,
    operation::{Start, Transaction},
    report::{Total, UpdateReport},
    send_update::update_expected,
    send_updates::update_documents,
    shard_move::replace_or_move,
};
use crate::{
    client::{
        command::{FindCommand, ReplaceCommand, Rows, and},
        id_order::id_of,
        odm::Exec,
        place::Place,
    },
    derived::{
        after_commit::Outcome,
        follow::{Effects, ReferredKeys},
        values::key_condition,
    },
    error::{ErrorKind, Result},
    hook::{Committed, CommittedHooks, ModelHooks},
    query::{
        maintained::Stamp,
        update::{Update, check_array_filters},
    },
};

/// Largest number of documents that are read before their hooks run.
const AT_ONCE: usize = 500;

impl BoundedUpdate {
    /// Returns the hooks that the update calls.
    pub(super) fn hooks(&self) -> Option<ModelHooks> {
        let hooks = self.fan_out.hooks(self.model)?;
        (hooks.has.before_update || hooks.has.after_commit).then_some(hooks)
    }

    /// Starts a write that consists of this update. Hooks can change other fields, so a write with hooks has the effects
    /// of all fields.
    pub(super) async fn start<R>(&self, least: Transaction, exec: &Exec) -> Result<Start<R>> {
        if self.hooks().is_some() {
            let effects = Effects::of_write(self.model, &self.fan_out, exec).await?;
            return Ok(Start::Run(effects, Transaction::Required));
        }
        let least = if self.needs_look() {
            Transaction::Required
        } else {
            least
        };
        Ok(Start::run(self.effects(exec).await?, least))
    }

    /// Returns the hooks that an upsert calls, including those of an insert, because an upsert can insert a document.
    pub(super) fn model_hooks(&self) -> Option<ModelHooks> {
        self.fan_out.hooks(self.model)
    }

    /// Calls `before_update` for a document. Returns the update, including the operators that the hook has added.
    pub(super) async fn after_hook(
        self,
        hooks: &ModelHooks,
        stored: &RawDocument,
        exec: &Exec,
    ) -> Result<Self> {
        let Some(given) = self.given.clone().filter(|_| hooks.has.before_update) else {
            return Ok(self);
        };
        if exec.is_paper() {
            exec.note(|| "after `before_update`, which may change the statement".to_owned());
            return Ok(self);
        }
        let GivenUpdate {
            modifications,
            stamp,
            moving,
        } = given;
        let change = Update::given(modifications, self.parents.clone());
        let before = change.clone();
        let build = |mut change: Update<()>| {
            if change.is_same(&before) {
                return Ok(self);
            }
            let parents = change.take_parents();
            let update = change.into_modifications()?;
            let filters = self.options.array_filters.as_deref().unwrap_or_default();
            check_array_filters(&update, filters)?;
            // `link` and `unlink` change only links, so they do not set maintained fields. The hook changes other fields.
            let stamp = match stamp {
                Some(stamp) => Some(stamp),
                None => Stamp::of_change(self.model, exec)?,
            };
            let (filter, options) = (self.filter.clone(), self.options.clone());
            let new = Self::with_key(self.model, filter, update, options, stamp, moving)?;
            Ok(Self {
                update: new.update,
                check: new.check,
                parents,
                ..self
            })
        };
        hooks.before_update(stored, change, build, exec).await
    }
}

/// Updates the first document that matches, and calls its hooks.
pub(super) async fn update_first(
    hooks: &ModelHooks,
    mut update: BoundedUpdate,
    exec: &Exec,
) -> Result<Outcome<UpdateReport>> {
    let stored = exec.raw_documents(update.find().first()).await?.pop();
    let id = stored.as_deref().and_then(id_of);
    if let (Some(stored), Some(id)) = (&stored, &id) {
        update.pin(id.clone());
        update = update.after_hook(hooks, stored, exec).await?;
        if update.is_empty() {
            return Ok(Outcome::new(UpdateReport::of_one(false)));
        }
    }
    // If no document matches, the statement is sent nevertheless, because its reply determines the error.
    let effects = update.effects(exec).await?;
    let mut outcome = Box::pin(update_expected(update, effects, exec)).await?;
    if outcome.value.matched > 0 {
        let ids = id.as_slice();
        outcome.committed = committed(hooks, Committed::Updated, ids, exec).await?;
    }
    Ok(outcome)
}

/// Updates the documents that still match, and calls their hooks.
pub(super) async fn update_each(
    hooks: &ModelHooks,
    update: BoundedUpdate,
    ids: &[Bson],
    exec: &Exec,
) -> Result<Outcome<UpdateReport>> {
    let mut outcome = Outcome::new(UpdateReport::default());
    for ids in ids.chunks(AT_ONCE) {
        let mut find = update.find();
        find.filter = and(update.exactly(ids), find.filter);
        let stored = exec.raw_documents(find.all()).await?;
        let mut updated = Vec::new();
        for (update, ids) in after_hooks(hooks, &update, &stored, exec).await? {
            updated.extend_from_slice(&ids);
            let effects = update.effects(exec).await?;
            let images = &effects.images;
            let before = images.by_ids(&effects.place(), &ids, exec).await?;
            let sent = update_documents(update, effects, (ids, before), exec.clone());
            let report = outcome.add(Box::pin(sent).await?);
            outcome.value.count(&report);
        }
        let committed = committed(hooks, Committed::Updated, &updated, exec).await?;
        outcome.committed.extend(committed);
    }
    Ok(outcome)
}

/// Calls `before_insert` for a document that an upsert has just inserted, and stores the changes that the hook has
/// made. The hook runs after the statement, because only the server can build the document.
///
/// The stored document does not contain its copies yet. The hook receives the document with its copies, because the struct
/// may require them.
pub(super) async fn inserted_after_hook(
    hooks: &ModelHooks,
    update: &BoundedUpdate,
    (inserted, effects): (RawDocumentBuf, &Effects),
    exec: &Exec,
) -> Result<RawDocumentBuf> {
    if !hooks.has.before_insert {
        return Ok(inserted);
    }
    if exec.is_paper() {
        exec.note(|| "if the document is new, `before_insert` runs here".to_owned());
        return Ok(inserted);
    }
    let mut rows = Rows::new(vec![inserted.clone()]);
    effects.inbound.fill(&mut rows, true, exec).await?;
    let complete = rows.iter().next().unwrap_or(&inserted).clone();
    let called = hooks.before_insert(complete.clone(), exec).await;
    if called
        .as_ref()
        .is_err_and(|error| error.kind() == ErrorKind::Decode)
    {
        // The struct may require a copy whose source does not exist.
        let referred = effects.existing.held([&*complete]);
        let before = ReferredKeys::default();
        effects.existing.require(&before, &referred, exec).await?;
    }
    let mut document = called?;
    if document == complete {
        return Ok(inserted);
    }
    let given = update.given.as_ref();
    if let Some(stamp) = given.and_then(|given| given.stamp.as_ref()) {
        let stamped = stamp.document(&document, 0);
        document = stamped.inspect_err(|error| exec.poison(error))?;
    }
    let place = update.place();
    // The hook may have changed the shard key.
    let filter = place.filter_of_document(id_of(&inserted).unwrap_or(Bson::Null), &inserted);
    let replace = ReplaceCommand::one(place, filter, document.clone());
    replace_or_move(replace, exec).await?;
    Ok(document)
}

/// Calls `before_update` for each document. Returns the distinct updates that result from the hooks, each with the ids
/// of its documents.
async fn after_hooks(
    hooks: &ModelHooks,
    update: &BoundedUpdate,
    stored: &[RawDocumentBuf],
    exec: &Exec,
) -> Result<Vec<(BoundedUpdate, Vec<Bson>)>> {
    let mut groups: Vec<(BoundedUpdate, Vec<Bson>)> = Vec::new();
    for document in stored {
        let own = update.clone().after_hook(hooks, document, exec).await?;
        let id = id_of(document).unwrap_or(Bson::Null);
        match groups.iter_mut().find(|(other, _)| other.is_same(&own)) {
            Some((_, ids)) => ids.push(id),
            None => groups.push((own, vec![id])),
        }
    }
    groups.retain(|(update, _)| !update.is_empty());
    Ok(groups)
}

/// Reads the documents of a write for `after_commit`.
pub(super) async fn committed(
    hooks: &ModelHooks,
    write: Committed,
    ids: &[Bson],
    exec: &Exec,
) -> Result<CommittedHooks> {
    if !hooks.has.after_commit || ids.is_empty() {
        return Ok(CommittedHooks::default());
    }
    let by_ids = doc! { "_id": key_condition(ids) };
    let find = FindCommand::new(Place::live(hooks.model), by_ids);
    let stored = exec.raw_documents(find.all()).await?;
    Ok(hooks.committed(write, stored))
}
