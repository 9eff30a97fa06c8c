//! Typed updates. An update contains a plain document of operators, or a pipeline.

mod array_filter;
mod computed_operators;
mod conflicting_paths;
mod difference;
mod document_after;
mod element_operators;
mod inspect;
mod keep_kind;
mod operators;
mod patch;
mod self_link;
mod set_or_unset;
mod shard_key;
mod upsert_missing_fields;
mod written_paths;

use std::marker::PhantomData;

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

use super::field::FieldOf;
use crate::error::{Error, Result, cloned_result};
pub use array_filter::{ArrayFilter, IntoArrayFilter};
pub(crate) use array_filter::{array_filter_setter, check_array_filters};
use conflicting_paths::check_conflicting_paths;
pub(crate) use difference::difference;
pub(crate) use document_after::{computed_after, known_after};
pub(crate) use keep_kind::{add_field, keep_kind, stage_writes};
pub use operators::UpdateOperators;
pub use patch::{Patch, PatchChanges, patch_embedded, patch_field};
pub(crate) use patch::{has_struct, without_struct};
pub(crate) use self_link::insert_self_link;
pub(crate) use set_or_unset::set_or_unset;
pub(crate) use shard_key::{changed_key, changed_tenant, keep_shard_key};
pub(crate) use upsert_missing_fields::{REMOVING_OPERATORS, reject_incomplete_upsert};
pub(crate) use written_paths::{changed_paths, written_paths};

/// An update to documents of type `M`.
///
/// You build an update with the methods of [`UpdateOperators`]. `into()` converts a plain `Document` of operators, or a
/// pipeline, to an update.
///
/// # Sends
///
/// Nothing. The write that uses the update sends it.
///
/// # Errors
///
/// If an operand cannot be encoded, the update stores the error, and the write that uses the update fails with it.
///
/// # Examples
///
/// ```
#[doc = include_str!("../docs/stock_models.txt")]
/// # use mongo_odm::Update;
/// let part = Part::fields();
/// let update = Update::<Part>::new().set(part.name, "bolt").inc(part.qty, 1);
/// ```
#[derive(Debug)]
#[must_use = "an update does nothing until a write uses it"]
pub struct Update<M: ?Sized> {
    modifications: Result<UpdateModifications>,
    /// The paths of embedded structs that each updated document must contain, because a patch changes only some fields
    /// of these structs.
    parents: Vec<String>,
    /// Whether the update contains a patch. A patch may be empty.
    may_be_empty: bool,
    of: PhantomData<fn() -> M>,
}

impl<M> UpdateOperators<M> for Update<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        self
    }
}

impl<M: ?Sized> Clone for Update<M> {
    fn clone(&self) -> Self {
        Self {
            modifications: cloned_result(&self.modifications),
            parents: self.parents.clone(),
            may_be_empty: self.may_be_empty,
            of: PhantomData,
        }
    }
}

impl<M: ?Sized> Default for Update<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: ?Sized> Update<M> {
    /// Returns an update that does not contain any operators yet.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let update = Update::new().set(Order::fields().customer, "ann");
    /// assert_eq!(operators(update), doc! { "$set": { "customer": "ann" } });
    /// # Ok(()) }
    /// ```
    pub fn new() -> Self {
        Self::from(Document::new())
    }

    const fn of(modifications: UpdateModifications) -> Self {
        Self {
            modifications: Ok(modifications),
            parents: Vec::new(),
            may_be_empty: false,
            of: PhantomData,
        }
    }

    /// Returns an update that may be empty.
    pub(crate) fn patching(operators: Document) -> Self {
        Self {
            may_be_empty: true,
            ..Self::from(operators)
        }
    }

    /// Returns an update that fails when a write uses it.
    pub(crate) fn failed(error: Error) -> Self {
        Self {
            modifications: Err(error),
            ..Self::new()
        }
    }

    /// Removes and returns the paths of the embedded structs that each updated document must contain.
    pub(crate) fn take_parents(&mut self) -> Vec<String> {
        std::mem::take(&mut self.parents)
    }

    /// Returns the operators or the pipeline for the server.
    ///
    /// # Errors
    ///
    /// - [`Error::Encode`] if serde cannot write a value as BSON.
    /// - [`Error::Invalid`] if the update is empty and does not contain a patch, or is a whole document without
    ///   operators.
    /// - [`Error::InvalidPatch`] if a patch sets a field to null although the field must have a value.
    /// - [`Error::Invalid`] if two operators write to the same path, or if a typed operator was added to a pipeline.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let update = Update::new().inc(Order::fields().total, 1);
    /// println!("{:?}", update.into_modifications()?);
    /// # Ok(()) }
    /// ```
    pub fn into_modifications(self) -> Result<UpdateModifications> {
        let modifications = self.modifications?;
        match &modifications {
            UpdateModifications::Document(operators)
                if operators.is_empty() && self.may_be_empty => {}
            UpdateModifications::Document(operators) => check_operators(operators)?,
            UpdateModifications::Pipeline(stages) if stages.is_empty() => return Err(nothing()),
            _ => {}
        }
        Ok(modifications)
    }

    /// Adds operators from a plain document to this update's operators.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../docs/query_models.txt")]
    /// let update = Update::new().with(doc! { "$bit": { "total": { "and": 7 } } });
    /// assert_eq!(operators(update), doc! { "$bit": { "total": { "and": 7 } } });
    /// # Ok(()) }
    /// ```
    pub fn with(mut self, operators: Document) -> Self {
        for (operator, fields) in operators {
            match fields {
                Bson::Document(fields) => {
                    for (path, value) in fields {
                        self.add(&operator, path, Ok(value));
                    }
                }
                other => self.fail(Error::invalid(format!(
                    "an update consists of operators with a document each; `{operator}` has {}",
                    crate::mongosh::value(&other)
                ))),
            }
        }
        self
    }

    /// Adds one operator for one path. If the update already contains this operator for this path, the new operand
    /// replaces the old one: the last call to a setter takes effect.
    pub(crate) fn add(&mut self, operator: &str, path: String, value: Result<Bson>) {
        let value = match value {
            Ok(value) => value,
            Err(error) => return self.fail(error),
        };
        match &mut self.modifications {
            Ok(UpdateModifications::Document(operators)) => {
                add_field(operators, operator, path, value);
            }
            Ok(_) => self.fail(Error::invalid(format!(
                "`{operator}` cannot be added to an update that is a pipeline; add a stage to the pipeline, or send two updates"
            ))),
            Err(_) => {}
        }
    }

    /// Sets a field, or removes the field if serde omits the value from a document. A later call for the same field
    /// replaces an earlier call.
    pub(crate) fn put<F: FieldOf<M>>(&mut self, field: F, value: &F::Value)
    where
        M: Sized,
    {
        let path = field.path();
        let can_skip = field.shape().is_some_and(|shape| shape.skips.is_some());
        if field.skips(value) {
            self.forget("$set", &path);
            self.add("$unset", path, Ok(Bson::String(String::new())));
            return;
        }
        if can_skip {
            self.forget("$unset", &path);
        }
        self.add("$set", path, field.encode(value));
    }

    /// Adds a field to `$setOnInsert`, unless serde omits the value from a document.
    pub(crate) fn put_on_insert<F: FieldOf<M>>(&mut self, field: F, value: &F::Value)
    where
        M: Sized,
    {
        if !field.skips(value) {
            return self.add("$setOnInsert", field.path(), field.encode(value));
        }
        self.forget("$setOnInsert", &field.path());
        if let Ok(UpdateModifications::Document(operators)) = &mut self.modifications {
            // An update is valid even if its only operator is an empty `$setOnInsert`.
            operators
                .entry("$setOnInsert".to_owned())
                .or_insert_with(|| Document::new().into());
        }
    }

    /// Removes an operator for one path from the update.
    fn forget(&mut self, operator: &str, path: &str) {
        let Ok(UpdateModifications::Document(operators)) = &mut self.modifications else {
            return;
        };
        if let Ok(fields) = operators.get_document_mut(operator) {
            fields.remove(path);
            if fields.is_empty() {
                operators.remove(operator);
            }
        }
    }

    pub(crate) fn fail(&mut self, error: Error) {
        if self.modifications.is_ok() {
            self.modifications = Err(error);
        }
    }

    /// Returns the operand of an operator for a path, if the update contains one.
    pub(crate) fn operand_of(&self, operator: &str, path: &str) -> Option<&Bson> {
        match &self.modifications {
            Ok(UpdateModifications::Document(operators)) => {
                operators.get_document(operator).ok()?.get(path)
            }
            _ => None,
        }
    }
}

fn check_operators(operators: &Document) -> Result<()> {
    match operators.keys().find(|key| !key.starts_with('$')) {
        Some(key) => Err(Error::invalid(format!(
            "an update consists of operators such as `$set`, but has the field `{key}`; \
             use `replace` for a whole document"
        ))),
        None if operators.is_empty() => Err(nothing()),
        None => check_conflicting_paths(operators),
    }
}

fn nothing() -> Error {
    Error::invalid("the update has nothing to do; add `set` or another operator".to_owned())
}

impl<M: ?Sized> From<Document> for Update<M> {
    fn from(operators: Document) -> Self {
        Self::of(UpdateModifications::Document(operators))
    }
}

impl<M: ?Sized> From<Vec<Document>> for Update<M> {
    fn from(pipeline: Vec<Document>) -> Self {
        Self::of(UpdateModifications::Pipeline(pipeline))
    }
}
