//! Arguments of `link` and `unlink`: an id, a document, or several of either.

use mongodb::bson::Bson;

use super::get::encoded_id;
use crate::{
    error::{EncodeError, Result},
    model::{
        derive_traits::{Described, IdOf, Storable},
        shape::ModelShape,
    },
    value::{id::Id, key::Key},
};

/// The id and the model of a linked document.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) model: &'static ModelShape,
    pub(crate) id: Bson,
}

/// A document that other documents can be linked to. You can pass the document itself or its id.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a document links to",
    label = "no id of a model with `#[links]`",
    note = "hand over an `Id<Model>`, or a reference to a document, of a model that has `#[links]`"
)]
pub trait LinkTarget {
    /// The model of the document.
    type Model: Described;

    /// Returns the id and the model of the document.
    ///
    /// # Errors
    ///
    /// Fails if serde cannot encode the id as BSON.
    #[doc(hidden)]
    fn target(&self) -> Result<Target>;

    /// Returns the links that the document contains, or `None` if only its id is known.
    #[doc(hidden)]
    fn held_links(&self) -> Option<Result<Vec<Bson>, EncodeError>> {
        None
    }
}

/// Returns the id and the model of a document.
///
/// # Errors
///
/// Fails if serde cannot encode the id as BSON.
#[doc(hidden)]
pub fn target_of<M: Storable>(document: &M) -> Result<Target> {
    Ok(Target {
        model: M::SHAPE,
        id: encoded_id::<M>(document.stored_id())?,
    })
}

#[diagnostic::do_not_recommend]
impl<M: Described<Id = Self>, K: Key> LinkTarget for Id<M, K>
where
    Self: IdOf<M>,
{
    type Model = M;

    fn target(&self) -> Result<Target> {
        Ok(Target {
            model: M::SHAPE,
            id: encoded_id::<M>(self)?,
        })
    }
}

#[diagnostic::do_not_recommend]
impl<M: Described<Id = Id<M, K>>, K: Key> LinkTarget for &Id<M, K>
where
    Id<M, K>: IdOf<M>,
{
    type Model = M;

    fn target(&self) -> Result<Target> {
        Id::target(self)
    }
}

/// The documents that one call of `link` or `unlink` affects: an id, a document, or several of either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a document links to",
    label = "no document of a model with `#[links]`",
    note = "hand over an `Id<Model>`, a reference to a document, or several of one of these, of a model that has `#[links]`"
)]
pub trait LinkTargets {
    /// The model of the documents.
    type Model: Described;

    /// Returns the ids and the models of the documents.
    ///
    /// # Errors
    ///
    /// Fails if serde cannot encode an id as BSON.
    #[doc(hidden)]
    fn into_targets(self) -> Result<Vec<Target>>;
}

impl<I: IntoIterator<Item: LinkTarget>> LinkTargets for I {
    type Model = <I::Item as LinkTarget>::Model;

    fn into_targets(self) -> Result<Vec<Target>> {
        self.into_iter().map(|it| it.target()).collect()
    }
}

impl<M: Described, K: Key> LinkTargets for Id<M, K>
where
    Self: LinkTarget,
{
    type Model = <Self as LinkTarget>::Model;

    fn into_targets(self) -> Result<Vec<Target>> {
        Ok(vec![self.target()?])
    }
}

impl<M: Described, K: Key> LinkTargets for &Id<M, K>
where
    Self: LinkTarget,
{
    type Model = <Self as LinkTarget>::Model;

    fn into_targets(self) -> Result<Vec<Target>> {
        Ok(vec![self.target()?])
    }
}
