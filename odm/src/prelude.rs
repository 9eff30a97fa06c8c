//! The items that most programs import: `use mongo_odm::prelude::*;`.

pub use mongodb::bson::{self, DateTime, doc, oid::ObjectId};
pub use serde::{Deserialize, Serialize};

#[doc(hidden)]
pub use crate::action::model_habits::{
    BulkWriteCalls as _, CountDocumentsCalls as _, CreateIndexCalls as _, DeleteByIdCalls as _,
    DeleteOneCalls as _, FindByIdCalls as _, FindOneAndDeleteCalls as _, InsertOneCalls as _,
    ReplaceOneCalls as _, UpdateByIdCalls as _, UpdateOneCalls as _,
};
#[doc(hidden)]
pub use crate::model::embedded_call_messages::EmbeddedCalls as _;
pub use crate::{
    CopyOptions, Described, Documents, Embedded, Executor, Filter, Hooks, Id, Insertable, Linked,
    Model, Odm, Patch, Presence, Projection, SingleCollection, Storable, Tx, UpdateOperators,
};
