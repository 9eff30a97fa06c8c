//! Inserts documents.

use mongodb::{bson::RawDocumentBuf, options::InsertManyOptions};

use super::write_builder::write_builder;
use crate::{
    bound::check_stored,
    codec::{encode_document, unwritable_path},
    described::Storable,
    effects::{CopyOptions, FanOut},
    error::{Error, Result},
    odm::Exec,
    place::Place,
    setters::option_setters,
    shape::ModelShape,
    write::{self, InsertReport},
};

/// Encodes a model as it is stored, and checks its bounds.
pub(crate) fn stored<M: Storable>(model: &M) -> Result<RawDocumentBuf> {
    let document = encode_document(model)
        .map_err(|source| Error::encode(unwritable(model), source).about(M::SHAPE))?;
    let document = Place::of(M::SHAPE).stamp(document)?;
    check_stored(M::SHAPE, &document)?;
    Ok(document)
}

/// Names the field, where it is known.
fn unwritable<M: Storable>(model: &M) -> String {
    match unwritable_path(model) {
        Some(path) => format!("a document at `{path}`"),
        None => "a document".to_owned(),
    }
}

/// Inserts a document, `part.insert(&odm)`, or several: `Part::insert_many(&odm, &parts)`.
///
/// Awaiting it sends one `insert` for each 100,000 documents or 48 MB, none for no documents. It is
/// ordered unless [`unordered`](Self::unordered): the first document that the server refuses stops
/// it, and those before it stay, unless it runs in a transaction.
///
/// Documents with copies are inserted with what their sources hold now, however old the values in the
/// structs are: in transactions of 10,000 documents, each with one `find` for each model that they copy
/// from, and the same `find` once more after the commit. Snapshots are taken in the same way, without the second
/// `find`, and [`keep_snapshots`](CopyOptions::keep_snapshots) stores them as they are given. The first document that is refused undoes its
/// part, also when the insert is unordered.
///
/// # Errors
///
/// [`Error::BoundExceeded`] and [`Error::Encode`] before anything is sent, and what the driver
/// reports, with the positions of the refused documents; [`Error::is_duplicate_key`] tells a document
/// with the same id or unique key. [`Error::Invalid`] for a struct that says it is of another
/// [kind](derive@crate::Model#kinds-of-documents-in-one-collection) than its model.
/// [`Error::NoTarget`](crate::Error::NoTarget) for a reference that [must not lead
/// nowhere](derive@crate::Model#references-that-must-not-lead-nowhere), with nothing written.
#[must_use = "an insert is sent when it is awaited"]
#[derive(Debug)]
pub struct Insert {
    model: &'static ModelShape,
    documents: Result<Vec<RawDocumentBuf>>,
    one: bool,
    options: InsertManyOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl Insert {
    pub(crate) fn one<M: Storable>(model: &M, exec: Exec) -> Self {
        Self::new(M::SHAPE, stored(model).map(|row| vec![row]), true, exec)
    }

    pub(crate) fn many<'a, M: Storable>(
        models: impl IntoIterator<Item = &'a M>,
        exec: Exec,
    ) -> Self {
        let documents = models.into_iter().map(stored).collect();
        Self::new(M::SHAPE, documents, false, exec)
    }

    fn new(
        model: &'static ModelShape,
        documents: Result<Vec<RawDocumentBuf>>,
        one: bool,
        exec: Exec,
    ) -> Self {
        Self {
            model,
            documents,
            one,
            options: InsertManyOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Goes on after a document that the server refuses, and reports all of them at the end.
    pub fn unordered(self) -> Self {
        self.options(|options| options.ordered = Some(false))
    }

    option_setters!(comment, write_concern);
    option_setters!(@ any InsertManyOptions);

    const fn options_mut(&mut self) -> &mut InsertManyOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::InsertWrite, Exec)> {
        let write = write::InsertWrite {
            model: self.model,
            documents: self.documents?,
            one: self.one,
            options: self.options,
            fan_out: self.fan_out,
        };
        Ok((write, self.exec))
    }
}

write_builder!([] Insert: write::InsertWrite => InsertReport, "insert");

impl CopyOptions for Insert {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}
