//! Descriptions of models by `schemars` and `utoipa`.

use mongo_odm::{
    AnyKey, Average, JsonType, Key, Page, PageToken, Presence, Token,
    bson::{Decimal128, Uuid},
    prelude::*,
};
use schemars::schema_for;
use serde_json::{Value, json};
use utoipa::{IntoParams, OpenApi, PartialSchema, ToSchema};

use crate::models::{State, Task, User};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sku(String);
impl Key for Sku {
    const JSON: JsonType = JsonType::String;
}

fn check<K: Key>(expected: Value) {
    let mut schema = serde_json::to_value(schema_for!(Id<Task, K>)).unwrap();
    let schema = schema.as_object_mut().unwrap();
    schema.remove("$schema");
    schema.remove("title");
    assert_eq!(Value::Object(schema.clone()), expected);
    let schema = serde_json::to_value(Id::<Task, K>::schema()).unwrap();
    assert_eq!(schema, expected);
}

#[test]
fn an_id_is_described_by_its_key() {
    let object_id = json!({ "type": "string", "pattern": "^[0-9a-fA-F]{24}$" });
    check::<ObjectId>(object_id);
    check::<Uuid>(json!({ "type": "string", "format": "uuid" }));
    check::<uuid::Uuid>(json!({ "type": "string", "format": "uuid" }));
    check::<i32>(json!({ "type": "integer", "format": "int32" }));
    check::<u32>(json!({ "type": "integer", "format": "int64" }));
    check::<i64>(json!({ "type": "integer", "format": "int64" }));
    check::<f64>(json!({ "type": "number", "format": "double" }));
    check::<bool>(json!({ "type": "boolean" }));
    check::<String>(json!({ "type": "string" }));
    check::<Sku>(json!({ "type": "string" }));
    check::<DateTime>(json!({ "type": "string", "format": "date-time" }));
    check::<Decimal128>(json!({ "type": "string", "format": "decimal" }));
    check::<AnyKey>(json!({}));
}

#[test]
fn schemars_describes_a_model() {
    let schema = serde_json::to_value(schema_for!(Task)).unwrap();
    let properties = &schema["properties"];
    let id = json!({
        "description": "The id of the task.", "type": "string", "pattern": "^[0-9a-fA-F]{24}$",
    });
    assert_eq!(properties["_id"], id);
    assert_eq!(
        properties["owner"],
        json!({ "type": "integer", "format": "int64" })
    );
    assert_eq!(properties["after"]["items"]["type"], "string");
    assert_eq!(
        properties["due"],
        json!({ "type": "string", "format": "date-time" })
    );
    assert_eq!(properties["parent"]["type"], json!(["string", "null"]));
    assert_eq!(properties["copied_from"]["type"], json!(["string", "null"]));
    let page = serde_json::to_value(schema_for!(Page<Task>)).unwrap();
    assert_eq!(
        page["properties"]["next"]["type"],
        json!(["string", "null"])
    );
    assert_eq!(page["title"], "Page_of_Task");
    for schema in [schema_for!(PageToken), schema_for!(Token)] {
        assert_eq!(schema.get("type"), Some(&json!("string")));
    }
    let average = serde_json::to_value(schema_for!(Average)).unwrap();
    assert_eq!(average["required"], json!(["sum", "count"]));
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "only described")]
struct Search {
    #[param(inline)]
    owner: Option<Id<User, i64>>,
    #[param(inline)]
    after: Option<PageToken>,
}

#[utoipa::path(
    get, path = "/tasks", params(Search), responses((status = 200, body = Page<Task>))
)]
#[allow(dead_code, reason = "only described")]
fn tasks() {}

#[utoipa::path(
    get, path = "/tasks/{id}", params(("id" = Id<Task>, Path)),
    responses((status = 200, body = Task))
)]
#[allow(dead_code, reason = "only described")]
fn task() {}

#[derive(OpenApi)]
#[openapi(paths(tasks, task), components(schemas(Task, State)))]
struct Api;

#[test]
fn utoipa_describes_a_service() {
    let api = serde_json::to_value(Api::openapi()).unwrap();
    let schemas = &api["components"]["schemas"];
    let id = json!({ "type": "string", "pattern": "^[0-9a-fA-F]{24}$" });
    assert_eq!(schemas["Id_Task"], id);
    assert_eq!(
        schemas["IdInt64_User_i64"],
        json!({ "type": "integer", "format": "int64" })
    );
    let mut references = Vec::new();
    add_references(&api, &mut references);
    assert!(references.len() > 5, "{references:?}");
    for reference in references {
        let name = reference.strip_prefix("#/components/schemas/").unwrap();
        assert!(
            !schemas[name].is_null(),
            "{name} is not described: {schemas:#}"
        );
    }
    let parameters = &api["paths"]["/tasks"]["get"]["parameters"];
    assert_eq!(parameters[1]["name"], "after");
    assert!(
        parameters[1]["schema"].to_string().contains("string"),
        "{parameters:#}"
    );
    let page = &schemas["Page_Task"];
    assert_eq!(page["required"], json!(["items", "next"]));
    assert!(Presence::<String>::schema() == Option::<String>::schema());
    assert_eq!(<Average as ToSchema>::name(), "Average");
}

fn add_references<'a>(json: &'a Value, references: &mut Vec<&'a str>) {
    match json {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str));
            fields
                .values()
                .for_each(|it| add_references(it, references));
        }
        Value::Array(items) => items.iter().for_each(|it| add_references(it, references)),
        _ => {}
    }
}
