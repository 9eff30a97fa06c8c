//! Rules for the updates that each field permits. The rules depend on the path of the field, and on whether your code
//! or the library writes the field.
//!
//! The field's path and role are type parameters of its handle. Therefore the type checker rejects an update that the
//! server or the library would reject for every document. `cargo check` and editors report the mistake at the field. A
//! `const` block in a generic function cannot replace these types, because `cargo check` does not evaluate it.

use super::{FieldOf, operand_mistakes::Never};
use crate::{
    model::derive_traits::{At, Root},
    value::codec::AsSerde,
};

macro_rules! roles {
    ($($(#[doc = $doc:literal])* $role:ident;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub struct $role;
    )*};
}
roles! {
    /// The role of a field that permits every update.
    Free;
    /// The role of a field that has `#[serde(default)]`.
    Defaulted;
    /// The role of a field whose codec only writes it (`serialize_with`).
    WrittenByCodec;
    /// The role of the `_id`.
    Identity;
    /// The role of a copy that follows its source.
    FollowsSource;
    /// The role of a summary or a recent list, which the library computes from child documents.
    FollowsChildren;
    /// The role of a field that the library maintains in every write, such as `#[updated_at]`.
    SetByLibrary;
    /// The role of a struct that serde flattens into the outer document.
    Flattened;
    /// The role of an array element.
    OfArray;
}

/// A handle for a field that your code may write. `set_on_insert` and the array operators accept such a handle.
///
/// Use this trait as a bound in generic code: `fn tag<M, F: Writable<M, Value = Vec<String>>>(field: F) -> Update<M>`.
///
/// # Limits
///
/// Every [`FieldOf`] implements this trait, except the handles of:
///
/// - a field inside an array without the position of the element,
/// - a flattened struct,
/// - a copy, a summary and a recent list,
/// - a field that the library maintains, such as `#[updated_at]`.
pub trait Writable<M>: FieldOf<M> {}

impl<M, F> Writable<M> for F where F: FieldOf<M, Place: OnePlace<M>, Role: ProgramWritten<M>> {}

/// A handle for a field that an update can change. Every [`Writable`] handle implements this trait, except the handle
/// of the `_id`.
pub trait Changeable<M>: Writable<M> {}

impl<M, F> Changeable<M> for F where
    F: FieldOf<M, Place: OnePlace<M>, Role: ProgramWritten<M> + NotFixed<M>>
{
}

/// A handle for a field that an update can remove.
///
/// Every [`Changeable`] handle implements this trait if the field is an `Option` or has `#[serde(default)]`. An
/// `Option` that has a `serde(with)` or a `deserialize_with` also requires `#[serde(default)]`, because serde otherwise
/// rejects a missing field.
pub trait Removable<M>: Changeable<M> {}

impl<M, F> Removable<M> for F
where
    F: FieldOf<M, Place: OnePlace<M>>,
    F::Role: ProgramWritten<M> + NotFixed<M> + MayBeMissing<M, F::Value, F::Codec>,
{
}

/// A path that reaches exactly one value in each document.
#[diagnostic::on_unimplemented(
    message = "this field of `{M}` is inside an array, and the update does not name the elements",
    label = "inside an array",
    note = "name the elements: `parts.every().name`, `parts.matched().name`, `parts.at::<2>().name`, or \
            `parts.named::<'p'>().name` with an `array_filter`"
)]
pub trait OnePlace<M> {}

#[diagnostic::do_not_recommend]
impl<M> OnePlace<M> for Root {}

#[diagnostic::do_not_recommend]
impl<M, P: OnePlace<M>, O, const I: usize> OnePlace<M> for At<P, O, I> {}

/// Implemented by the roles of fields that exist in stored documents, which are all fields except flattened structs.
/// Filters, sorts and comparisons need such a field.
#[diagnostic::on_unimplemented(
    message = "this field of `{M}` is flattened: a document has its fields, and not the struct",
    label = "flattened",
    note = "use the fields of the struct, one by one: `address.city`"
)]
pub trait InDocuments<M> {}

/// Implemented by the roles of fields that your code may write.
pub trait ProgramWritten<M> {}

/// Implemented by the roles of fields that updates may change after the insert.
pub trait NotFixed<M> {}

/// Implemented by the roles of fields that may be missing. Serde must be able to read a document that lacks the field.
/// The field has the type `T` and the codec `C`.
#[diagnostic::on_unimplemented(
    message = "a document of `{M}` without this field cannot be read",
    label = "a `{T}` that must not be missing",
    note = "make the field an `Option`, or add `#[serde(default)]` to it, which an `Option` with a `serde(with)` needs, too"
)]
pub trait MayBeMissing<M, T, C> {}

#[diagnostic::do_not_recommend]
impl<M, T> MayBeMissing<M, Option<T>, AsSerde> for Free {}

#[diagnostic::do_not_recommend]
impl<M, T, C> MayBeMissing<M, Option<T>, C> for WrittenByCodec {}

macro_rules! allows {
    ($($role:ident: $($stored:ident)? / $($given:ident)? / $($variable:ident)? / $($missing:ident)?;)*) => {$(
        $(#[diagnostic::do_not_recommend]
        impl<M> $stored<M> for $role {})?
        $(#[diagnostic::do_not_recommend]
        impl<M> $given<M> for $role {})?
        $(#[diagnostic::do_not_recommend]
        impl<M> $variable<M> for $role {})?
        $(#[diagnostic::do_not_recommend]
        impl<M, T, C> $missing<M, T, C> for $role {})?
    )*};
}
// Each role forbids only one thing and permits everything else. Otherwise one mistake would cause two compiler errors.
allows! {
    Free: InDocuments / ProgramWritten / NotFixed /;
    Defaulted: InDocuments / ProgramWritten / NotFixed / MayBeMissing;
    WrittenByCodec: InDocuments / ProgramWritten / NotFixed /;
    Identity: InDocuments / ProgramWritten / / MayBeMissing;
    FollowsSource: InDocuments / / NotFixed / MayBeMissing;
    FollowsChildren: InDocuments / / NotFixed / MayBeMissing;
    SetByLibrary: InDocuments / / NotFixed / MayBeMissing;
    Flattened: / / NotFixed / MayBeMissing;
    OfArray: InDocuments / ProgramWritten / NotFixed /;
}

macro_rules! refuses {
    ($($role:ident: $rule:ident [$($generics:ident)*] by $mistake:ident, $message:literal, $label:literal, $note:literal;)*) => {$(
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $mistake<M> {}

        impl<M, $($generics),*> $rule<M, $($generics),*> for $role where for<'a> Never<'a>: $mistake<M> {}
    )*};
}
refuses! {
    Identity: NotFixed [] by ChangeOfId,
        "the `_id` of `{M}` cannot be changed", "the `_id`",
        "insert a document with the new `_id`, and delete the old one";
    FollowsSource: ProgramWritten [] by WriteOfCopy,
        "this field of `{M}` is a copy, and an update does not write it", "a copy",
        "update its source, or the reference beside it: the library writes the copy; a plain document is not checked here: \
         `.with(doc! {{ .. }})`";
    FollowsChildren: ProgramWritten [] by WriteOfSummary,
        "this field of `{M}` is computed from its children, and an update does not write it", "computed from its children",
        "write the children: the library writes the field";
    SetByLibrary: ProgramWritten [] by WriteOfMaintained,
        "the library maintains this field of `{M}`, and an update does not write it", "a maintained field",
        "remove it from the update: the library sets it; to import documents with their own timestamps, write \
         `insert_many(..).keep_timestamps()`; a delete and a restore set `#[deleted_at]`";
    Flattened: ProgramWritten [] by WriteOfFlattened,
        "this field of `{M}` is flattened: a document has its fields, and not the struct", "flattened",
        "write the fields of the struct, one by one: `address.city`";
    OfArray: MayBeMissing [T C] by RemovalOfElement,
        "`$unset` leaves a null in the array, and does not take the element of `{M}` out", "an element of an array",
        "write `pull` or `pull_where` with the array, or `pop_first` or `pop_last`";
}
