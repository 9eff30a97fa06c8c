//! The declarations of all programs that use a database: `_odm_schema`.
//!
//! A program knows the copies that its own models declare. One that writes to a source and does not
//! link the model with the copies would leave them old; so every program writes down what it declares
//! before it writes, and hands the rest to a job that only a program with all of its extended references runs.
//!
//! A document is one extended reference or one rule for deletes:
//! `{_id, name, rule, source, source_key, in_source, target, key, fields: [{from, to, declared_at, seen_at}],
//! by, declared_at, seen_at}`. Its `_id` is the relation, which says what is stored: programs may call
//! their structs differently, and `name` is what the last of them did. (Version 0.1 began with that name as
//! the `_id`; such documents are read as well.) Fields have dates of their own, because programs may declare
//! different copies of one extended reference; where they take one copy from different fields, both stay here, which is
//! warned of and a finding of [`Odm::health`](crate::Odm::health). What nobody has declared for seven days counts no longer, and
//! its jobs are removed: a program that comes back after that time has copies to verify. Until then
//! they wait, and are a finding of `verify` if nobody is left who declares their relation.
//!
//! What is declared is unknown to others until they read again, a minute later at most. Until they
//! have, whoever stores copies, or references with a rule, leaves a job for their keys ([`Exec::until_known`](crate::client::odm::Exec::until_known)).

mod declarations;
mod declare;
mod forget;
mod known;
mod orphans;
mod stored_declaration;

pub(crate) use declarations::declarations_state;
pub(crate) use known::declare_if_due;
pub(crate) use orphans::{Orphans, of_others, orphans, remove_orphans};
