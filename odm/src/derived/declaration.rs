//! The declarations of all programs that use a database, stored in `_odm_schema`.
//!
//! A program can write to a source although it does not know all models that copy from this source. Without stored
//! declarations, this write would leave the copies in the unknown models stale. The following rules prevent this:
//!
//! 1. A program stores its declarations before it writes to a source for the first time. It also stores them before it
//!    writes to a document that contains copies for the first time.
//! 2. Once a minute, a program reads the declarations of other programs. `follow/new_declaration.rs` describes how
//!    copies stay correct until all programs know a new declaration.
//! 3. An extended reference that only other programs declare is `foreign`. A write enqueues jobs for a foreign
//!    reference, but does not write its copies.
//! 4. Every program that declares the relation of a job can run this job. If a program does not know a job's relation,
//!    this job does not block the program's other jobs.
//! 5. The `fields` of a job may include fields that its runner does not know. The runner hands on these fields to other
//!    programs: for each field, it stores a job for a separate relation, such as
//!    `products.parts.id <- parts._id (parts.qty)`. The separate jobs share the cursor (the progress of a run) of the
//!    whole relation.
//!
//! # Stored declarations
//!
//! Each stored document describes one extended reference or one delete rule:
//!
//! ```text
//! {_id, name, rule, source, source_key, in_source, target, key, fields: [{from, to, declared_at, seen_at}], by,
//!  declared_at, seen_at}
//! ```
//!
//! - The `_id` is the relation, as in jobs. The relation consists of stored paths, so structs that have the same name
//!   but different collections have separate declarations. `name` is the relation's name in the program that most
//!   recently declared the relation.
//! - The library reads the relation from the `_id`, and never computes it from the other fields. Test:
//!   `a_program_takes_no_declaration_of_its_own_for_one_of_another`.
//! - Each field has its own dates, because programs may declare different copies for the same extended reference.
//! - Two programs may fill the same copy from different source fields. The library keeps both declarations, logs a
//!   warning, and [`Odm::health`](crate::Odm::health) reports the contradiction.
//! - If no program declares the relation of a job, `verify` reports the job. A declaration expires seven days after a
//!   program last stored it, by the server's clock. Jobs for an expired declaration are removed. If a program starts
//!   again after this time, you have to verify its copies.

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
