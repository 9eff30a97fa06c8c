//! Reads the distinct values at a path.
//!
//! In a transaction, a sharded cluster rejects the command `distinct` on a sharded collection. The library then sends an
//! aggregation with the same result.

use mongodb::{
    bson::{Bson, Document, doc},
    options::AggregateOptions,
};

use super::Exec;
use crate::{
    client::command::{AggregateCommand, DistinctCommand},
    error::Result,
    setters::copy_options,
};

impl Exec {
    /// Returns the distinct values at the path of a command.
    pub(crate) async fn distinct_values(&self, command: DistinctCommand) -> Result<Vec<Bson>> {
        let is_rejected =
            self.in_transaction() && !self.is_paper() && self.odm.is_cluster().await?;
        if !is_rejected || has_position(&command.path) {
            return self.send(command).await;
        }
        let mut groups = self.documents(grouped(command)).await?;
        let values = groups.iter_mut().filter_map(|group| group.remove("_id"));
        Ok(values.collect())
    }
}

/// Whether a path contains the position of an element, such as `lines.0.qty`. Expressions of aggregations do not support
/// positions.
fn has_position(path: &str) -> bool {
    path.split('.').any(|name| name.parse::<usize>().is_ok())
}

/// Returns the aggregation that groups the documents by the values at the path. Like `distinct`, it reads the elements of
/// each array in the path, and skips documents without a value.
fn grouped(command: DistinctCommand) -> AggregateCommand {
    let DistinctCommand {
        place,
        path,
        filter,
        options,
    } = command;
    let matched = (!filter.is_empty()).then(|| doc! { "$match": filter });
    let ends = path.match_indices('.').map(|(end, _)| end);
    let parts = ends.chain([path.len()]).filter_map(|end| path.get(..end));
    let unwound = parts.map(|part| {
        doc! { "$unwind": { "path": format!("${part}"), "preserveNullAndEmptyArrays": true } }
    });
    let pipeline: Vec<Document> = matched
        .into_iter()
        .chain(unwound)
        .chain([
            doc! { "$match": { &path: { "$exists": true } } },
            doc! { "$group": { "_id": format!("${path}") } },
        ])
        .collect();
    let mut grouping = AggregateOptions::default();
    copy_options!(options => grouping, [collation, comment, hint, max_time]);
    copy_options!(options => grouping, [read_concern, selection_criteria]);
    AggregateCommand::new(place, pipeline).with(grouping)
}
