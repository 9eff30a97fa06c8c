//! Methods with which a hook reads and changes the update of a write.

use std::marker::PhantomData;

use mongodb::{bson::Bson, options::UpdateModifications};

use super::{Update, UpdateOperators, changed_paths};
use crate::{
    error::{Error, Result},
    model::shape::FieldShape,
    mongosh,
    query::field::{FieldOf, InDocuments},
    value::path::overlap,
};

/// Adds operators to the update that a [hook](crate::Hooks::before_update) receives.
impl<M> UpdateOperators<M> for &mut Update<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        self
    }
}

impl<M> Update<M> {
    /// Returns whether the update can change a field, a part of the field, or the struct that contains the field.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/stock_models.txt")]
    /// # use mongo_odm::Update;
    /// let part = Part::fields();
    /// let update = Update::<Part>::new().set(part.name, "bolt");
    /// assert!(update.is_writing(part.name));
    /// assert!(!update.is_writing(part.qty));
    /// ```
    pub fn is_writing(&self, field: impl FieldOf<M, Role: InDocuments<M>>) -> bool {
        let (path, paths) = (field.path(), self.modifications.as_ref().map(changed_paths));
        match paths {
            Ok(Some(paths)) => paths.iter().any(|written| overlap(written, &path)),
            // A stage of a pipeline can change any field.
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// Returns the value to which the update sets a field (`$set`), or `None` if the update does not set the whole
    /// field.
    ///
    /// If the update removes an optional field (`$unset`), the value is null: `Some(None)`. A `set` to a value that
    /// serde leaves out also removes the field. If such a value is not null, this method returns `None`, and
    /// [`is_writing`](Self::is_writing) returns true.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the operand cannot be decoded as a value of the field. Only an operator that was added as
    /// a plain document can have such an operand.
    ///
    /// # Examples
    ///
    /// ```
    /// # use mongo_odm::{Update, prelude::*};
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "parts")]
    /// # struct Part {
    /// #     #[serde(rename = "_id")]
    /// #     id: Id<Part>,
    /// #     name: String,
    /// #     qty: i64,
    /// #     #[serde(skip_serializing_if = "Option::is_none")]
    /// #     note: Option<String>,
    /// # }
    /// # fn main() -> mongo_odm::Result<()> {
    /// let part = Part::fields();
    /// let update = Update::<Part>::new().set(part.name, "bolt").inc(part.qty, 1);
    /// assert_eq!(update.value_set(part.name)?.as_deref(), Some("bolt"));
    /// assert_eq!(update.value_set(part.qty)?, None);
    /// assert_eq!(update.set(part.note, None).value_set(part.note)?, Some(None));
    /// # Ok(()) }
    /// ```
    pub fn value_set<F>(&self, field: F) -> Result<Option<F::Value>>
    where
        F: FieldOf<M, Role: InDocuments<M>>,
    {
        let path = field.path();
        let Some(value) = self.operand_of("$set", &path) else {
            let is_removed = self.operand_of("$unset", &path).is_some();
            let is_null = field.shape().is_some_and(FieldShape::reads_missing_as_null);
            let null = (is_removed && is_null).then(|| F::decode(Bson::Null));
            return Ok(null.and_then(std::result::Result::ok));
        };
        let decoded = F::decode(value.clone()).map_err(|message| {
            Error::invalid(format!(
                "the update sets `{path}` to {}, which is no value of this field: {message}",
                mongosh::value(value)
            ))
        });
        decoded.map(Some)
    }
}

impl<M: ?Sized> Update<M> {
    /// Returns the same update with a different type parameter, because the functions that call hooks do not depend on
    /// the model.
    pub(crate) fn retyped<N: ?Sized>(self) -> Update<N> {
        Update {
            modifications: self.modifications,
            parents: self.parents,
            may_be_empty: self.may_be_empty,
            of: PhantomData,
        }
    }

    /// Returns an update with the given operators or pipeline, which may be empty.
    pub(crate) fn given(modifications: UpdateModifications, parents: Vec<String>) -> Self {
        Self {
            parents,
            may_be_empty: true,
            ..Self::of(modifications)
        }
    }

    /// Whether two updates send the same operators. Updates that contain an error are different.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let same = match (&self.modifications, &other.modifications) {
            (Ok(one), Ok(other)) => is_same(one, other),
            _ => false,
        };
        same && self.parents == other.parents
    }
}

fn is_same(one: &UpdateModifications, other: &UpdateModifications) -> bool {
    use UpdateModifications::{Document, Pipeline};
    match (one, other) {
        (Document(one), Document(other)) => one == other,
        (Pipeline(one), Pipeline(other)) => one == other,
        _ => false,
    }
}
