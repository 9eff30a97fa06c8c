//! Takes a declaration back.

use mongodb::bson::{Document, doc};

use super::{Known, schema};
use crate::{
    command::{Delete, Update},
    copy::{ExtendedReference, graph},
    error::Result,
    odm::{Exec, Odm},
    outbox::jobs,
};

impl Odm {
    /// Forgets a copy or a rule that no program declares any longer: `Product.parts.id <- Part`, or one
    /// field of a relation whose others stay, `Product.parts.id <- Part (parts.qty)`.
    ///
    /// Jobs that wait for a program with this declaration are removed, unless another declares the same
    /// relation. Without this call a declaration counts for seven days after the last program with it has
    /// started, and its jobs wait for ever. Programs that have read it before may still write
    /// jobs for [`Settings::schema_refresh`](crate::Settings::schema_refresh); call it again then.
    ///
    /// The documents keep what was copied. `update_many` with
    /// [`with`](crate::UpdateOperators::with)`(doc! {"$unset": ..})` takes it out of them.
    ///
    /// One `delete` or `update` and one `find` in `_odm_schema`, and one `delete` in `_odm_jobs`, which reads
    /// all jobs. Returns whether there was such a declaration.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn forget_declaration(&self, name: &str) -> Result<bool> {
        let exec = Exec::on(self.clone());
        let forgotten = match ExtendedReference::field_of(name) {
            (_, None) => delete(doc! { "_id": name }, &exec).await?,
            (reference, Some(field)) => pull(reference, field, &exec).await?,
        };
        let declared = super::foreign::read(self).await?.into_iter();
        let declared = declared.map(|reference| reference.relation.clone());
        let declared: Vec<String> = declared.chain(graph().relations()).collect();
        // The extended reference, and the parts of it that are single fields.
        let names = doc! { "$regex": format!(r"^\Q{name}\E(?: \(|$)") };
        let nobodys = doc! { "name": names, "_id.relation": { "$nin": declared } };
        exec.send(Delete::many(jobs(), nobodys)).await?;
        *self.deployment().kept::<Known>().read.lock().await = None;
        Ok(forgotten)
    }
}

async fn delete(declaration: Document, exec: &Exec) -> Result<bool> {
    Ok(exec.send(Delete::one(schema(), declaration)).await? == 1)
}

async fn pull(reference: &str, field: &str, exec: &Exec) -> Result<bool> {
    let declaration = doc! { "_id": reference };
    let pull = doc! { "$pull": { "fields": { "to": field } } };
    let updated = exec.send(Update::one(schema(), declaration, pull));
    Ok(updated.await?.modified == 1)
}
