//! The trait `Linked`, which provides the methods of a model that has links.

use std::marker::PhantomData;

use mongodb::bson::{Bson, doc};
use serde::{Serialize, de::DeserializeOwned};

use super::{ChangeLinks, Count, Find, LinkTarget, LinkTargets};
use crate::{
    client::odm::Executor,
    error::{EncodeError, Error, Result},
    model::{
        derive_traits::Storable,
        reference::{KeySlot, Of},
        shape::{LinkEnds, ModelLinks},
    },
    query::filter::Filter,
    relation::{Join, Relation, Unnamed, owner_keys},
    value::{
        codec::{decode_value, encode_value},
        key::{JoinKey, any_of},
    },
    write::LinkChange,
};

/// A model whose documents are linked to other documents in their collection. The attribute `#[links]` implements this
/// trait.
///
/// Links implement the many-to-many relation of `MongoDB`'s Single Collection Pattern, which stores documents of
/// several kinds in one collection. Each document has an array of links to related documents and to itself. One `find`
/// that uses the index on the links returns a document together with all documents that are linked to it. The attribute
/// is documented at [`derive@crate::Model`](derive@crate::Model#links-between-documents-of-one-collection).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no links",
    label = "no links",
    note = "write `#[links] links: Vec<Link>` in the model `{Self}`"
)]
pub trait Linked: Storable {
    /// The name of the relation in statistics and errors: `Student.linked`.
    #[doc(hidden)]
    const __ODM_LINKED: &'static str;

    /// The name of the model's collection.
    #[doc(hidden)]
    type __OdmCollection;

    /// Returns the links in this struct in their stored form.
    ///
    /// # Errors
    ///
    /// Fails if serde cannot encode the links as BSON.
    #[doc(hidden)]
    fn held_links(&self) -> Result<Vec<Bson>, EncodeError>;

    /// Links this document to another document: `student.link(&odm, &class)`, or to several: `student.link(&odm, [&art,
    /// &chess])`.
    ///
    /// The call writes both ends in one transaction of four statements; see [`ChangeLinks`].
    ///
    /// # Examples
    ///
    /// See [`ChangeLinks`].
    #[track_caller]
    fn link<T: LinkTargets<Model: Linked + LinkedWith<Self>>>(
        &self,
        odm: &(impl Executor + ?Sized),
        others: T,
    ) -> ChangeLinks {
        ChangeLinks::new(self, others, LinkChange::Make, odm.exec())
    }

    /// Removes the links between this document and other documents: `student.unlink(&odm, &class)`.
    ///
    /// The call writes both ends in one transaction of four statements; see [`ChangeLinks`].
    ///
    /// # Examples
    ///
    /// See [`ChangeLinks`].
    #[track_caller]
    fn unlink<T: LinkTargets<Model: Linked + LinkedWith<Self>>>(
        &self,
        odm: &(impl Executor + ?Sized),
        others: T,
    ) -> ChangeLinks {
        ChangeLinks::new(self, others, LinkChange::End, odm.exec())
    }

    /// Reads the documents of this model that are linked to a given document: `Class::linked_to(&odm, &student)`.
    ///
    /// The call returns a [`Find`], so you can add filters, sorts and pages. The result does not contain the given
    /// document itself. If the links of this model are `one_sided`, pass the loaded document instead of its id, because
    /// only that document contains the links.
    ///
    /// # Sends
    ///
    /// One `find`.
    ///
    /// # Index
    ///
    /// The call uses the index on the links. [`sync_indexes`](crate::Odm::sync_indexes) creates this index.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/enrollment_models.txt")]
    /// # async fn example(odm: Odm, student: Student) -> mongo_odm::Result<()> {
    /// let large = Class::fields().seats.gt(30);
    /// let classes = Class::linked_to(&odm, &student).filter(large).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn linked_to<T: LinkTarget<Model: Linked + LinkedWith<Self>>>(
        odm: &(impl Executor + ?Sized),
        other: T,
    ) -> Find<Self> {
        Find::new(odm.exec().for_relation(T::Model::__ODM_LINKED))
            .filter(Filter::new(linked_filter::<Self, T>(&other)))
    }

    /// Counts the documents of this model that are linked to a given document: `Class::count_linked(&odm, &student)`.
    ///
    /// # Sends
    ///
    /// One `aggregate`, as in [`Count`].
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/enrollment_models.txt")]
    /// # async fn example(odm: Odm, student: Student) -> mongo_odm::Result<()> {
    /// let classes = Class::count_linked(&odm, &student).await?;
    /// # Ok(()) }
    /// ```
    #[track_caller]
    fn count_linked<T: LinkTarget<Model: Linked + LinkedWith<Self>>>(
        odm: &(impl Executor + ?Sized),
        other: T,
    ) -> Count<Self> {
        Self::linked_to(odm, other).count()
    }

    /// Reads the documents of this model that are linked to any of the given documents. `joined.of(&student)` returns
    /// the documents that are linked to one student. See [`Join`].
    ///
    /// If `O` is this model, the result for each document also contains the document itself, because every document has
    /// a link to itself.
    ///
    /// If the links of this model are `one_sided` and contain only ids (`form = "ids"`), the ids of documents of other
    /// kinds count as missing. So do not call `require_all` or `missing` in this case.
    ///
    /// # Sends
    ///
    /// One `find` for all documents.
    #[track_caller]
    fn join_linked<'a, O: Linked + LinkedWith<Self>>(
        owners: impl IntoIterator<Item = &'a O>,
        odm: &(impl Executor + ?Sized),
    ) -> Join<O, Self, Unnamed> {
        relation::<O, Self>().join(owners, odm)
    }
}

/// A model that has links and is stored in the same collection as `M`. Links are possible only within one
/// collection.
///
/// Every [`Linked`] model in the same collection implements this trait. Use the trait as a bound in code that is
/// generic over two models: `fn link<M: Linked, O: LinkedWith<M>>(one: &M, other: &O)`.
pub trait LinkedWith<M>: Linked {}

impl<M, O> LinkedWith<M> for O
where
    M: Linked,
    O: Linked<__OdmCollection: CollectionOf<M, O, M::__OdmCollection>>,
{
}

/// Implemented by the type that represents the name of `O`'s collection, if `M` is stored in the same collection.
/// Otherwise the compiler prints the message below.
#[diagnostic::on_unimplemented(
    message = "links lead to documents of the same collection, and `{M}` and `{O}` are in two",
    label = "not in the collection of `{M}`",
    note = "refer to a document of another collection with `#[refs(one)]` or `#[refs(many)]`"
)]
pub trait CollectionOf<M, O, Name> {}

#[diagnostic::do_not_recommend]
impl<M, O, Name> CollectionOf<M, O, Name> for Name {}

/// A type that represents the name of a collection. `BYTES` contains up to 16 bytes of the name, and `Rest` contains
/// the remaining bytes.
#[derive(Debug)]
pub struct CollectionName<const BYTES: u128, Rest = ()>(PhantomData<fn() -> Rest>);

/// Encodes the links of a struct.
///
/// # Errors
///
/// Fails if serde cannot encode the links as BSON.
pub fn encoded_links<L: Serialize>(links: &L) -> Result<Vec<Bson>, EncodeError> {
    Ok(match encode_value(links)? {
        Bson::Array(links) => links,
        key @ Bson::String(_) => vec![key],
        _ => Vec::new(),
    })
}

/// Checks that serde can read this link as an element of the array type `L`.
///
/// # Errors
///
/// Returns serde's message if serde cannot read the link.
pub fn reads_link<L: DeserializeOwned>(link: Bson) -> std::result::Result<(), String> {
    decode_value::<L>(Bson::Array(vec![link])).map(|_| ())
}

fn linked_filter<M: Linked, T: LinkTarget>(other: &T) -> Result<mongodb::bson::Document> {
    let target = other.target()?;
    let of_other = crate::action::links_of(target.model)?;
    let own = crate::action::links_of(M::SHAPE)?;
    if own.ends() == LinkEnds::Others {
        if own.shape.separator.is_some() {
            return parent_filter::<M, T>(other, &own);
        }
        let held = other
            .held_links()
            .ok_or_else(|| not_held::<M>(target.model.name))?;
        let held = held.map_err(|source| Error::encode("links", source))?;
        let others = leading_to(&own, &held).filter(|id| **id != target.id);
        return Ok(any_of("_id", others.cloned().collect()));
    }
    let mut filter = of_other.condition(target.id.clone());
    if M::SHAPE.documents() == target.model.documents() {
        filter.extend(doc! { "_id": { "$ne": target.id } });
    }
    Ok(filter)
}

/// Returns a filter that matches the parent of a document. The parent's id is part of the document's prefix key.
fn parent_filter<M: Linked, T: LinkTarget>(
    other: &T,
    own: &ModelLinks,
) -> Result<mongodb::bson::Document> {
    let name = other.target()?.model.name;
    let held = other.held_links().ok_or_else(|| not_held::<M>(name))?;
    let held = held.map_err(|source| Error::encode("links", source))?;
    let keys = held.iter().filter_map(Bson::as_str);
    let parents: Vec<&str> = keys.filter_map(|key| own.parent_in(key)).collect();
    Ok(doc! { own.array: { "$in": parents } })
}

fn not_held<M: Linked>(other: &str) -> Error {
    let name = M::__ODM_NAME;
    Error::invalid(format!(
        "the links of `{name}` are `one_sided`, so that the `{other}` alone says with whom it is linked; load the `{other}` \
         and hand it over in the place of its id"
    ))
    .in_model(M::SHAPE)
}

fn leading_to<'l>(to: &'l ModelLinks, held: &'l [Bson]) -> impl Iterator<Item = &'l Bson> {
    let leading = held.iter().filter(|link| to.may_link_to_model(link));
    leading.filter_map(|link| to.target_of(link))
}

/// Returns the relation that consists of the links between documents of two models.
fn relation<O: Linked, T: Linked>() -> Relation<O, Of<'static, T>> {
    Relation::new(O::__ODM_LINKED, keys::<O, T>, path::<T>)
}

fn keys<O: Linked, T: Linked>(owner: &O, found: &mut dyn FnMut(KeySlot)) {
    let Some(to) = T::SHAPE.links().filter(|to| to.ends() == LinkEnds::Others) else {
        return match T::SHAPE.links().and_then(|to| to.shape.separator) {
            None => owner_keys(owner, None, found),
            Some(_) => found(Err(EncodeError(NO_JOIN.to_owned()))),
        };
    };
    match owner.held_links() {
        Ok(held) if to.shape.separator.is_some() => {
            let keys = held.iter().filter_map(Bson::as_str);
            let parents = keys.filter_map(|key| to.parent_in(key));
            parents.for_each(|parent| found(Ok(JoinKey::from(Bson::from(parent)))));
        }
        Ok(held) => leading_to(&to, &held).for_each(|id| found(Ok(JoinKey::from(id.clone())))),
        Err(error) => found(Err(error)),
    }
}

const NO_JOIN: &str = "documents whose keys begin with an id are found by ranges, which no join can ask for; call \
                       `linked_to` for each";

fn path<T: Linked>() -> String {
    let links = T::SHAPE.links();
    let links = links.filter(|it| it.ends() == LinkEnds::Both || it.shape.separator.is_some());
    links.map_or_else(|| "_id".to_owned(), |links| links.path())
}
