//! Changes a reference if the document still contains the key that was loaded.
//!
//! This write is an update of one document, and its filter contains the loaded key. If the filter matches nothing, a
//! read in the same transaction returns the key that is stored now.

use mongodb::bson::{Bson, doc};

use super::{
    BoundedUpdate, UpdateOneWrite,
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
};
use crate::{
    client::odm::Exec,
    derived::{after_commit::Outcome, follow::Effects},
    error::{Error, Result},
    value::{
        key::is_same_key,
        path::{projection, value_at},
    },
};

/// An update of one document's reference, which matches only if the document still contains the expected key.
#[derive(Clone, Debug)]
pub(crate) struct ReassignWrite {
    pub(crate) update: BoundedUpdate,
    pub(crate) holder: Holder,
    /// Whether the new key equals the expected one, so that nothing has to be written.
    pub(crate) stays: bool,
}

/// A loaded document that contains the reference.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub(crate) id: Bson,
    /// The stored path of the key.
    pub(crate) path: String,
    /// The loaded key, or null if there is none.
    pub(crate) expected: Bson,
}

impl Operation for ReassignWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.update.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        if self.stays {
            let present = self.present(exec).await?;
            if exec.is_paper() || is_same_key(&present, &self.holder.expected) {
                return Ok(Start::Done(UpdateReport::of_one(false)));
            }
            return Err(self.reassigned(present));
        }
        self.update.start(Transaction::None, exec).await
    }

    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let update = UpdateOneWrite(self.update.clone());
        let outcome = Box::pin(update.apply(effects, exec.clone())).await?;
        if outcome.value.matched > 0 {
            return Ok(outcome);
        }
        // In a transaction, this read uses the same snapshot as the update that matched nothing.
        let present = self.present(&exec).await?;
        Err(self.reassigned(present))
    }
}

impl ReassignWrite {
    /// Reads the stored key of the document with one `find` on `_id`.
    async fn present(&self, exec: &Exec) -> Result<Bson> {
        let Holder { id, path, .. } = &self.holder;
        let mut find = self.update.find().select(projection([path.as_str()]));
        find.filter = doc! { "_id": id };
        // The index on `_id` has the default collation of its collection, so the query must not set a collation.
        find.options.collation = None;
        let Some(found) = exec.documents(find.first()).await?.pop() else {
            return Err(self.update.model.not_found(doc! { "_id": id }));
        };
        Ok(value_at(&found, path).cloned().unwrap_or(Bson::Null))
    }

    fn reassigned(&self, present: Bson) -> Error {
        let (model, holder) = (self.update.model, self.holder.clone());
        Error::Reassigned {
            model: model.name,
            collection: model.collection,
            field: holder.path,
            id: Box::new(holder.id),
            expected: Box::new(holder.expected),
            present: Box::new(present),
        }
    }
}
