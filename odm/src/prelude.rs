//! What most files that use the library need: `use mongo_odm::prelude::*;`.

pub use mongodb::bson::{self, DateTime, doc, oid::ObjectId};
pub use serde::{Deserialize, Serialize};

pub use crate::{
    CopyOptions, Described, Embedded, Executor, Id, Linked, Model, Odm, Projection, Readable,
    SingleCollection, Storable, Tx, UpdateOperators,
};
