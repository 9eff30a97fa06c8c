//! Saves whole documents.

use std::future::IntoFuture;

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::ReplaceOptions,
};

use super::{
    CopyOptions, Duties, FanOut, Running, UpdateReport, find::encoded_id, insert::stored, tracked,
};
use crate::{
    error::Result,
    model::Model,
    odm::Exec,
    shape::ModelShape,
    statement::{Plan, Statement},
};

/// Writes a whole document over the stored one: `part.save(&odm)`, `part.replace(&odm)`.
///
/// `save` inserts the document if no other has its id; `replace` leaves the database as it is then,
/// and reports that nothing matched. Awaiting it sends one `update` on `_id` with the whole
/// document: fields that the struct does not have are lost, and so is what others wrote since it was
/// loaded. Prefer `update` for single fields. Copies in the document get the values of their sources, and
/// what is copied from it goes to its copies, in a transaction as of [`UpdateOne`](super::UpdateOne): a
/// struct that was loaded long ago brings no old copy back.
///
/// # Errors
///
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) and
/// [`Error::Encode`](crate::Error::Encode) before anything is sent, and what the driver reports.
#[must_use = "a save is sent when it is awaited"]
#[derive(Debug)]
pub struct Save {
    model: &'static ModelShape,
    id: Result<Bson>,
    document: Result<RawDocumentBuf>,
    upsert: bool,
    fan_out: FanOut,
    exec: Exec,
}

impl Save {
    pub(crate) fn new<M: Model>(model: &M, upsert: bool, exec: Exec) -> Self {
        Self {
            model: M::SHAPE,
            id: encoded_id::<M>(model.id()),
            document: stored(model),
            upsert,
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// As awaiting it, before anything is sent.
    pub fn plan(self) -> Result<Plan> {
        let document = Document::try_from(&*self.document?).map_err(mongodb::error::Error::from)?;
        let options = if self.upsert {
            doc! { "upsert": true }
        } else {
            doc! {}
        };
        let replace = Statement::new(self.model.collection, "replaceOne");
        let replace = replace
            .argument(doc! { "_id": self.id? })
            .argument(document);
        Ok(Plan::one(replace.options(options)))
    }
}

impl CopyOptions for Save {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl IntoFuture for Save {
    type Output = Result<UpdateReport>;
    type IntoFuture = Running<UpdateReport>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (id, document, collection) = (self.id?, self.document?, self.model.collection);
            let foreign = self.exec.foreign(collection).await?;
            if let Some(duties) = Duties::of(self.model, foreign)? {
                let (fan_out, exec) = (&self.fan_out, &self.exec);
                return tracked::save(duties, id, document, self.upsert, fan_out, exec).await;
            }
            let options = ReplaceOptions::builder().upsert(self.upsert).build();
            let run = self.exec.run(move |database, session| {
                let collection = database.collection::<RawDocumentBuf>(collection);
                Box::pin(async move {
                    let replace = collection
                        .replace_one(doc! { "_id": id }, document)
                        .with_options(options);
                    match session {
                        Some(session) => replace.session(session).await,
                        None => replace.await,
                    }
                })
            });
            run.await.map(UpdateReport::from)
        })
    }
}
