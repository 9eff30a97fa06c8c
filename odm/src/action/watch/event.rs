//! The events of a typed change stream.

use mongodb::bson::{Bson, DateTime, Document, RawBsonRef, RawDocument, RawDocumentBuf};

use super::{
    FieldChanges, ResumeToken,
    field_changes::Written,
    pipeline::{AFTER, BEFORE},
};
use crate::{
    error::{Error, Result},
    model::{
        derive_traits::{Described, IdOf},
        shape::{DELETE_ID, ModelShape},
    },
    value::{id::Id, path::remove_each},
};

/// A change to one document, with its position in the stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangeEvent<M: Described> {
    /// The change.
    pub change: DocumentChange<M>,
    /// The position after this event. A stream that starts at this position returns the next event first.
    pub token: ResumeToken,
    /// The time of the change, according to the server's clock.
    pub at: DateTime,
}

/// A change to one document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DocumentChange<M: Described> {
    /// A document was inserted.
    Inserted(M),
    /// A document was updated or replaced.
    #[non_exhaustive]
    Updated {
        /// The id of the document.
        id: M::Id,
        /// The changed fields.
        changes: FieldChanges<M>,
        /// The document after the change. Without [`with_before`](super::Watch::with_before), it can already contain
        /// later changes. `None` if the document was removed in the meantime.
        document: Option<M>,
        /// The document before the change, if the stream was opened with [`with_before`](super::Watch::with_before).
        /// `None` if the server no longer stores the pre-image. If the change adds copies or summaries to a document that
        /// an upsert has inserted, these fields have empty values here, for example 0. A field without an empty value
        /// has the value after the change.
        before: Option<M>,
    },
    /// A document was deleted. If the model has `#[deleted_at]`, the stream reports the delete that marks the document,
    /// and later also the purge that removes it.
    #[non_exhaustive]
    Deleted {
        /// The id of the document.
        id: M::Id,
        /// The deleted document, if the stream was opened with [`with_before`](super::Watch::with_before). `None` if
        /// the server no longer stores the pre-image.
        before: Option<M>,
    },
    /// A deleted document was restored. Only models with `#[deleted_at]` or `on_delete = "archive"` have this change.
    ///
    /// If a document has been restored from an archive, this is also the insert of its later move to another shard.
    #[non_exhaustive]
    Restored {
        /// The id of the document.
        id: M::Id,
        /// The restored document. Without [`with_before`](super::Watch::with_before), it can already contain later
        /// changes. `None` if the document was removed in the meantime.
        document: Option<M>,
    },
}

impl<M: Described> DocumentChange<M> {
    /// Returns the document after the change. `None` for a deleted document.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::{action::DocumentChange, prelude::*};
    /// fn show<M: Model + std::fmt::Debug>(change: &DocumentChange<M>) {
    ///     println!("{:?} became {:?}", change.before(), change.document());
    /// }
    /// ```
    pub const fn document(&self) -> Option<&M> {
        match self {
            Self::Inserted(document) => Some(document),
            Self::Updated { document, .. } | Self::Restored { document, .. } => document.as_ref(),
            Self::Deleted { .. } => None,
        }
    }

    /// Returns the document before the change, if the stream was opened with
    /// [`with_before`](super::Watch::with_before). `None` for an inserted document, and for a restored one, which was
    /// deleted before.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::{action::DocumentChange, prelude::*};
    /// fn show<M: Model + std::fmt::Debug>(change: &DocumentChange<M>) {
    ///     println!("{:?} became {:?}", change.before(), change.document());
    /// }
    /// ```
    pub const fn before(&self) -> Option<&M> {
        match self {
            Self::Inserted(_) | Self::Restored { .. } => None,
            Self::Updated { before, .. } | Self::Deleted { before, .. } => before.as_ref(),
        }
    }
}

/// Decodes an event. Returns `None` for an event that the stream leaves out.
///
/// The stream leaves out replacements that change only the fields at the paths `left_out`.
pub(super) fn read<M: Described>(
    event: &RawDocument,
    left_out: &[String],
) -> Result<Option<ChangeEvent<M>>> {
    let Some(event) = RawEvent::read(event, left_out)? else {
        return Ok(None);
    };
    let Some(id) = read_id::<M>(&event)? else {
        return Ok(None);
    };
    let (after, before) = (document::<M>(event.after)?, document::<M>(event.before)?);
    let life = event.life(M::SHAPE);
    let change = match (event.operation, after) {
        (Operation::Update(_), _) if life == Life::Deleted => {
            DocumentChange::Deleted { id, before }
        }
        (Operation::Update(_), document) if life == Life::Restored => {
            DocumentChange::Restored { id, document }
        }
        (Operation::Insert, document) if life == Life::Restored => {
            DocumentChange::Restored { id, document }
        }
        (Operation::Insert | Operation::Update(_), _) if life != Life::Live => return Ok(None),
        (Operation::Insert, Some(document)) => DocumentChange::Inserted(document),
        (Operation::Insert, None) => return Ok(None),
        (Operation::Update(written), document) => DocumentChange::Updated {
            id,
            changes: FieldChanges::new(written),
            document,
            before,
        },
        (Operation::Delete, _) => DocumentChange::Deleted { id, before },
    };
    Ok(Some(ChangeEvent {
        change,
        token: event.token,
        at: event.at,
    }))
}

fn document<M: Described>(stored: Option<&RawDocument>) -> Result<Option<M>> {
    let read = |stored: &RawDocument| M::__odm_read_document(M::SHAPE.collection, stored, stored);
    let read_either = |stored| {
        read(stored).or_else(|error| match with_last_values(stored) {
            Some(repaired) => read(&repaired),
            None => Err(error),
        })
    };
    stored.map(read_either).transpose()
}

/// Removes all but the last value of each field. Returns `None` if no field occurs twice.
///
/// The server computes the document after a change from the pre-image. If a pipeline update has inserted a field before
/// other fields, the server returns each of those other fields twice: first with the old value, and then with the new
/// one.
fn with_last_values(stored: &RawDocument) -> Option<RawDocumentBuf> {
    let parsed = Document::try_from(stored).ok()?;
    let repaired = RawDocumentBuf::try_from(&parsed).ok()?;
    (repaired.as_bytes() != stored.as_bytes()).then_some(repaired)
}

/// Reads the id of the changed document. Returns `None` if the id shows that the document is of a different kind.
fn read_id<M: Described>(event: &RawEvent<'_>) -> Result<Option<M::Id>> {
    match Id::<M, M::Key>::try_from(event.id.clone()) {
        Ok(id) => Ok(Some(M::Id::from_key(id.into_key()))),
        // Without a pre-image, the kind of a deleted document is unknown. Its id can have the id type of a different
        // kind.
        Err(_) if M::SHAPE.kind.is_some() && event.has_no_document() => Ok(None),
        Err(mismatch) => Err(Error::Decode {
            type_name: mismatch.wanted,
            collection: M::SHAPE.collection.to_owned(),
            id: Some(Box::new(mismatch.value)),
            path: "_id".to_owned(),
            message: mismatch.message,
        }),
    }
}

/// The meaning of an event for a document of a model with `#[deleted_at]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// The document is not deleted.
    Live,
    /// The event is the delete of the document.
    Deleted,
    /// The event is the restore of the document.
    Restored,
    /// The document was already deleted before the event. The stream leaves out this event.
    Hidden,
}

enum Operation {
    Insert,
    Update(Written),
    Delete,
}

/// An event with documents that have not been decoded yet.
struct RawEvent<'e> {
    operation: Operation,
    id: Bson,
    after: Option<&'e RawDocument>,
    before: Option<&'e RawDocument>,
    token: ResumeToken,
    at: DateTime,
}

impl<'e> RawEvent<'e> {
    fn read(event: &'e RawDocument, left_out: &[String]) -> Result<Option<Self>> {
        let image = |name| event.get_document(name).ok();
        let (after, before) = (image(AFTER), image(BEFORE));
        let operation = match event.get_str("operationType") {
            Ok("insert") => Operation::Insert,
            Ok("delete") => Operation::Delete,
            Ok("update") => {
                let description = image("updateDescription");
                Operation::Update(description.map_or_else(Written::nothing, Written::by_update))
            }
            Ok("replace") => {
                let (after, before) = (parse(after)?.unwrap_or_default(), parse(before)?);
                if before
                    .as_ref()
                    .is_some_and(|before| differ_only_at(left_out, before, &after))
                {
                    return Ok(None);
                }
                Operation::Update(Written::Document { after, before })
            }
            _ => return Ok(None),
        };
        let id = image("documentKey").and_then(|key| key.get("_id").ok().flatten());
        let id = id.and_then(|id| Bson::try_from(id).ok());
        let (Some(id), Some(token)) = (id, ResumeToken::of_event(event)) else {
            return Ok(None);
        };
        let at = event.get_datetime("wallTime").ok();
        Ok(Some(Self {
            operation,
            id,
            after,
            before,
            token,
            at: at.unwrap_or(DateTime::MIN),
        }))
    }

    /// Returns whether the event deletes or restores the document, or whether the document is live or was already
    /// deleted.
    fn life(&self, model: &ModelShape) -> Life {
        if let (Operation::Insert, Some(_)) = (&self.operation, model.archive_collection()) {
            // A restore inserts a document that contains the id of its delete. So does a move to another shard of a
            // document that was restored earlier, which the stream cannot distinguish.
            let delete = self.after.and_then(|it| it.get(DELETE_ID).ok()?);
            return delete.map_or(Life::Live, |_| Life::Restored);
        }
        let document = self.after.or(self.before);
        let fields: Vec<&str> = match document {
            Some(document) => {
                let kind = |name: &str| document.get_str(name).ok();
                model.deletion_field_of(kind).into_iter().collect()
            }
            None => model.deletion_fields().collect(),
        };
        let mut all = Life::Live;
        for field in fields {
            let written = match &self.operation {
                Operation::Update(written @ Written::Fields { .. }) => written.value(field),
                Operation::Insert | Operation::Update(_) | Operation::Delete => None,
            };
            let stored = self.after.and_then(|document| document.get(field).ok()?);
            all = match (written, stored) {
                // A save also adds the missing field to a document that was stored before its model had the field.
                (Some(Bson::Null), _) if self.was_live(field) => continue,
                (Some(Bson::Null), _) => Life::Restored,
                (Some(_), _) => Life::Deleted,
                (None, None | Some(RawBsonRef::Null)) => continue,
                (None, Some(_)) => Life::Hidden,
            };
        }
        all
    }

    /// Returns whether the pre-image shows that the document was not deleted before the event.
    fn was_live(&self, deletion_field: &str) -> bool {
        self.before.is_some_and(|before| {
            let value = before.get(deletion_field);
            matches!(value, Ok(None | Some(RawBsonRef::Null)))
        })
    }

    const fn has_no_document(&self) -> bool {
        self.after.is_none() && self.before.is_none()
    }
}

fn parse(stored: Option<&RawDocument>) -> Result<Option<Document>> {
    let parsed = stored.map(Document::try_from).transpose();
    Ok(parsed.map_err(mongodb::error::Error::from)?)
}

/// Returns whether two documents are equal except for the values at some paths. Returns false if no paths are given.
fn differ_only_at(paths: &[String], before: &Document, after: &Document) -> bool {
    let without = |document: &Document| {
        let mut document = document.clone();
        for path in paths {
            remove_each(&mut document, path);
        }
        document
    };
    !paths.is_empty() && without(before) == without(after)
}
