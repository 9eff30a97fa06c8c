//! Implements `ToSchema`, the trait of `utoipa` for `OpenAPI`, for ids and `Presence`.
//!
//! The derive of `utoipa` calls `ComposeSchema` for types that have generic parameters. The documentation of `utoipa`
//! hides this trait, but no other trait exists for such types.

use std::borrow::Cow;

use utoipa::{
    __dev::ComposeSchema,
    ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, SchemaFormat, SchemaType, Type},
    },
};

use super::{
    id::Id,
    key::{JsonType, Key},
    presence::Presence,
};

/// Describes the JSON type of the key.
impl<T: ?Sized, K: Key> ComposeSchema for Id<T, K> {
    fn compose(_: Vec<RefOr<Schema>>) -> RefOr<Schema> {
        json_type_schema(K::JSON).into()
    }
}

impl<T: ?Sized, K: Key> ToSchema for Id<T, K> {
    fn name() -> Cow<'static, str> {
        K::JSON.id_name().into()
    }
}

fn json_type_schema(json: JsonType) -> ObjectBuilder {
    let Some((name, format)) = json.names() else {
        return ObjectBuilder::new().schema_type(SchemaType::AnyValue);
    };
    let schema_type = match name {
        "integer" => Type::Integer,
        "number" => Type::Number,
        "boolean" => Type::Boolean,
        _ => Type::String,
    };
    ObjectBuilder::new()
        .schema_type(schema_type)
        .format(format.map(|format| SchemaFormat::Custom(format.to_owned())))
        .pattern(json.pattern())
}

/// Describes a value that may be null, like an `Option`.
impl<T: ComposeSchema> ComposeSchema for Presence<T> {
    fn compose(generics: Vec<RefOr<Schema>>) -> RefOr<Schema> {
        Option::<T>::compose(generics)
    }
}

impl<T: ToSchema + ComposeSchema> ToSchema for Presence<T> {
    fn name() -> Cow<'static, str> {
        "Presence".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}

/// Returns the schema of a string.
pub(crate) fn text_schema() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).into()
}
