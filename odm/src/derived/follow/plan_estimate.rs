//! Estimates how many copies a planned write would update.

use mongodb::bson::{Bson, doc};

use crate::{
    client::{
        command::UpdateCommand,
        odm::{Exec, Odm, traced_call},
        place::Place,
        plan::Plan,
    },
    error::Result,
};

impl Plan {
    /// Counts the documents in which the plan would write copies, and adds these numbers to the plan.
    ///
    /// If the plan does not contain the keys of the copies that a statement writes, no number is added to that
    /// statement. The keys are missing, for example, if the write does not select the source by its id.
    ///
    /// # Sends
    ///
    /// One aggregation for each statement that writes copies. The aggregation uses the same index as that statement.
    ///
    /// # Errors
    ///
    /// Server errors.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/log_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Host>) -> mongo_odm::Result<()> {
    /// let rename = Host::update(&odm, id).set(Host::fields().name, "web-1");
    /// println!("{}", rename.plan()?.estimate(&odm).await?);
    /// # Ok(()) }
    /// ```
    pub async fn estimate(self, odm: &Odm) -> Result<Self> {
        let odm = odm.clone();
        traced_call("estimate", async move { self.counted(odm).await }).await
    }

    async fn counted(mut self, odm: Odm) -> Result<Self> {
        let exec = Exec::on(odm);
        for statement in &mut self.statements {
            let (Some(name), Some(filter)) = (&statement.collection, &statement.counted) else {
                continue;
            };
            // In a plan, a value of the BSON type `Code` is a placeholder for a value that is not known until the write
            // runs. A query that contained the placeholder would search for documents that store the placeholder
            // itself.
            if has_code(&Bson::Document(filter.clone())) {
                continue;
            }
            let copies = UpdateCommand::many(
                Place::whole_collection(name.clone()),
                filter.clone(),
                doc! {},
            );
            let copies = super::copy_write::count(&copies, u64::MAX, &exec).await?;
            let note = format!("{copies} documents of `{name}` now");
            statement.notes.push(note);
        }
        Ok(self)
    }
}

fn has_code(value: &Bson) -> bool {
    match value {
        Bson::JavaScriptCode(_) => true,
        Bson::Document(document) => document.values().any(has_code),
        Bson::Array(items) => items.iter().any(has_code),
        _ => false,
    }
}
