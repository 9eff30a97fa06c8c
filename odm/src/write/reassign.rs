//! Writes a reference, if the document still has the key that was loaded.
//!
//! It is an update of one document with the loaded key in the filter. If it matches nothing, a read in the same
//! transaction returns the present key.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, doc},
    options::WriteConcern,
};

use super::{
    BoundedUpdate, UpdateOneWrite, UpdateReport,
    after::Outcome,
    driver::{Transaction, drive},
};
use crate::{
    client::odm::{Exec, Write},
    derived::follow::{Effects, FanOut},
    error::{Error, Result},
    model::shape::ModelShape,
    value::{
        key::JoinKey,
        path::{projection, value_at},
    },
};

/// An update of the reference of one document, which matches as long as the document has the expected key.
#[derive(Clone, Debug)]
pub(crate) struct ReassignWrite {
    pub(crate) update: BoundedUpdate,
    pub(crate) holder: Holder,
    /// Whether the new key is the expected one, so that there is nothing to write.
    pub(crate) stays: bool,
    pub(crate) fan_out: FanOut,
}

/// A document with a reference, as its caller has loaded it.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub(crate) id: Bson,
    /// The stored path of the key.
    pub(crate) path: String,
    /// The key; null for none.
    pub(crate) expected: Bson,
}

impl Write for ReassignWrite {
    type Report = UpdateReport;

    fn model(&self) -> &'static ModelShape {
        self.update.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.update.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<UpdateReport>> {
        Box::pin(async move {
            if self.stays {
                return self.stay(&exec).await;
            }
            let update = &self.update;
            let effects =
                Effects::of_update(update.model, &update.update, &self.fan_out, &exec).await?;
            let fan_out = self.fan_out.clone();
            let run = |(write, effects): (Self, Effects), exec| write.reassign(effects, exec);
            let (report, done) = drive(
                (self, effects),
                fan_out,
                Transaction::ForEffects,
                run,
                &exec,
            )
            .await?;
            Ok(report.with(done))
        })
    }
}

impl ReassignWrite {
    /// Writes nothing, and asks whether the key is still there: one `find`.
    async fn stay(self, exec: &Exec) -> Result<UpdateReport> {
        let present = self.present(exec).await?;
        if exec.is_paper() || same_key(&present, &self.holder.expected) {
            return Ok(UpdateReport::of_one(false));
        }
        Err(self.reassigned(present))
    }

    async fn reassign(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let update = UpdateOneWrite {
            update: self.update.clone(),
            fan_out: self.fan_out.clone(),
        };
        let outcome = Box::pin(update.update(effects, exec.clone())).await?;
        if outcome.value.matched > 0 {
            return Ok(outcome);
        }
        // In the snapshot in which nothing matched.
        let present = self.present(&exec).await?;
        Err(self.reassigned(present))
    }

    /// Reads the key that the document has: one `find` on `_id`.
    async fn present(&self, exec: &Exec) -> Result<Bson> {
        let Holder { id, path, .. } = &self.holder;
        let mut find = self.update.find().select(projection([path.as_str()]));
        find.filter = doc! { "_id": id };
        // The index on `_id` has the collation of its collection.
        find.options.collation = None;
        let Some(found) = exec.documents(find.first()).await?.pop() else {
            return Err(self.not_found());
        };
        Ok(value_at(&found, path).cloned().unwrap_or(Bson::Null))
    }

    fn not_found(&self) -> Error {
        let model = self.update.model;
        Error::NotFound {
            model: model.name,
            collection: model.collection,
            filter: Box::new(doc! { "_id": &self.holder.id }),
        }
    }

    fn reassigned(self, present: Bson) -> Error {
        let model = self.update.model;
        Error::Reassigned {
            model: model.name,
            collection: model.collection,
            field: self.holder.path,
            id: Box::new(self.holder.id),
            expected: Box::new(self.holder.expected),
            present: Box::new(present),
        }
    }
}

/// Whether two keys are one for the server; null and missing are.
pub(crate) fn same_key(one: &Bson, other: &Bson) -> bool {
    JoinKey::from(one.clone()) == JoinKey::from(other.clone())
}
