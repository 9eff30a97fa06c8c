//! Field types that can store a summary.

use mongodb::bson::{Bson, Decimal128};
use serde::{Deserialize, Serialize};

/// The value of `#[rollup(average, ..)]`: the sum and the number of values.
///
/// The value is stored as `{sum, count}`, a double and a long. The library stores both numbers, because a mean cannot
/// be updated without the number of values. Integers and decimals are added as doubles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Average {
    /// The sum of the values.
    pub sum: f64,
    /// Number of values. Null and missing values are not counted.
    pub count: i64,
}

impl Average {
    /// Returns the mean, or `None` if there are no values.
    ///
    /// # Examples
    ///
    /// ```
    /// use mongo_odm::Average;
    ///
    /// assert_eq!(Average { sum: 9.0, count: 2 }.value(), Some(4.5));
    /// assert_eq!(Average::default().value(), None);
    /// ```
    #[allow(clippy::cast_precision_loss, reason = "nobody has that many documents")]
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// Describes an object with the properties `sum` and `count`.
#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Average {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Average".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "sum": generator.subschema_for::<f64>(),
                "count": generator.subschema_for::<i64>(),
            },
            "required": ["sum", "count"],
        })
    }
}

/// Describes an object with the properties `sum` and `count`.
#[cfg(feature = "utoipa")]
impl utoipa::PartialSchema for Average {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .property("sum", f64::schema())
            .property("count", i64::schema())
            .required("sum")
            .required("count")
            .into()
    }
}

#[cfg(feature = "utoipa")]
impl utoipa::ToSchema for Average {}

/// Marker type for `#[rollup(count, ..)]`.
#[derive(Debug)]
pub enum Count {}
/// Marker type for `#[rollup(sum, ..)]`.
#[derive(Debug)]
pub enum Sum {}
/// Marker type for `#[rollup(average, ..)]`.
#[derive(Debug)]
pub enum Mean {}
/// Marker type for `#[rollup(min, ..)]` and `#[rollup(max, ..)]`.
#[derive(Debug)]
pub enum Extreme {}

/// A field type that can store a summary of the type `K` over values of type `T`.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot hold this rollup",
    label = "cannot hold this rollup",
    note = "`count` is an `i64` or `u64`; `sum` is an `i64` of integers up to `i64`, an `f64` of floats, a `Decimal128` of decimals (or a `rust_decimal::Decimal`, with the feature `rust_decimal`); `average` is a `mongo_odm::Average`; `min` and `max` are an `Option` of the type of the values"
)]
pub trait RollupOf<K, T> {
    /// Returns the value of the summary for a document without children.
    fn of_none() -> Bson {
        Bson::Null
    }
}

macro_rules! rollups {
    ($kind:ty: $($held:ty = $none:expr, of $($of:ty)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl RollupOf<$kind, $of> for $held {
            fn of_none() -> Bson {
                $none
            }
        }

        #[diagnostic::do_not_recommend]
        impl RollupOf<$kind, Option<$of>> for $held {
            fn of_none() -> Bson {
                $none
            }
        }
    )*)*};
}

#[diagnostic::do_not_recommend]
impl RollupOf<Count, ()> for i64 {}
#[diagnostic::do_not_recommend]
impl RollupOf<Count, ()> for u64 {}

rollups! { Sum:
    i64 = Bson::Int64(0), of i8 i16 i32 i64 u8 u16 u32;
    f64 = Bson::Double(0.0), of f32 f64;
    Decimal128 = Bson::Decimal128(zero()), of Decimal128;
}

rollups! { Mean:
    Average = Bson::Null, of i8 i16 i32 i64 u8 u16 u32 f32 f64 Decimal128;
}

// The derive requires `mongo_odm::with::native` for fields of these types, so that their values are stored as
// `Decimal128`.
#[cfg(feature = "rust_decimal")]
rollups! { Sum:
    rust_decimal::Decimal = Bson::Decimal128(zero()), of rust_decimal::Decimal Decimal128;
    Decimal128 = Bson::Decimal128(zero()), of rust_decimal::Decimal;
}

#[cfg(feature = "rust_decimal")]
rollups! { Mean:
    Average = Bson::Null, of rust_decimal::Decimal;
}

#[diagnostic::do_not_recommend]
impl<T> RollupOf<Extreme, T> for Option<T> {}
#[diagnostic::do_not_recommend]
impl<T> RollupOf<Extreme, Option<T>> for Option<T> {}

/// Returns `0` in the encoding that the server uses.
fn zero() -> Decimal128 {
    Decimal128::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30])
}

/// Checks that a field of type `T` can store the number of children.
pub const fn check_count<T: RollupOf<Count, ()>>() {}
