//! Lists of tasks: pages with totals, conditions and text search.

use mongo_odm::Odm;
use serde_json::{Value, json};

use crate::client::{Client, id, version};

fn titles(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().unwrap().iter();
    let mut titles: Vec<String> = items
        .map(|task| task["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

#[mongo_odm_testkit::test]
async fn pages_contain_each_task_once_and_the_total(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    for number in 0..45 {
        client.task(&project, &format!("task {number}")).await;
    }
    let path = format!("/projects/{}/tasks", id(&project));
    let mut found = Vec::new();
    let mut sizes = Vec::new();
    let mut page = client.get(&path).await.ok();
    loop {
        assert_eq!(page["total"], 45);
        let titles = titles(&page);
        sizes.push(titles.len());
        found.extend(titles);
        let Some(next) = page["next"].as_str() else {
            break;
        };
        page = client.get(&format!("{path}?after={next}")).await.ok();
    }
    assert_eq!(sizes, [20, 20, 5]);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 45);
    let answer = client.get(&format!("{path}?after=nonsense")).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
}

#[mongo_odm_testkit::test]
async fn a_search_combines_words_and_conditions(odm: Odm) {
    let client = Client::new(&odm).await;
    let project = client.project("Garden").await;
    let other = client.project("Kitchen").await;
    let fun = client.tag("fun").await;
    client.task(&other, "water the basil").await;
    let path = format!("/projects/{}/tasks", id(&project));
    let create = async |body: Value| client.post(&path, body).await.created();
    create(json!({ "title": "Water beans", "assignee": client.member })).await;
    create(json!({ "title": "Dig", "details": "near the water", "tags": [id(&fun)] })).await;
    let mow = create(json!({ "title": "Mow", "tags": [id(&fun)] })).await;
    let mow = (format!("/tasks/{}", id(&mow)), version(&mow));
    client
        .patch(&mow.0, mow.1, json!({ "status": "done" }))
        .await
        .ok();

    let search = async |query: String| titles(&client.get(&format!("{path}?{query}")).await.ok());
    let tag = format!("tag={}", id(&fun));
    assert_eq!(search("text=water".into()).await, ["Dig", "Water beans"]);
    assert_eq!(search(tag.clone()).await, ["Dig", "Mow"]);
    assert_eq!(search(format!("{tag}&text=water")).await, ["Dig"]);
    assert_eq!(search(format!("{tag}&status=done")).await, ["Mow"]);
    let assignee = format!("assignee={}", client.member);
    assert_eq!(search(assignee).await, ["Water beans"]);
    let answer = client.get(&format!("{path}?status=lost")).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
}
