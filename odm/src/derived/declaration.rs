//! The declarations of all programs that use a database: `_odm_schema`.
//!
//! A program that writes to a source, but does not know a model that copies from it, would leave these copies stale.
//! So:
//!
//! 1. A program stores its declarations before its first write to a source or to a document with copies.
//! 2. Once a minute it reads the declarations of other programs. `follow/new_declaration.rs` describes the time until
//!    then.
//! 3. An extended reference that only other programs declare is `foreign`. A write only enqueues jobs for it, and does
//!    not write its copies.
//! 4. A job is due for every program that declares its relation. A job for an unknown relation does not block other
//!    jobs.
//! 5. A runner that does not know some of the `fields` of a job hands them on. Each of these fields becomes a job with
//!    its own relation, `products.parts.id <- parts._id (parts.qty)`, and with the cursor of the whole relation.
//!
//! # Stored declarations
//!
//! Each document describes one extended reference or one delete rule:
//!
//! ```text
//! {_id, name, rule, source, source_key, in_source, target, key, fields: [{from, to, declared_at, seen_at}], by,
//!  declared_at, seen_at}
//! ```
//!
//! - The `_id` is the relation, as in jobs. It consists of stored paths, so structs that have the same name in
//!   different collections are separate declarations. `name` is the name in the last program that declared it.
//! - The library reads the relation from the `_id` and never derives it again. Test:
//!   `a_program_takes_no_declaration_of_its_own_for_one_of_another`.
//! - Fields have their own dates, because programs may declare different copies of one extended reference.
//! - If programs fill one copy from different fields of the source, both declarations stay. The library logs a warning,
//!   and [`Odm::health`](crate::Odm::health) reports it.
//! - If no program declares the relation of a job, `verify` reports it. Seven days after a declaration was last stored,
//!   by the clock of the server, it expires and its jobs are removed. A program that starts again after that time has
//!   to verify its copies.

mod cache;
mod forget;
mod lifetime;
mod live;
mod other_programs;
mod publish;
mod stored;
mod undeclared_relation;

pub(crate) use cache::declare_if_due;
pub(crate) use other_programs::declarations_state;
pub(crate) use undeclared_relation::{UndeclaredJobs, of_others, orphans, remove_orphans};
