//! Aggregations into a type.

use std::future::IntoFuture;

use futures_util::{Stream, TryStreamExt};
use mongodb::{
    bson::{Document, RawDocument},
    options::AggregateOptions,
};
use serde::de::DeserializeOwned;

use crate::{
    client::{
        command,
        odm::{Exec, Running, traced, traced_stream},
        place::Place,
        plan::Plan,
    },
    derived::follow::{refuse_known_output, refuse_output},
    error::{Error, Result},
    model::shape::ModelShape,
    setters::option_setters,
    value::decode::Decode,
};

/// Runs an aggregation and decodes its documents: `Product::aggregate::<Total>(&odm, pipeline)`.
///
/// Awaiting it sends one `aggregate`; the driver asks for further batches while there are more.
///
/// # Errors
///
/// [`Error::Decode`] for a document that does not fit, [`Error::Invalid`] for an `$out` or a `$merge` into a
/// collection whose documents are copied, hold copies, or are referred to with an `on_delete`, since nothing
/// would follow these writes, and what the driver reports.
#[must_use = "an aggregation is sent when it is awaited"]
#[derive(Debug)]
pub struct Aggregate<T> {
    model: &'static ModelShape,
    command: command::AggregateCommand,
    exec: Exec,
    decode: Decode<T>,
}

impl<T: DeserializeOwned + Send + 'static> Aggregate<T> {
    pub(crate) fn new(model: &'static ModelShape, pipeline: Vec<Document>, exec: Exec) -> Self {
        Self {
            model,
            command: command::AggregateCommand::new(Place::of(model), pipeline),
            exec,
            decode: Decode::serde(),
        }
    }
}

impl<T: Send + 'static> Aggregate<T> {
    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference, write_concern);
    option_setters!(@ any AggregateOptions);

    const fn options_mut(&mut self) -> &mut AggregateOptions {
        &mut self.command.options
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`], as awaiting it would; relations that only other programs declare are not asked for.
    pub fn plan(self) -> Result<Plan> {
        refuse_known_output(&self.command.pipeline, &self.exec)?;
        self.exec.plan_read(self.command)
    }

    /// Returns the documents as a stream, batch by batch from one cursor.
    pub fn stream(self) -> impl Stream<Item = Result<T>> + Send + 'static {
        traced_stream(self.model, "aggregate", self.documents())
    }

    fn documents(self) -> impl Stream<Item = Result<T>> + Send + 'static {
        futures_util::stream::once(async move {
            let Self {
                command, decode, ..
            } = self;
            refuse_output(&command.pipeline, &self.exec).await?;
            let odm = self.exec.odm();
            odm.count_aggregation(self.model, &command.pipeline);
            let collection = command.place.name().to_owned();
            let decode = move |raw: &RawDocument| decode.decode(&collection, raw);
            Ok::<_, Error>(self.exec.stream(command, decode))
        })
        .try_flatten()
    }
}

impl<T: Send + 'static> IntoFuture for Aggregate<T> {
    type Output = Result<Vec<T>>;
    type IntoFuture = Running<Vec<T>>;

    fn into_future(self) -> Self::IntoFuture {
        traced(self.model, "aggregate", self.documents().try_collect())
    }
}
