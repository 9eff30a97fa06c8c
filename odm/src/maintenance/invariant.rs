//! The invariants of stored data: how each is checked and restored.
//!
//! | module | contents |
//! |---|---|
//! | [`copies`] | copies that differ from their source |
//! | [`two_way`] | pairs of references that refer to each other ([`pair`](two_way::pair)) |
//! | [`links`] | links between documents in one collection |
//! | [`dangling_reference`] | all other references: dangling ones, and nulls where null is not allowed |
//! | [`unreadable_key`] | keys that cannot be read |
//! | [`bounds`] | arrays that are longer than their `max` |
//! | [`pending_job`] | findings that a job will correct, and jobs that no program runs |
//! | [`finding`] | one finding of a check |

pub(super) mod bounds;
pub(super) mod copies;
pub(super) mod dangling_reference;
pub(super) mod finding;
pub(super) mod finding_stream;
pub(super) mod links;
pub(super) mod options;
pub(super) mod pending_job;
pub(super) mod repair_report;
pub(super) mod two_way;
pub(super) mod unreadable_key;
