//! Field types that can store the results of a typed aggregation.

use mongodb::bson::Decimal128;

/// A field type that can store a `T` in the result of a typed aggregation: `T` itself, or `Option<T>`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot store a value of type `{T}`",
    label = "not a `{T}`",
    note = "give the field of the result the type `{T}`, or `Option<{T}>`"
)]
pub trait GroupValue<T> {}

#[diagnostic::do_not_recommend]
impl<T> GroupValue<T> for T {}

#[diagnostic::do_not_recommend]
impl<T> GroupValue<T> for Option<T> {}

/// Implemented only for `F` itself, because a field of the result must have the same stored form as the model's field.
#[diagnostic::on_unimplemented(
    message = "the field of the result and the field of the model are stored in different forms",
    label = "stored in another form than the values",
    note = "give both fields the same `#[serde(with = \"..\")]`, or remove it from both"
)]
pub trait StoredAs<F> {}

#[diagnostic::do_not_recommend]
impl<F> StoredAs<F> for F {}

/// A type that can store the average of values of type `T`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot store an average of `{T}`",
    label = "cannot store an average",
    note = "an average of integers and floats is an `Option<f64>`, or an `f64` if no value is missing; an average of \
            `Decimal128` or `rust_decimal::Decimal` is an `Option<Decimal128>`, because a `Decimal` cannot hold all of \
            its digits"
)]
pub trait MeanOf<T> {}

macro_rules! means {
    ($($mean:ty: $($of:ty)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl MeanOf<$of> for $mean {}
        #[diagnostic::do_not_recommend]
        impl MeanOf<Option<$of>> for $mean {}
        #[diagnostic::do_not_recommend]
        impl MeanOf<$of> for Option<$mean> {}
        #[diagnostic::do_not_recommend]
        impl MeanOf<Option<$of>> for Option<$mean> {}
    )*)*};
}
means! {
    f64: i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    Decimal128: Decimal128;
}

// The derive requires `mongo_odm::with::native` for fields of this type, so that their values are stored as
// `Decimal128`. An average such as 1/3 has more digits than a `Decimal`.
#[cfg(feature = "rust_decimal")]
means! {
    Decimal128: rust_decimal::Decimal;
}
