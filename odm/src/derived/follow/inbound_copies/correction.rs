//! Corrects the copies in documents that an update has just changed.
//!
//! In many cases, the update itself sets the new values of the copies. But sometimes the keys are known only from the
//! updated documents, for example if a pipeline computes a reference. All documents of a batch are corrected together,
//! so the number of statements does not depend on the number of documents.

use std::borrow::Cow;

use mongodb::bson::{Bson, RawDocument, doc};

use super::{
    PreparedCopies,
    document_filler::{Filler, differs, foreign_keys_in, lacking},
    foreign_copy::remove_without_key,
    leave, refused, unreadable,
    update_operand::OperandCopies,
};
use crate::{
    client::{command::UpdateCommand, id_order::id_of, odm::Exec},
    derived::{
        follow::{copy_write::send, written_copy::WrittenCopies},
        values::{Resolved, SourceValues, key_condition, update_of, updates},
    },
    error::Result,
    graph::{DeclaredBy, ExtendedReference},
    value::key::JoinKey,
};

/// The result of correcting updated documents.
#[derive(Debug, Default)]
pub(crate) struct CorrectedCopies {
    pub(crate) written: Vec<WrittenCopies>,
    /// Whether the correction has changed any document.
    pub(crate) changed: bool,
}

/// The `_id` of a document, and the document with the corrections made so far. A corrected value can serve as the key
/// for the next correction.
type UpdatedDocument<'d> = (Bson, Cow<'d, RawDocument>);

impl PreparedCopies {
    /// Corrects copies in updated documents, if the update itself did not set their values.
    ///
    /// Sends one `find` for each extended reference if the keys are known only from the documents. Sends one `update`
    /// for the documents in which copies differ from their sources. `bypass` is true if the update skips the validation
    /// rules of the collection.
    pub(crate) async fn correct(
        &self,
        documents: &[&RawDocument],
        bypass: Option<bool>,
        exec: &Exec,
    ) -> Result<CorrectedCopies> {
        let with_id = documents.iter();
        let with_id = with_id.filter_map(|it| Some((id_of(it)?, Cow::Borrowed(*it))));
        let mut documents: Vec<UpdatedDocument<'_>> = with_id.collect();
        let mut corrected = CorrectedCopies::default();
        if documents.is_empty() {
            return Ok(corrected);
        }
        for known in &self.0 {
            match known.copies.all.declared_by {
                DeclaredBy::OtherPrograms => {
                    let left = known.leave_copies(&documents, bypass, &mut corrected, exec);
                    left.await?;
                }
                DeclaredBy::ThisProgram => {
                    let documents = &mut documents;
                    let written = known.correct_copies(documents, bypass, &mut corrected, exec);
                    written.await?;
                }
            }
        }
        Ok(corrected)
    }
}

impl OperandCopies {
    /// Corrects the copies in the updated documents, if this program declares them.
    async fn correct_copies(
        &self,
        documents: &mut [UpdatedDocument<'_>],
        bypass: Option<bool>,
        corrected: &mut CorrectedCopies,
        exec: &Exec,
    ) -> Result<()> {
        let reference = &self.copies.all;
        let stored = documents.iter().map(|(_, document)| &**document);
        let (keys, resolved) = self.sources_of(stored, exec).await?;
        let stale = |(_, document): &&mut UpdatedDocument<'_>| {
            !self.complete && differs(reference, &resolved, document)
        };
        let mut stale: Vec<_> = documents.iter_mut().filter(stale).collect();
        if !stale.is_empty() {
            if let Some(copied) = &self.ordered {
                let error = refused(reference, copied, &copied.to);
                // The transaction already contains the update, so the transaction must not commit.
                exec.poison(&error);
                return Err(error);
            }
            corrected.changed = true;
            let ids: Vec<Bson> = stale.iter().map(|(id, _)| id.clone()).collect();
            let statements = corrections(reference, (&keys, &resolved), &ids, bypass)?;
            send(&statements, exec).await?;
            let filler = Filler::new(reference, &resolved)?;
            for (_, document) in &mut stale {
                if let Some(filled) = filler.filled(document)? {
                    *document = Cow::Owned(filled);
                }
            }
        }
        let mut inserted = documents.iter().filter(|_| self.is_new);
        if let Some(copied) = inserted.find_map(|(_, document)| lacking(reference, document)) {
            let error = unreadable(reference, copied);
            // The transaction already contains the inserted document, so the transaction must not commit.
            exec.poison(&error);
            return Err(error);
        }
        let ids = documents.iter().map(|(id, _)| id.clone()).collect();
        corrected
            .written
            .extend(self.copies.written(ids, keys, resolved));
        Ok(())
    }

    /// Enqueues jobs for the copies that only other programs declare.
    async fn leave_copies(
        &self,
        documents: &[UpdatedDocument<'_>],
        bypass: Option<bool>,
        corrected: &mut CorrectedCopies,
        exec: &Exec,
    ) -> Result<()> {
        let reference = &self.copies.all;
        if let Some(keys) = self.keys.clone().filter(|_| self.complete) {
            let left = WrittenCopies::left_to_others(reference, keys);
            corrected.written.extend(left);
            return Ok(());
        }
        let mut all = Vec::new();
        for (id, document) in documents {
            let keys = foreign_keys_in(reference, [&**document])?;
            if keys.is_empty() {
                let removed = remove_without_key(reference, document, id, bypass, exec);
                corrected.changed |= removed.await?;
            }
            all.extend(keys);
        }
        let left = leave(reference, all, exec).await?;
        corrected.written.extend(left);
        Ok(())
    }
}

/// Returns the updates that correct the copies of one extended reference in the given documents.
fn corrections(
    reference: &ExtendedReference,
    (keys, resolved): (&[JoinKey], &Resolved),
    ids: &[Bson],
    bypass: Option<bool>,
) -> Result<Vec<UpdateCommand>> {
    let mut statements = updates(reference, keys, resolved)?;
    // The other statements find structs by their keys, so they would not change copies in a struct that lacks the key.
    statements.extend(update_of(reference, &[Bson::Null], SourceValues::NoKey));
    let only = doc! { "_id": key_condition(ids) };
    let statements = statements.into_iter().map(|update| {
        let mut update = update.and(only.clone());
        // If your write skipped the validation, the validator might reject these documents now.
        update.options.bypass_document_validation = bypass;
        update
    });
    Ok(statements.collect())
}
