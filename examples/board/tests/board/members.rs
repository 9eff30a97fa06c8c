//! Members: unique addresses, versions, copies of names, and deletes.

use mongo_odm::Odm;
use serde_json::json;

use crate::client::{Client, id, version};

#[mongo_odm_testkit::test]
async fn a_member_is_created_and_listed(odm: Odm) {
    let client = Client::new(&odm).await;
    let ben = client.member("Ben").await;
    assert_eq!(version(&ben), 1);
    let page = client.get("/members").await.ok();
    let names = page["items"].as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|member| member["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Ada", "Ben"]);
    assert_eq!(page["total"], 2);
    let found = client.get(&format!("/members/{}", id(&ben))).await;
    assert_eq!(found.headers["etag"], "\"1\"");
    assert_eq!(found.ok(), ben);
}

#[mongo_odm_testkit::test]
async fn an_email_address_is_used_only_once(odm: Odm) {
    let client = Client::new(&odm).await;
    let body = json!({ "name": "Other", "email": "ada@example.org" });
    let answer = client.post("/members", body).await;
    answer.refused(409, "odm.duplicate_key");
}

#[mongo_odm_testkit::test]
async fn the_response_lists_all_invalid_fields(odm: Odm) {
    let client = Client::new(&odm).await;
    let body = json!({ "name": "", "email": "nowhere" });
    let answer = client.post("/members", body).await;
    let body = answer.refused(422, "odm.validation");
    assert_eq!(body["fields"][0]["path"], "email");
    assert_eq!(body["fields"][1]["path"], "name");
}

#[mongo_odm_testkit::test]
async fn a_rename_reaches_tasks_and_comments(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    client.comment(&task, "done").await;
    let path = format!("/members/{}", client.member);
    let ada = client.get(&path).await.ok();
    let changed = client
        .patch(&path, version(&ada), json!({ "name": "Eva" }))
        .await;
    assert_eq!(changed.ok()["name"], "Eva");
    let task = client.get(&format!("/tasks/{}", id(&task))).await.ok();
    assert_eq!(task["creator_name"], "Eva");
    assert_eq!(task["latest_comments"][0]["author_name"], "Eva");
    assert_eq!(task["version"], 1, "copies do not change the version");
}

#[mongo_odm_testkit::test]
async fn a_change_of_an_outdated_member_is_refused(odm: Odm) {
    let client = Client::new(&odm).await;
    let path = format!("/members/{}", client.member);
    client.patch(&path, 1, json!({ "name": "Eva" })).await.ok();
    let second = client.patch(&path, 1, json!({ "name": "Eve" })).await;
    second.refused(409, "odm.conflict");
    assert_eq!(client.get(&path).await.ok()["name"], "Eva");
}

#[mongo_odm_testkit::test]
async fn tasks_of_a_deleted_member_are_not_assigned(odm: Odm) {
    let client = Client::new(&odm).await;
    let ben = client.member("Ben").await;
    let project = client.project("Garden").await;
    let path = format!("/projects/{}/tasks", id(&project));
    let body = json!({ "title": "water", "assignee": id(&ben) });
    let task = client.post(&path, body).await.created();
    assert_eq!(task["assignee_name"], "Ben");
    let member = format!("/members/{}", id(&ben));
    client.delete(&member).await.no_content();
    let task = client.get(&format!("/tasks/{}", id(&task))).await.ok();
    assert!(
        task["assignee"].is_null() && task["assignee_name"].is_null(),
        "{task}"
    );
    client.get(&member).await.refused(404, "odm.not_found");
}

#[mongo_odm_testkit::test]
async fn a_member_with_documents_is_not_deleted(odm: Odm) {
    let client = Client::new(&odm).await;
    client.project("Garden").await;
    let answer = client.delete(&format!("/members/{}", client.member)).await;
    answer.refused(409, "odm.restricted");
}

#[mongo_odm_testkit::test]
async fn a_request_must_name_an_existing_member(odm: Odm) {
    let mut client = Client::new(&odm).await;
    let ben = client.member("Ben").await;
    client.member = id(&ben).to_owned();
    client
        .delete(&format!("/members/{}", id(&ben)))
        .await
        .no_content();
    for member in [client.member.clone(), "nobody".to_owned(), String::new()] {
        client.member = member;
        let answer = client.post("/projects", json!({ "name": "Garden" })).await;
        answer.refused(401, "board.no_member");
    }
}
