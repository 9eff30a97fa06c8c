//! Builder returned by `reassign_..`, which changes a reference only if the stored reference has not changed since the
//! document was loaded.

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateOptions,
};

use super::{get::encoded_id, with_model, write_builder::prepared_update};
use crate::{
    client::{
        command::simple,
        odm::{Exec, Executor},
    },
    derived::follow::FanOut,
    error::Result,
    model::derive_traits::Storable,
    query::{
        field::{FieldOf, Operand},
        filter::merge,
        maintained::Stamp,
        update::Update,
    },
    value::{
        key::{JoinKey, equality, is_same_key},
        path::{join, value_at},
    },
    write::{self, BoundedUpdate, Holder},
};

/// A compare-and-set on a reference: `task.reassign_owner(&odm, kate.id)`.
///
/// The derive generates the method for a reference whose `inverse` is an array. The update matches only if the stored
/// reference is still equal to the one in `task`. A null reference and a missing field count as equal.
///
/// # Sends
///
/// One transaction: a `findAndModify`, and one `update` for the arrays of the old and the new target. If copies depend
/// on the reference, the transaction also contains the statements of [`UpdateOne`](super::UpdateOne). If the new target
/// equals the loaded one, the call sends only one `find` on `_id`, and writes nothing.
///
/// # Index
///
/// The call uses the index on the reference. [`sync_indexes`](crate::Odm::sync_indexes) creates this index.
///
/// # Errors
///
/// - [`Error::Reassigned`](crate::Error::Reassigned) if the stored reference differs from the loaded one. One more
///   `find` on `_id`, in the same snapshot, reads the stored reference for the error. Nothing was written, and your own
///   transaction can continue.
/// - [`Error::NotFound`](crate::Error::NotFound) if the document does not exist.
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) if the array of the new target is full.
/// - All other errors are those of [`UpdateOne`](super::UpdateOne).
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/owner_models.txt")]
/// # async fn example(odm: Odm, task: Task, kate: Person) -> mongo_odm::Result<()> {
/// task.reassign_owner(&odm, kate.id).await?;
/// # Ok(()) }
/// ```
#[must_use = "an update is sent when it is awaited"]
#[derive(Debug)]
pub struct Reassign {
    write: Result<write::ReassignWrite>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl Reassign {
    /// Builds the update that changes a document's reference from its loaded value to a new one.
    #[doc(hidden)]
    #[track_caller]
    pub fn new<M: Storable, F: FieldOf<M>>(
        document: &M,
        field: F,
        loaded: &F::Value,
        value: impl Operand<F::Value>,
        odm: &(impl Executor + ?Sized),
    ) -> Self {
        let (exec, value) = (odm.exec(), value.into_value());
        Self {
            write: write(document, field, (loaded, &value), &exec).map_err(with_model::<M>),
            options: UpdateOptions::default(),
            fan_out: FanOut::default(),
            exec,
        }
    }
}

prepared_update!(Reassign: write::ReassignWrite, "reassign");

/// Encodes the loaded and the new value of the reference, and builds the write.
fn write<M: Storable, F: FieldOf<M>>(
    document: &M,
    field: F,
    (loaded, value): (&F::Value, &F::Value),
    exec: &Exec,
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
    let stays = is_same_key(&holder.expected, &key_in(value.clone(), &inner));
    let by_key = equality(holder.path.clone(), holder.expected.clone());
    let mut options = UpdateOptions::default();
    // The server compares keys byte by byte here, even if the collection has a collation.
    let has_collation = JoinKey::from(holder.expected.clone()).has_collation();
    options.collation = has_collation.then(simple);
    let update = BoundedUpdate::new(
        M::SHAPE,
        merge("$and", doc! { "_id": &holder.id }, by_key),
        update.into_modifications()?,
        options,
        Stamp::of_change(M::SHAPE, exec)?,
    )?;
    Ok(write::ReassignWrite {
        update,
        holder,
        stays,
    })
}

/// Returns the key in an encoded reference. The key is the value itself, or a field of the struct that contains the
/// key.
fn key_in(reference: Bson, inner: &str) -> Bson {
    let path = join("v", inner);
    let wrapped: Document = doc! { "v": reference };
    value_at(&wrapped, &path).cloned().unwrap_or(Bson::Null)
}
