//! Implements `JsonSchema`, the trait of `schemars`, for ids and `Presence`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    id::Id,
    key::{JsonType, Key},
    presence::Presence,
};

/// Describes the JSON type of the key. Each schema that contains an id contains this description inline.
impl<T: ?Sized, K: Key> JsonSchema for Id<T, K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        K::JSON.id_name().into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("mongo_odm::{}", K::JSON.id_name()).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_type_schema(K::JSON)
    }
}

fn json_type_schema(json: JsonType) -> Schema {
    let mut schema = Schema::default();
    if let Some((name, format)) = json.names() {
        schema.insert("type".to_owned(), name.into());
        if let Some(format) = format {
            schema.insert("format".to_owned(), format.into());
        }
        if let Some(pattern) = json.pattern() {
            schema.insert("pattern".to_owned(), pattern.into());
        }
    }
    schema
}

/// Describes a value that may be null, like an `Option`.
impl<T: JsonSchema> JsonSchema for Presence<T> {
    fn inline_schema() -> bool {
        Option::<T>::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Option::<T>::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

/// Returns the schema of a string.
pub(crate) fn text_schema() -> Schema {
    json_schema!({ "type": "string" })
}
