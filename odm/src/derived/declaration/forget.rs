//! Removes a stored declaration that programs no longer use.

use mongodb::bson::{Bson, doc};

use super::{
    cache::DeclarationCache,
    live::live,
    stored::{StoredDeclaration, find, schema},
};
use crate::{
    client::{
        command::{DeleteCommand, UpdateCommand},
        odm::{Exec, Odm},
    },
    derived::{outbox::jobs, values::delta::deltas},
    error::{Error, Result},
    graph::{ExtendedReference, graph},
};

impl Odm {
    /// Removes the stored declaration of a copy or a rule that programs no longer declare.
    ///
    /// `name` can have one of these forms:
    ///
    /// - the name of the relation in stored paths: `products.parts.id <- parts._id`
    /// - the name of the relation in a program: `Product.parts.id <- Part`
    /// - a single field of a relation: `products.parts.id <- parts._id (parts.qty)`
    ///
    /// The call also removes jobs and deltas that only a program with this declaration could process, unless another
    /// program declares the same relation. If you forget the last field of a relation, the whole relation is forgotten.
    /// Without this call, a declaration and its jobs expire seven days after a program last stored the declaration.
    ///
    /// If this program still declares the copy or the rule, its next write to a source stores the declaration again.
    ///
    /// Returns whether the declaration existed.
    ///
    /// # Sends
    ///
    /// In `_odm_schema`, two `find`s and one `delete`. In `_odm_jobs` and `_odm_deltas`, one `delete` each, which scans
    /// the collection. For a single field, also one `update` in each collection.
    ///
    /// # Limits
    ///
    /// - Programs that have already read the declaration can still store jobs for as long as
    ///   [`Settings::schema_refresh`](crate::Settings::schema_refresh). After this period, call `forget_declaration`
    ///   again.
    /// - Other programs that still declare the copy or the rule store the declaration again after their next start, or
    ///   within a day.
    /// - The call does not remove the copies from the documents. Remove them with `update_many` and
    ///   [`with`](crate::UpdateOperators::with)`(doc! {"$unset": ..})`.
    ///
    /// # Errors
    ///
    /// - [`Error::Invalid`] if several relations match the name.
    /// - server errors
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let existed = odm.forget_declaration("products.parts.id <- parts._id (parts.qty)").await?;
    /// # Ok(()) }
    /// ```
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
        let mut document = doc! { "_id": &relation };
        let mut is_pulled = None;
        if let Some(field) = field {
            let pull = doc! { "$pull": { "fields": { "to": field } } };
            let pull = UpdateCommand::one(schema(), document.clone(), pull);
            is_pulled = Some(exec.send(pull).await?.modified > 0);
            // A declaration of copies without fields describes nothing, so it is removed, too.
            document.extend(doc! { "rule": false, "fields": [] });
        }
        let is_removed = exec.send(DeleteCommand::one(schema(), document)).await? > 0;
        let only = field.filter(|_| !is_removed);
        remove_work(&relation, only, &exec).await?;
        self.deployment().shared::<DeclarationCache>().forget();
        Ok(is_pulled.unwrap_or(is_removed))
    }
}

/// Removes the jobs and deltas for a relation, or only the work for one of its fields. Work is kept if another program
/// still declares the relation or the field.
async fn remove_work(relation: &str, field: Option<&str>, exec: &Exec) -> Result<()> {
    let left = live(exec.odm()).await?;
    let left = left.values().flat_map(StoredDeclaration::relations);
    let declared: Vec<String> = left.chain(graph().relations()).collect();
    let gone: Bson = match field {
        Some(field) => {
            let of_field = ExtendedReference::name_of_field(relation, field);
            if !declared.contains(&of_field) {
                // Otherwise, the runner of such a job would store a job for the field, because it does not know the
                // field.
                let of_relation = doc! { "_id.relation": relation, "fields": field };
                let pull = doc! { "$pull": { "fields": field } };
                let pull = UpdateCommand::many(jobs(), of_relation, pull);
                exec.send(pull).await?;
                let of_relation = doc! { "of.relation": relation, "steps.field": field };
                let pull = doc! { "$pull": { "steps": { "field": field } } };
                exec.send(UpdateCommand::many(deltas(), of_relation, pull))
                    .await?;
            }
            of_field.into()
        }
        // Matches the relation itself, and the relations for its single fields.
        None => doc! { "$regex": format!(r"^\Q{relation}\E(?: \(|$)") }.into(),
    };
    for (place, path) in [(jobs(), "_id.relation"), (deltas(), "of.relation")] {
        let nobodys = doc! { "$and": [{ path: gone.clone() }, { path: { "$nin": &declared } }] };
        exec.send(DeleteCommand::many(place, nobodys)).await?;
    }
    Ok(())
}
