//! Takes a declaration back.

use mongodb::bson::doc;

use super::schema;
use crate::{
    error::Result,
    job::{JOBS, durable},
    odm::{Exec, Odm},
};

impl Odm {
    /// Forgets a copy or a rule that no program declares any longer: `Product.parts.id <- Part`.
    ///
    /// Jobs that wait for a program with this declaration are freed of it, so that the others finish
    /// them. Without this call a declaration counts for seven days after the last program with it has
    /// started, and jobs that name it wait for ever. Programs that have read it before may still name
    /// it for [`Settings::schema_refresh`](crate::Settings::schema_refresh); call it again then.
    ///
    /// One `delete` in `_odm_schema` and one `update` of `_odm_jobs`, which reads all jobs. Returns
    /// whether there was such a declaration.
    ///
    /// # Errors
    ///
    /// What the server reports.
    pub async fn forget_declaration(&self, name: &str) -> Result<bool> {
        let exec = Exec::Odm(self.clone());
        let by_id = doc! { "_id": name };
        let deleted = exec.run(move |database, _| {
            let schema = schema(database);
            Box::pin(async move { schema.delete_one(by_id).await })
        });
        let deleted = deleted.await?.deleted_count == 1;
        // The tie, and the parts of it that are single fields.
        let names = doc! { "$regex": format!(r"^\Q{name}\E(?: \(|$)") };
        let free = doc! { "$pull": { "ties": names.clone(), "keys": { "tie": names.clone() } } };
        exec.run(move |database, _| {
            let jobs = durable(database, JOBS, false);
            Box::pin(async move { jobs.update_many(doc! { "ties": names }, free).await })
        })
        .await?;
        *self.deployment().schema.read.lock().await = None;
        Ok(deleted)
    }
}
