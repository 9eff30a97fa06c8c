//! Saves whole documents.

use mongodb::{
    bson::{Bson, RawDocumentBuf},
    options::ReplaceOptions,
};

use super::{get::encoded_id, insert::stored, write_builder::write_builder};
use crate::{
    client::odm::Exec,
    derived::follow::{CopyOptions, FanOut},
    error::Result,
    model::{derive_traits::Storable, shape::ModelShape},
    setters::option_setters,
    write::{self, UpdateReport},
};

/// Writes a whole document over the stored one: `part.save(&odm)`, `part.replace(&odm)`.
///
/// `save` inserts the document if no other has its id; `replace` leaves the database as it is then,
/// and reports that nothing matched. Awaiting it sends one `update` on `_id` with the whole
/// document: fields that the struct does not have are lost, and so is what others wrote since it was
/// loaded. Prefer `update` for single fields. Copies in the document get the values of their sources, and
/// what is copied from it goes to its copies, in a transaction as of [`UpdateOne`](super::UpdateOne): a
/// struct that was loaded long ago brings no old copy back. Snapshots are taken from their sources if the document
/// is new, which is a `find` where nothing else tells, and are saved as they are otherwise.
///
/// # Errors
///
/// [`Error::BoundExceeded`](crate::Error::BoundExceeded) and
/// [`Error::Encode`](crate::Error::Encode) before anything is sent, and what the driver reports; [`Error::Invalid`](crate::Error::Invalid)
/// for a struct that says it is of another [kind](derive@crate::Model#kinds-of-documents-in-one-collection) than its model, and a duplicate
/// key for the `_id` of a document of another kind.
/// [`Error::NoTarget`](crate::Error::NoTarget) for a reference that [must not lead
/// nowhere](derive@crate::Model#references-that-must-not-lead-nowhere), with nothing written.
#[must_use = "a save is sent when it is awaited"]
#[derive(Debug)]
pub struct Save {
    model: &'static ModelShape,
    id: Result<Bson>,
    document: Result<RawDocumentBuf>,
    options: ReplaceOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl Save {
    pub(crate) fn new<M: Storable>(model: &M, upsert: bool, exec: Exec) -> Self {
        let mut options = ReplaceOptions::default();
        options.upsert = Some(upsert);
        Self {
            model: M::SHAPE,
            id: encoded_id::<M>(model.stored_id()),
            document: stored(model),
            options,
            fan_out: FanOut::default(),
            exec,
        }
    }

    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any ReplaceOptions);

    const fn options_mut(&mut self) -> &mut ReplaceOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::SaveWrite, Exec)> {
        let write = write::SaveWrite {
            model: self.model,
            id: self.id?,
            document: self.document?,
            options: self.options,
            fan_out: self.fan_out,
        };
        Ok((write, self.exec))
    }
}

write_builder!([] Save: write::SaveWrite => UpdateReport, "save");

impl CopyOptions for Save {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}
