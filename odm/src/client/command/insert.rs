//! The command `insert`, and the documents that it stores.

use std::{collections::HashMap, sync::Arc};

use foldhash::fast::RandomState;
use mongodb::{
    Database,
    bson::{Bson, Document, RawDocumentBuf},
    options::{InsertManyOptions, InsertOneOptions},
};

use super::{
    Command, Paper, Sending, Session, in_session, mongosh_options::MongoshOptions,
    shared_methods::at_place,
};
use crate::{
    client::{place::Place, plan::Statement},
    error::Result,
    setters::copy_options,
};

/// Largest size of the documents in one command, in bytes. A message to the server can have 48,000,000 bytes, and the
/// other parts of the command also need space. The driver sends more documents in several commands.
pub(crate) const INSERT_BYTES: usize = 47_900_000;

/// The documents to store. Some documents can be replaced by changed versions, for instance after the library has
/// filled in their copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    documents: Arc<Vec<RawDocumentBuf>>,
    /// The positions of the documents to store, or `None` to store all of them.
    picked: Option<Vec<usize>>,
    /// The changed documents to store instead, by position.
    changed: HashMap<usize, RawDocumentBuf, RandomState>,
}

impl Rows {
    pub(crate) fn new(documents: Vec<RawDocumentBuf>) -> Self {
        Self {
            documents: Arc::new(documents),
            picked: None,
            changed: HashMap::default(),
        }
    }

    pub(crate) fn of_documents(documents: &[Document]) -> Result<Self> {
        let raw = documents.iter().map(RawDocumentBuf::try_from);
        let raw = raw.collect::<std::result::Result<Vec<_>, _>>();
        Ok(Self::new(raw.map_err(mongodb::error::Error::from)?))
    }

    /// Returns the documents at the given positions, without their changes. The positions refer to the list of all
    /// documents.
    pub(crate) fn pick(&self, positions: Vec<usize>) -> Self {
        Self {
            documents: Arc::clone(&self.documents),
            picked: Some(positions),
            changed: HashMap::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        let picked = self.picked.as_ref().map(Vec::len);
        picked.unwrap_or(self.documents.len())
    }

    /// Keeps only the documents for which the predicate returns true. The predicate receives the position of each
    /// document in the current list.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let kept = self.positions().enumerate();
        let kept = kept.filter(|(at, _)| is_kept(*at)).map(|(_, at)| at);
        self.picked = Some(kept.collect());
    }

    /// Returns the documents, including their changes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RawDocumentBuf> {
        let rows = self.positions();
        rows.filter_map(|at| self.changed.get(&at).or_else(|| self.documents.get(at)))
    }

    fn positions(&self) -> impl Iterator<Item = usize> + use<'_> {
        let picked = self.picked.iter().flatten().copied();
        let all = self.picked.is_none().then_some(0..self.documents.len());
        picked.chain(all.into_iter().flatten())
    }

    /// Replaces each document for which the function returns a changed version.
    pub(crate) fn change<E>(
        &mut self,
        mut changed: impl FnMut(&RawDocumentBuf) -> Result<Option<RawDocumentBuf>, E>,
    ) -> Result<(), E> {
        let positions: Vec<usize> = self.positions().collect();
        for at in positions {
            let now = self.changed.get(&at).or_else(|| self.documents.get(at));
            if let Some(new) = now.map(&mut changed).transpose()?.flatten() {
                self.changed.insert(at, new);
            }
        }
        Ok(())
    }
}

/// An `insert` of one or many documents.
#[derive(Clone, Debug)]
pub(crate) struct InsertCommand {
    pub(crate) place: Place,
    pub(crate) rows: Rows,
    /// Whether the text of the statement and its errors have the form of an `insertOne`.
    pub(crate) one: bool,
    pub(crate) options: InsertManyOptions,
}

impl InsertCommand {
    /// Returns an insert with the usual options.
    pub(crate) fn new(place: Place, rows: Rows) -> Self {
        Self {
            place,
            one: rows.len() == 1,
            rows,
            options: InsertManyOptions::default(),
        }
    }

    /// Whether the driver sends all documents in one command.
    fn is_one_command(&self) -> bool {
        const MOST_DOCUMENTS: usize = 100_000;
        let sizes = self.rows.iter().map(|row| row.as_bytes().len());
        self.rows.len() <= MOST_DOCUMENTS && sizes.sum::<usize>() <= INSERT_BYTES
    }

    fn one_options(&self) -> InsertOneOptions {
        let mut options = InsertOneOptions::default();
        copy_options!(self.options => options, [bypass_document_validation, write_concern, comment]);
        options
    }
}

impl Command for InsertCommand {
    /// Number of inserted documents.
    type Reply = u64;

    const NAME: &'static str = "insert";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(*reply)
    }

    at_place!();

    fn scoped(mut self, in_transaction: bool) -> Self {
        let concern = &mut self.options.write_concern;
        self.place.write_safely(in_transaction, concern);
        if in_transaction {
            // The server aborts a transaction at the first document that it rejects. If the insert were unordered, the
            // driver would nevertheless send the next command, and would then report only that the transaction does not
            // exist.
            self.options.ordered = None;
        }
        self
    }

    fn can_be_unordered(&self) -> bool {
        self.rows.len() > 1 && self.is_one_command()
    }

    /// The router splits an ordered insert into one statement per sequence of documents for the same shard. With a
    /// hashed shard key, such a sequence has two documents on average, so a transaction with many documents would
    /// exceed its time limit. A transaction ends at the first rejected document, whether the insert is ordered or not.
    /// An insert of several commands stays ordered, for the reason that `scoped` explains.
    fn unordered(mut self) -> Self {
        self.options.ordered = Some(false);
        self
    }

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, u64> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            if self.one
                && let Some(row) = self.rows.iter().next()
            {
                let insert = collection.insert_one(row).with_options(self.one_options());
                in_session!(insert, session)?;
                return Ok(1);
            }
            let insert = collection.insert_many(self.rows.iter());
            let inserted = in_session!(insert.with_options(self.options), session)?;
            Ok(inserted.inserted_ids.len() as u64)
        })
    }

    fn assume(&self, paper: &mut Paper) -> u64 {
        let documents = self.rows.iter().map(|row| Document::try_from(&**row));
        for document in documents.filter_map(Result::ok) {
            paper.store(&self.place, document);
        }
        self.rows.len() as u64
    }

    fn statement(&self) -> Statement {
        let shown = MongoshOptions::default()
            .with("ordered", self.options.ordered)
            .bypass_validation(self.options.bypass_document_validation)
            .with("comment", self.options.comment.clone())
            .write_concern(self.options.write_concern.as_ref());
        let documents = self.rows.iter().map(|row| {
            let document = Document::try_from(&**row).unwrap_or_default();
            Bson::Document(document)
        });
        let mut documents: Vec<Bson> = documents.collect();
        let (method, argument) = match documents.pop() {
            Some(only) if self.one => ("insertOne", only),
            last => {
                documents.extend(last);
                ("insertMany", documents.into())
            }
        };
        Statement::new(self.place.name(), method)
            .argument(argument)
            .options(shown.0)
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn an_insert_of_several_commands_stays_ordered() {
        let can_be_unordered = |text: &str| {
            let row = RawDocumentBuf::try_from(&doc! { "text": text }).unwrap();
            let insert = InsertCommand {
                place: Place::whole_collection("notes"),
                rows: Rows::new(vec![row.clone(), row]),
                one: false,
                options: InsertManyOptions::default(),
            };
            insert.can_be_unordered()
        };
        assert!(can_be_unordered("a"));
        assert!(!can_be_unordered(&"a".repeat(INSERT_BYTES / 2)));
    }
}
