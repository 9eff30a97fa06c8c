//! What the derives name; not part of the public interface.

pub use ::inventory;
pub use ::mongodb;
pub use ::serde;

pub use crate::{
    codec::{AsSerde, Codec},
    field::{
        At, EmbedsView, Field, FieldOf, FieldSet, HasFields, OneEmbedded, Path, ProjectsField,
        Root, SameAs, Source, TypeProbe, TypeProbeFallback, compared, key_of, reference_to, source,
    },
    id::Id,
    key::{AnyKey, JoinKey, Key},
    model::{Embedded, IdOf, Model, Projection},
    odm::{Exec, Executor},
    reference::{
        KeyFor, KeySlot, Keys, MayKnow, Polymorphic, PolymorphicTo, RefTo, Reference, Refers,
        Several,
    },
    registry::Registered,
    relation::{CountRelated, Join, LoadMany, LoadOne, Relation, owner_keys},
    shape::{
        CopyShape, FieldShape, HasManyShape, IndexKey, IndexKind, IndexShape, KeyShape, LinksShape,
        ModelShape, OnDelete, RecentShape, ReferenceKind, ReferenceShape, RollupKind, RollupShape,
        StructShape, TargetShape,
    },
};

/// Returns the stored path from a value of type `T` to the keys inside it.
pub fn inner_path<T: Keys>() -> String {
    let mut path = String::new();
    T::push_inner_path(&mut path);
    path
}

/// A field type that may be declared as a reference to `M` by its id with `to = "M"`.
pub const fn check_plain_reference<T, M>()
where
    T: Keys<Key: KeyFor<M::Key>, Knows: MayKnow<M>>,
    M: Model,
{
}

/// A field type that may be declared as a reference to `M` with `to = "M.field"`.
pub const fn check_keyed_reference<T, M>()
where
    T: Keys<Knows: MayKnow<M>>,
    M: Model,
{
}

/// A field type that may be declared as a polymorphic reference.
pub const fn check_polymorphic<T: Polymorphic>() {}

/// The id field of `M` is of a type that may be one.
pub const fn check_id<T: IdOf<M>, M>() {}

/// A value of a type of another crate for which there is a BSON type says which form it has.
#[track_caller]
pub const fn check_value(is_foreign: bool) {
    assert!(
        !is_foreign,
        "serde alone stores this type as text or as plain bytes; write `#[serde(with = \"mongo_odm::with::native\")]` for its BSON type, or `#[serde(with = \"mongo_odm::with::text\")]` for text"
    );
}

/// A key of a type of another crate is an id, which is stored in its BSON type.
#[track_caller]
pub const fn check_key(is_foreign: bool) {
    assert!(
        !is_foreign,
        "serde alone stores this key as text or as plain bytes; write `Id<Model, Key>` with this type as `Key`, which is stored in its BSON type"
    );
}

/// Compares two names in a `const` assertion.
pub const fn same_text(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        // Indexing is what `const` has; both lengths are the same.
        #[allow(clippy::indexing_slicing)]
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns the description of a field by its Rust name, in a `const` assertion.
pub const fn find_field(fields: &'static [FieldShape], name: &str) -> Option<&'static FieldShape> {
    let mut at = 0;
    while at < fields.len() {
        #[allow(clippy::indexing_slicing)]
        let field = &fields[at];
        if same_text(field.name, name) {
            return Some(field);
        }
        at += 1;
    }
    None
}

/// Whether the named field of a model names `back` as its inverse.
pub const fn names_back(fields: &'static [FieldShape], field: &str, back: &str) -> bool {
    match find_field(fields, field) {
        Some(FieldShape {
            reference:
                Some(ReferenceShape {
                    inverse: Some(inverse),
                    ..
                }),
            ..
        }) => same_text(inverse, back),
        _ => false,
    }
}

/// Whether a projected field is stored under the name that the projection reads.
pub const fn same_stored_name(
    fields: &'static [FieldShape],
    field: &str,
    stored: &str,
    codec: Option<&str>,
) -> bool {
    match find_field(fields, field) {
        Some(found) => same_text(found.stored, stored) && same_codec(found.codec, codec),
        None => false,
    }
}

/// Whether two fields are encoded by the same codec, or both by none.
pub const fn same_codec(left: Option<&str>, right: Option<&str>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same_text(left, right),
        (None, None) => true,
        _ => false,
    }
}
