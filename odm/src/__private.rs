//! Items used by the code that the derives generate. They are not part of the public interface.

pub use ::inventory;
pub use ::mongodb;
pub use ::serde;

use ::mongodb::bson::Document;

pub use crate::error::{Result, Violation};
pub use crate::{
    action::{
        LinkTarget, LinkTargets, LinkedBy, LinkedQuery, Reassign, Take, Target, UpdateOne, link,
        linked_model::{CollectionName, Linked, encoded_links, reads_link},
        target_of, unlink,
    },
    client::odm::Executor,
    error::{EncodeError, Error},
    hook::{HookProbe, HookProbeFallback, hooks_table},
    model::{
        derive_traits::{
            AsId, DeclaresId, Described, Embedded, FieldSet, Handles, HasFields, Holds, IdOf, Path,
            Projection, ReadAs, Root, Serialized, read_model, read_projection, read_unmarked_model,
            registered, registered_embedded,
        },
        hooks::DeclaresHooks,
        movable::Movable,
        pre_images::PreImages,
        reference::{
            AreMirrored, ArraysAtBothEnds, DeclaresReference, Held, HoldsKeys, IsFollowed, KeyFor,
            KeySlot, KeyThere, Keys, Leads, LeadsOnlyTo, MayKnow, Of, Polymorphic, PolymorphicTo,
            Reference, Several,
        },
        registry::RegisteredEmbedded,
        shape::{
            ActorType, CopyShape, FieldShape, HasManyShape, IndexKey, IndexKind, IndexShape,
            KeyShape, KindShape, LinksShape, Maintained, ModelShape, OnDelete, RecentShape,
            ReferenceKind, ReferenceShape, RollupKind, RollupShape, StructShape, TargetShape,
            are_arrays, check_given_field, check_given_fields, check_set_of_model, declares,
            find_field, has_kind, has_name, has_one_reference, have_known_names, is_aliased,
            is_array, is_flattened_as, is_key, is_required, kind_is, kind_is_in, links_of,
            names_back, position, pulls, read_stored_name, refers, same_collection,
            same_stored_name, store_same, stores,
        },
        soft_delete::{
            DeletedInPlace, KeepsDeleted, KeepsDeletedInPlace, KindKeepsDeleted, SoftDelete,
        },
        validation::broken_rules,
        version::{Versioned, version_number},
    },
    query::{
        field::{
            ArrayOfLinks, Back, Count, Defaulted, Extreme, Field, FieldType, Flattened,
            FollowsChildren, FollowsSource, HoldsItems, Identity, Mean, OneEmbedded, Operand,
            SetByLibrary, Source, Sum, TypeProbe, TypeProbeFallback, WrittenByCodec, check_count,
            check_date, check_deletion_date, compared, inside, is_native, key_of, native_form,
            reference_to, source,
        },
        filter::{Filter, RelationFilter, RelationScope},
        given::{GivenFields, GivesFields, NewId, give_field, give_struct},
        single_collection::{
            FoundKind, Grouped, SingleCollection, Variant, WholeDocument, read_kind,
        },
        update::{Patch, PatchChanges, patch_embedded, patch_field},
    },
    relation::{
        CountRelated, Join, LoadAll, LoadMany, LoadOne, LoadTarget, LoadsAll, LoadsTo, Related,
        Relation, Unnamed, name as relation_name, owner_keys,
    },
    value::{
        codec::{AsSerde, Codec, CodecPath, skips},
        id::Id,
        key::AnyKey,
    },
};
pub use ::mongodb::bson::RawDocument;

/// Returns the shape of the entries in a recent list, or `None` if each entry is a whole child document.
pub fn line_shape<T: crate::query::field::ArrayType<Item: LineOf<C>>, C>()
-> Option<&'static StructShape> {
    (!<T::Item as Projection<C>>::__ODM_WHOLE).then_some(<T::Item as Projection<C>>::SHAPE)
}

/// The type of an entry in a recent list: the child model, or a projection of that model.
#[diagnostic::on_unimplemented(
    message = "a recent list contains documents of `{C}` or parts of them, not `{Self}`",
    label = "no line of `{C}`",
    note = "write a `Vec` of `{C}`, or of a struct with `#[derive(Projection)]` and `#[projection(of = \"{C}\")]`; for ids alone give it one field, \
            `#[serde(rename = \"_id\")] id: Id<{C}>`"
)]
pub trait LineOf<C>: Projection<C> {}

#[diagnostic::do_not_recommend]
impl<T: Projection<C>, C> LineOf<C> for T {}

/// Converts the declared filter of children to a filter document. Returns an error message if the conversion fails.
pub fn child_filter<M>(filter: fn() -> Filter<M>) -> Result<Document, String> {
    filter().into_document().map_err(|error| error.to_string())
}

/// A function that returns the filter declared for a relation.
#[diagnostic::on_unimplemented(
    message = "`{Self}` returns no filter of `{M}`",
    label = "expected a function that returns `Filter<{M}>` or `ElementFilter<{M}>`"
)]
pub trait ReturnsFilter<M> {
    /// Returns the conditions that the filter adds to a relation.
    ///
    /// # Errors
    ///
    /// Serde's error if an operand cannot be written as BSON.
    fn scope(self) -> Result<RelationScope>;
}

#[diagnostic::do_not_recommend]
impl<M, F: Fn() -> R, R: RelationFilter<M>> ReturnsFilter<M> for F {
    fn scope(self) -> Result<RelationScope> {
        self().into_scope()
    }
}

/// Converts the filter that is declared for a relation to the conditions of the relation.
pub fn relation_filter<M>(filter: impl ReturnsFilter<M>) -> Result<RelationScope> {
    filter.scope()
}

/// Checks that the attribute `to = "M"` can declare a field of type `T` as a reference to `M`.
pub const fn check_plain_reference<T, M>()
where
    T: Keys<Key: KeyFor<M::Key>, Knows: MayKnow<M>>,
    M: Described,
{
}

/// Checks that a field of type `T` can be declared as a polymorphic reference.
pub const fn check_polymorphic<T: Polymorphic>() {}

/// Checks that a field declares its stored form if the field's type belongs to another crate and has a matching BSON
/// type.
#[track_caller]
pub const fn check_value(is_foreign: bool) {
    assert!(
        !is_foreign,
        "serde alone stores this type as text or as plain bytes; write `#[serde(with = \"mongo_odm::with::native\")]` for its BSON type, or `#[serde(with = \"mongo_odm::with::text\")]` for text"
    );
}

/// Checks that a key whose type belongs to another crate is wrapped in an `Id`, which always stores the key in its BSON
/// type.
#[track_caller]
pub const fn check_key(is_foreign: bool) {
    assert!(
        !is_foreign,
        "serde alone stores this key as text or as plain bytes; write `Id<Model, Key>` with this type as `Key`, which is stored in its BSON type"
    );
}

/// Checks that the field in which a struct stores its kind can contain a string.
#[track_caller]
pub const fn check_kind(holds_text: bool) {
    assert!(
        holds_text,
        "the kind of the model is a string in this field, which cannot contain one; make it a `String`, or remove the field: the library writes the kind"
    );
}

/// Checks that the ids of all kinds in a collection have the same type.
pub const fn check_one_key<M, First>()
where
    M: Described<Key: KeyOfKind<First::Key>>,
    First: Described,
{
}

/// An id type that equals `K`, the id type of the first kind.
#[diagnostic::on_unimplemented(
    message = "the kinds of a collection have ids of one type here, and this one has `{Self}`",
    label = "the ids of the first variant are `{K}`",
    note = "an enum of kinds has one id for `get` and for references; give the kinds ids of one type, or read them by their models"
)]
pub trait KeyOfKind<K> {}

impl<K> KeyOfKind<K> for K {}
