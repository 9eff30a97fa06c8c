//! The fields that an update or a replacement changed.

use std::{fmt, marker::PhantomData};

use mongodb::bson::{Bson, Document, RawDocument};

use crate::{
    error::{Error, Result},
    model::derive_traits::{At, Root},
    model::shape::ModelShape,
    query::field::{FieldOf, InDocuments},
    value::{
        codec::short_type_name,
        path::{beginnings, overlap, value_at, value_through, without_positions},
    },
};

/// The fields that the change in an event affected: `changes.get(Task::fields().title)`.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::{action::FieldChanges, prelude::*};
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "tasks")]
/// # struct Task { #[serde(rename = "_id")] id: Id<Task>, title: String, labels: Vec<String> }
/// fn show(changes: &FieldChanges<Task>) -> mongo_odm::Result<()> {
///     let task = Task::fields();
///     if let Some(title) = changes.get(task.title)? {
///         println!("the new title is {title}");
///     }
///     println!("are the labels different? {}", changes.is_changed(task.labels));
///     Ok(())
/// }
/// ```
pub struct FieldChanges<M> {
    written: Written,
    of: PhantomData<fn() -> M>,
}

/// The content of a change, as the event describes it.
#[derive(Clone, Debug)]
pub(super) enum Written {
    /// An update: the values that it set, the paths that it removed, and the arrays that it shortened.
    Fields {
        set: Document,
        removed: Vec<String>,
        shortened: Vec<String>,
    },
    /// A replacement: the new document, and the old document if the server has kept it.
    Document {
        after: Document,
        before: Option<Document>,
    },
}

/// A path that selects at most one value in a document, because the path does not contain an array.
#[diagnostic::on_unimplemented(
    message = "this field of `{M}` is inside an array, so a change does not have a single value for it",
    label = "inside an array",
    note = "check whether it has changed: `changes.is_changed(field)`; read the values from the document of the event"
)]
pub trait SingleValue<M> {}

#[diagnostic::do_not_recommend]
impl<M> SingleValue<M> for Root {}

#[diagnostic::do_not_recommend]
impl<M, P: SingleValue<M>, O, const I: usize> SingleValue<M> for At<P, O, I> {}

impl<M> FieldChanges<M> {
    pub(super) const fn new(written: Written) -> Self {
        Self {
            written,
            of: PhantomData,
        }
    }

    /// Returns whether the field or a part of it was changed.
    ///
    /// If the whole document was replaced, this method compares the old value with the new one. If the event does not
    /// contain the old document, this method returns true.
    ///
    /// # Examples
    ///
    /// See [`FieldChanges`](Self).
    pub fn is_changed<F: FieldOf<M, Role: InDocuments<M>>>(&self, field: F) -> bool {
        self.written.is_changed(&field.path())
    }

    /// Returns the new value of the field, if the whole field was set.
    ///
    /// The result is `None` if the field was not written, was removed, or was changed only in part, for example in one
    /// element of an array. If the field was changed in part, read the value from the document of the event. If the
    /// document was replaced, the result is the value in the new document.
    ///
    /// # Errors
    ///
    /// [`Error::Decode`] if the value does not match the type of the field.
    ///
    /// # Examples
    ///
    /// See [`FieldChanges`](Self).
    pub fn get<F>(&self, field: F) -> Result<Option<F::Value>>
    where
        M: crate::Described,
        F: FieldOf<M, Place: SingleValue<M>, Role: InDocuments<M>>,
    {
        let path = field.path();
        let Some(value) = self.written.value(&path) else {
            return Ok(None);
        };
        let decoded = F::decode(value.clone()).map(Some);
        decoded.map_err(|message| unfit(M::SHAPE, short_type_name::<F::Value>(), path, message))
    }

    /// Returns whether the field was removed from the document.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{action::FieldChanges, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks")]
    /// # struct Task { #[serde(rename = "_id")] id: Id<Task>, title: String, note: Option<String> }
    /// fn has_lost_its_note(changes: &FieldChanges<Task>) -> bool {
    ///     changes.is_removed(Task::fields().note)
    /// }
    /// ```
    pub fn is_removed<F: FieldOf<M, Role: InDocuments<M>>>(&self, field: F) -> bool {
        self.written.is_removed(&field.path())
    }

    /// Returns whether the whole document was replaced.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::{action::FieldChanges, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "tasks")]
    /// # struct Task { #[serde(rename = "_id")] id: Id<Task>, title: String, note: Option<String> }
    /// fn show(changes: &FieldChanges<Task>) {
    ///     if changes.is_replacement() {
    ///         println!("the whole document was replaced");
    ///     }
    ///     for path in changes.paths() {
    ///         println!("{path} was written");
    ///     }
    /// }
    /// ```
    pub const fn is_replacement(&self) -> bool {
        matches!(self.written, Written::Document { .. })
    }

    /// Lists the stored paths that an update wrote, including the positions of array elements: `parts.2.name`. The list
    /// is empty if the whole document was replaced.
    ///
    /// # Examples
    ///
    /// See [`is_replacement`](Self::is_replacement).
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.written.paths()
    }
}

impl<M> Clone for FieldChanges<M> {
    fn clone(&self) -> Self {
        Self::new(self.written.clone())
    }
}

impl<M> fmt::Debug for FieldChanges<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FieldChanges").field(&self.written).finish()
    }
}

fn unfit(
    model: &'static ModelShape,
    type_name: &'static str,
    path: String,
    message: String,
) -> Error {
    Error::Decode {
        type_name,
        collection: model.collection.to_owned(),
        id: None,
        path,
        message,
    }
}

impl Written {
    /// Returns the content of an update that wrote no fields.
    pub(super) fn nothing() -> Self {
        Self::Fields {
            set: Document::new(),
            removed: Vec::new(),
            shortened: Vec::new(),
        }
    }

    /// Reads the `updateDescription` of an event.
    pub(super) fn by_update(description: &RawDocument) -> Self {
        let description = Document::try_from(description).unwrap_or_default();
        let texts = |name: &str, text: fn(&Bson) -> Option<&str>| {
            let listed = description.get_array(name).into_iter().flatten();
            listed.filter_map(text).map(ToOwned::to_owned).collect()
        };
        let shortened = texts("truncatedArrays", |array| {
            array.as_document()?.get_str("field").ok()
        });
        let removed = texts("removedFields", Bson::as_str);
        let set = description.get_document("updatedFields").cloned();
        Self::Fields {
            set: set.unwrap_or_default(),
            removed,
            shortened,
        }
    }

    fn paths(&self) -> impl Iterator<Item = &str> {
        let all = match self {
            Self::Fields {
                set,
                removed,
                shortened,
            } => Some((set, removed, shortened)),
            Self::Document { .. } => None,
        };
        all.into_iter().flat_map(|(set, removed, shortened)| {
            let lists = removed.iter().chain(shortened);
            set.keys().chain(lists).map(String::as_str)
        })
    }

    fn is_changed(&self, path: &str) -> bool {
        match self {
            Self::Fields { .. } => self
                .paths()
                .any(|written| overlap(&without_positions(written), path)),
            Self::Document { after, before } => before
                .as_ref()
                .is_none_or(|before| value_through(before, path) != value_through(after, path)),
        }
    }

    /// Returns the value that the change stored at a path.
    pub(super) fn value(&self, path: &str) -> Option<&Bson> {
        match self {
            Self::Fields { set, .. } => beginnings(path).find_map(|beginning| {
                let value = set.get(beginning)?;
                let rest = path.get(beginning.len()..)?;
                match rest.strip_prefix('.') {
                    None => Some(value),
                    Some(rest) => value_at(value.as_document()?, rest),
                }
            }),
            Self::Document { after, .. } => value_at(after, path),
        }
    }

    fn is_removed(&self, path: &str) -> bool {
        match self {
            Self::Fields { removed, .. } => {
                beginnings(path).any(|beginning| removed.iter().any(|it| it == beginning))
            }
            Self::Document { after, before } => {
                let was_there = |before| value_through(before, path).is_some();
                value_through(after, path).is_none() && before.as_ref().is_some_and(was_there)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{RawDocumentBuf, doc};

    use super::*;

    fn written() -> Written {
        let description = doc! {
            "updatedFields": { "title": "b", "parts.2.name": "nut", "address": { "city": "Bern" } },
            "removedFields": ["note"],
            "truncatedArrays": [{ "field": "tags", "newSize": 1 }],
        };
        Written::by_update(&RawDocumentBuf::try_from(&description).unwrap())
    }

    #[test]
    fn a_written_path_changes_the_fields_above_and_below_it() {
        let written = written();
        for changed in [
            "title",
            "parts",
            "parts.name",
            "address.city",
            "note",
            "tags",
        ] {
            assert!(written.is_changed(changed), "{changed}");
        }
        for same in ["titles", "parts.id", "size"] {
            assert!(!written.is_changed(same), "{same}");
        }
    }

    #[test]
    fn only_whole_values_are_returned() {
        let written = written();
        assert_eq!(written.value("title"), Some(&"b".into()));
        assert_eq!(written.value("address.city"), Some(&"Bern".into()));
        assert_eq!(written.value("parts"), None);
        assert!(written.is_removed("note"));
        assert!(!written.is_removed("title"));
    }

    #[test]
    fn a_replacement_is_compared_with_the_old_document() {
        let after = doc! { "title": "a", "size": 2 };
        let before = Some(doc! { "title": "a", "size": 1, "note": "x" });
        let known = Written::Document {
            after: after.clone(),
            before,
        };
        assert!(known.is_changed("size") && !known.is_changed("title"));
        assert!(known.is_removed("note"));
        let unknown = Written::Document {
            after,
            before: None,
        };
        assert!(unknown.is_changed("title") && !unknown.is_removed("note"));
    }
}
