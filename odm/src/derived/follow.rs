//! The effects of a write on derived data: copies, summaries, two-way arrays, delete rules and jobs.
//!
//! # The steps of a write
//!
//! `write` carries out these steps in one transaction. For a write without `Effects`, the same code sends only the
//! statement of the write.
//!
//! 1. `inbound_copies` reads the sources of the copies inside the written documents. The source values are inserted
//!    into the documents or into the update's operators.
//! 2. `write` sends the statement. The reply contains the document as it was before the write.
//!    `query::update::document_after` computes the document after the write, or a `find` reads it.
//! 3. `exists_check` rejects the write if a new reference with `exists` is dangling.
//! 4. `inbound_copies` corrects the copies whose keys were not known until the statement had been sent.
//! 5. `new_source` finds copies and arrays that already refer to a new document.
//! 6. [`follow`] updates the dependent documents in the same transaction, or enqueues jobs and deltas for them.
//!
//! A delete has its own steps, which `on_delete` describes. On a standalone server, which has no transactions, the jobs
//! are written before the statement (`Effects::precede`).
//!
//! `derived::after_commit` describes the steps that follow the commit.
//!
//! # The phases of the follow-up
//!
//! [`follow`] runs these phases. Each phase handles the changes that `collect` has assigned to it, and may add changes
//! to later phases.
//!
//! 1. `collect` assigns every change to the phase that handles it, depending on the kind of derived data.
//! 2. `at_once` writes the fields that must always be updated together with the write (`Timing`).
//! 3. `add_up` applies additions to the computed fields of parents, or stores the additions as deltas.
//! 4. `announce` writes the jobs for the remaining changes, before any copies are written. The jobs are needed because
//!    a concurrent transaction may insert copies that this transaction does not see.
//! 5. `spread` writes the copies, level by level, until the budget ([`Settings::inline_copies`](crate::Settings)) is
//!    used up. Jobs write the remaining copies.
//!
//! Without a transaction, all changes that remain after phase 2 are left to jobs. With `deferred()`, all changes that
//! remain after phase 3 are left to jobs (`Reach`).
//!
//! Copies that only other programs declare (`foreign`) are an exception. This program never writes foreign copies, and
//! always stores jobs for them.
//!
//! # Two arrays that refer to each other
//!
//! In a mirrored pair, neither array is a copy of the other, because programs write both arrays. The following rules
//! keep both arrays equal. Each rule is followed by the tests that fail without it.
//!
//! 1. `at_once` writes the other array in the write's transaction. Only the images of this write show whether an
//!    element was added or removed. So the budget, deltas and `deferred()` do not apply here.
//!    `when_the_other_array_is_written_by_a_job_a_link_that_is_ended_stays_at_one_end`
//! 2. A job, a recheck or a repair adds missing elements to an array, but never removes elements
//!    (`Expected::Superset`).
//! 3. A write that creates or removes a link also writes the document at the other end. If that document is missing or
//!    does not change, the write stores the job for that document instead. So concurrent writes to the same link
//!    conflict. `without_a_job_for_what_is_missing_a_link_stays_at_one_end`,
//!    `without_a_job_for_what_is_missing_a_link_that_is_ended_comes_back_at_one_end`,
//!    `without_a_job_for_what_is_unchanged_a_link_is_made_at_one_end`,
//!    `without_a_job_for_what_is_unchanged_a_link_that_is_ended_comes_back_at_one_end`
//! 4. `remove_one_sided` follows rule 3, too. `without_a_job_of_what_is_taken_away_it_comes_back_at_the_other_end`
//! 5. When a job adds links, each of its batches also writes the job (`outbox::hold`). A writer that removes such a
//!    link may find nothing to remove, and then writes only the job. So the batch and that writer conflict.
//!    `when_a_batch_does_not_write_its_job_a_link_that_is_ended_comes_back_at_one_end`
//! 6. An insert searches for documents that refer to the new document. If there are such documents, the insert also
//!    writes the job for the new document (`new_source`).
//!    `without_a_look_in_its_transaction_a_new_document_does_not_name_who_named_it`,
//!    `without_a_job_for_a_new_document_a_link_that_is_ended_comes_back_at_one_end`
//! 7. The last look of a job follows the grace period. When the last look starts, all transactions that began before
//!    the job was committed have ended. `without_a_grace_a_link_stays_at_one_end`
//! 8. Writes that insert documents or add links check the other end again after the commit. The check after the commit
//!    is only an optimization. Without a check after the commit, one end would lack the link until the grace period
//!    ends. `without_a_second_look_of_an_insert_a_link_is_at_one_end_until_the_grace_is_over`,
//!    `without_a_second_look_of_a_link_it_is_at_one_end_until_the_grace_is_over`
//! 9. If an array has a delete rule, the rule uses the array to find the documents to change. The update of the mirror
//!    skips these documents (`ExtendedReference::mirrors_by`).
//! 10. If an element was written to one array because the other array changed, this write does not cause another update
//!     of that other array (`ExtendedReference::mirrors`).
//!
//! `write/change_links.rs` contains the rules for `link` and `unlink`. `tests/tests/pairs/proofs.rs` model-checks that
//! these rules together keep both arrays equal. The protocol model covers all states that three writers, or two writers
//! and two runners, can reach, including a crash. In this protocol model, arrays may be null or missing, documents are
//! inserted and deleted, and repairs run concurrently.

mod add_up;
mod announce;
mod at_once;
mod collect;
mod copy_options;
mod copy_write;
mod deleted_document;
mod effects;
mod exists_check;
mod follow_result;
mod hot_parent;
mod inbound_copies;
mod new_declaration;
mod new_source;
mod on_delete;
mod outcome;
mod output_stage;
mod parent_update;
mod plan_estimate;
mod recheck;
mod source_change;
mod spread;
mod written_copy;

use crate::{client::odm::Exec, error::Result};
use collect::FollowUp;
pub use copy_options::CopyOptions;
pub(crate) use copy_options::FanOut;
pub(crate) use copy_write::{Candidates, count, count_tied, tied_find, write};
pub(crate) use deleted_document::DeletedDocuments;
pub(crate) use effects::Effects;
pub(crate) use exists_check::{ExistsCheck, ReferredKeys};
pub(crate) use follow_result::{Follow, Followed};
pub(crate) use inbound_copies::{InboundCopies, PreparedCopies, differs, keys_in};
pub(crate) use new_declaration::mark;
pub(crate) use new_source::{NewSources, await_documents, follow_new_sources, has_copies};
pub(crate) use on_delete::{
    Deletion, check_restrict, delete, delete_calls_hooks, first_owner, is_restricted,
    may_be_refused, order_of_deletes, record_copies, unlink,
};
pub(crate) use outcome::Outcome;
pub(crate) use output_stage::{refuse_known_output, refuse_output};
pub(crate) use parent_update::fold;
pub(crate) use recheck::{correct_stale, recheck};
pub(crate) use source_change::{Change, acting_rules};
pub(crate) use written_copy::WrittenCopies;

/// Updates the documents that depend on changed sources, in the transaction that changed the sources.
pub(crate) async fn follow(changes: Vec<Change>, how: Follow, exec: &Exec) -> Result<Followed> {
    follow_within(changes, how, how.budget(exec), exec).await
}

/// Updates the documents that depend on the sources that one statement has changed.
pub(crate) async fn follow_many(
    changes: Vec<Change>,
    sources: usize,
    how: Follow,
    exec: &Exec,
) -> Result<Followed> {
    follow_within(changes, how, how.budget_of_many(sources, exec), exec).await
}

/// Updates the documents that depend on changed sources, until the remaining budget is used up.
async fn follow_within(
    changes: Vec<Change>,
    how: Follow,
    budget: Option<u64>,
    exec: &Exec,
) -> Result<Followed> {
    let mut all = FollowUp::collect(changes, how, budget, exec);
    all.at_once(exec).await?;
    all.add_up(exec).await?;
    all.announce(exec).await?;
    all.spread(exec).await?;
    Ok(all.followed)
}
