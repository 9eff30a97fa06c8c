//! Tags: unique names, counts of tasks, and deletes.

use mongo_odm::Odm;
use serde_json::json;

use crate::client::{Client, id};

#[mongo_odm_testkit::test]
async fn a_tag_counts_its_tasks_and_leaves_them_when_it_is_deleted(odm: Odm) {
    let client = Client::new(&odm).await;
    let (urgent, fun) = (client.tag("urgent").await, client.tag("fun").await);
    let project = client.project("Garden").await;
    let path = format!("/projects/{}/tasks", id(&project));
    let body = json!({ "title": "water", "tags": [id(&urgent), id(&fun)] });
    let task = client.post(&path, body).await.created();
    let list = client.get("/tags").await.ok();
    assert_eq!(list["items"][0]["name"], "fun");
    assert_eq!(list["items"][0]["tasks"], 1);

    let task = format!("/tasks/{}", id(&task));
    let changed = client
        .patch(&task, 1, json!({ "tags": [id(&urgent)] }))
        .await;
    assert_eq!(changed.ok()["tags"], json!([id(&urgent)]));
    let list = client.get("/tags").await.ok();
    assert_eq!(list["items"][0]["tasks"], 0);

    let path = format!("/tags/{}", id(&urgent));
    client.delete(&path).await.no_content();
    assert_eq!(client.get(&task).await.ok()["tags"], json!([]));
    assert_eq!(client.get("/tags").await.ok()["total"], 1);
}

#[mongo_odm_testkit::test]
async fn the_name_of_a_tag_is_unique_in_any_case(odm: Odm) {
    let client = Client::new(&odm).await;
    let urgent = client.tag("urgent").await;
    let fun = client.tag("fun").await;
    let answer = client.post("/tags", json!({ "name": "Urgent" })).await;
    answer.refused(409, "odm.duplicate_key");
    let path = format!("/tags/{}", id(&fun));
    let answer = client.patch(&path, 1, json!({ "name": "URGENT" })).await;
    answer.refused(409, "odm.duplicate_key");
    let path = format!("/tags/{}", id(&urgent));
    let renamed = client.patch(&path, 1, json!({ "name": "Urgent" })).await;
    assert_eq!(renamed.ok()["name"], "Urgent");
    let answer = client.patch(&path, 1, json!({ "name": "now" })).await;
    answer.refused(409, "odm.conflict");
    let answer = client.post("/tags", json!({ "name": "" })).await;
    answer.refused(422, "odm.validation");
}
