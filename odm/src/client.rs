//! The handle to a database, its settings and transactions, and the commands that it sends.

pub(crate) mod change_stream;
pub(crate) mod command;
pub(crate) mod id_batches;
pub(crate) mod id_order;
pub(crate) mod odm;
pub(crate) mod place;
pub(crate) mod plan;
