//! Deletes documents, and carries out the delete rules (`on_delete`) of references to these documents.
//!
//! All reads precede all writes:
//!
//! 1. `cascade` collects the dependent documents level by level, with one `find` for each rule and level, until the
//!    budget of the transaction is used up. The job for a rule handles the remaining documents in the same way. A
//!    document that has already been collected is skipped, so that cycles end.
//! 2. `restrict` rejects the delete if a remaining document refers to any collected document. It runs after step 1,
//!    because a referring document that is also deleted cannot forbid the delete.
//! 3. `delete_statement` sends one `delete` for each model and one `update` for each rule, for all levels together.

mod cascade;
mod delete_statement;
mod deleted_document;
mod key_removal;
mod owner;
mod restrict;

use mongodb::bson::{Bson, Document};

use super::follow_result::{Follow, Followed};
use crate::{
    client::{command::FindCommand, odm::Exec},
    error::Result,
    graph::Rule,
    model::shape::ModelShape,
    value::{
        key::JoinKey,
        path::{each_value, projection},
    },
};
use cascade::Cascade;
use delete_statement::carry_out;
pub(crate) use deleted_document::DeletedDocuments;
use owner::{keys_without_document, owners};
use restrict::may_be_refused;
pub(crate) use restrict::{check_restrict, is_restricted};

/// Deletes the documents that a query finds, and carries out the delete rules. Returns the number of these documents.
/// `also` are documents that the same call deletes in other parts.
pub(crate) async fn delete(
    model: &'static ModelShape,
    find: FindCommand,
    how: Follow,
    also: &DeletedDocuments,
    exec: &Exec,
) -> Result<(u64, Followed)> {
    let mut cascade = Cascade::new(how.budget(exec));
    let asked = cascade.begin(model, find, exec).await?;
    if asked == 0 {
        return Ok((0, Followed::default()));
    }
    let is_deferred = how == Follow::Deferred;
    // Without a transaction, a crash could stop the delete between two levels. So the jobs, stored first, do it.
    if exec.in_transaction() && (!is_deferred || may_be_refused(model.documents())) {
        // A deferred delete descends only to find a reference that forbids it. `leave_to_jobs` drops the found
        // documents.
        cascade.descend(exec).await?;
    }
    refuse_restricted(&cascade, also, exec).await?;
    if is_deferred {
        cascade.leave_to_jobs(asked);
    }
    carry_out(cascade, asked, how, exec).await
}

/// Largest number of documents that one batch of a job deletes or updates.
const DEPENDENTS: u64 = 10_000;

/// Carries out a rule for some of the documents that refer to deleted ones. Returns the number of these documents.
/// Skips a key if a document with this key exists again.
///
/// `only` is a condition on these documents, and `size` is their largest number. The documents that depend on them are
/// written in the same transaction, up to [`DEPENDENTS`]. A separate job for each deleted document would need many more
/// commands. The runner reduces `size` if a batch takes too long.
pub(crate) async fn unlink(
    rule: &'static Rule,
    keys: &[JoinKey],
    only: Document,
    size: usize,
    exec: &Exec,
) -> Result<(u64, Followed)> {
    // A single document was rejected in a batch. Its dependents get jobs, so that none of them can keep it from being
    // deleted.
    let budget = if size == 1 { 1 } else { DEPENDENTS };
    let mut cascade = Cascade::new(Some(budget));
    let keys =
        keys_without_document(rule, keys.to_vec(), &DeletedDocuments::default(), exec).await?;
    let found = cascade.reach(rule, &keys, only, size, exec).await?;
    if found == 0 {
        return Ok((0, Followed::default()));
    }
    if exec.in_transaction() {
        cascade.descend(exec).await?;
    }
    // A job has no caller, so the runner skips this document and reports it.
    refuse_restricted(&cascade, &DeletedDocuments::default(), exec).await?;
    let (_, followed) = carry_out(cascade, 0, Follow::Converge, exec).await?;
    Ok((found, followed))
}

/// Rejects the delete if a reference with `restrict` in a remaining document refers to a collected one.
async fn refuse_restricted(cascade: &Cascade, also: &DeletedDocuments, exec: &Exec) -> Result<()> {
    for gone in &cascade.gone {
        let (of, documents) = (gone.model.documents(), &gone.documents);
        restrict::refuse(of, documents, [&cascade.going, also], exec).await?;
    }
    Ok(())
}

/// Finds a document that [`unlink`] would write, and the keys of deleted documents that it contains.
pub(crate) async fn first_owner(
    rule: &Rule,
    keys: &[JoinKey],
    only: Document,
    exec: &Exec,
) -> Result<Option<(Bson, Vec<JoinKey>)>> {
    let keys =
        keys_without_document(rule, keys.to_vec(), &DeletedDocuments::default(), exec).await?;
    if keys.is_empty() {
        return Ok(None);
    }
    let wanted: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let path = rule.key_path();
    let key = projection([path.as_str()]);
    let find = owners(rule, &wanted).and(only).select(key).first();
    let Some(owner) = exec.documents(find).await?.pop() else {
        return Ok(None);
    };
    let mut held = Vec::new();
    each_value(&owner, &path, &mut |key| {
        let key = JoinKey::from(key.clone());
        if keys.contains(&key) {
            held.push(key);
        }
    });
    Ok(owner.get("_id").cloned().map(|id| (id, held)))
}
