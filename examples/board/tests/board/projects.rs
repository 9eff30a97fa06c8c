//! Projects: counts of tasks, members, and deletes.

use mongo_odm::Odm;
use serde_json::json;

use crate::client::{Client, id, version};

#[mongo_odm_testkit::test]
async fn a_project_counts_its_tasks(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    assert_eq!(project["created_by"], client.member);
    let path = format!("/projects/{}", id(&project));
    let task = client.task(&project, "water").await;
    client.task(&project, "dig").await;
    let counted = client.get(&path).await.ok();
    assert_eq!(
        (&counted["tasks"], &counted["open_tasks"]),
        (&json!(2), &json!(2))
    );
    let task = format!("/tasks/{}", id(&task));
    client
        .patch(&task, 1, json!({ "status": "done" }))
        .await
        .ok();
    let counted = client.get(&path).await.ok();
    assert_eq!(
        (&counted["tasks"], &counted["open_tasks"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(version(&counted), 1, "summaries do not change the version");
}

#[mongo_odm_testkit::test]
async fn both_ends_of_a_membership_change(odm: Odm) {
    let client = Client::new(&odm).await;
    let ben = client.member("Ben").await;
    let project = client.project("Garden").await;
    assert_eq!(project["members"], json!([client.member]));
    let path = format!("/projects/{}/members/{}", id(&project), id(&ben));
    let changed = client.put(&path).await.ok();
    assert_eq!(changed["members"], json!([client.member, id(&ben)]));
    let member = format!("/members/{}", id(&ben));
    let stored = client.get(&member).await.ok();
    assert_eq!(stored["projects"], json!([id(&project)]));
    let changed = client.delete(&path).await.ok();
    assert_eq!(changed["members"], json!([client.member]));
    assert_eq!(client.get(&member).await.ok()["projects"], json!([]));
}

#[mongo_odm_testkit::test]
async fn only_an_existing_member_can_be_added(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let nobody = "65f0c1d2e3a4b5c6d7e8f901";
    let path = format!("/projects/{}/members/{nobody}", id(&project));
    client.put(&path).await.refused(422, "odm.no_target");
}

#[mongo_odm_testkit::test]
async fn a_project_is_renamed_only_in_its_current_version(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let path = format!("/projects/{}", id(&project));
    let renamed = client.patch(&path, 1, json!({ "name": "Park" })).await;
    assert_eq!(renamed.headers["etag"], "\"2\"");
    assert_eq!(renamed.ok()["name"], "Park");
    let outdated = client.patch(&path, 1, json!({ "name": "Zoo" })).await;
    outdated.refused(409, "odm.conflict");
    let empty = client.patch(&path, 2, json!({ "name": "" })).await;
    empty.refused(422, "odm.validation");
    let list = client.get("/projects").await.ok();
    assert_eq!(list["items"][0]["name"], "Park");
    assert_eq!(list["total"], 1);
}

#[mongo_odm_testkit::test]
async fn a_project_is_hidden_with_its_tasks_and_comments(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    client.comment(&task, "done").await;
    let path = format!("/projects/{}", id(&project));
    client.delete(&path).await.no_content();
    client.get(&path).await.refused(404, "odm.not_found");
    let task = format!("/tasks/{}", id(&task));
    client.get(&task).await.refused(404, "odm.not_found");
    let comments = client.get(&format!("{task}/comments")).await.ok();
    assert_eq!(comments["total"], 0);
    let member = client
        .get(&format!("/members/{}", client.member))
        .await
        .ok();
    assert_eq!(member["projects"], json!([id(&project)]), "for a restore");
}
