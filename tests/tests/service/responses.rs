//! Errors that are converted to HTTP responses.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use axum::{
    Json, Router,
    body::to_bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{Method, StatusCode},
    response::IntoResponse,
    routing::{get, post},
};
use mongo_odm::{BulkReport, DeleteReport, Error, ErrorKind, JobCounts, bson::Bson, prelude::*};
use serde_json::{Value, json};

use crate::{
    models::{User, open, task, user},
    requests::send,
};

async fn read(State(odm): State<Odm>, Path(id): Path<Id<User, i64>>) -> Result<Json<User>, Error> {
    User::get(&odm, id).await.map(Json)
}

async fn create(State(odm): State<Odm>, Json(user): Json<User>) -> Result<StatusCode, Error> {
    user.insert(&odm).await?;
    Ok(StatusCode::CREATED)
}

fn service(odm: Odm) -> Router {
    Router::new()
        .route("/users", post(create))
        .route("/users/{id}", get(read))
        .with_state(odm)
}

#[tokio::test]
async fn an_error_is_a_response_with_its_code() {
    let t = open("service_errors").await;
    let router = service(t.odm.clone());
    let json = serde_json::to_value(user()).unwrap();
    let (status, _) = send(&router, Method::POST, "/users", Some(json.clone())).await;
    assert_eq!(status, StatusCode::CREATED);
    let (status, text) = send(&router, Method::GET, "/users/7", None).await;
    assert_eq!(
        (status, serde_json::from_str(&text).unwrap()),
        (StatusCode::OK, json.clone())
    );
    let (status, text) = send(&router, Method::GET, "/users/8", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let body = json!({ "code": "odm.not_found", "message": "the document does not exist" });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), body);
    let (status, text) = send(&router, Method::POST, "/users", Some(json)).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(text.contains("odm.duplicate_key"), "{text}");
    for internal in ["http_users", "User", "Ada", "_id", "name_1", "E11000"] {
        assert!(!text.contains(internal), "{internal}: {text}");
    }
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "http_profiles")]
struct Profile {
    #[serde(rename = "_id")]
    id: Id<Profile>,
    name: String,
    #[serde(default, alias = "is_admin")]
    admin: bool,
    #[serde(flatten)]
    more: HashMap<String, Bson>,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Profile")]
struct NewProfile {
    name: String,
    #[serde(flatten)]
    more: HashMap<String, Bson>,
}

async fn join(State(odm): State<Odm>, Json(new): Json<NewProfile>) -> Result<StatusCode, Error> {
    new.insert(&odm).await?;
    Ok(StatusCode::CREATED)
}

/// The status 500 would tell the client that a different request does not help.
#[tokio::test]
async fn a_document_that_cannot_be_stored_is_an_error_of_the_client() {
    let t = open("service_unfit").await;
    let router = Router::new().route("/profiles", post(join));
    let router = router.layer(DefaultBodyLimit::disable());
    let router = router.with_state(t.odm.clone());
    for (body, expected) in [
        (json!({ "name": "Ada", "color": "red" }), 201),
        (json!({ "name": "Ada", "admin": true }), 422),
        (json!({ "name": "Ada", "is_admin": true }), 422),
        (json!({ "name": "Ada", "text": "x".repeat(17 << 20) }), 422),
    ] {
        let (status, text) = send(&router, Method::POST, "/profiles", Some(body)).await;
        assert_eq!(status.as_u16(), expected, "{text}");
        assert!(expected == 201 || text.contains("odm.encode"), "{text}");
    }
}

#[tokio::test]
async fn the_error_itself_is_an_extension_of_the_response() {
    let response = Error::custom(std::io::Error::other("password of the printer")).into_response();
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(response.headers()["content-type"], "application/json");
    let error = response.extensions().get::<Arc<Error>>().unwrap();
    assert!(error.to_string().contains("password"));
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert!(
        body.contains("odm.custom") && !body.contains("password"),
        "{body}"
    );
}

#[test]
fn each_kind_has_a_status_and_a_message() {
    let codes: BTreeSet<&str> = ErrorKind::ALL.iter().map(|kind| kind.code()).collect();
    assert_eq!(codes.len(), ErrorKind::ALL.len());
    for kind in ErrorKind::ALL {
        let status = StatusCode::from_u16(kind.http_status()).unwrap();
        assert!(
            status.is_client_error() || status.is_server_error(),
            "{kind}"
        );
        let is_internal = kind.http_message() == "internal error";
        assert_eq!(
            is_internal,
            status == StatusCode::INTERNAL_SERVER_ERROR,
            "{kind}"
        );
    }
}

#[tokio::test]
async fn health_is_json_with_ages_in_seconds() {
    let t = open("service_health").await;
    let health = serde_json::to_value(t.odm.health().await.unwrap()).unwrap();
    assert!(health["answered_in_seconds"].is_f64(), "{health:#}");
    assert!(health["indexes"]["missing"].is_array(), "{health:#}");
    assert!(health["jobs"]["due"].is_u64(), "{health:#}");

    let mut jobs = JobCounts::default();
    jobs.oldest = Some(Duration::from_millis(1_500));
    let jobs = serde_json::to_value(jobs).unwrap();
    assert_eq!(jobs["oldest_seconds"], 1.5);
    assert!(jobs["oldest_delta_seconds"].is_null(), "{jobs:#}");
}

#[tokio::test]
async fn reports_are_json_without_their_tokens() {
    let t = open("service_reports").await;
    let odm = &t.odm;
    let new = user();
    let created = User::get_or_create(odm, User::fields().id.eq(new.id), &new);
    let created = serde_json::to_value(created.await.unwrap()).unwrap();
    assert_eq!(created["is_created"], true);
    assert_eq!(created["document"]["name"], "Ada");
    task().insert(odm).await.unwrap();
    let renamed = User::update(odm, new.id).set(User::fields().name, "Eve");
    let renamed = serde_json::to_value(renamed.await.unwrap()).unwrap();
    assert_eq!(renamed["modified"], 1);
    assert_eq!(renamed["copies"][0]["forms"], json!(["written"]));
    assert_eq!(renamed["copies"][0]["guarantee"], "atomic");
    let mut other = user();
    (other.id, other.name) = (Id::from_key(8), "Max".into());
    let bulk = odm.bulk_write().add(other.save(odm)).await;
    let bulk = serde_json::to_value(bulk.unwrap()).unwrap();
    assert_eq!(bulk["counts"]["upserted"], json!({ "0": 8 }));
    let deleted = User::delete(odm, new.id).await.unwrap();
    let deleted = serde_json::to_value(deleted).unwrap();
    assert_eq!(deleted["deleted"], 1);
    for empty in [
        serde_json::to_value(DeleteReport::default()).unwrap(),
        serde_json::to_value(BulkReport::default()).unwrap(),
    ] {
        assert!(empty.get("token").is_none(), "{empty}");
    }
}
