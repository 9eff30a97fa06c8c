//! Takes a declaration back.

use mongodb::bson::{Document, doc};

use super::{Known, schema};
use crate::{
    command::{Delete, Update},
    error::Result,
    job::jobs,
    odm::{Exec, Odm},
};

impl Odm {
    /// Forgets a copy or a rule that no program declares any longer: `Product.parts.id <- Part`, or one
    /// field of a relation whose others stay, `Product.parts.id <- Part (parts.qty)`.
    ///
    /// Jobs that wait for a program with this declaration are freed of it, so that the others finish
    /// them. Without this call a declaration counts for seven days after the last program with it has
    /// started, and jobs that name it wait for ever. Programs that have read it before may still name
    /// it for [`Settings::schema_refresh`](crate::Settings::schema_refresh); call it again then.
    ///
    /// The documents keep what was copied. `update_many` with
    /// [`with`](crate::UpdateOperators::with)`(doc! {"$unset": ..})` takes it out of them.
    ///
    /// One `delete` or `update` in `_odm_schema` and one `update` of `_odm_jobs`, which reads all jobs. Returns
    /// whether there was such a declaration.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn forget_declaration(&self, name: &str) -> Result<bool> {
        let exec = Exec::on(self.clone());
        let forgotten = match field_of(name) {
            None => delete(doc! { "_id": name }, &exec).await?,
            Some((tie, field)) => pull(tie, field, &exec).await?,
        };
        // The tie, and the parts of it that are single fields.
        let names = doc! { "$regex": format!(r"^\Q{name}\E(?: \(|$)") };
        let free = doc! { "$pull": { "ties": names.clone(), "keys": { "tie": names.clone() } } };
        exec.send(Update::many(jobs(), doc! { "ties": names }, free))
            .await?;
        *self.deployment().kept::<Known>().read.lock().await = None;
        Ok(forgotten)
    }
}

/// Takes the name of a single field apart: the tie, and the stored path of the copy.
fn field_of(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix(')')?.split_once(" (")
}

async fn delete(declaration: Document, exec: &Exec) -> Result<bool> {
    Ok(exec.send(Delete::one(schema(), declaration)).await? == 1)
}

async fn pull(tie: &str, field: &str, exec: &Exec) -> Result<bool> {
    let declaration = doc! { "_id": tie };
    let pull = doc! { "$pull": { "fields": { "to": field } } };
    let updated = exec.send(Update::one(schema(), declaration, pull));
    Ok(updated.await?.modified == 1)
}
