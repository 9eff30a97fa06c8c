//! Server-sent events.

use std::time::{Duration, SystemTime};

use axum::{
    body::{Body, BodyDataStream},
    http::Request,
    response::Response,
};
use futures_util::StreamExt;
use mongo_odm::{Odm, prelude::*};
use odm_board::{Board, router, trash};
use serde_json::{Value, json};
use tokio::time::timeout;
use tower::ServiceExt;

use crate::client::{Client, id};

/// An open stream of events.
struct Events {
    body: BodyDataStream,
    text: String,
}

/// One event of the stream.
#[derive(Debug)]
struct Event {
    id: String,
    name: String,
    data: Value,
}

impl Events {
    fn new(response: Response) -> Self {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            body: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// Returns the next event, or `None` if the stream has ended.
    async fn next(&mut self) -> Option<Event> {
        let next = timeout(Duration::from_secs(30), self.read()).await;
        next.expect("the stream should send an event or end")
    }

    async fn read(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (parse(event), rest.to_owned());
                self.text = rest;
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let bytes = self.body.next().await?.unwrap();
            self.text.push_str(str::from_utf8(&bytes).unwrap());
        }
    }
}

/// Reads an event. Returns `None` for a comment, which keeps the connection open.
fn parse(text: &str) -> Option<Event> {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(|value| value.trim_start_matches(": ").to_owned())
    };
    Some(Event {
        id: field("id")?,
        name: field("event")?,
        data: serde_json::from_str(&field("data")?).unwrap(),
    })
}

fn subscription(client: &Client, project: &Value, last: Option<&str>) -> Request<Body> {
    let path = client.path(&format!("/projects/{}/events", id(project)));
    let mut request = Request::builder().uri(path);
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    request.body(Body::empty()).unwrap()
}

#[mongo_odm_testkit::test]
async fn a_stream_contains_the_changes_of_one_project(odm: Odm) {
    let client = Client::new(&odm).await;
    let garden = client.project("Garden").await;
    let kitchen = client.project("Kitchen").await;
    let mut events = Events::new(client.open(subscription(&client, &garden, None)).await);
    client.task(&kitchen, "cook").await;
    let task = client.task(&garden, "water").await;
    let path = format!("/tasks/{}", id(&task));
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, &event.data), ("saved", &task));

    let changed = client.patch(&path, 1, json!({ "title": "dig" })).await.ok();
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, &event.data), ("saved", &changed));

    client.comment(&task, "done").await;
    let event = events.next().await.unwrap();
    assert_eq!(event.data["latest_comments"][0]["text"], "done");

    client.delete(&path).await.no_content();
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, &event.data), ("deleted", &task["_id"]));

    let restored = client.restore(&path).await.ok();
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, &event.data), ("restored", &restored));
}

#[mongo_odm_testkit::test]
async fn a_stream_contains_the_tasks_of_a_deleted_and_restored_project(odm: Odm) {
    let client = Client::new(&odm).await;
    let garden = client.project("Garden").await;
    let task = client.task(&garden, "water").await;
    let request = subscription(&client, &garden, None);
    let mut events = Events::new(client.open(request).await);
    let path = format!("/projects/{}", id(&garden));
    client.delete(&path).await.no_content();
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, &event.data), ("deleted", &task["_id"]));
    client.restore(&path).await.ok();
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, id(&event.data)), ("restored", id(&task)));
}

#[mongo_odm_testkit::test]
async fn a_stream_contains_no_task_of_another_team(odm: Odm) {
    let client = Client::new(&odm).await;
    let cooks = Client::of_team(&odm, "Cooks").await;
    let garden = client.project("Garden").await;
    let kitchen = cooks.project("Kitchen").await;
    let mut events = Events::new(client.open(subscription(&client, &garden, None)).await);
    // The path contains the team of the client, and the project of the other team.
    let board = Board::new(odm.clone());
    let shutdown = board.shutdown.clone();
    let request = subscription(&client, &kitchen, None);
    let mut foreign = Events::new(router(board).oneshot(request).await.unwrap());

    // All kinds of changes by the other team, including the change that removes the task.
    let soup = cooks.task(&kitchen, "cook a soup").await;
    let path = format!("/tasks/{}", id(&soup));
    cooks.patch(&path, 1, json!({ "title": "eat" })).await.ok();
    cooks.delete(&path).await.no_content();
    cooks.restore(&path).await.ok();
    cooks.delete(&path).await.no_content();
    let tomorrow = SystemTime::now() + Duration::from_secs(24 * 60 * 60);
    let purged = trash::purge(&odm, DateTime::from_system_time(tomorrow)).await;
    assert_eq!(purged.unwrap(), 1);

    let task = client.task(&garden, "water").await;
    let event = events.next().await.unwrap();
    assert_eq!((&*event.name, &event.data), ("saved", &task));
    shutdown.cancel();
    let event = foreign.next().await;
    assert!(event.is_none(), "{event:?}");
}

#[mongo_odm_testkit::test]
async fn a_stream_continues_after_the_last_event(odm: Odm) {
    let client = Client::new(&odm).await;
    let garden = client.project("Garden").await;
    let mut events = Events::new(client.open(subscription(&client, &garden, None)).await);
    client.task(&garden, "first").await;
    let first = events.next().await.unwrap();
    drop(events);
    client.task(&garden, "second").await;
    let request = subscription(&client, &garden, Some(&first.id));
    let mut events = Events::new(client.open(request).await);
    let second = events.next().await.unwrap();
    assert_eq!(second.data["title"], "second");
    let response = client
        .open(subscription(&client, &garden, Some("nonsense")))
        .await;
    assert_eq!(response.status(), 410);
}

#[mongo_odm_testkit::test]
async fn a_stream_ends_when_the_service_stops(odm: Odm) {
    let client = Client::new(&odm).await;
    let garden = client.project("Garden").await;
    let board = Board::new(odm);
    let shutdown = board.shutdown.clone();
    let response = router(board)
        .oneshot(subscription(&client, &garden, None))
        .await;
    let mut events = Events::new(response.unwrap());
    shutdown.cancel();
    assert!(events.next().await.is_none());
}
