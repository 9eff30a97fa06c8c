//! Inserts documents.

use std::future::IntoFuture;

use mongodb::{
    bson::{Document, RawDocumentBuf},
    options::InsertManyOptions,
};

use super::{CopyOptions, Duties, FanOut, Running, tracked};
use crate::{
    bound::check_stored,
    codec::{encode_document, unwritable_path},
    copy,
    error::{Error, Result},
    model::Model,
    odm::Exec,
    shape::ModelShape,
    statement::{Plan, Statement},
};

/// Encodes a model as it is stored, and checks its bounds.
pub(crate) fn stored<M: Model>(model: &M) -> Result<RawDocumentBuf> {
    let document =
        encode_document(model).map_err(|source| Error::encode(unwritable(model), source))?;
    check_stored(M::SHAPE, &document)?;
    Ok(document)
}

/// Names the model, and the field where it is known.
fn unwritable<M: Model>(model: &M) -> String {
    match unwritable_path(model) {
        Some(path) => format!("`{}` at `{path}`", M::SHAPE.name),
        None => format!("`{}`", M::SHAPE.name),
    }
}

fn as_document(raw: &RawDocumentBuf) -> Result<Document> {
    Ok(Document::try_from(&**raw).map_err(mongodb::error::Error::from)?)
}

fn plan(model: &ModelShape, insert: Statement) -> Result<Plan> {
    Ok(match Duties::of(model, Vec::new())? {
        Some(duties) => copy::plan::of_insert(&duties.own, insert),
        None => Plan::one(insert),
    })
}

/// Inserts a document: `part.insert(&odm)`.
///
/// Awaiting it sends one `insert`. A document with copies is inserted with what their sources hold now,
/// however old the values in the struct are: a transaction with one `find` for each model that it
/// copies from, and the same `find` once more after the commit.
///
/// # Errors
///
/// [`Error::BoundExceeded`] before anything is sent, [`Error::Encode`], and what the driver reports;
/// [`Error::is_duplicate_key`] tells a document with the same id or unique key.
#[must_use = "an insert is sent when it is awaited"]
#[derive(Debug)]
pub struct Insert {
    model: &'static ModelShape,
    document: Result<RawDocumentBuf>,
    fan_out: FanOut,
    exec: Exec,
}

impl Insert {
    pub(crate) fn new<M: Model>(model: &M, exec: Exec) -> Self {
        Self {
            model: M::SHAPE,
            document: stored(model),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::BoundExceeded`] and [`Error::Encode`], as awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let document = as_document(&self.document?)?;
        let insert = Statement::new(self.model.collection, "insertOne").argument(document);
        plan(self.model, insert)
    }
}

impl CopyOptions for Insert {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl IntoFuture for Insert {
    type Output = Result<()>;
    type IntoFuture = Running<()>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (document, collection) = (self.document?, self.model.collection);
            let foreign = self.exec.foreign(collection).await?;
            if let Some(duties) = Duties::of(self.model, foreign)? {
                let (fan_out, exec) = (&self.fan_out, &self.exec);
                let options = InsertManyOptions::default();
                tracked::insert(duties, vec![document], options, fan_out, exec).await?;
                return Ok(());
            }
            let run = self.exec.run(move |database, session| {
                let collection = database.collection::<RawDocumentBuf>(collection);
                Box::pin(async move {
                    let insert = collection.insert_one(document);
                    match session {
                        Some(session) => insert.session(session).await,
                        None => insert.await,
                    }
                })
            });
            run.await.map(|_| ())
        })
    }
}

/// Inserts documents: `Part::insert_many(&odm, &parts)`.
///
/// Awaiting it sends one `insert` for each 100,000 documents or 48 MB, none for no documents. It is
/// ordered unless [`unordered`](Self::unordered): the first document that the server refuses stops
/// it, and those before it stay, unless it runs in a transaction. Documents with copies are inserted in
/// transactions of 10,000 each, as by [`Insert`]; the first document that is refused undoes its part, also
/// when it is [`unordered`](Self::unordered).
///
/// # Errors
///
/// [`Error::BoundExceeded`] and [`Error::Encode`] before anything is sent, and what the driver
/// reports, with the positions of the refused documents.
#[must_use = "an insert is sent when it is awaited"]
#[derive(Debug)]
pub struct InsertMany {
    model: &'static ModelShape,
    documents: Result<Vec<RawDocumentBuf>>,
    options: InsertManyOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl InsertMany {
    pub(crate) fn new<'a, M: Model>(models: impl IntoIterator<Item = &'a M>, exec: Exec) -> Self {
        Self {
            model: M::SHAPE,
            documents: models.into_iter().map(stored).collect(),
            options: InsertManyOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Goes on after a document that the server refuses, and reports all of them at the end.
    pub fn unordered(mut self) -> Self {
        self.options.ordered = Some(false);
        self
    }

    /// Returns what will be sent, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::BoundExceeded`] and [`Error::Encode`], as awaiting it would.
    pub fn plan(self) -> Result<Plan> {
        let documents: Vec<Document> = self
            .documents?
            .iter()
            .map(as_document)
            .collect::<Result<_>>()?;
        if documents.is_empty() {
            return Ok(Plan::default());
        }
        let mut options = Document::new();
        options.extend(
            self.options
                .ordered
                .map(|ordered| ("ordered".to_owned(), ordered.into())),
        );
        let insert = Statement::new(self.model.collection, "insertMany");
        plan(self.model, insert.argument(documents).options(options))
    }
}

impl CopyOptions for InsertMany {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

impl IntoFuture for InsertMany {
    type Output = Result<u64>;
    /// The number of inserted documents.
    type IntoFuture = Running<u64>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (documents, collection) = (self.documents?, self.model.collection);
            if documents.is_empty() {
                return Ok(0);
            }
            let options = self.options;
            let foreign = self.exec.foreign(collection).await?;
            if let Some(duties) = Duties::of(self.model, foreign)? {
                let (fan_out, exec) = (&self.fan_out, &self.exec);
                let inserted = tracked::insert(duties, documents, options, fan_out, exec).await?;
                return Ok(inserted.0);
            }
            let run = self.exec.run(move |database, session| {
                let collection = database.collection::<RawDocumentBuf>(collection);
                Box::pin(async move {
                    let insert = collection.insert_many(documents).with_options(options);
                    match session {
                        Some(session) => insert.session(session).await,
                        None => insert.await,
                    }
                })
            });
            let inserted = run.await?;
            Ok(inserted.inserted_ids.len() as u64)
        })
    }
}
