//! Reads the documents of a query in one `find`.

use futures_util::future::BoxFuture;
use mongodb::bson::RawDocument;

use crate::{
    client::{
        command,
        odm::{Exec, Found, traced},
    },
    error::Result,
    model::shape::ModelShape,
    observe::slow_statements::{FindWatch, queried},
    value::decode::Decode,
};

/// Reads and decodes documents. Only the decoding is compiled separately for each type.
pub(in crate::action) async fn read<V: Send>(
    (model, operation): (&'static ModelShape, &'static str),
    parts: Result<(command::FindCommand, Decode<V>, Exec)>,
) -> Result<Vec<V>> {
    let (find, decode, exec) = parts.map_err(|error| error.in_model(model))?;
    let mut documents = Vec::new();
    let mut found = |collection: &str, raw: &RawDocument| {
        documents.push(decode.decode(collection, raw)?);
        Ok(())
    };
    in_span((model, operation), find, exec, &mut found).await?;
    Ok(documents)
}

/// Reads documents inside the `tracing` span of an operation.
fn in_span<'a>(
    (model, operation): (&'static ModelShape, &'static str),
    find: command::FindCommand,
    exec: Exec,
    found: &'a mut Found<'_>,
) -> BoxFuture<'a, Result<()>> {
    traced(model, operation, find_each(find, exec, found))
}

/// Passes each document to `found`, and counts the copies in the documents for the statistics.
pub(in crate::action) async fn find_each(
    find: command::FindCommand,
    exec: Exec,
    found: &mut Found<'_>,
) -> Result<()> {
    let reads = queried(&find, &exec);
    let looking = FindWatch::look_at_find(&find, &exec);
    let mut found = |collection: &str, raw: &RawDocument| {
        looking.see(raw);
        found(collection, raw)
    };
    let documents = exec.find(find, &mut found).await?;
    looking.end(documents);
    reads.add(documents);
    Ok(())
}
