//! Ids and page tokens that the extractors of `axum` read from paths, query strings and bodies.

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{Path, Query},
    http::{Method, Request, StatusCode},
    routing::get,
};
use mongo_odm::{PageToken, action::Page, bson::Uuid, prelude::*};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::models::{HEX, Task, User, open, task, task_json};

const UUID: &str = "936da01f-9abd-4d9d-80c7-02af85c822a8";

struct Country;

/// Sends a request, and returns the status and the text of the response.
pub(super) async fn send(
    router: &Router,
    method: Method,
    uri: &str,
    body: Option<Value>,
) -> (StatusCode, String) {
    let mut request = Request::builder().method(method).uri(uri);
    if body.is_some() {
        request = request.header("content-type", "application/json");
    }
    let body = body.map_or_else(Body::empty, |json| Body::from(json.to_string()));
    let response = router.clone().oneshot(request.body(body).unwrap());
    let response = response.await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

async fn shown(router: &Router, uri: &str) -> String {
    let (status, text) = send(router, Method::GET, uri, None).await;
    assert_eq!(status, StatusCode::OK, "{uri}: {text}");
    text
}

async fn refused(router: &Router, uri: &str) -> String {
    let (status, text) = send(router, Method::GET, uri, None).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{uri}: {text}");
    text
}

#[derive(Deserialize)]
struct Keys {
    object_id: Id<Task>,
    uuid: Id<Country, Uuid>,
    other_uuid: Id<Country, uuid::Uuid>,
    number: Id<User, i64>,
    label: Id<Country, String>,
    date: Id<Country, DateTime>,
}

impl Keys {
    fn show(&self) -> String {
        let date = self.date.key().try_to_rfc3339_string().unwrap();
        format!(
            "{}/{}/{}/{}/{}/{date}",
            self.object_id, self.uuid, self.other_uuid, self.number, self.label
        )
    }
}

fn paths() -> Router {
    type Five = (
        Id<Task>,
        Id<Country, Uuid>,
        Id<Country, uuid::Uuid>,
        Id<User, i64>,
    );
    Router::new()
        .route(
            "/task/{id}",
            get(async |Path(id): Path<Id<Task>>| id.to_string()),
        )
        .route(
            "/user/{id}",
            get(async |Path(id): Path<Id<User, i64>>| id.to_string()),
        )
        .route(
            "/uuid/{id}",
            get(async |Path(id): Path<Id<Country, Uuid>>| id.to_string()),
        )
        .route(
            "/tuple/{a}/{b}/{c}/{d}",
            get(async |Path((a, b, c, d)): Path<Five>| format!("{a}/{b}/{c}/{d}")),
        )
        .route(
            "/struct/{object_id}/{uuid}/{other_uuid}/{number}/{label}/{date}",
            get(async |Path(keys): Path<Keys>| keys.show()),
        )
}

#[tokio::test]
async fn ids_are_read_from_paths() {
    let router = paths();
    assert_eq!(shown(&router, &format!("/task/{HEX}")).await, HEX);
    assert_eq!(shown(&router, "/user/45").await, "45");
    assert_eq!(shown(&router, &format!("/uuid/{UUID}")).await, UUID);
    let four = format!("{HEX}/{UUID}/{UUID}/-45");
    assert_eq!(shown(&router, &format!("/tuple/{four}")).await, four);
    let six = format!("{HEX}/{UUID}/{UUID}/45/a label/2026-03-01T12:00:00Z");
    let uri = format!("/struct/{}", six.replace(' ', "%20"));
    assert_eq!(shown(&router, &uri).await, six);
    let text = refused(&router, "/task/abc").await;
    assert!(
        text.contains("\"abc\" is not the text of an ObjectId"),
        "{text}"
    );
    refused(&router, "/user/abc").await;
    refused(&router, "/user/4.5").await;
    refused(&router, "/uuid/abc").await;
}

#[derive(Deserialize)]
struct Search {
    owner: Option<Id<User, i64>>,
    #[serde(flatten)]
    window: Window,
}

/// This struct is flattened, so serde buffers its values. In a query string, all buffered values are strings.
#[derive(Deserialize)]
struct Window {
    after: Option<PageToken>,
    task: Option<Id<Task>>,
    user: Option<Id<User, i64>>,
    uuid: Option<Id<Country, Uuid>>,
}

fn queries() -> Router {
    let keys = get(async |Query(keys): Query<Keys>| keys.show());
    let search = get(async |Query(search): Query<Search>| {
        let Window {
            after,
            task,
            user,
            uuid,
        } = search.window;
        format!("{:?} {after:?} {task:?} {user:?} {uuid:?}", search.owner)
    });
    Router::new().route("/keys", keys).route("/search", search)
}

#[tokio::test]
async fn ids_and_tokens_are_read_from_query_strings() {
    let router = queries();
    let uri = format!(
        "/keys?object_id={HEX}&uuid={UUID}&other_uuid={UUID}&number=45&label=a+label&date=2026-03-01T12:00:00Z"
    );
    let six = format!("{HEX}/{UUID}/{UUID}/45/a label/2026-03-01T12:00:00Z");
    assert_eq!(shown(&router, &uri).await, six);
    assert_eq!(shown(&router, "/search").await, "None None None None None");
    let text = shown(
        &router,
        &format!("/search?owner=7&task={HEX}&user=8&uuid={UUID}"),
    )
    .await;
    let (task, user) = (Some(task().id), Some(Id::<User, i64>::from_key(8)));
    let uuid = Some(Id::<Country, Uuid>::from_key(
        Uuid::parse_str(UUID).unwrap(),
    ));
    let owner = Some(Id::<User, i64>::from_key(7));
    let none = None::<PageToken>;
    assert_eq!(
        text,
        format!("{owner:?} {none:?} {task:?} {user:?} {uuid:?}")
    );
    for wrong in ["owner=a", "task=abc", "user=a", "uuid=abc", "after=00"] {
        refused(&router, &format!("/search?{wrong}")).await;
    }
}

/// A service that responds with a page of users.
fn users(odm: Odm) -> Router {
    #[derive(Deserialize)]
    struct Start {
        after: Option<PageToken>,
    }
    let page = get(async move |Query(start): Query<Start>| {
        let users = User::find(&odm).sort(User::fields().name.asc());
        users.page(2).after(start.after).await.map(Json)
    });
    Router::new().route("/users", page)
}

#[tokio::test]
async fn the_token_of_a_page_is_the_start_of_the_next_one() {
    let t = open("service_pages").await;
    let users: Vec<User> = (1..=3)
        .map(|n| User {
            id: Id::from_key(n),
            name: format!("user {n}"),
            last_due: None,
        })
        .collect();
    t.given(&users).await;
    let router = self::users(t.odm.clone());
    let page: Value = serde_json::from_str(&shown(&router, "/users").await).unwrap();
    assert_eq!(page["items"], serde_json::to_value(&users[..2]).unwrap());
    let read: Page<User> = serde_json::from_value(page.clone()).unwrap();
    assert_eq!((&read.items, read.total), (&users[..2].to_vec(), None));
    assert_eq!(page["next"], read.next.unwrap().to_string());
    let next = format!("/users?after={}", page["next"].as_str().unwrap());
    let page: Value = serde_json::from_str(&shown(&router, &next).await).unwrap();
    assert_eq!(page, json!({ "items": users[2..], "next": null }));
    let with_total = User::find(&t.odm).page(2).with_total().await.unwrap();
    assert_eq!(serde_json::to_value(with_total).unwrap()["total"], 3);
    refused(&router, "/users?after=abc").await;
    // 4,000 documents that are nested in each other. Decoding them would need more than the stack of a thread.
    let sizes = (1..4_000_u32).rev().map(|level| 5 + 7 * level);
    let begins: String = sizes
        .map(|size| format!("{:08x}0300", size.swap_bytes()))
        .collect();
    let nested = format!("{begins}0500000000{}", "00".repeat(3_999));
    refused(&router, &format!("/users?after={nested}")).await;
}

#[tokio::test]
async fn a_body_is_a_model() {
    let router = Router::new().route("/tasks", get(async |Json(task): Json<Task>| Json(task)));
    let (status, text) = send(&router, Method::GET, "/tasks", Some(task_json())).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), task_json());
    let mut wrong = task_json();
    wrong["steps"][0]["at"][0] = json!("today");
    let (status, text) = send(&router, Method::GET, "/tasks", Some(wrong)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text.contains("steps[0].at"), "{text}");
    assert!(
        text.contains("\"today\" is not a date in the format of RFC 3339"),
        "{text}"
    );
}
