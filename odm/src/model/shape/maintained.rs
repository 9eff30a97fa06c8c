//! Fields that the library maintains in every write of a document.

use std::fmt;

use mongodb::bson::{Bson, Uuid, oid::ObjectId};
use serde::{Serialize, de::DeserializeOwned};

use crate::value::{
    codec::{decode_value, encode_value},
    id::Id,
    key::{AnyKey, JoinKey, Key},
    presence::Presence,
};

/// The field that contains the id of the latest delete of the document. A restored document keeps this field, so that
/// jobs find the children that the same delete has deleted. A save keeps the field, too.
pub(crate) const DELETE_ID: &str = "_odm_delete";

/// The field that contains the ids of earlier deletes of the document, if a restore has left the dependent documents of
/// these deletes to jobs. These dependent documents might still be marked or archived. A save keeps the field, too.
pub(crate) const RESTORING: &str = "_odm_restoring";

/// The field of an archived document that contains the time of the delete. A restore removes the field.
pub(crate) const DELETED_AT: &str = "_odm_deleted_at";

/// The meaning of a field that the library maintains in every write of a document.
///
/// Updates cannot set such a field. Inserts and saves can set only the tenant and, with `keep_timestamps()`, imported
/// timestamps and actors. `query::maintained` contains the rules.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Maintained {
    /// `#[created_at]`: the time of the insert.
    CreatedAt,
    /// `#[updated_at]`: the time of the latest write of the document's own fields.
    UpdatedAt,
    /// `#[created_by]`: the actor that inserted the document.
    CreatedBy(ActorType),
    /// `#[updated_by]`: the actor of the latest write of the document's own fields.
    UpdatedBy(ActorType),
    /// `#[version]`: the number of writes of the document's own fields.
    Version,
    /// `#[deleted_at]`: the time at which the document was deleted. The document is kept until it is purged.
    DeletedAt,
    /// The option `tenant` in `#[model(..)]`: the tenant to which the document belongs.
    Tenant(ActorType),
}

/// A description of the type of a field that stores actors or tenants.
#[derive(Clone, Copy)]
pub struct ActorType {
    reads: fn(Bson) -> bool,
}

impl ActorType {
    /// Returns the description of a field of type `T`.
    #[doc(hidden)]
    pub const fn of<T: ActorField>() -> Self {
        Self { reads: stores::<T> }
    }

    /// Whether the field can store the given actor. Null means that there is no actor, which only an optional field can
    /// store.
    pub(crate) fn accepts(self, actor: &Bson) -> bool {
        (self.reads)(actor.clone())
    }
}

/// Whether a field stores a key without changing its type. The driver also reads an `ObjectId` or a `Uuid` from its
/// text, but the text is a different key.
fn stores<T: ActorField>(actor: Bson) -> bool {
    let stored = decode_value::<T>(actor.clone());
    let stored = stored.ok().and_then(|it| encode_value(&it).ok());
    stored.is_some_and(|stored| JoinKey::from(stored) == JoinKey::from(actor))
}

impl fmt::Debug for ActorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ActorType")
    }
}

/// A type that a tenant field, or a field with `#[created_by]` or `#[updated_by]`, can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot store the key of an actor or a tenant",
    label = "not a key",
    note = "make it an id, such as `Id<User>` or `Id<Org>`, or an `Option` of it if some writes have no actor; an `ObjectId`, a \
            `String`, an `i32`, an `i64`, a `Uuid` and an `AnyKey` are possible, too"
)]
pub trait ActorField: DeserializeOwned + Serialize {}

macro_rules! actor_fields {
    ($($type:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ActorField for $type {}
    )*};
}
actor_fields!(ObjectId String i32 i64 Uuid AnyKey);

#[diagnostic::do_not_recommend]
impl<M: ?Sized + 'static, K: Key> ActorField for Id<M, K> {}

#[diagnostic::do_not_recommend]
impl<T: ActorField> ActorField for Option<T> {}

#[diagnostic::do_not_recommend]
impl<T: ActorField> ActorField for Presence<T> {}
