//! Compares the library's copies with hand-written driver code. Both are measured in the same
//! rounds.
//!
//! | | workload | limit |
//! |---|---|---|
//! | C1 | a rename with 1 to 1,000 copies, scalar or in arrays | 1.10 of the same statements by hand |
//! | C2 | a rename with 300,000 copies | 0.8 of the documents per second of one `updateMany`; p99 of a concurrent update at most 6 times its idle p99 |
//! | C3 | an insert of 1,000 messages with copies | 1.10 of the same by hand |
//! | C4 | a rename with 1,000,000 copies | 32 MiB of memory |
//! | C5 | deferred renames while the copies of an earlier one are written | p99 at most 3 times the p99 without such writes |
//! | C6 | a verification of 300,000 copies | one second |

#![allow(
    clippy::cast_precision_loss,
    reason = "counts of documents are far from the limits of a double"
)]

mod during;
mod fan_out;
mod hand;
mod insert;
mod memory;
mod models;
mod options;
mod rename;
mod verify;

use odm_benches::{Result, place::Place, table::Table};

use crate::options::Options;

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::from_args()?;
    if let Some(argument) = &options.child {
        return memory::child(argument).await;
    }
    let place = Place::start().await?;
    let mut table = Table::default();
    Table::head();
    if options.wants("c1") {
        rename::run(&place, &options, &mut table).await?;
    }
    if options.wants("c2") {
        fan_out::run(&place, &options, &mut table).await?;
    }
    if options.wants("c3") {
        insert::run(&place, &options, &mut table).await?;
    }
    if options.wants("c4") {
        memory::run(&place, &options, &mut table).await?;
    }
    if options.wants("c5") {
        during::run(&place, &options, &mut table).await?;
    }
    if options.wants("c6") {
        verify::run(&place, &options, &mut table).await?;
    }
    table.finish(options.strict)
}
