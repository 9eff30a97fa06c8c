//! Deletes documents.

use std::future::IntoFuture;

use mongodb::{bson::Document, options::DeleteOptions};

use super::{CopyOptions, FanOut, Running, tracked};
use crate::{
    copy::CopyReport,
    error::{Error, Result},
    filter::Filter,
    model::Model,
    odm::Exec,
    statement::{Plan, Statement},
};

/// What a delete did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeleteReport {
    /// How many documents were removed.
    pub deleted: u64,
    /// What it did to the copies of the documents, for each tie.
    pub copies: Vec<CopyReport>,
}

/// Deletes documents: `Part::delete(&odm, id)`, `Part::delete_many(&odm, filter)`.
///
/// Awaiting it sends one `delete` and returns how many documents it removed. References to them stay
/// as they are, unless they say `on_delete`. Then, and if the documents are copied, it runs in a transaction
/// (parts of 500 for `delete_many`): a `find` of the documents, one for each rule, the `delete`, the job,
/// and what the rules say. More than [`Settings::inline_copies`](crate::Settings) references are left
/// to the job, which is run to its end before this returns.
///
/// # Errors
///
/// [`Error::Invalid`] for a `delete_many` with an empty filter without
/// [`everything`](Self::everything), [`Error::Restricted`] if a reference forbids it, and what the driver
/// reports.
#[must_use = "a delete is sent when it is awaited"]
#[derive(Debug)]
pub struct Delete<M> {
    filter: Filter<M>,
    many: bool,
    everything: bool,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Model> Delete<M> {
    pub(crate) fn new(filter: Filter<M>, many: bool, exec: Exec) -> Self {
        Self {
            filter,
            many,
            everything: false,
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Confirms that an empty filter is meant: every document of the collection.
    pub fn everything(mut self) -> Self {
        self.everything = true;
        self
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// As awaiting it, before anything is sent.
    pub fn plan(self) -> Result<Plan> {
        let method = if self.many { "deleteMany" } else { "deleteOne" };
        let filter = self.into_filter()?;
        Ok(Plan::one(
            Statement::new(M::SHAPE.collection, method).argument(filter),
        ))
    }

    fn into_filter(self) -> Result<Document> {
        let filter = self.filter.into_document()?;
        if filter.is_empty() && !self.everything {
            return Err(Error::Invalid(format!(
                "an empty filter deletes every document of `{}`; if that is meant, add \
                 `.everything()`",
                M::SHAPE.collection
            )));
        }
        Ok(filter)
    }
}

impl<M> CopyOptions for Delete<M> {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl<M: Model> IntoFuture for Delete<M> {
    type Output = Result<DeleteReport>;
    type IntoFuture = Running<DeleteReport>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (many, exec, fan_out) = (self.many, self.exec.clone(), self.fan_out.clone());
            let filter = self.into_filter()?;
            if tracked::concerns(M::SHAPE, &exec).await? {
                let collection = M::SHAPE.collection;
                return tracked::delete_many(collection, filter, many, &fan_out, &exec).await;
            }
            let options = DeleteOptions::default();
            let run = exec.run(move |database, session| {
                let collection = database.collection::<Document>(M::SHAPE.collection);
                Box::pin(async move {
                    let delete = if many {
                        collection.delete_many(filter)
                    } else {
                        collection.delete_one(filter)
                    };
                    let delete = delete.with_options(options);
                    match session {
                        Some(session) => delete.session(session).await,
                        None => delete.await,
                    }
                })
            });
            run.await.map(|done| DeleteReport {
                deleted: done.deleted_count,
                copies: Vec::new(),
            })
        })
    }
}
