//! Server-sent events.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::Request,
    response::Response,
};
use futures_util::StreamExt;
use mongo_odm::Odm;
use odm_board::{Board, router};
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

fn subscription(project: &Value, last: Option<&str>) -> Request<Body> {
    let mut request = Request::builder().uri(format!("/projects/{}/events", id(project)));
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
    let mut events = Events::new(client.open(subscription(&garden, None)).await);
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
}

#[mongo_odm_testkit::test]
async fn a_stream_continues_after_the_last_event(odm: Odm) {
    let client = Client::new(&odm).await;
    let garden = client.project("Garden").await;
    let mut events = Events::new(client.open(subscription(&garden, None)).await);
    client.task(&garden, "first").await;
    let first = events.next().await.unwrap();
    drop(events);
    client.task(&garden, "second").await;
    let request = subscription(&garden, Some(&first.id));
    let mut events = Events::new(client.open(request).await);
    let second = events.next().await.unwrap();
    assert_eq!(second.data["title"], "second");
    let response = client.open(subscription(&garden, Some("nonsense"))).await;
    assert_eq!(response.status(), 410);
}

#[mongo_odm_testkit::test]
async fn a_stream_ends_when_the_service_stops(odm: Odm) {
    let client = Client::new(&odm).await;
    let garden = client.project("Garden").await;
    let board = Board::new(odm);
    let shutdown = board.shutdown.clone();
    let response = router(board).oneshot(subscription(&garden, None)).await;
    let mut events = Events::new(response.unwrap());
    shutdown.cancel();
    assert!(events.next().await.is_none());
}
