//! The executor for plans, which is called paper. The paper records statements and returns assumed replies.
//!
//! To plan a write, the library runs the same code as for a real write, but records the statements instead of sending
//! them. So the planned statements are the statements that a real write sends. The test module `copies::plan_is_run`
//! runs the builders and compares their plans with the driver's command events.
//!
//! 1. `Exec` records each statement instead of sending it.
//! 2. `Command::assume` returns a reply from the shapes of the models. The reply assumes that every filter for a
//!    document matches exactly one document. The placeholder `<name now>` represents a value that the write would read.
//! 3. The paper remembers written documents, and returns them to later reads. So the code that compares documents and
//!    updates copies has the same inputs as when it runs on a server.
//!
//! A dry run is not a plan: it runs the write in a transaction on the server, and rolls the transaction back.
//!
//! # Limits
//!
//! - A plan does not know the number of documents. Notes in the plan mention the batches of 500 documents, and the
//!   number of copies above which a job writes the copies.
//! - A plan sends nothing. So a plan shows the statements for a standalone server only if the handle has already
//!   determined the type of the server.

mod assumed_document;

use std::collections::{HashMap, HashSet};

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

pub(crate) use assumed_document::{is_unknown, unknown};

use super::Command;
use crate::{
    client::{place::Place, plan::Statement},
    mongosh,
    value::path::value_at,
};

/// The recorded statements and the assumed documents of a plan.
#[derive(Debug, Default)]
pub(crate) struct Paper {
    statements: Vec<Statement>,
    /// Notes on the next statement.
    notes: Vec<String>,
    counts_next: bool,
    /// Written documents, by collection and `_id`. `None` represents a deleted document.
    written: HashMap<(String, String), Option<Document>>,
    /// The queries for ids that have been recorded so far. A repeated query returns nothing, so that loops over batches
    /// end.
    listed: HashSet<(String, String)>,
}

impl Paper {
    /// Adds a note to the next statement.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Marks the next statement, so that an estimate counts the documents that the statement matches.
    pub(crate) fn count_next(&mut self) {
        self.counts_next = true;
    }

    /// Records a statement.
    pub(crate) fn record<C: Command>(&mut self, command: &C) {
        let mut statement = command.planned();
        statement.notes.splice(0..0, self.notes.drain(..));
        if std::mem::take(&mut self.counts_next) {
            let filter = statement.arguments.first().and_then(Bson::as_document);
            statement.counted = filter.cloned();
        }
        self.statements.push(statement);
    }

    pub(crate) fn into_statements(self) -> Vec<Statement> {
        self.statements
    }

    /// Records a query for ids, and returns whether the same query had already been recorded.
    pub(super) fn was_listed(
        &mut self,
        place: &Place,
        filter: &Document,
        sort: Option<&Document>,
    ) -> bool {
        let asked = format!(
            "{} {:?}",
            mongosh::document(filter),
            sort.map(mongosh::document)
        );
        !self.listed.insert((place.name().to_owned(), asked))
    }

    /// Returns the documents that a filter is assumed to match.
    pub(super) fn matching(&self, place: &Place, filter: &Document) -> Vec<Document> {
        let all = assumed_document::matching(place, filter);
        let now = |document: Document| match self.written.get(&key(place, &document)) {
            Some(written) => written.clone(),
            None => Some(document),
        };
        let now = all.into_iter().filter_map(now);
        now.filter(|document| assumed_document::may_match(place, document, filter))
            .collect()
    }

    /// Updates the assumed documents that match a filter. Returns the first of these documents, before and after the
    /// update.
    pub(super) fn update(
        &mut self,
        place: &Place,
        filter: &Document,
        update: &UpdateModifications,
    ) -> Option<(Document, Document)> {
        let mut first = None;
        for before in self.matching(place, filter) {
            let after = assumed_document::updated(&before, update);
            self.store(place, after.clone());
            first.get_or_insert((before, after));
        }
        first
    }

    /// Stores a document, which replaces any document with the same id.
    pub(super) fn store(&mut self, place: &Place, document: Document) {
        self.written.insert(key(place, &document), Some(document));
    }

    /// Deletes the assumed documents that match a filter, and returns their number.
    pub(super) fn delete(&mut self, place: &Place, filter: &Document) -> u64 {
        let gone = self.matching(place, filter);
        for document in &gone {
            self.written.insert(key(place, document), None);
        }
        gone.len() as u64
    }
}

fn key(place: &Place, document: &Document) -> (String, String) {
    let id = value_at(document, "_id").unwrap_or(&Bson::Null);
    (place.name().to_owned(), mongosh::value(id))
}
