//! Descriptions of pages for the features `schemars` and `utoipa`.

use std::borrow::Cow;

use super::{Page, PageToken};

/// Describes a JSON object that contains the documents, the token of the next page, and the total if the page has one.
#[cfg(feature = "schemars")]
impl<V: schemars::JsonSchema> schemars::JsonSchema for Page<V> {
    fn schema_name() -> Cow<'static, str> {
        format!("Page_of_{}", V::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("mongo_odm::Page<{}>", V::schema_id()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "items": generator.subschema_for::<Vec<V>>(),
                "next": generator.subschema_for::<Option<PageToken>>(),
                "total": { "type": "integer", "minimum": 0 },
            },
            "required": ["items", "next"],
        })
    }
}

/// Describes a JSON object that contains the documents, the token of the next page, and the total if the page has one.
#[cfg(feature = "utoipa")]
impl<V: utoipa::__dev::ComposeSchema> utoipa::__dev::ComposeSchema for Page<V> {
    fn compose(
        generics: Vec<utoipa::openapi::RefOr<utoipa::openapi::Schema>>,
    ) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .property("items", Vec::<V>::compose(generics))
            .property("next", Option::<PageToken>::compose(Vec::new()))
            .property("total", u64::compose(Vec::new()))
            .required("items")
            .required("next")
            .into()
    }
}

#[cfg(feature = "utoipa")]
impl<V: utoipa::ToSchema + utoipa::__dev::ComposeSchema> utoipa::ToSchema for Page<V> {
    fn name() -> Cow<'static, str> {
        "Page".into()
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        V::schemas(schemas);
    }
}
