//! Requests of a test to the router.

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode},
    response::Response,
};
use mongo_odm::Odm;
use odm_board::{Board, router};
use serde_json::{Value, json};
use tower::ServiceExt;

/// The paths that do not belong to a team.
const SHARED: [&str; 6] = [
    "/",
    "/routes",
    "/teams",
    "/health",
    "/metrics",
    "/openapi.json",
];

/// A client of the service. Each request contains the ids of the same team and member.
pub(crate) struct Client {
    router: Router,
    /// The id of the team.
    pub(crate) team: String,
    /// The id of the member.
    pub(crate) member: String,
}

/// The response to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Client {
    /// Returns a client of a service for the database, and creates its team and its member.
    pub(crate) async fn new(odm: &Odm) -> Self {
        Self::of_team(odm, "Gardeners").await
    }

    /// Returns a client of a new team.
    pub(crate) async fn of_team(odm: &Odm, name: &str) -> Self {
        let mut client = Self {
            router: router(Board::new(odm.clone())),
            team: String::new(),
            member: String::new(),
        };
        let team = client.post("/teams", json!({ "name": name })).await;
        client.team.push_str(id(&team.created()));
        let ada = client.member("Ada").await;
        client.member.push_str(id(&ada));
        client
    }

    /// Sends a request, and returns the response as it arrives.
    pub(crate) async fn open(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Returns the whole path of a route.
    pub(crate) fn path(&self, route: &str) -> String {
        if SHARED.contains(&route) || route.starts_with("/teams/") {
            return route.to_owned();
        }
        format!("/teams/{}{route}", self.team)
    }

    /// Sends a request, and reads its body.
    pub(crate) async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        version: Option<i64>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(self.path(path));
        if !self.member.is_empty() {
            request = request.header("x-member", &self.member);
        }
        if let Some(version) = version {
            request = request.header("if-match", format!("\"{version}\""));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let response = self.open(request.body(body).unwrap()).await;
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path, None, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path, Some(body), None).await
    }

    pub(crate) async fn patch(&self, path: &str, version: i64, body: Value) -> Answer {
        let version = Some(version);
        self.request(Method::PATCH, path, Some(body), version).await
    }

    pub(crate) async fn put(&self, path: &str) -> Answer {
        self.request(Method::PUT, path, None, None).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.request(Method::DELETE, path, None, None).await
    }

    /// Restores a document.
    pub(crate) async fn restore(&self, path: &str) -> Answer {
        let path = format!("{path}/restore");
        self.request(Method::POST, &path, None, None).await
    }

    /// Creates a member.
    pub(crate) async fn member(&self, name: &str) -> Value {
        let email = format!("{}@example.org", name.to_lowercase());
        let body = json!({ "name": name, "email": email });
        self.post("/members", body).await.created()
    }

    /// Creates a project.
    pub(crate) async fn project(&self, name: &str) -> Value {
        let body = json!({ "name": name });
        self.post("/projects", body).await.created()
    }

    /// Creates a task in a project.
    pub(crate) async fn task(&self, project: &Value, title: &str) -> Value {
        let path = format!("/projects/{}/tasks", id(project));
        self.post(&path, json!({ "title": title })).await.created()
    }

    /// Creates a comment on a task.
    pub(crate) async fn comment(&self, task: &Value, text: &str) -> Value {
        let path = format!("/tasks/{}/comments", id(task));
        self.post(&path, json!({ "text": text })).await.created()
    }

    /// Creates a tag.
    pub(crate) async fn tag(&self, name: &str) -> Value {
        self.post("/tags", json!({ "name": name })).await.created()
    }
}

impl Answer {
    /// Returns the created document.
    pub(crate) fn created(self) -> Value {
        assert_eq!(self.status, StatusCode::CREATED, "{}", self.body);
        self.body
    }

    /// Returns the document.
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        self.body
    }

    /// Checks that the response does not have a body.
    pub(crate) fn no_content(self) {
        assert_eq!(self.status, StatusCode::NO_CONTENT, "{}", self.body);
    }

    /// Checks the status and the code of an error.
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.body["code"], code, "{}", self.body);
        self.body
    }
}

/// Returns the id of a document.
pub(crate) fn id(document: &Value) -> &str {
    document["_id"].as_str().unwrap()
}

/// Returns the version of a document.
pub(crate) fn version(document: &Value) -> i64 {
    document["version"].as_i64().unwrap()
}
