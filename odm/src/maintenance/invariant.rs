//! The invariants of stored data: how each is checked and restored.
//!
//! | module | contents |
//! |---|---|
//! | [`copies`] | copies that differ from their source |
//! | [`two_way`] | references that refer to each other, in [pairs](two_way::pair) |
//! | [`links`] | links between documents of one collection |
//! | [`dangling_reference`] | other references: dangling ones, and nulls |
//! | [`unreadable_key`] | keys that cannot be read |
//! | [`bounds`] | arrays that are longer than their `max` |
//! | [`pending_job`] | findings that a job will correct, and jobs that no program runs |
//! | [`finding`] | one finding |

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
