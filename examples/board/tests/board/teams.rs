//! Teams: the documents of one team are invisible to other teams.

use mongo_odm::Odm;
use serde_json::json;

use crate::client::{Client, id};

#[mongo_odm_testkit::test]
async fn a_team_is_created_and_listed(odm: Odm) {
    let client = Client::new(&odm).await;
    Client::of_team(&odm, "Cooks").await;
    let list = client.get("/teams").await.ok();
    assert_eq!(list["items"][0]["name"], "Cooks");
    assert_eq!(list["items"][1]["name"], "Gardeners");
    let answer = client.post("/teams", json!({ "name": "Cooks" })).await;
    answer.refused(409, "odm.duplicate_key");
}

#[mongo_odm_testkit::test]
async fn a_request_needs_an_existing_team(odm: Odm) {
    let client = Client::new(&odm).await;
    for team in ["65f0c1d2e3a4b5c6d7e8f901", "nobody"] {
        let path = format!("/teams/{team}/projects");
        client.get(&path).await.refused(404, "board.no_team");
        let answer = client.post(&path, json!({ "name": "Garden" })).await;
        answer.refused(404, "board.no_team");
    }
}

#[mongo_odm_testkit::test]
async fn a_team_does_not_see_the_documents_of_another_team(odm: Odm) {
    let gardeners = Client::new(&odm).await;
    let project = gardeners.project("Garden").await;
    let task = gardeners.task(&project, "water").await;
    gardeners.comment(&task, "done").await;
    gardeners.tag("urgent").await;

    let cooks = Client::of_team(&odm, "Cooks").await;
    for path in ["/projects", "/tags"] {
        assert_eq!(cooks.get(path).await.ok()["total"], 0, "{path}");
    }
    assert_eq!(cooks.get("/members").await.ok()["total"], 1);
    for path in [
        format!("/projects/{}/tasks", id(&project)),
        format!("/tasks/{}/comments", id(&task)),
    ] {
        assert_eq!(cooks.get(&path).await.ok()["total"], 0, "{path}");
    }
    for path in [
        format!("/members/{}", gardeners.member),
        format!("/projects/{}", id(&project)),
        format!("/tasks/{}", id(&task)),
    ] {
        cooks.get(&path).await.refused(404, "odm.not_found");
    }
}

#[mongo_odm_testkit::test]
async fn a_team_does_not_change_the_documents_of_another_team(odm: Odm) {
    let gardeners = Client::new(&odm).await;
    let project = gardeners.project("Garden").await;
    let task = gardeners.task(&project, "water").await;
    let comment = gardeners.comment(&task, "done").await;
    let tag = gardeners.tag("urgent").await;

    let cooks = Client::of_team(&odm, "Cooks").await;
    for (path, body) in [
        (
            format!("/members/{}", gardeners.member),
            json!({ "name": "Eva" }),
        ),
        (
            format!("/projects/{}", id(&project)),
            json!({ "name": "Zoo" }),
        ),
        (format!("/tasks/{}", id(&task)), json!({ "title": "dig" })),
        (
            format!("/comments/{}", id(&comment)),
            json!({ "text": "no" }),
        ),
        (format!("/tags/{}", id(&tag)), json!({ "name": "now" })),
    ] {
        let answer = cooks.patch(&path, 1, body).await;
        answer.refused(404, "board.not_found");
        cooks.delete(&path).await.no_content();
    }
    let path = format!("/tasks/{}", id(&task));
    let stored = gardeners.get(&path).await.ok();
    assert_eq!(
        (&stored["title"], &stored["comments"]),
        (&json!("water"), &json!(1))
    );
    assert_eq!(gardeners.get("/tags").await.ok()["total"], 1);

    gardeners.delete(&path).await.no_content();
    cooks.restore(&path).await.refused(404, "odm.not_found");
    gardeners.get(&path).await.refused(404, "odm.not_found");
}

#[mongo_odm_testkit::test]
async fn a_document_does_not_refer_to_another_team(odm: Odm) {
    let gardeners = Client::new(&odm).await;
    let project = gardeners.project("Garden").await;
    let tag = gardeners.tag("urgent").await;
    let cooks = Client::of_team(&odm, "Cooks").await;
    let kitchen = cooks.project("Kitchen").await;
    let foreign = format!("/projects/{}/tasks", id(&project));
    let answer = cooks.post(&foreign, json!({ "title": "steal" })).await;
    answer.refused(422, "odm.no_target");
    let path = format!("/projects/{}/tasks", id(&kitchen));
    for body in [
        json!({ "title": "cook", "assignee": gardeners.member }),
        json!({ "title": "cook", "tags": [id(&tag)] }),
    ] {
        cooks.post(&path, body).await.refused(422, "odm.no_target");
    }
    let path = format!("/projects/{}/members/{}", id(&kitchen), gardeners.member);
    cooks.put(&path).await.refused(422, "odm.no_target");
}

#[mongo_odm_testkit::test]
async fn a_member_acts_only_in_its_own_team(odm: Odm) {
    let gardeners = Client::new(&odm).await;
    let mut cooks = Client::of_team(&odm, "Cooks").await;
    cooks.member.clone_from(&gardeners.member);
    let answer = cooks.post("/projects", json!({ "name": "Kitchen" })).await;
    answer.refused(401, "board.no_member");
}

#[mongo_odm_testkit::test]
async fn names_and_addresses_are_unique_only_within_a_team(odm: Odm) {
    let gardeners = Client::new(&odm).await;
    let cooks = Client::of_team(&odm, "Cooks").await;
    assert_ne!(gardeners.member, cooks.member, "both have the same address");
    gardeners.tag("urgent").await;
    cooks.tag("urgent").await;
    let answer = cooks.post("/tags", json!({ "name": "Urgent" })).await;
    answer.refused(409, "odm.duplicate_key");
}
