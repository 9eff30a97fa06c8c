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
    bson::Bson,
    options::{DeleteOptions, InsertManyOptions, ReplaceOptions},
};

use crate::{
    client::{
        command::{DeleteCommand, InsertCommand, ReplaceCommand, Rows, Updated},
        odm::Exec,
    },
    error::Result,
    query::maintained::has_version,
    setters::copy_options,
    value::key::is_same_key,
};

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
            options: insert_options(&replace.options),
        };
        done.modified = exec.send(insert).await?;
        done.matched = done.modified;
    }
    Ok(done)
}

fn delete_options(replace: &ReplaceOptions) -> DeleteOptions {
    let mut options = DeleteOptions::default();
    copy_options!(replace => options, [collation, hint, let_vars, comment]);
    options
}

fn insert_options(replace: &ReplaceOptions) -> InsertManyOptions {
    let mut options = InsertManyOptions::default();
    copy_options!(replace => options, [bypass_document_validation, comment]);
    options
}
