//! Counts documents, and asks whether there are any.

use std::future::IntoFuture;

use mongodb::{
    bson::doc,
    options::{CountOptions, FindOptions},
};

use super::Running;
use crate::{
    error::Result,
    filter::Filter,
    model::Model,
    odm::{Exec, Query, each_document},
    statement::{Plan, Statement},
};

/// Counts documents: `Product::count(&odm).filter(..)`.
///
/// Awaiting it sends one aggregation that counts on the server (`countDocuments`); it reads index
/// entries only if the filter has an index.
///
/// # Errors
///
/// What the driver reports.
#[must_use = "a count is sent when it is awaited"]
#[derive(Debug)]
pub struct Count<M> {
    filter: Filter<M>,
    options: CountOptions,
    exec: Exec,
}

impl<M: Model> Count<M> {
    /// Counts what a `find` with these options finds.
    pub(crate) fn new(filter: Filter<M>, find: FindOptions, exec: Exec) -> Self {
        let mut options = CountOptions::default();
        // 0 is no limit for `find`, and less than 0 a limit in one batch.
        options.limit = find.limit.map(i64::unsigned_abs).filter(|limit| *limit > 0);
        options.skip = find.skip;
        options.hint = find.hint;
        options.collation = find.collation;
        options.max_time = find.max_time;
        options.comment = find.comment;
        options.read_concern = find.read_concern;
        options.selection_criteria = find.selection_criteria;
        Self {
            filter,
            options,
            exec,
        }
    }

    /// Counts only documents that match; a second filter narrows the first.
    pub fn filter(mut self, filter: impl Into<Filter<M>>) -> Self {
        self.filter = self.filter.and(filter.into());
        self
    }

    /// Stops counting at so many documents; 0 means no limit, as in the driver's `find`.
    pub fn limit(mut self, documents: i64) -> Self {
        self.options.limit = Some(documents.unsigned_abs()).filter(|limit| *limit > 0);
        self
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) for an operand that cannot be written.
    pub fn plan(self) -> Result<Plan> {
        let filter = self.filter.into_document()?;
        let mut options = doc! {};
        for (name, number) in [("limit", self.options.limit), ("skip", self.options.skip)] {
            let number = number.and_then(|number| i64::try_from(number).ok());
            options.extend(number.map(|number| (name.to_owned(), number.into())));
        }
        let count = Statement::new(M::SHAPE.collection, "countDocuments");
        Ok(Plan::one(count.argument(filter).options(options)))
    }
}

impl<M: Model> IntoFuture for Count<M> {
    type Output = Result<u64>;
    type IntoFuture = Running<u64>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let filter = self.filter.into_document()?;
            let options = self.options;
            let run = self.exec.run(move |database, session| {
                let collection =
                    database.collection::<mongodb::bson::Document>(M::SHAPE.collection);
                Box::pin(async move {
                    let count = collection.count_documents(filter).with_options(options);
                    match session {
                        Some(session) => count.session(session).await,
                        None => count.await,
                    }
                })
            });
            run.await
        })
    }
}

/// Asks whether there is a document: `Product::exists(&odm, filter)`.
///
/// Awaiting it sends one `find` with a limit of 1 that brings back an `_id`.
///
/// # Errors
///
/// What the driver reports.
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Exists<M> {
    filter: Filter<M>,
    options: FindOptions,
    exec: Exec,
}

impl<M: Model> Exists<M> {
    /// Asks whether a `find` with these options finds anything.
    pub(crate) fn new(filter: Filter<M>, options: FindOptions, exec: Exec) -> Self {
        Self {
            filter,
            options,
            exec,
        }
    }

    fn into_query(self) -> Result<(Query, Exec)> {
        let mut options = self.options;
        (options.limit, options.batch_size) = (Some(-1), None);
        options.projection = Some(doc! { "_id": 1 });
        // Which of them it is does not matter.
        options.sort = None;
        let filter = self.filter.into_document()?;
        Ok((
            Query {
                collection: M::SHAPE.collection,
                filter,
                options,
            },
            self.exec,
        ))
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) for an operand that cannot be written.
    pub fn plan(self) -> Result<Plan> {
        Ok(Plan::one(self.into_query()?.0.statement()))
    }
}

impl<M: Model> IntoFuture for Exists<M> {
    type Output = Result<bool>;
    type IntoFuture = Running<bool>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (query, exec) = self.into_query()?;
            any(query, &exec).await
        })
    }
}

/// Returns whether a query finds a document.
pub(crate) async fn any(query: Query, exec: &Exec) -> Result<bool> {
    let mut batches = exec.find(query).await?;
    let mut found = false;
    while let Some(batch) = batches.next().await? {
        each_document(&batch, |_| {
            found = true;
            Ok(())
        })?;
    }
    Ok(found)
}
