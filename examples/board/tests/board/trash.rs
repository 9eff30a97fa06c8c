//! Deleted documents: they are hidden, listed on request, restored, and removed after some time.

use std::time::{Duration, SystemTime};

use mongo_odm::{Odm, prelude::*};
use mongo_odm_testkit::TestClock;
use odm_board::trash;
use serde_json::{Value, json};

use crate::client::{Client, id, version};

fn names(page: &Value, field: &str) -> Vec<String> {
    let items = page["items"].as_array().unwrap().iter();
    let names = items.map(|item| item[field].as_str().unwrap().to_owned());
    names.collect()
}

#[mongo_odm_testkit::test]
async fn a_task_is_not_restored_while_its_project_is_deleted_at_the_same_time(odm: Odm) {
    let client = Client::new(&odm).await;
    for round in 0..20_u64 {
        let project = client.project("Garden").await;
        let task = client.task(&project, "water").await;
        let (project, task) = (
            format!("/projects/{}", id(&project)),
            format!("/tasks/{}", id(&task)),
        );
        let tasks = format!("{project}/tasks");
        client.delete(&task).await.no_content();
        // With many writers, the counts in the project are stored as deltas, which never cause conflicts.
        let busy = (0..4).map(|_| client.post(&tasks, json!({ "title": "weed" })));
        futures_util::future::join_all(busy).await;
        let restore = async {
            tokio::time::sleep(Duration::from_micros(round * 300)).await;
            client.restore(&task).await
        };
        let (restored, deleted) = tokio::join!(restore, client.delete(&project));
        deleted.no_content();
        assert!(
            [200, 409].contains(&restored.status.as_u16()),
            "{restored:?}"
        );
        assert_eq!(client.get(&task).await.status, 404, "{restored:?}");
    }
}

#[mongo_odm_testkit::test]
async fn a_deleted_project_is_restored_with_its_tasks_and_comments(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    client.comment(&task, "done").await;
    let path = format!("/projects/{}", id(&project));
    client.delete(&path).await.no_content();
    let listed = client.get("/projects").await.ok();
    assert_eq!(listed["total"], 0);
    let deleted = client.get("/projects?deleted=true").await.ok();
    assert_eq!(
        (&deleted["total"], names(&deleted, "name")),
        (&json!(1), vec!["Garden".to_owned()])
    );
    assert!(deleted["items"][0]["deleted_at"].is_string(), "{deleted}");

    let restored = client.restore(&path).await.ok();
    assert!(restored["deleted_at"].is_null(), "{restored}");
    assert_eq!(
        (&restored["tasks"], &restored["open_tasks"]),
        (&json!(1), &json!(1))
    );
    let task = client.get(&format!("/tasks/{}", id(&task))).await.ok();
    assert_eq!(task["comments"], 1);
    assert_eq!(task["latest_comments"][0]["text"], "done");
    let deleted = client.get("/projects?deleted=true").await.ok();
    assert_eq!(deleted["total"], 0);
}

#[mongo_odm_testkit::test]
async fn a_task_that_was_deleted_before_its_project_stays_deleted(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let tasks = format!("/projects/{}/tasks", id(&project));
    let water = client.task(&project, "water").await;
    client.task(&project, "dig").await;
    let water = format!("/tasks/{}", id(&water));
    client.delete(&water).await.no_content();
    let path = format!("/projects/{}", id(&project));
    assert_eq!(client.get(&path).await.ok()["tasks"], 1);

    client.delete(&path).await.no_content();
    client.restore(&path).await.ok();
    let live = client.get(&tasks).await.ok();
    assert_eq!(
        (&live["total"], names(&live, "title")),
        (&json!(1), vec!["dig".to_owned()])
    );
    let deleted = client.get(&format!("{tasks}?deleted=true")).await.ok();
    assert_eq!(
        (&deleted["total"], names(&deleted, "title")),
        (&json!(1), vec!["water".to_owned()])
    );
    client.restore(&water).await.ok();
    assert_eq!(client.get(&path).await.ok()["tasks"], 2);
}

#[mongo_odm_testkit::test]
async fn a_comment_is_deleted_and_restored(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let comment = client.comment(&task, "done").await;
    let path = format!("/comments/{}", id(&comment));
    client.delete(&path).await.no_content();
    let task = format!("/tasks/{}", id(&task));
    assert_eq!(client.get(&task).await.ok()["comments"], 0);
    client.restore(&path).await.ok();
    assert_eq!(client.get(&task).await.ok()["comments"], 1);
}

#[mongo_odm_testkit::test]
async fn a_delete_and_a_restore_record_the_member_the_time_and_a_version(
    odm: Odm,
    clock: TestClock,
) {
    let mut client = Client::new(&odm).await;
    let ben = client.member("Ben").await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let path = format!("/tasks/{}", id(&task));
    clock.advance(Duration::from_secs(60));
    client.member = id(&ben).to_owned();
    client.delete(&path).await.no_content();
    let tasks = format!("/projects/{}/tasks?deleted=true", id(&project));
    let deleted = client.get(&tasks).await.ok()["items"][0].take();
    assert_eq!(deleted["deleted_at"], "2026-01-01T00:01:00Z");
    assert_eq!(deleted["updated_by"], client.member);
    assert_eq!(version(&deleted), 2);
    let restored = client.restore(&path).await;
    assert_eq!(restored.headers["etag"], "\"3\"");
    assert_eq!(version(&restored.ok()), 3);
    // A client that has seen the task before the delete does not overwrite it.
    let outdated = client.patch(&path, 1, json!({ "title": "dig" })).await;
    outdated.refused(409, "odm.conflict");
}

#[mongo_odm_testkit::test]
async fn documents_that_do_not_exist_are_not_restored(odm: Odm) {
    let client = Client::new(&odm).await;
    let nobody = "65f0c1d2e3a4b5c6d7e8f901";
    for path in ["/projects", "/tasks", "/comments"] {
        let answer = client.restore(&format!("{path}/{nobody}")).await;
        answer.refused(404, "odm.not_found");
    }
}

#[mongo_odm_testkit::test]
async fn old_documents_of_all_teams_are_removed(odm: Odm, clock: TestClock) {
    let gardeners = Client::new(&odm).await;
    let cooks = Client::of_team(&odm, "Cooks").await;
    let day = Duration::from_secs(24 * 60 * 60);
    for client in [&gardeners, &cooks] {
        for name in ["old", "new"] {
            let project = client.project(name).await;
            client.task(&project, "work").await;
            let path = format!("/projects/{}", id(&project));
            client.delete(&path).await.no_content();
            clock.advance(day);
        }
    }
    // Two days after the first delete, before the second project of the second team was deleted.
    let start: SystemTime = DateTime::parse_rfc3339_str("2026-01-01T00:00:00Z")
        .unwrap()
        .into();
    let before = start + 2 * day + day / 2;
    let removed = trash::purge(&odm, DateTime::from_system_time(before))
        .await
        .unwrap();
    assert_eq!(removed, 3);
    let deleted = gardeners.get("/projects?deleted=true").await.ok();
    assert_eq!(deleted["total"], 0);
    let deleted = cooks.get("/projects?deleted=true").await.ok();
    assert_eq!(names(&deleted, "name"), ["new"]);
    let all = odm.all_tenants();
    let tasks = odm_board::model::Task::find(&all).with_deleted().await;
    assert_eq!(tasks.unwrap().len(), 1);
}

#[mongo_odm_testkit::test]
async fn a_part_of_a_deleted_document_is_not_restored_alone(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let comment = client.comment(&task, "done").await;
    let project = format!("/projects/{}", id(&project));
    let task = format!("/tasks/{}", id(&task));
    let comment = format!("/comments/{}", id(&comment));
    client.delete(&project).await.no_content();
    for path in [&task, &comment] {
        client.restore(path).await.refused(409, "board.in_trash");
    }
    client.get(&task).await.refused(404, "odm.not_found");
    client.restore(&project).await.ok();
    client.get(&task).await.ok();
}
