//! The command `update` with a whole document.

use mongodb::{
    Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{ReplaceOptions, UpdateModifications, UpdateOptions},
};

use super::{
    Command, Paper, Sending, Session, UpdateCommand, Updated, in_session,
    mongosh_options::MongoshOptions,
    shared_methods::{search, write_by_filter},
};
use crate::{
    client::{place::Place, plan::Statement},
    setters::copy_options,
};

/// A statement that replaces the first matching document.
#[derive(Clone, Debug)]
pub(crate) struct ReplaceCommand {
    pub(crate) place: Place,
    pub(crate) filter: Document,
    pub(crate) document: RawDocumentBuf,
    /// The fields that keep their stored values. If there are any, the command is an update with a pipeline.
    pub(crate) kept: Vec<&'static str>,
    /// The field that contains the version. If this name is set, the command replaces a stored document only if that
    /// document does not have a version yet.
    pub(crate) unversioned: Option<&'static str>,
    pub(crate) options: ReplaceOptions,
}

impl ReplaceCommand {
    pub(crate) fn one(place: Place, filter: Document, document: RawDocumentBuf) -> Self {
        Self {
            place,
            filter,
            document,
            kept: Vec::new(),
            unversioned: None,
            options: ReplaceOptions::default(),
        }
    }

    /// Returns the pipeline that builds the new document from the given document and the stored document. `None` means
    /// that the new document does not depend on the stored document.
    fn pipeline(&self) -> mongodb::error::Result<Option<Vec<Document>>> {
        if self.kept.is_empty() && self.unversioned.is_none() {
            return Ok(None);
        }
        let document = Document::try_from(&*self.document)?;
        // If the stored document lacks a field, `kept` lacks it, too. A stored null is kept.
        let kept = self.kept.iter();
        let kept: Document = kept
            .map(|field| ((*field).to_owned(), format!("${field}").into()))
            .collect();
        // Without `$literal`, the server would evaluate strings that start with `$`.
        let mut new = doc! { "$literal": document };
        if !kept.is_empty() {
            new = doc! { "$mergeObjects": [new, kept] };
        }
        if let Some(field) = self.unversioned {
            // The condition is not part of the filter. Otherwise, an upsert that does not match would try to insert a
            // second document with the same `_id`.
            let has_none = doc! { "$eq": [{ "$ifNull": [format!("${field}"), 0] }, 0] };
            new = doc! { "$cond": [has_none, new, "$$ROOT"] };
        }
        Ok(Some(vec![doc! { "$replaceWith": new }]))
    }

    /// Returns the statement as an update that can share a command with other updates. Returns `None` if the server
    /// would interpret the document as update operators.
    pub(crate) fn into_update(self) -> mongodb::error::Result<Option<UpdateCommand>> {
        let modifications = match self.pipeline()? {
            Some(pipeline) => UpdateModifications::Pipeline(pipeline),
            None => UpdateModifications::Document(Document::try_from(&*self.document)?),
        };
        if let UpdateModifications::Document(document) = &modifications
            && document.keys().any(|field| field.starts_with('$'))
        {
            return Ok(None);
        }
        let options = self.update_options();
        let update = UpdateCommand::one(self.place, self.filter, modifications);
        Ok(Some(UpdateCommand { options, ..update }))
    }

    fn update_options(&self) -> UpdateOptions {
        let mut update = UpdateOptions::default();
        copy_options!(self.options => update, [bypass_document_validation, upsert, collation, hint]);
        copy_options!(self.options => update, [write_concern, let_vars, comment, sort]);
        update
    }
}

impl Command for ReplaceCommand {
    type Reply = Updated;

    const NAME: &'static str = "update";

    fn documents(reply: &Self::Reply) -> Option<u64> {
        Some(reply.modified + u64::from(reply.upserted_id.is_some()))
    }

    write_by_filter!();

    search!([collation, let_vars, hint], |_| Some(1));

    fn send<'s>(self, database: &'s Database, session: Session<'s>) -> Sending<'s, Updated> {
        let collection = self.place.open::<RawDocumentBuf>(database);
        Box::pin(async move {
            if let Some(pipeline) = self.pipeline()? {
                let options = self.update_options();
                let update = collection.update_one(self.filter, pipeline);
                return Ok(in_session!(update.with_options(options), session)?.into());
            }
            let replace = collection.replace_one(self.filter, self.document);
            let done = in_session!(replace.with_options(self.options), session)?;
            Ok(done.into())
        })
    }

    fn assume(&self, paper: &mut Paper) -> Updated {
        if let Ok(document) = Document::try_from(&*self.document) {
            paper.store(&self.place, document);
        }
        Updated {
            matched: 1,
            modified: 1,
            upserted_id: None,
        }
    }

    fn statement(&self) -> Statement {
        let options = &self.options;
        let shown = MongoshOptions::default()
            .flag("upsert", options.upsert == Some(true))
            .collation(options.collation.as_ref())
            .hint(options.hint.as_ref())
            .with("let", options.let_vars.clone())
            .with("comment", options.comment.clone())
            .bypass_validation(options.bypass_document_validation)
            .write_concern(options.write_concern.as_ref());
        let (method, change) = if let Ok(Some(pipeline)) = self.pipeline() {
            ("updateOne", Bson::from(pipeline))
        } else {
            let document = Document::try_from(&*self.document);
            ("replaceOne", document.unwrap_or_default().into())
        };
        Statement::new(self.place.name(), method)
            .argument(self.filter.clone())
            .argument(change)
            .options(shown.0)
    }
}
