//! Compares the library's recent lists, counts and maxima with hand-written driver code. All variants are measured in
//! the same rounds.
//!
//! | | workload | limit |
//! |---|---|---|
//! | S1 | 100,000 messages in batches of 1,000 for 100 hosts | 0.9 of the rate of the same code by hand; 10 times the rate with one update per message |
//! | S2 | single messages of 16 callers for one host | 4 times the rate of an insert and an update, 0.45 of the rate of only inserts; p99 at most 4 times that of only inserts; shown within 250 ms |
//! | S3 | single messages of 16 callers for 200 hosts | 0.85 of the rate of a transaction by hand |
//! | S4 | an insert for a host with 1,000 and with 1,000,000 messages | |
//! | S5 | a change of a task's owner, with counts in both owners | 1.10 of the same transaction by hand |

#![allow(
    clippy::cast_precision_loss,
    reason = "counts of documents are far from the limits of a double"
)]

mod batches;
mod callers;
mod children;
mod deltas;
mod form;
mod hand;
mod models;
mod one_by_one;
mod options;
mod reassign;
mod right;
mod target;
mod tasks;

use odm_benches::{Result, place::Place, table::Table};

use crate::options::Options;

/// Largest number of connections. Each caller and each concurrent task needs a connection. The driver's default is only
/// 10.
const CONNECTIONS: u32 = 64;

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::from_args()?;
    let place = Place::with_connections(Some(CONNECTIONS))
        .await?
        .in_background();
    let mut table = Table::default();
    Table::head();
    if options.wants("s1") {
        batches::run(&place, &options, &mut table).await?;
    }
    if options.wants("s2") {
        one_by_one::one_host(&place, &options, &mut table).await?;
    }
    if options.wants("s3") {
        one_by_one::many_hosts(&place, &options, &mut table).await?;
    }
    if options.wants("s4") {
        children::run(&place, &options, &mut table).await?;
    }
    if options.wants("s5") {
        reassign::run(&place, &options, &mut table).await?;
    }
    table.finish(options.strict)
}
