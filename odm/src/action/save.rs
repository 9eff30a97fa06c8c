//! Builder returned by `save` and `replace`.

use std::marker::PhantomData;

use mongodb::{
    bson::{Bson, RawDocumentBuf},
    options::ReplaceOptions,
};

use super::{
    FindOne,
    get::encoded_id,
    returning::{Returning, ReturnsDocument, find_written},
    write_builder::{bulk_operation, hooks_setter, timestamps_setter, write_builder},
};
use crate::{
    client::{
        odm::{Exec, Running},
        place::Visibility,
        plan::Plan,
    },
    derived::follow::FanOut,
    error::Result,
    model::{Movable, derive_traits::Storable, shape::ModelShape},
    query::{
        maintained::{Stamp, version_in},
        stored_document::stored,
    },
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
/// [`UpdateOne`](super::UpdateOne). If the model has [hooks](crate::Hooks), the transaction also contains a `find` of
/// the stored document, the statements of the hook, and a `find` for `after_commit`. If the model has a [shard
/// key](derive@crate::Model#sharded-collections) other than `_id`, the call sends a transaction with one more `find`,
/// which checks that the key is unchanged. If a copy in the document belongs to the user in `#[created_by]`, the
/// transaction also contains one more `find`, which reads the stored user.
///
/// # Guarantees
///
/// - Copies in the document get the current values of their sources, even if the struct was loaded long ago.
/// - If the document is new, its snapshots get the current values of their sources. If the document is already stored,
///   the snapshots in the struct are stored unchanged. To distinguish these two cases, the write may send one more
///   `find`.
///
/// # Errors
///
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded), [`Error::Encode`](crate::Error::Encode), and
///   [`Error::Validation`](crate::Error::Validation) if the document violates a rule of a model that has the option
///   `validate`. The library returns these errors before it sends anything.
/// - [`Error::Invalid`](crate::Error::Invalid) if the kind in the struct is not the
///   [kind](derive@crate::Model#kinds-of-documents-in-one-collection) of the model. The call fails with a duplicate key
///   error if a document of a different kind has the same `_id`.
/// - [`Error::NoTarget`](crate::Error::NoTarget) if a reference that must have a target
///   ([`exists`](derive@crate::Model#required-targets)) is dangling. Nothing was written.
/// - [`Error::Conflict`](crate::Error::Conflict) if the model has a `#[version]`, and the stored document has a
///   different version from the struct. The call also fails with this error if the struct was loaded from a document
///   that no longer exists. Nothing was written. To report the stored version, the call sends one more `find`.
/// - [`Error::Deleted`](crate::Error::Deleted) if the stored document is deleted, and the model has `#[deleted_at]`.
///   Nothing was written.
/// - [`Error::DuplicateKey`](crate::Error::DuplicateKey) if the stored document belongs to another tenant. A `replace`
///   reports `matched: 0` instead.
/// - [`Error::Hook`](crate::Error::Hook) if a hook fails. Nothing was written.
/// - Any error that the server returns.
#[must_use = "a save is sent when it is awaited"]
#[derive(Debug)]
pub struct Save<M> {
    model: &'static ModelShape,
    id: Result<Bson>,
    document: Result<RawDocumentBuf>,
    options: ReplaceOptions,
    keeps_timestamps: bool,
    moving: bool,
    fan_out: FanOut,
    exec: Exec,
    of: PhantomData<fn() -> M>,
}

impl<M: Storable> Save<M> {
    pub(crate) fn new(model: &M, upsert: bool, exec: Exec) -> Self {
        let mut options = ReplaceOptions::default();
        options.upsert = Some(upsert);
        Self {
            model: M::SHAPE,
            id: encoded_id::<M>(model.stored_id()),
            document: stored(model, false),
            options,
            keeps_timestamps: false,
            moving: false,
            fan_out: FanOut::default(),
            exec,
            of: PhantomData,
        }
    }

    /// Returns the stored document, which contains the current copies, the timestamps and the version. You can then
    /// change and save the returned struct.
    ///
    /// # Sends
    ///
    /// The statements of the save, and a `find` on `_id` that reads the document from the primary.
    ///
    /// # Errors
    ///
    /// The errors of the save, and those of [`Get`](super::Get). If only the `find` fails, the document remains stored.
    /// A `replace` that matches nothing fails with [`Error::NotFound`](crate::Error::NotFound).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/version_models.txt")]
    /// # async fn example(odm: Odm, mut task: Task) -> mongo_odm::Result<()> {
    /// task.title = "Order timber".into();
    /// let mut task = task.save(&odm).returning().await?;
    /// task.title = "Order steel".into();
    /// task.save(&odm).await?;
    /// # Ok(()) }
    /// ```
    pub fn returning(self) -> Returning<Self, M> {
        Returning::new(self)
    }

    fn find_saved(&self) -> FindOne<M> {
        find_written(self.document.as_deref().ok(), &self.exec)
    }
}

impl<M> Save<M> {
    timestamps_setter!();

    /// Also changes the [shard key](derive@crate::Model#sharded-collections) of the stored document. Without this
    /// option, such a write fails.
    ///
    /// The document keeps its `_id`, so references to it stay valid. Its copies, the copies and summaries that depend
    /// on it, its version and its `#[created_at]` have the same values as after a save without this option.
    ///
    /// # Sends
    ///
    /// A transaction. A `find` first reads the stored document. On a sharded cluster, a `delete` and an `insert`
    /// replace the document if its shard key changes. Otherwise, one statement replaces the document.
    ///
    /// # Limits
    ///
    /// - The tenant of a document cannot change.
    /// - A change stream of a cluster reports the `delete` and the `insert`.
    /// - [`before_update`](crate::Hooks::before_update) can change the update only by setting and unsetting fields.
    ///
    /// # Errors
    ///
    /// The errors of the save. [`Error::NoTransactions`](crate::Error::NoTransactions) on a standalone server.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use mongo_odm::prelude::*;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Model)]
    /// #[model(collection = "customers", shard_key(region = 1, _id = 1))]
    /// struct Customer {
    ///     #[serde(rename = "_id")]
    ///     id: Id<Customer>,
    ///     region: String,
    /// }
    ///
    /// async fn relocate(odm: &Odm, mut customer: Customer) -> mongo_odm::Result<()> {
    ///     customer.region = "north".to_owned();
    ///     customer.save(odm).moving().await?;
    ///     Ok(())
    /// }
    /// ```
    pub const fn moving(mut self) -> Self
    where
        M: Movable,
    {
        self.moving = true;
        self
    }

    hooks_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any options: ReplaceOptions);

    fn into_write(self) -> Result<(write::SaveWrite, Exec)> {
        let (mut document, mut kept) = (self.document?, Vec::new());
        let version = self.model.version();
        let version = version.map(|field| (field, version_in(&document, field)));
        let (hooks, mut stamp) = (self.fan_out.hooks(self.model), None);
        if let Some(given) = Stamp::of_struct(self.model, self.keeps_timestamps, &self.exec)? {
            kept = given.kept();
            if hooks.is_none() {
                document = given.document(&document, version.map_or(0, |(_, version)| version))?;
            }
            stamp = Some(given);
        }
        let write = write::SaveWrite {
            model: self.model,
            id: self.id?,
            document,
            kept,
            visibility: Visibility::Live,
            moving: self.moving,
            version,
            // The maintained fields are set after the hooks.
            hooks: hooks.map(|hooks| write::SaveHooks { hooks, stamp }),
            options: self.options,
            fan_out: self.fan_out,
        };
        Ok((write, self.exec))
    }
}

write_builder!([M] Save<M>: write::SaveWrite => UpdateReport, "save");
bulk_operation!([M] Save<M>: Save);

impl<M: Storable> ReturnsDocument<M> for Save<M> {
    fn run(self) -> Running<M> {
        Box::pin(async move {
            let find = self.find_saved();
            self.await?;
            find.require().await
        })
    }

    fn plan(self) -> Result<Plan> {
        let find = self.find_saved();
        Ok(self.plan()?.followed_by(find.plan()?))
    }
}
