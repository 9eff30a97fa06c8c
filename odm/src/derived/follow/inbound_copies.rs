//! Sets the copies inside written documents to the values of their sources.
//!
//! - If a write stores whole documents, the library reads the sources and fills in the copies ([`InboundCopies::fill`])
//!   before it sends the statement.
//! - If an update contains the keys, the library adds the copies to the update before sending it
//!   ([`InboundCopies::prepare`]).
//! - All other updates are sent first. The stored document is then corrected in the same transaction
//!   ([`PreparedCopies::correct`]). Examples of such updates are pipelines, upserts, and updates with positional paths.
//! - Copies that only other programs declare are left to those programs, and the write stores a job for them. This
//!   happens, for example, if an older version of a program inserts documents without a copy that a newer version
//!   declares.
//!
//! The library sets snapshots (`graph().snapshots`) only in new structs. Their values come from the same read as those
//! of the copies beside them. A new struct is an inserted document, a struct inside it, or an element that `$push` or
//! `$addToSet` adds. Snapshots require no job, no recheck and no declaration.

mod copy_set;
mod correction;
mod document_filler;
mod foreign_copy;
mod update_operand;

use std::sync::Arc;

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

use super::{
    new_declaration::{expect, mark_targets},
    written_copy::WrittenCopies,
};
use crate::{
    client::{command::Rows, id_order::id_of, odm::Exec},
    derived::{
        outbox::{JobEntry, Phase, record_all},
        values::resolve,
    },
    error::{Error, Result},
    graph::{Content, Copied, Deltas, Derivation, ExtendedReference, graph},
    model::shape::DocumentSet,
    query::update::{changed_paths, written_paths},
    value::{
        key::JoinKey,
        path::{covers, overlap, without_positions},
    },
};
use copy_set::CopySet;
pub(crate) use correction::CorrectedCopies;
use document_filler::{Filler, foreign_keys_in};
pub(crate) use document_filler::{differs, keys_in};
use update_operand::OperandCopies;

/// The extended references to which the copies inside the written documents belong.
#[derive(Clone, Debug, Default)]
pub(crate) struct InboundCopies {
    pub(crate) references: Vec<Arc<ExtendedReference>>,
    /// The snapshots, which are set only in new structs.
    pub(crate) snapshots: Vec<Arc<ExtendedReference>>,
    /// Extended references that only other programs declare, and delete rules of this program that other programs might
    /// not know yet.
    pub(crate) left: Vec<Arc<ExtendedReference>>,
}

impl InboundCopies {
    /// Lists the extended references that have copies in the given documents.
    pub(crate) fn of(documents: DocumentSet<'_>) -> Self {
        Self {
            // Mirrored arrays are skipped, because your code decides which elements they contain.
            references: graph().derived_within(documents).cloned().collect(),
            snapshots: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Lists the extended references that have copies in the given documents, if an update can affect these copies.
    pub(crate) async fn of_update(
        documents: DocumentSet<'_>,
        update: &UpdateModifications,
        exec: &Exec,
    ) -> Result<Self> {
        let mut inbound = Self::of(documents);
        inbound.left = exec.left_within(documents).await?;
        Ok(inbound.touched_by(update))
    }

    /// Adds the snapshots that the given documents contain.
    pub(crate) fn with_snapshots(mut self, documents: DocumentSet<'_>) -> Self {
        let snapshots = graph().snapshots_within(documents).cloned();
        self.snapshots.extend(snapshots);
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.references.is_empty() && self.snapshots.is_empty() && self.left.is_empty()
    }

    /// Whether a path overlaps with the path of a copy or a computed field.
    pub(crate) fn has_copy_at(&self, path: &str) -> bool {
        let all = [&self.references, &self.snapshots, &self.left];
        let mut copies = all.into_iter().flatten().flat_map(|it| it.copy_paths());
        copies.any(|copy| overlap(&copy, path))
    }

    /// Keeps those extended references whose keys or copies an update can write. Keeps snapshots only if the update
    /// adds structs that contain them.
    pub(crate) fn touched_by(mut self, update: &UpdateModifications) -> Self {
        self.snapshots
            .retain(|snapshot| update_operand::brings_new(snapshot, update));
        if let Some(written) = changed_paths(update) {
            let touched = |path: &str| written.iter().any(|written| overlap(written, path));
            let concerned = |reference: &Arc<ExtendedReference>| {
                touched(&reference.key_path()) || reference.copy_paths().any(|copy| touched(&copy))
            };
            self.references.retain(concerned);
            self.left.retain(concerned);
        }
        self
    }

    /// Lists the extended references that use these copies as their sources.
    pub(crate) fn followers(&self) -> Vec<Arc<ExtendedReference>> {
        let references = self.references.iter();
        references.flat_map(|it| it.followers()).collect()
    }

    /// Rejects an update that writes a copy without also writing its key.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the update writes such a copy. The message shows which source to write instead.
    pub(crate) fn refuse_direct(&self, update: &UpdateModifications) -> Result<()> {
        let UpdateModifications::Document(operators) = update else {
            return Ok(());
        };
        let mut operators = operators.clone();
        // An upsert sets every field of the struct, including copies. The copies in `$setOnInsert` are corrected later.
        operators.remove("$setOnInsert");
        let written = written_paths(&operators);
        for reference in &self.references {
            let key = reference.key_path();
            if written.iter().any(|written| overlap(written, &key)) {
                continue;
            }
            for (copied, path) in reference.fields.iter().zip(reference.copy_paths()) {
                // Setting the same keys in a new order is allowed. `correct` compares the keys after the statement.
                let is_order =
                    copied.fold.key_of_elements().is_some() && sets_whole(&operators, &path);
                if !is_order && written.iter().any(|written| covers(&path, written)) {
                    return Err(refused(reference, copied, &path));
                }
            }
        }
        Ok(())
    }

    /// Sets the copies in documents that are written as a whole. Sends one `find` for each extended reference that has
    /// keys in the documents. Sets snapshots only if the documents are `new`. Returns the copies to check again after
    /// the commit.
    pub(crate) async fn fill(
        &self,
        rows: &mut Rows,
        new: bool,
        exec: &Exec,
    ) -> Result<Vec<WrittenCopies>> {
        let mut written = Vec::new();
        for copies in self.copy_sets(new) {
            let reference = &copies.all;
            let keys = keys_in(reference, rows.iter().map(|raw| &**raw));
            exec.note(|| format!("the values of {}", reference.name));
            let resolved = resolve(reference, keys.iter().cloned(), exec).await?;
            if let Some(following) = &copies.following {
                expect(following, &keys, &resolved, exec).await?;
            }
            let filler = Filler::new(reference, &resolved)?;
            rows.change(|document| filler.filled(document))?;
            let ids = rows.iter().filter_map(|raw| id_of(raw)).collect();
            written.extend(copies.written(ids, keys, resolved));
        }
        for reference in &self.left {
            let keys = foreign_keys_in(reference, rows.iter().map(|raw| &**raw))?;
            written.extend(leave(reference, keys, exec).await?);
        }
        Ok(written)
    }

    /// Whether pending deltas can exist for the summaries of the documents.
    pub(crate) fn have_deltas(&self) -> bool {
        let mut references = self.references.iter();
        references.any(|reference| matches!(reference.deltas(), Deltas::Possible))
    }

    fn copy_sets(&self, new: bool) -> Vec<CopySet> {
        if new {
            CopySet::of_new(&self.references, &self.snapshots)
        } else {
            let references = self.references.iter();
            references.map(CopySet::of_stored).collect()
        }
    }

    /// Returns the copies to correct in a document that an upsert inserts. The keys may be in the filter of the
    /// upsert, so the library does not know them before it sends the statement.
    pub(crate) fn of_inserted(&self) -> PreparedCopies {
        let copies = self
            .copy_sets(true)
            .into_iter()
            .map(OperandCopies::of_new_document);
        let left = self.left.iter();
        PreparedCopies(copies.chain(left.map(OperandCopies::of_left)).collect())
    }

    /// Completes an update that writes keys, by adding the copies to its operators. Sends one `find` for each extended
    /// reference that has keys in the update.
    pub(crate) async fn prepare(
        &self,
        update: &mut UpdateModifications,
        exec: &Exec,
    ) -> Result<PreparedCopies> {
        let mut prepared = PreparedCopies::default();
        for copies in self.copy_sets(true) {
            let known = update_operand::complete(copies, update, exec).await?;
            prepared.0.extend(known);
        }
        for reference in &self.left {
            update_operand::unset_without_key(reference, update);
            let known = update_operand::leave(reference, update, exec).await?;
            prepared.0.push(known);
        }
        Ok(prepared)
    }
}

/// The copies that an update affects, with the keys and source values that the update's operators determine.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreparedCopies(Vec<OperandCopies>);

impl PreparedCopies {
    /// Whether no copy has to be corrected after the update. The result is true if each affected copy is written by the
    /// update itself or by a job of another program.
    pub(crate) fn is_complete(&self) -> bool {
        self.0.iter().all(|known| known.complete)
    }

    /// Returns the copies to check again after the commit.
    pub(crate) fn written(self, ids: &[Bson]) -> Vec<WrittenCopies> {
        let written = self.0.into_iter().filter_map(|known| {
            let keys = known.keys?;
            known.copies.written(ids.to_vec(), keys, known.resolved)
        });
        written.collect()
    }
}

/// Whether the operators set a field as a whole, and do not write the field in any other way.
pub(super) fn sets_whole(operators: &Document, path: &str) -> bool {
    let mut all = operators.iter().flat_map(|(operator, fields)| {
        let fields = fields.as_document().into_iter().flat_map(Document::keys);
        fields.map(move |field| (operator, field))
    });
    all.all(|(operator, field)| {
        !overlap(path, &without_positions(field)) || operator == "$set" && field == path
    })
}

fn refused(reference: &ExtendedReference, copied: &Copied, path: &str) -> Error {
    let (target, source) = (reference.target.name(), reference.source.name());
    let from = &copied.from;
    let via = &reference.source_key;
    let is_array = copied.fold.key_of_elements().is_some();
    Error::invalid(match reference.derivation {
        Derivation::Fold | Derivation::Mirror if is_array => format!(
            "`{target}.{path}` contains each `{source}` that refers to the `{target}` by `{via}`; write \
             `{source}.{via}`, and both sides change. Only the order of the ids can be set"
        ),
        Derivation::Fold | Derivation::Mirror => format!(
            "`{target}.{path}` is `{from}` of each `{source}` that refers to the `{target}` by `{via}`; write the \
             `{source}`, and the field follows"
        ),
        Derivation::Copy | Derivation::ReferrerCopy | Derivation::DeleteRule => format!(
            "`{target}.{path}` is a copy of `{source}.{from}`; update the `{source}`, and the copy follows"
        ),
    })
}

fn unreadable(reference: &ExtendedReference, copied: &Copied) -> Error {
    let (target, source) = (reference.target.name(), reference.source.name());
    let (key, to) = (reference.key_path(), reference.place.path(&copied.to));
    Error::invalid(format!(
        "an upsert of `{target}` would insert a document without `{to}`, which could not be decoded: `{to}` is a \
         copy of `{source}.{}`, and no `{source}` has the key in `{key}`; insert the `{source}` first, or make `{to}` \
         an `Option` or give it `#[serde(default)]`",
        copied.from
    ))
}

/// Enqueues jobs for copies that only other programs can write, because the written documents lack these copies or
/// contain stale values. Returns these copies. For a delete rule, which has no copies, the function only writes the jobs
/// of the targets, if other programs might not know the rule yet (`new_declaration::mark`).
async fn leave(
    reference: &Arc<ExtendedReference>,
    keys: Vec<JoinKey>,
    exec: &Exec,
) -> Result<Option<WrittenCopies>> {
    match reference.content() {
        Content::Absent => mark_targets(reference, &keys, exec).await?,
        Content::Derived | Content::Mirrored => {
            let entries = JobEntry::of_reference(reference, &keys, Phase::Run);
            record_all(&entries, exec).await?;
        }
    }
    Ok(WrittenCopies::left_to_others(reference, keys))
}
