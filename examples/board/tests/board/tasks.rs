//! Tasks: actors and times, partial changes, and conflicts.

use std::time::Duration;

use axum::http::Method;
use mongo_odm::Odm;
use mongo_odm_testkit::TestClock;
use serde_json::{Value, json};

use crate::client::{Client, id, version};

const NOBODY: &str = "65f0c1d2e3a4b5c6d7e8f901";

#[mongo_odm_testkit::test]
async fn a_task_records_members_and_times(odm: Odm, clock: TestClock) {
    let mut client = Client::new(&odm).await;
    let ben = client.member("Ben").await;
    let ada = client.member.clone();
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    assert_eq!(task["created_at"], "2026-01-01T00:00:00Z");
    assert_eq!(task["creator_name"], "Ada");

    clock.advance(Duration::from_secs(60));
    client.member = id(&ben).to_owned();
    let path = format!("/tasks/{}", id(&task));
    let changed = client
        .patch(&path, 1, json!({ "title": "weed" }))
        .await
        .ok();
    assert_eq!(changed["created_at"], "2026-01-01T00:00:00Z");
    assert_eq!(changed["updated_at"], "2026-01-01T00:01:00Z");
    assert_eq!(changed["created_by"], ada);
    assert_eq!(changed["updated_by"], client.member);
    assert_eq!(version(&changed), 2);
}

#[mongo_odm_testkit::test]
async fn a_patch_changes_only_the_fields_that_it_contains(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let path = format!("/projects/{}/tasks", id(&project));
    let body = json!({ "title": "water", "details": "beans", "assignee": client.member });
    let task = client.post(&path, body).await.created();
    let path = format!("/tasks/{}", id(&task));

    let changed = client
        .patch(&path, 1, json!({ "status": "in_progress" }))
        .await
        .ok();
    assert_eq!(changed["status"], "in_progress");
    assert_eq!(changed["details"], "beans");
    assert_eq!(changed["assignee_name"], "Ada");

    let changed = client
        .patch(&path, 2, json!({ "assignee": null }))
        .await
        .ok();
    assert!(
        changed["assignee"].is_null() && changed["assignee_name"].is_null(),
        "{changed}"
    );
    assert_eq!(changed["status"], "in_progress");

    let unchanged = client.patch(&path, 3, json!({})).await.ok();
    assert_eq!(unchanged, changed);
}

#[mongo_odm_testkit::test]
async fn an_invalid_patch_changes_nothing(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let path = format!("/tasks/{}", id(&task));
    let refused = async |body: Value| client.patch(&path, 1, body).await;

    let body = refused(json!({ "title": "" }))
        .await
        .refused(422, "odm.validation");
    assert_eq!(body["fields"][0]["path"], "title");
    refused(json!({ "title": null }))
        .await
        .refused(422, "odm.invalid_patch");
    refused(json!({ "assignee": NOBODY }))
        .await
        .refused(422, "odm.no_target");
    for (body, message) in [
        (json!({ "title": 5 }), "title: invalid type"),
        (json!({ "status": "lost" }), "status: unknown variant"),
        (
            json!({ "assignee": "ada" }),
            "assignee: \"ada\" is not the text of an ObjectId",
        ),
        (json!({ "version": 9 }), "unknown field `version`"),
        (
            json!({ "creator_name": "Eva" }),
            "unknown field `creator_name`",
        ),
    ] {
        let answer = refused(body).await;
        assert_eq!(answer.status, 422);
        assert!(
            answer.body.to_string().replace('\\', "").contains(message),
            "{}",
            answer.body
        );
    }
    assert_eq!(client.get(&path).await.ok(), task);
}

#[mongo_odm_testkit::test]
async fn a_change_needs_the_current_version(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let path = format!("/tasks/{}", id(&task));
    let body = Some(json!({ "title": "dig" }));
    let answer = client.request(Method::PATCH, &path, body, None).await;
    answer.refused(428, "board.no_version");

    client.patch(&path, 1, json!({ "title": "dig" })).await.ok();
    let outdated = client.patch(&path, 1, json!({ "title": "weed" })).await;
    outdated.refused(409, "odm.conflict");
    assert_eq!(client.get(&path).await.ok()["title"], "dig");
}

#[mongo_odm_testkit::test]
async fn one_of_two_concurrent_changes_succeeds(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let path = format!("/tasks/{}", id(&task));
    let (first, second) = tokio::join!(
        client.patch(&path, 1, json!({ "title": "dig" })),
        client.patch(&path, 1, json!({ "title": "weed" })),
    );
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(version(&client.get(&path).await.ok()), 2);
}

#[mongo_odm_testkit::test]
async fn a_new_task_needs_its_project_and_valid_fields(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let path = format!("/projects/{NOBODY}/tasks");
    let answer = client.post(&path, json!({ "title": "water" })).await;
    answer.refused(422, "odm.no_target");
    let path = format!("/projects/{}/tasks", id(&project));
    let answer = client.post(&path, json!({ "title": "" })).await;
    answer.refused(422, "odm.validation");
    let tags = vec![NOBODY; 11];
    let answer = client
        .post(&path, json!({ "title": "water", "tags": tags }))
        .await;
    answer.refused(422, "odm.bound_exceeded");
    assert_eq!(client.get(&path).await.ok()["total"], 0);
}

#[mongo_odm_testkit::test]
async fn a_deleted_task_is_gone(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let path = format!("/tasks/{}", id(&task));
    client.delete(&path).await.no_content();
    client.get(&path).await.refused(404, "odm.not_found");
    let answer = client.patch(&path, 1, json!({ "title": "dig" })).await;
    answer.refused(410, "odm.deleted");
    client.delete(&path).await.no_content();
    let nowhere = format!("/tasks/{NOBODY}");
    let answer = client.patch(&nowhere, 1, json!({ "title": "dig" })).await;
    answer.refused(404, "board.not_found");
}
