//! The names that most programs need: `use mongo_odm::prelude::*;`.

pub use mongodb::bson::{self, DateTime, doc, oid::ObjectId};
pub use serde::{Deserialize, Serialize};

#[doc(hidden)]
pub use crate::model::embedded_call_messages::EmbeddedCalls as _;
pub use crate::{
    CopyOptions, Described, Documents, Embedded, Executor, Filter, Id, Linked, Model, Odm,
    Projection, SingleCollection, Storable, Tx, UpdateOperators,
};
