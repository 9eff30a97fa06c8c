//! A model that is the type of both a request and a response.

use mongo_odm::{
    Presence,
    bson::{Bson, Decimal128, Document, Uuid},
    prelude::*,
};
use odm_tests::Harness;
use schemars::JsonSchema;
use serde_json::{Value, json};
use utoipa::ToSchema;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model, JsonSchema, ToSchema)]
#[model(collection = "http_users")]
pub(super) struct User {
    #[serde(rename = "_id")]
    pub(super) id: Id<User, i64>,
    #[index(unique)]
    pub(super) name: String,
    #[rollup(max, of = "Task", via = "owner", field = "due")]
    #[serde(default, with = "mongo_odm::with::native")]
    #[schemars(with = "Option<String>")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(super) last_due: Option<DateTime>,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model, JsonSchema, ToSchema)]
#[model(collection = "http_tasks")]
pub(super) struct Task {
    /// The id of the task.
    #[serde(rename = "_id")]
    pub(super) id: Id<Task>,
    pub(super) title: String,
    #[parent_ref]
    #[index]
    pub(super) owner: Id<User, i64>,
    #[denorm(from = "User.name")]
    #[serde(default)]
    pub(super) owner_name: String,
    #[refs(many)]
    pub(super) after: Vec<Id<Task>>,
    #[serde(with = "mongo_odm::with::native")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    #[schema(value_type = String, format = DateTime)]
    pub(super) due: DateTime,
    #[serde(default, with = "mongo_odm::with::native")]
    #[schemars(with = "Option<String>")]
    #[schema(value_type = Option<String>)]
    pub(super) price: Option<Decimal128>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub(super) parent: Presence<Id<Task>>,
    #[embed]
    pub(super) steps: Vec<Step>,
    #[serde(flatten)]
    #[embed]
    pub(super) audit: Audit,
    pub(super) state: State,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded, JsonSchema, ToSchema)]
pub(super) struct Step {
    pub(super) by: Id<User, i64>,
    #[serde(with = "mongo_odm::with::native")]
    #[schemars(with = "Vec<String>")]
    #[schema(value_type = Vec<String>, format = DateTime)]
    pub(super) at: Vec<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded, JsonSchema, ToSchema)]
pub(super) struct Audit {
    #[serde(with = "mongo_odm::with::native")]
    #[schemars(with = "String")]
    #[schema(value_type = String)]
    pub(super) request: Uuid,
    pub(super) copied_from: Option<Id<Task>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, ToSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum State {
    Open,
    WaitingFor { task: Id<Task> },
}

pub(super) const HEX: &str = "65f0c1d2e3a4b5c6d7e8f901";
const OTHER: &str = "65f0c1d2e3a4b5c6d7e8f902";

pub(super) fn user() -> User {
    User {
        id: Id::from_key(7),
        name: "Ada".to_owned(),
        last_due: None,
    }
}

pub(super) fn task() -> Task {
    let other: Id<Task> = OTHER.parse().unwrap();
    let due = DateTime::from_millis(1_772_366_400_500);
    Task {
        id: HEX.parse().unwrap(),
        title: "write".to_owned(),
        owner: Id::from_key(7),
        owner_name: "Ada".to_owned(),
        after: vec![other],
        due,
        price: Some("12.50".parse().unwrap()),
        parent: Presence::Value(other),
        steps: vec![Step {
            by: Id::from_key(7),
            at: vec![due],
        }],
        audit: Audit {
            request: Uuid::parse_str("936da01f-9abd-4d9d-80c7-02af85c822a8").unwrap(),
            copied_from: Some(other),
        },
        state: State::WaitingFor { task: other },
    }
}

pub(super) fn task_json() -> Value {
    json!({
        "_id": HEX, "title": "write", "owner": 7, "owner_name": "Ada", "after": [OTHER],
        "due": "2026-03-01T12:00:00.5Z", "price": "12.50", "parent": OTHER,
        "steps": [{ "by": 7, "at": ["2026-03-01T12:00:00.5Z"] }],
        "request": "936da01f-9abd-4d9d-80c7-02af85c822a8", "copied_from": OTHER,
        "state": { "is": "waiting_for", "task": OTHER },
    })
}

/// Opens a database with the indexes of the models.
pub(super) async fn open(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().await.unwrap();
    t
}

fn stored() -> Document {
    let (id, other): (ObjectId, ObjectId) = (HEX.parse().unwrap(), OTHER.parse().unwrap());
    let due = DateTime::from_millis(1_772_366_400_500);
    let price = Bson::Decimal128("12.50".parse().unwrap());
    doc! {
        "_id": id, "title": "write", "owner": 7_i64, "owner_name": "Ada", "after": [other],
        "due": due, "price": price, "parent": other, "steps": [{ "by": 7_i64, "at": [due] }],
        "request": task().audit.request, "copied_from": other,
        "state": { "is": "waiting_for", "task": other },
    }
}

#[tokio::test]
async fn json_becomes_bson_and_json_again() {
    let t = open("service_model").await;
    t.given(&[user()]).await;
    let read: Task = serde_json::from_value(task_json()).unwrap();
    assert_eq!(read, task());
    read.insert(&t.odm).await.unwrap();
    let tasks = t.odm.database().collection::<Document>("http_tasks");
    assert_eq!(tasks.find_one(doc! {}).await.unwrap().unwrap(), stored());
    let found = Task::get(&t.odm, read.id).await.unwrap();
    assert_eq!(serde_json::to_value(&found).unwrap(), task_json());
    let user = User::get(&t.odm, found.owner).await.unwrap();
    assert_eq!(user.last_due, Some(found.due));
}

#[tokio::test]
async fn filters_and_updates_use_the_bson_types() {
    let t = open("service_filters").await;
    t.given(&[user()]).await;
    t.given(&[task()]).await;
    let (fields, task) = (Task::fields(), task());
    for filter in [
        fields.due.eq(task.due),
        fields
            .due
            .lt(DateTime::from_millis(task.due.timestamp_millis() + 1)),
        fields.price.gt(Some("9.5".parse().unwrap())),
        fields.steps.at.contains(task.due),
        fields.audit.request.eq(task.audit.request),
    ] {
        let found = Task::find(&t.odm).filter(filter).await.unwrap();
        assert_eq!(found.first(), Some(&task));
        assert_eq!(found.len(), 1);
    }
    let later = DateTime::from_millis(task.due.timestamp_millis() + 1_000);
    Task::update(&t.odm, task.id)
        .set(fields.due, later)
        .await
        .unwrap();
    assert_eq!(Task::get(&t.odm, task.id).await.unwrap().due, later);
    let user = User::get(&t.odm, task.owner).await.unwrap();
    assert_eq!(user.last_due, Some(later));
}

#[test]
fn a_wrong_value_is_an_error() {
    for (path, value) in [
        ("/_id", json!("abc")),
        ("/owner", json!(1.5)),
        ("/after/0", json!(7)),
        ("/due", json!("today")),
        ("/price", json!(12.5)),
        ("/parent", json!("")),
        ("/steps/0/at/0", json!(0)),
        ("/request", json!("abc")),
        ("/state/task", json!({})),
    ] {
        let mut json = task_json();
        *json.pointer_mut(path).unwrap() = value;
        assert!(serde_json::from_value::<Task>(json).is_err(), "{path}");
    }
}

/// A string of 24 hexadecimal digits can be an id or a name, so the first variant of the enum wins.
#[test]
fn an_untagged_enum_of_an_id_and_a_text_is_ambiguous_in_json() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Target {
        Id(Id<Task>),
        Name(String),
    }
    let name = Target::Name(HEX.to_owned());
    let json = serde_json::to_string(&name).unwrap();
    let read: Target = serde_json::from_str(&json).unwrap();
    assert_eq!(read, Target::Id(HEX.parse().unwrap()));
}
