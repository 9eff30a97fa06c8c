//! Differences between tests on a sharded cluster and on a replica set.

use std::env;

/// Whether the tests run on a sharded cluster, which shards the collections by `_id`.
#[must_use]
pub fn is_sharded() -> bool {
    env::var("ODM_TEST_TOPOLOGY").is_ok_and(|topology| topology == "sharded")
}

/// Returns the names of the commands that write one document outside transactions, if the filter of the write does not
/// contain the `_id`. On a cluster, the server rejects the first command, and the library finds the `_id` first.
#[must_use]
pub fn without_id(statement: &str) -> Vec<&str> {
    if is_sharded() {
        vec![statement, "find", statement]
    } else {
        vec![statement]
    }
}
