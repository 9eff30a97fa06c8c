//! Takes a declaration back.

use mongodb::bson::{Bson, doc};

use super::{
    cache::DeclarationCache,
    stored::{StoredDeclaration, find, live, schema},
};
use crate::{
    client::{
        command::{DeleteCommand, UpdateCommand},
        odm::{Exec, Odm},
    },
    derived::outbox::jobs,
    error::{Error, Result},
    graph::{ExtendedReference, graph},
};

impl Odm {
    /// Forgets a copy or a rule that no program declares any longer: `products.parts.id <- parts._id`, or what
    /// programs call it, `Product.parts.id <- Part`. One field of a relation whose others stay:
    /// `products.parts.id <- parts._id (parts.qty)`.
    ///
    /// Jobs that wait for a program with this declaration are removed, unless another declares the same
    /// relation. Without this call a declaration counts for seven days after the last program with it has
    /// started, and its jobs wait as long. Programs that have read it before may still write
    /// jobs for [`Settings::schema_refresh`](crate::Settings::schema_refresh); call it again then.
    ///
    /// The documents keep what was copied. `update_many` with
    /// [`with`](crate::UpdateOperators::with)`(doc! {"$unset": ..})` takes it out of them.
    ///
    /// Two `find`s and one `delete` or `update` in `_odm_schema`, and one `delete` in `_odm_jobs`, which reads
    /// all jobs. Returns whether there was such a declaration.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if programs call several relations so, and what the server reports.
    pub async fn forget_declaration(&self, name: &str) -> Result<bool> {
        let exec = Exec::on(self.clone());
        let (reference, field) = ExtendedReference::field_of(name);
        let stored = find(doc! {}, self).await?;
        let named = stored.iter().filter(|it| it.name == reference);
        let mut relations: Vec<String> = named.map(|it| it.relation.clone()).collect();
        if relations.len() > 1 {
            return Err(Error::invalid(format!(
                "several relations are called `{reference}`; forget one of `{}`",
                relations.join("`, `")
            )));
        }
        let relation = relations.pop().unwrap_or_else(|| reference.to_owned());
        let document = doc! { "_id": &relation };
        let forgotten = match field {
            None => exec.send(DeleteCommand::one(schema(), document)).await? > 0,
            Some(field) => {
                let pull = doc! { "$pull": { "fields": { "to": field } } };
                let pulled = exec
                    .send(UpdateCommand::one(schema(), document, pull))
                    .await?;
                pulled.modified > 0
            }
        };
        remove_jobs(&relation, field, &exec).await?;
        self.deployment().shared::<DeclarationCache>().forget();
        Ok(forgotten)
    }
}

/// Removes the jobs of a relation, or of one of its fields, but for those that somebody declares all the same.
async fn remove_jobs(relation: &str, field: Option<&str>, exec: &Exec) -> Result<()> {
    let left = live(exec.odm()).await?;
    let left = left.values().flat_map(StoredDeclaration::relations);
    let declared: Vec<String> = left.chain(graph().relations()).collect();
    // The extended reference, and the parts of it that are single fields.
    let gone: Bson = match field {
        Some(field) => ExtendedReference::name_of_field(relation, field).into(),
        None => doc! { "$regex": format!(r"^\Q{relation}\E(?: \(|$)") }.into(),
    };
    let nobodys =
        doc! { "$and": [{ "_id.relation": gone }, { "_id.relation": { "$nin": declared } }] };
    exec.send(DeleteCommand::many(jobs(), nobodys)).await?;
    Ok(())
}
