//! Aggregations into a type.

use std::{future::IntoFuture, marker::PhantomData};

use futures_util::{Stream, TryStreamExt};
use mongodb::{bson::Document, options::AggregateOptions};
use serde::de::DeserializeOwned;

use super::{Running, setters::option_setters, traced};
use crate::{
    codec::decode,
    command::{self, Command},
    error::{Error, Result},
    odm::Exec,
    place::Place,
    shape::ModelShape,
    statement::Plan,
};

/// Runs an aggregation and decodes its documents: `Product::aggregate::<Total>(&odm, pipeline)`.
///
/// Awaiting it sends one `aggregate`; the driver asks for further batches while there are more.
///
/// # Errors
///
/// [`Error::Decode`] for a document that does not fit, and what the driver reports.
#[must_use = "an aggregation is sent when it is awaited"]
#[derive(Debug)]
pub struct Aggregate<T> {
    model: &'static ModelShape,
    command: command::Aggregate,
    exec: Exec,
    result: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + Send + 'static> Aggregate<T> {
    pub(crate) fn new(model: &'static ModelShape, pipeline: Vec<Document>, exec: Exec) -> Self {
        Self {
            model,
            command: command::Aggregate::new(Place::of(model), pipeline),
            exec,
            result: PhantomData,
        }
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);
    option_setters!(@ any AggregateOptions);

    const fn options_mut(&mut self) -> &mut AggregateOptions {
        &mut self.command.options
    }

    /// Returns what will be sent, as mongosh text.
    pub fn plan(self) -> Plan {
        Plan::one(self.command.shown())
    }

    /// Returns the documents as a stream, batch by batch from one cursor.
    pub fn stream(self) -> impl Stream<Item = Result<T>> + Send + 'static {
        futures_util::stream::once(async move {
            let Self { command, exec, .. } = self;
            let collection = command.place.name().to_owned();
            Ok::<_, Error>(exec.stream(command, move |raw| decode(&collection, raw)))
        })
        .try_flatten()
    }
}

impl<T: DeserializeOwned + Send + 'static> IntoFuture for Aggregate<T> {
    type Output = Result<Vec<T>>;
    type IntoFuture = Running<Vec<T>>;

    fn into_future(self) -> Self::IntoFuture {
        traced(self.model, "aggregate", self.stream().try_collect())
    }
}
