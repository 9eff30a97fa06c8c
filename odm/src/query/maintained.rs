//! Writes the fields that the library maintains: `#[created_at]`, `#[updated_at]` and `#[version]`.
//!
//! A [`Stamp`] is applied once to every write of a document's own fields. The builders stamp documents and updates
//! before the library computes the effects of the write, because other documents may contain copies of the maintained
//! fields. Delete rules stamp their updates. Writes of derived data, moves and repairs are not stamped.
//!
//! | write | `#[created_at]` | `#[updated_at]` | `#[version]` |
//! |---|---|---|---|
//! | insert | current time | current time | 1 |
//! | save, replace | stored value, or current time | current time | version of the struct + 1, or a conflict |
//! | update, delete rule | stored value | current time | stored version + 1 |
//! | upsert that inserts | current time | current time | 1 |
//!
//! A missing version counts as 0.
//!
//! A stamp only adds fields to a statement, so it does not cost a round trip. [`Exec::now`] returns the current time.

mod rebuilt_document;

use mongodb::{
    bson::{Bson, DateTime, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc},
    options::UpdateModifications,
};

use super::update::{add_field, stage_writes, written_paths};
use crate::{
    client::odm::Exec,
    error::{Error, Result},
    model::shape::{Maintained, ModelShape},
    value::{
        codec::{document_from_elements, elements},
        path::overlap,
    },
};
use rebuilt_document::keep_in_rebuilt;

/// The values that one write stores in the maintained fields of its documents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    model: &'static ModelShape,
    now: DateTime,
    keeps_timestamps: bool,
}

impl Stamp {
    /// Returns the stamp of a write, or `None` if the model does not have maintained fields.
    pub(crate) fn of_write(model: &'static ModelShape, exec: &Exec) -> Option<Self> {
        model.maintained().next()?;
        Some(Self {
            model,
            now: exec.now(),
            keeps_timestamps: false,
        })
    }

    /// Sets whether stamped documents keep the timestamps that their structs contain.
    pub(crate) const fn keeping_timestamps(mut self, keeps: bool) -> Self {
        self.keeps_timestamps = keeps;
        self
    }

    /// Sets the maintained fields of a whole document. `version` is the version with which the document was loaded, or
    /// 0 for a new document.
    pub(crate) fn document(&self, document: &RawDocument, version: i64) -> Result<RawDocumentBuf> {
        let fields = self.model.maintained();
        let values = fields.filter_map(|(field, kind)| {
            let value: Bson = match kind {
                Maintained::Version => version.saturating_add(1).into(),
                Maintained::CreatedAt | Maintained::UpdatedAt if self.keeps_timestamps => {
                    return None;
                }
                Maintained::CreatedAt | Maintained::UpdatedAt => self.now.into(),
            };
            Some((field.stored, value))
        });
        with_fields(document, values)
    }

    /// Returns the stored names of the fields that keep their stored values in a save.
    pub(crate) fn kept(&self) -> Vec<&'static str> {
        let fields = self.model.maintained();
        let kept = fields.filter(|(_, kind)| *kind == Maintained::CreatedAt);
        let kept = kept.filter(|_| !self.keeps_timestamps);
        kept.map(|(field, _)| field.stored).collect()
    }

    /// Adds the maintained fields to an update.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the update already writes a maintained field.
    pub(crate) fn update(
        &self,
        update: UpdateModifications,
        is_upsert: bool,
    ) -> Result<UpdateModifications> {
        match update {
            UpdateModifications::Document(mut operators) => {
                self.refuse_written(&written_paths(&operators))?;
                self.add_to_operators(&mut operators, is_upsert);
                Ok(operators.into())
            }
            UpdateModifications::Pipeline(mut stages) => {
                self.refuse_stages(&stages)?;
                let names = self.model.maintained().map(|(field, _)| field.stored);
                keep_in_rebuilt(&mut stages, &names.collect::<Vec<_>>());
                stages.push(doc! { "$set": self.expressions(is_upsert) });
                Ok(stages.into())
            }
            other => Ok(other),
        }
    }

    fn add_to_operators(&self, operators: &mut Document, is_upsert: bool) {
        // An upsert that consists only of `$setOnInsert` does not change an existing document.
        let is_insert = operators.keys().all(|operator| operator == "$setOnInsert");
        for (field, kind) in self.model.maintained() {
            let (operator, value): (_, Bson) = match kind {
                Maintained::Version if !is_insert => ("$inc", 1_i64.into()),
                Maintained::Version => ("$setOnInsert", 1_i64.into()),
                Maintained::UpdatedAt if !is_insert => ("$set", self.now.into()),
                Maintained::UpdatedAt | Maintained::CreatedAt => ("$setOnInsert", self.now.into()),
            };
            // The server ignores `$setOnInsert` in an update that is not an upsert.
            if is_upsert || operator != "$setOnInsert" {
                add_field(operators, operator, field.stored, value);
            }
        }
    }

    /// Returns the content of the `$set` stage that is appended to the pipeline of an update.
    fn expressions(&self, is_upsert: bool) -> Document {
        let mut fields = Document::new();
        for (field, kind) in self.model.maintained() {
            let name = field.stored;
            let value: Bson = match kind {
                Maintained::UpdatedAt => self.now.into(),
                Maintained::CreatedAt if is_upsert => or_stored(name, self.now.into()).into(),
                Maintained::CreatedAt => continue,
                Maintained::Version => {
                    doc! { "$add": [or_stored(name, 0_i64.into()), 1_i64] }.into()
                }
            };
            fields.insert(name, value);
        }
        fields
    }

    fn refuse_stages(&self, stages: &[Document]) -> Result<()> {
        for (field, _) in self.model.maintained() {
            if stages.iter().any(|stage| stage_writes(stage, field.stored)) {
                return Err(self.refused(field.stored));
            }
        }
        Ok(())
    }

    fn refuse_written(&self, paths: &[String]) -> Result<()> {
        for (field, _) in self.model.maintained() {
            if paths.iter().any(|path| overlap(path, field.stored)) {
                return Err(self.refused(field.stored));
            }
        }
        Ok(())
    }

    fn refused(&self, field: &str) -> Error {
        let name = self.model.name;
        Error::invalid(format!(
            "an update writes `{name}.{field}`, which the library maintains; remove it from the update"
        ))
        .in_model(self.model)
    }
}

/// Returns an expression for the stored value of a field. If the stored document lacks the field, or if the document is
/// new, the expression evaluates to the given value.
fn or_stored(field: &str, value: Bson) -> Document {
    doc! { "$ifNull": [format!("${field}"), value] }
}

/// Returns the version in a document, or 0 if the document has none.
pub(crate) fn version_in(document: &RawDocument, field: &str) -> i64 {
    match document.get(field) {
        Ok(Some(RawBsonRef::Int32(version))) => version.into(),
        Ok(Some(RawBsonRef::Int64(version))) => version,
        _ => 0,
    }
}

/// Returns the condition that a stored document has the given version. A missing version counts as 0.
pub(crate) fn has_version(field: &str, version: i64) -> Document {
    match version {
        0 => doc! { field: { "$in": [0_i64, Bson::Null] } },
        version => doc! { field: version },
    }
}

/// Copies the stored values of the given fields into a document that replaces the stored one. Returns `None` if
/// `stored` contains none of these fields, for example because it is a projection.
pub(crate) fn keep_stored(
    document: &RawDocument,
    stored: &Document,
    fields: &[&'static str],
) -> Result<Option<RawDocumentBuf>> {
    let kept = fields.iter().filter_map(|field| {
        let value = stored.get(*field).filter(|value| **value != Bson::Null)?;
        Some((*field, value.clone()))
    });
    let kept: Vec<_> = kept.collect();
    if kept.is_empty() {
        return Ok(None);
    }
    with_fields(document, kept.into_iter()).map(Some)
}

/// Sets fields of an encoded document without decoding its other fields.
fn with_fields<V: Into<Bson>>(
    document: &RawDocument,
    fields: impl Iterator<Item = (&'static str, V)>,
) -> Result<RawDocumentBuf> {
    let mut new = Document::new();
    for (field, value) in fields {
        new.insert(field, value);
    }
    let new = RawDocumentBuf::try_from(&new).map_err(mongodb::error::Error::from)?;
    let mut left = elements(&new)?;
    let mut bytes = Vec::with_capacity(document.as_bytes().len() + new.as_bytes().len());
    for (name, element) in elements(document)? {
        match left.iter().position(|(field, _)| *field == name) {
            Some(at) => bytes.extend_from_slice(left.remove(at).1),
            None => bytes.extend_from_slice(element),
        }
    }
    for (_, element) in left {
        bytes.extend_from_slice(element);
    }
    Ok(RawDocumentBuf::from_bytes(document_from_elements(&bytes))
        .map_err(mongodb::error::Error::from)?)
}
