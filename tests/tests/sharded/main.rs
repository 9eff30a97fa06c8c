//! Models with a shard key, on a sharded cluster of real `mongod` processes. The driver connects to the front of
//! `mongo-odm-testkit`, which is not `mongos`, or to the `mongos` in `MONGODB_URI`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::doc_markdown,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod archives;
mod bulk;
mod declarations;
mod features;
mod limits;
mod models;
mod moving;
mod plans;
mod sharding;
mod undeclared;
mod writes;
