//! Comments: counts and recent lists of their tasks.

use std::time::Duration;

use mongo_odm::Odm;
use mongo_odm_testkit::TestClock;
use serde_json::{Value, json};

use crate::client::{Client, id};

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|comment| comment["text"].as_str().unwrap())
        .collect()
}

#[mongo_odm_testkit::test]
async fn a_task_contains_its_newest_comments(odm: Odm, clock: TestClock) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let mut comments = Vec::new();
    for text in ["one", "two", "three", "four"] {
        clock.advance(Duration::from_secs(1));
        comments.push(client.comment(&task, text).await);
    }
    let path = format!("/tasks/{}", id(&task));
    let task = client.get(&path).await.ok();
    assert_eq!(task["comments"], 4);
    assert_eq!(texts(&task["latest_comments"]), ["four", "three", "two"]);

    let newest = format!("/comments/{}", id(&comments[3]));
    client.delete(&newest).await.no_content();
    let second = format!("/comments/{}", id(&comments[1]));
    client
        .patch(&second, 1, json!({ "text": "TWO" }))
        .await
        .ok();
    let task = client.get(&path).await.ok();
    assert_eq!(task["comments"], 3);
    assert_eq!(texts(&task["latest_comments"]), ["three", "TWO", "one"]);

    let page = client.get(&format!("{path}/comments")).await.ok();
    assert_eq!(texts(&page["items"]), ["three", "TWO", "one"]);
    assert_eq!(page["total"], 3);
}

#[mongo_odm_testkit::test]
async fn a_comment_names_its_author_and_is_checked(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let task = client.task(&project, "water").await;
    let comment = client.comment(&task, "done").await;
    assert_eq!(comment["author"], client.member);
    assert_eq!(comment["author_name"], "Ada");
    let path = format!("/tasks/{}/comments", id(&task));
    let answer = client.post(&path, json!({ "text": "" })).await;
    answer.refused(422, "odm.validation");
    let path = format!("/comments/{}", id(&comment));
    let answer = client.patch(&path, 1, json!({ "text": "" })).await;
    answer.refused(422, "odm.validation");
    let answer = client.patch(&path, 7, json!({ "text": "later" })).await;
    answer.refused(409, "odm.conflict");
    let nowhere = "/tasks/65f0c1d2e3a4b5c6d7e8f901/comments";
    let answer = client.post(nowhere, json!({ "text": "lost" })).await;
    answer.refused(422, "odm.no_target");
}
