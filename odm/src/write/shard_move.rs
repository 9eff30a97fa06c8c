//! Moves a document to the shard of its new shard key.
//!
//! A `save` or `replace` without `.moving()` keeps the shard key of the stored document. With `.moving()`, it can change
//! the key:
//!
//! 1. In a transaction, the library reads the stored document.
//! 2. The hooks run, and the library computes the new document, as in every save.
//! 3. If the key is unchanged, or the server is not a cluster, the library sends the statement of an ordinary save. Its
//!    filter contains the stored key.
//! 4. Otherwise, a `delete` with the stored key removes the document from its shard, and an `insert` stores the new
//!    document under the same `_id`.
//! 5. The effects of the write follow as in every save, because they only depend on the document before and after the
//!    write.
//!
//! A router of a cluster would convert an update of the key in the same way, but only for some forms of the statement. The
//! library does not depend on this conversion.
//!
//! All reads of the transaction use one snapshot. If another writer changes or moves the document after the snapshot, the
//! `delete` fails with a write conflict, and the transaction runs again. So the document is never stored twice.

use mongodb::{
    bson::{Bson, Document, doc},
    options::{DeleteOptions, InsertManyOptions, ReplaceOptions},
};

use super::conflict::deleted;
use crate::{
    client::{
        command::{DeleteCommand, FindCommand, InsertCommand, ReplaceCommand, Rows, Updated},
        odm::Exec,
        place::Place,
    },
    error::Result,
    model::shape::ModelShape,
    query::{
        maintained::has_version,
        update::{changed_key, changed_tenant},
    },
    value::{
        key::is_same_key,
        path::{projection, value_at},
    },
};

/// Whether the shard key contains fields other than the `_id`. A save must then compare the stored key.
pub(super) fn has_other_key(model: &ModelShape) -> bool {
    model.shard_key_paths().any(|path| path != "_id")
}

/// The document of a save, whose shard key must be compared with the stored one.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyOfSave<'s> {
    pub(super) model: &'static ModelShape,
    pub(super) id: &'s Bson,
    /// Whether the save can change the shard key.
    pub(super) moving: bool,
}

impl KeyOfSave<'_> {
    /// Reads the stored document if the save can change its shard key, or only the stored key if the save must keep the
    /// key. Sends nothing if the shard key does not contain fields other than the `_id`.
    pub(super) async fn stored(self, exec: &Exec) -> Result<Option<Document>> {
        if !has_other_key(self.model) {
            return Ok(None);
        }
        let mut find = FindCommand::new(Place::of(self.model), doc! { "_id": self.id });
        if !self.moving {
            let key: Vec<String> = self.model.shard_key_paths().collect();
            find = find.select(projection(key.iter().map(String::as_str)));
        }
        let stored = exec.documents(find.first()).await?.pop();
        // A plan without `moving` assumes that the key is unchanged.
        Ok(stored.filter(|_| self.moving || !exec.is_paper()))
    }

    /// Checks that the new document can replace the stored one. Without `moving`, the shard key must be unchanged.
    /// Otherwise, a cluster would store a second document with this `_id` on another shard.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the write would change the tenant, or the key without `moving`.
    /// [`Error::Deleted`](crate::Error::Deleted) if a write with `moving` finds a deleted document.
    pub(super) fn check(self, stored: &Document, new: &Document) -> Result<()> {
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
}

/// Returns the value at a path, or null if it is missing.
fn value_of<'d>(document: &'d Document, path: &str) -> &'d Bson {
    value_at(document, path).unwrap_or(&Bson::Null)
}

fn is_same(stored: &Document, new: &Document, path: &str) -> bool {
    is_same_key(value_of(stored, path), value_of(new, path))
}

/// Sends the statement of a save. The filter of the statement contains the stored shard key. If the new key can belong
/// to another shard, the function instead sends the statements that move the document.
pub(super) async fn replace_or_move(mut replace: ReplaceCommand, exec: &Exec) -> Result<Updated> {
    // The caller has read the stored document.
    replace.options.upsert = Some(false);
    let by_key = replace
        .place
        .filter_of_document(Bson::Null, &replace.document);
    let is_changed = by_key.iter().any(|(path, value)| {
        let stored = replace.filter.get(path);
        path != "_id" && stored.is_none_or(|stored| !is_same_key(stored, value))
    });
    if is_changed && exec.is_on_cluster().await? {
        return move_document(replace, exec).await;
    }
    exec.send(replace).await
}

/// Sends the statements that have the effect of `replace` and also work if the new document belongs to another shard. The
/// document of `replace` must already contain the fields that keep their stored values.
async fn move_document(replace: ReplaceCommand, exec: &Exec) -> Result<Updated> {
    let mut delete = DeleteCommand::one(replace.place.clone(), replace.filter);
    delete.options = delete_options(&replace.options);
    if let Some(field) = replace.unversioned {
        delete.filter.extend(has_version(field, 0));
    }
    exec.note(|| {
        "if the shard key changes; otherwise, one statement replaces the document".to_owned()
    });
    let mut done = Updated {
        // The caller has read the document, so only its version can differ.
        matched: u64::from(replace.unversioned.is_some()),
        ..Updated::default()
    };
    if exec.send(delete).await? > 0 {
        let insert = InsertCommand {
            place: replace.place,
            rows: Rows::new(vec![replace.document]),
            one: true,
            options: insert_options(replace.options),
        };
        done.modified = exec.send(insert).await?;
        done.matched = done.modified;
    }
    Ok(done)
}

fn delete_options(replace: &ReplaceOptions) -> DeleteOptions {
    let mut options = DeleteOptions::default();
    options.collation.clone_from(&replace.collation);
    options.hint.clone_from(&replace.hint);
    options.let_vars.clone_from(&replace.let_vars);
    options.comment.clone_from(&replace.comment);
    options
}

fn insert_options(replace: ReplaceOptions) -> InsertManyOptions {
    let mut options = InsertManyOptions::default();
    options.bypass_document_validation = replace.bypass_document_validation;
    options.comment = replace.comment;
    options
}
