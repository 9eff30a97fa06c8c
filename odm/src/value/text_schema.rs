//! Implements the traits of `schemars` and `utoipa` for types that are strings in JSON, for example page tokens.

/// Implements the traits of `schemars` and `utoipa` for a type that serde writes as a string.
macro_rules! described_as_text {
    ($type:ident) => {
        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::value::schemars::text_schema()
            }
        }

        #[cfg(feature = "utoipa")]
        impl utoipa::__dev::ComposeSchema for $type {
            fn compose(
                _: Vec<utoipa::openapi::RefOr<utoipa::openapi::Schema>>,
            ) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::value::utoipa::text_schema()
            }
        }

        #[cfg(feature = "utoipa")]
        impl utoipa::ToSchema for $type {}
    };
}
pub(crate) use described_as_text;
