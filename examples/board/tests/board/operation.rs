//! Routes for operators, the description of the service, and the page.

use std::collections::BTreeSet;

use axum::http::Method;
use mongo_odm::Odm;
use serde_json::{Value, json};

use crate::client::{Client, id};

#[mongo_odm_testkit::test]
async fn a_database_with_all_indexes_is_healthy(odm: Odm) {
    let client = Client::new(&odm).await;
    let health = client.get("/health").await.ok();
    assert_eq!(health["is_good"], true, "{health}");
    let tags = odm
        .database()
        .collection::<mongo_odm::bson::Document>("tags");
    tags.drop_indexes().await.unwrap();
    let answer = client.get("/health").await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.body["jobs"]["put_off"], 0);
    assert_eq!(answer.body["is_good"], false);
}

#[mongo_odm_testkit::test]
async fn the_metrics_count_calls_and_copies(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    client.task(&project, "water").await;
    let answer = client.get("/metrics").await;
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(answer.headers["content-type"], kind);
    let Value::String(text) = answer.ok() else {
        panic!("the metrics are text");
    };
    for line in [
        "# TYPE odm_documents_written_total counter",
        r#"odm_documents_written_total{model="Task",write="insert"} 1"#,
        r#"odm_copies_written_total{relation="Project._id <- Task.project"} 1"#,
        r#"odm_jobs{state="put_off"} 0"#,
        "odm_deltas 0",
    ] {
        assert!(
            text.lines().any(|it| it == line),
            "{line} is missing:\n{text}"
        );
    }
}

/// Calls each operation without a header. The description of the operation contains the missing
/// headers.
#[mongo_odm_testkit::test]
async fn the_description_lists_the_headers_of_each_operation(odm: Odm) {
    let mut client = Client::new(&odm).await;
    let description = client.get("/openapi.json").await.ok();
    let member = std::mem::take(&mut client.member);
    let mut refused = 0;
    for (path, item) in description["paths"].as_object().unwrap() {
        let unknown = "65f0c1d2e3a4b5c6d7e8f901";
        let route = path.replace("{id}", unknown).replace("{member}", unknown);
        let route = route.replace("{team}", &client.team);
        for method in ["post", "put", "patch", "delete"] {
            let Some(operation) = item.get(method) else {
                continue;
            };
            let needs = |header: &str| {
                let mut all = operation["parameters"].as_array().into_iter().flatten();
                all.any(|it| it["name"] == header)
            };
            let send = async |client: &Client| {
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                let answer = client.request(method, &route, Some(json!({})), None);
                answer.await.status
            };
            let status = send(&client).await;
            assert_eq!(status == 401, needs("x-member"), "{method} {path}");
            client.member.clone_from(&member);
            let status = send(&client).await;
            assert_eq!(status == 428, needs("if-match"), "{method} {path}");
            client.member.clear();
            refused += u32::from(needs("x-member"));
            let responses = &operation["responses"];
            assert_eq!(responses.get("401").is_some(), needs("x-member"));
            assert_eq!(responses.get("428").is_some(), needs("if-match"));
        }
    }
    assert_eq!(refused, 17);
}

#[mongo_odm_testkit::test]
async fn the_description_lists_all_routes_and_types(odm: Odm) {
    let client = Client::new(&odm).await;
    let description = client.get("/openapi.json").await.ok();
    let paths = description["paths"].as_object().unwrap();
    let mut operations = 0;
    for (path, item) in paths {
        let item = item.as_object().unwrap();
        let is_method = |it: &&String| *it != "parameters";
        operations += item.keys().filter(is_method).count();
        let of_team = path.starts_with("/teams/");
        assert_eq!(item.contains_key("parameters"), of_team, "{path}");
        // A path that the router does not know has the status 404 and an empty body.
        let unknown = "65f0c1d2e3a4b5c6d7e8f901";
        let path = path.replace("{id}", unknown).replace("{member}", unknown);
        let path = path.replace("{team}", &client.team);
        if path.ends_with("/events") {
            continue;
        }
        let answer = client.put(&path).await;
        let is_unknown = answer.status == 404 && answer.body == "";
        assert!(!is_unknown, "{path}");
    }
    assert_eq!(operations, 33);
    let schemas = description["components"]["schemas"].as_object().unwrap();
    let names: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
    for name in [
        "Task",
        "NewTask",
        "TaskPatch",
        "Page_Task",
        "CommentLine",
        "Status",
    ] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    assert_eq!(
        schemas["Task"]["properties"]["created_at"]["format"],
        "date-time"
    );
    assert!(schemas["TaskPatch"]["required"].is_null());
}

#[mongo_odm_testkit::test]
async fn the_pages_and_the_tags_of_documents_are_served(odm: Odm) {
    let client = Client::new(&odm).await;
    for (path, part) in [("/", "EventSource"), ("/routes", "/openapi.json")] {
        let page = client.get(path).await;
        assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
        assert!(page.ok().as_str().unwrap().contains(part));
    }
    let answer = client.get("/members/abc").await;
    assert_eq!(answer.status, 400);
    let project = client.project("Garden").await;
    let found = client.get(&format!("/projects/{}", id(&project))).await;
    assert_eq!(found.headers["etag"], "\"1\"");
}
