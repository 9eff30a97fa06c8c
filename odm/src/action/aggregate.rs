//! Builder returned by `aggregate`. Your code chooses the type of the results.

use futures_util::{Stream, TryStreamExt};
use mongodb::{
    bson::{Document, RawDocument},
    options::AggregateOptions,
};
use serde::de::DeserializeOwned;

use crate::{
    client::{
        command,
        odm::{Exec, into_future, traced, traced_stream},
        plan::Plan,
    },
    derived::follow::{refuse_known_output, refuse_output},
    error::{Error, Result},
    model::shape::ModelShape,
    setters::option_setters,
    value::decode::Decode,
};

/// An aggregation that returns documents of type `T`: `Product::aggregate::<Total>(&odm, pipeline)`.
///
/// See the example at [`Documents::aggregate`](crate::Documents::aggregate).
///
/// # Sends
///
/// One `aggregate`, and further round trips if the results exceed 16 MB. A stream requests further batches after 101
/// results.
///
/// # Errors
///
/// [`Error::Decode`] if a document does not match the type. [`Error::Invalid`] if an `$out` or a `$merge` writes into a
/// collection that contains copies, sources, checked references, or documents to which delete rules apply. After such a
/// write, the library could not update copies or check references. [`Error::Invalid`] also if one of these stages
/// writes into a collection with a tenant, and the handle is not for all tenants. All other errors are reported by the
/// server.
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
            command: command::AggregateCommand::new(exec.place(model), pipeline),
            exec,
            decode: Decode::serde(),
        }
    }
}

impl<T: Send + 'static> Aggregate<T> {
    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference, write_concern);
    option_setters!(@ any command.options: AggregateOptions);

    /// Returns the statements that the call would send, in mongosh syntax. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] in the same cases as the call itself. However, the plan does not check relations that only
    /// other programs declare.
    ///
    /// # Examples
    ///
    /// See [`Plan`](crate::Plan).
    pub fn plan(self) -> Result<Plan> {
        refuse_known_output(&self.command.pipeline, &self.exec)?;
        self.exec.plan_read(self.command)
    }

    /// Streams the documents from a single cursor.
    ///
    /// # Examples
    ///
    /// See [`Find::stream`](super::Find::stream).
    pub fn stream(self) -> impl Stream<Item = Result<T>> + Send + 'static {
        traced_stream(self.model, "aggregate", self.documents())
    }

    async fn read(mut self) -> Result<Vec<T>> {
        self.command = self.command.all();
        self.documents().try_collect().await
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

into_future!(
    [T: Send + 'static] Aggregate<T> => Vec<T>,
    |it| traced(it.model, "aggregate", it.read())
);
