//! Gives a document another owner, if it still has the one that was loaded.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateOptions,
};

use super::{get::encoded_id, with_model, write_builder::write_builder};
use crate::{
    client::{
        command::simple,
        odm::{Exec, Executor},
    },
    derived::follow::{CopyOptions, FanOut},
    error::Result,
    model::derive_traits::Storable,
    query::{
        field::{FieldOf, Operand},
        filter::{equality, merge},
        update::Update,
    },
    setters::option_setters,
    value::{
        key::JoinKey,
        path::{join, value_at},
    },
    write::{self, BoundedUpdate, Holder, UpdateReport, same_key},
};

/// Gives a document another owner, if it still has the one that was loaded: compare and set.
///
/// `task.reassign_owner(&odm, kate.id)` is generated for a reference whose `inverse` is an array. Awaiting it updates the
/// document whose `_id` and whose owner are those of `task`; no owner is null or missing. It runs as an
/// [`UpdateOne`](super::UpdateOne) that sets the field, in one transaction with the arrays of both owners and with all
/// copies: a `findAndModify` and one `update` of both owners, between begin and commit. Copies cost what they
/// cost there. It wants an index on the reference, which [`sync_indexes`](crate::Odm::sync_indexes) makes.
///
/// Where the new owner is the one that `task` has, nothing is written: one `find` on `_id` asks whether that is still
/// right, and the report says that nothing was modified.
///
/// # Errors
///
/// [`Error::Reassigned`](crate::Error::Reassigned) with the owner that the document has now, if it is another one: one
/// `find` on `_id` more, in the snapshot in which nothing matched. [`Error::NotFound`](crate::Error::NotFound) if the
/// document is gone. Nothing is written then, and a transaction of the caller may go on. Otherwise as
/// [`UpdateOne`](super::UpdateOne): [`Error::BoundExceeded`](crate::Error::BoundExceeded) for an array that is full.
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct Reassign {
    write: Result<write::ReassignWrite>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl Reassign {
    /// Puts a value into a reference of a document, in place of the one that was loaded.
    #[track_caller]
    pub fn new<M: Storable, F: FieldOf<M>>(
        document: &M,
        field: F,
        loaded: &F::Value,
        value: impl Operand<F::Value>,
        odm: &(impl Executor + ?Sized),
    ) -> Self {
        Self {
            write: write(document, field, loaded, &value.into_value()).map_err(with_model::<M>),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec: odm.exec(),
        }
    }

    option_setters!(comment, write_concern);

    const fn options_mut(&mut self) -> &mut UpdateOptions {
        &mut self.options
    }

    fn into_write(mut self) -> Result<(write::ReassignWrite, Exec)> {
        let mut write = self.write?;
        // That of the key.
        self.options.collation = write.update.options.collation.take();
        write.update.options = self.options;
        write.update.fan_out = self.fan_out;
        Ok((write, self.exec))
    }
}

write_builder!([] Reassign: write::ReassignWrite => UpdateReport, "reassign");

impl CopyOptions for Reassign {
    fn fan_out_mut(&mut self) -> &mut FanOut {
        &mut self.fan_out
    }
}

/// Takes the documents out of typed operands.
fn write<M: Storable, F: FieldOf<M>>(
    document: &M,
    field: F,
    loaded: &F::Value,
    value: &F::Value,
) -> Result<write::ReassignWrite> {
    let mut update = Update::<M>::new();
    update.put(field, value);
    let (loaded, value) = (field.encode(loaded)?, field.encode(value)?);
    let inner = field.shape().and_then(|shape| shape.reference.as_ref());
    let inner = inner.map_or_else(String::new, |reference| (reference.inner)());
    let holder = Holder {
        id: encoded_id::<M>(document.stored_id())?,
        path: join(&field.path(), &inner),
        expected: key_in(loaded, &inner),
    };
    let stays = same_key(&holder.expected, &key_in(value.clone(), &inner));
    let by_key = equality(holder.path.clone(), holder.expected.clone());
    let mut options = UpdateOptions::default();
    // Keys are compared byte by byte, whatever the collation of the collection.
    let has_collation = JoinKey::from(holder.expected.clone()).has_collation();
    options.collation = has_collation.then(simple);
    let update = BoundedUpdate::new(
        M::SHAPE,
        merge("$and", doc! { "_id": &holder.id }, by_key),
        update.into_modifications()?,
        options,
    )?;
    Ok(write::ReassignWrite {
        update,
        holder,
        stays,
    })
}

/// Returns the key in an encoded reference: the value itself, or a field of the struct that holds it.
fn key_in(reference: Bson, inner: &str) -> Bson {
    let path = join("v", inner);
    let wrapped: Document = doc! { "v": reference };
    value_at(&wrapped, &path).cloned().unwrap_or(Bson::Null)
}
