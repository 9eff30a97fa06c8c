//! Builder returned by `save` and `replace`.

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
    query::maintained::{Stamp, version_in},
    setters::option_setters,
    write::{self, UpdateReport},
};

/// A write of a whole document: `part.save(&odm)`, `part.replace(&odm)`.
///
/// If no stored document has the id, `save` inserts the document, whereas `replace` writes nothing and reports
/// `matched: 0`. Stored fields that are missing from the struct are lost, and so are changes that other writers made
/// after you loaded the document. To change individual fields, prefer `update`. See the example at
/// [`Documents::save`](crate::Documents::save).
///
/// # Sends
///
/// One `update` on `_id`. If the model has copies or is a source of copies, the call sends a transaction instead, like
/// [`UpdateOne`](super::UpdateOne).
///
/// # Guarantees
///
/// - Copies in the document get the current values of their sources, even if the struct was loaded long ago.
/// - If the document is new, its snapshots get the current values of their sources. If the document is already stored,
///   its snapshots are written as they are in the struct. To distinguish these two cases, the write may send one more
///   `find`.
///
/// # Errors
///
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) and [`Error::Encode`](crate::Error::Encode) before anything is sent.
/// - [`Error::Invalid`](crate::Error::Invalid) if the kind in the struct is not the
///   [kind](derive@crate::Model#kinds-of-documents-in-one-collection) of the model. The call fails with a duplicate key
///   error if a document of a different kind has the same `_id`.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if a reference that must have a target
///   ([`exists`](derive@crate::Model#required-targets)) is dangling. Nothing was written.
/// - [`Error::Conflict`](crate::Error::Conflict) if the model has a `#[version]`, and the stored document has a
///   different version from the struct. A loaded struct also causes this error if the document no longer exists.
///   Nothing was written. To report the stored version, the call sends one more `find`.
/// - Any error that the server returns.
#[must_use = "a save is sent when it is awaited"]
#[derive(Debug)]
pub struct Save {
    model: &'static ModelShape,
    id: Result<Bson>,
    document: Result<RawDocumentBuf>,
    options: ReplaceOptions,
    keeps_timestamps: bool,
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
            keeps_timestamps: false,
            fan_out: FanOut::default(),
            exec,
        }
    }

    /// Stores the values of `#[created_at]` and `#[updated_at]` that the struct contains, instead of the current time.
    /// Use this option for imports.
    ///
    /// # Sends
    ///
    /// The same number of statements as without this option.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::{bson::DateTime, prelude::*};
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "tasks")]
    /// struct Task {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Task>,
    ///     #[created_at]
    ///     created: DateTime,
    /// }
    ///
    /// async fn restore(odm: &Odm, task: Task) -> mongo_odm::Result<()> {
    ///     task.save(odm).keep_timestamps().await?;
    ///     Ok(())
    /// }
    /// ```
    pub const fn keep_timestamps(mut self) -> Self {
        self.keeps_timestamps = true;
        self
    }

    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any ReplaceOptions);

    const fn options_mut(&mut self) -> &mut ReplaceOptions {
        &mut self.options
    }

    fn into_write(self) -> Result<(write::SaveWrite, Exec)> {
        let (mut document, mut kept) = (self.document?, Vec::new());
        let version = self.model.version();
        let version = version.map(|field| (field, version_in(&document, field)));
        if let Some(stamp) = Stamp::of_write(self.model, &self.exec) {
            let stamp = stamp.keeping_timestamps(self.keeps_timestamps);
            document = stamp.document(&document, version.map_or(0, |(_, version)| version))?;
            kept = stamp.kept();
        }
        let write = write::SaveWrite {
            model: self.model,
            id: self.id?,
            document,
            kept,
            version,
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
