//! Joins lists of keys with collections, by `$documents` and `$lookup`.
//!
//! In a transaction, a sharded cluster before MongoDB 8.0 rejects `$lookup` stages on sharded collections. Outside
//! transactions, a cluster rejects `$lookup` stages after `$documents` on collections that are not sharded. In both
//! cases, the library sends one aggregation for each key and `$lookup` instead.

use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::Exec;
use crate::{
    client::{command::AggregateCommand, odm::Batches, place::Place},
    error::Result,
};

impl Exec {
    /// Opens a cursor over the rows of an aggregation that consists of a `$documents` stage with the keys, of `$lookup`
    /// stages, and optionally of an `$unwind`.
    pub(crate) async fn open_lookups(&self, command: AggregateCommand) -> Result<Batches> {
        /// The code `IllegalOperation`: `$documents` must run on the router, and `$lookup` on the primary shard.
        const ILLEGAL_OPERATION: i32 = 20;
        self.refuse_broadcast(&command)?;
        if self.is_paper() || (self.in_transaction() && !self.odm.is_cluster().await?) {
            return self.open(command).await;
        }
        if !self.in_transaction() {
            match self.open(command.clone()).await {
                Err(error) if error.server_code() == Some(ILLEGAL_OPERATION) => {}
                opened => return opened,
            }
        }
        let mut rows = Vec::new();
        for row in given_rows(&command) {
            for row in self.joined(row, &command).await? {
                rows.push(RawDocumentBuf::try_from(&row).map_err(mongodb::error::Error::from)?);
            }
        }
        Ok(Batches::in_memory(rows, command.place, self))
    }

    /// Returns the rows that the stages after `$documents` produce for one row.
    async fn joined(&self, mut row: Document, command: &AggregateCommand) -> Result<Vec<Document>> {
        let mut rows = Vec::new();
        for stage in &command.pipeline {
            if let Ok(lookup) = stage.get_document("$lookup") {
                let found = self.looked_up(&row, lookup, command).await?;
                row.insert(lookup.get_str("as").unwrap_or_default(), found);
            }
            if let Ok(path) = stage.get_str("$unwind") {
                let path = path.trim_start_matches('$');
                let found = row.get_array(path).cloned().unwrap_or_default();
                rows.extend(found.into_iter().map(|one| {
                    let mut row = row.clone();
                    row.insert(path, one);
                    row
                }));
                return Ok(rows);
            }
        }
        Ok(vec![row])
    }

    async fn looked_up(
        &self,
        row: &Document,
        lookup: &Document,
        command: &AggregateCommand,
    ) -> Result<Vec<Document>> {
        let [from, local, foreign] = ["from", "localField", "foreignField"]
            .map(|name| lookup.get_str(name).unwrap_or_default());
        let key = row.get(local).cloned().unwrap_or(Bson::Null);
        let mut pipeline = vec![doc! { "$match": { foreign: { "$eq": key } } }];
        let stages = lookup.get_array("pipeline").into_iter().flatten();
        pipeline.extend(stages.filter_map(Bson::as_document).cloned());
        let mut options = command.options.clone();
        if let Ok(variables) = lookup.get_document("let") {
            let values = options.let_vars.get_or_insert_default();
            for (name, path) in variables {
                let path = path.as_str().unwrap_or_default().trim_start_matches('$');
                let value = row.get(path).cloned().unwrap_or(Bson::Null);
                values.insert(name, doc! { "$literal": value });
            }
        }
        let place = Place::whole_collection(from.to_owned());
        let place = match command.place.subject() {
            Some(model) => place.for_model(model),
            None => place,
        };
        self.documents(AggregateCommand::new(place, pipeline).with(options))
            .await
    }
}

/// Returns the rows of the `$documents` stage. The library writes each value as a `$literal`.
fn given_rows(command: &AggregateCommand) -> Vec<Document> {
    let first = command.pipeline.first();
    let rows = first.and_then(|stage| stage.get_array("$documents").ok());
    let rows = rows.into_iter().flatten().filter_map(Bson::as_document);
    let values = |row: &Document| {
        let values = row.iter().map(|(name, value)| {
            let literal = value.as_document().and_then(|it| it.get("$literal"));
            (name.clone(), literal.unwrap_or(value).clone())
        });
        values.collect()
    };
    rows.map(values).collect()
}
