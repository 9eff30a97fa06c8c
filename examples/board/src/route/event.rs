//! Changes to the tasks of a project, as server-sent events.

use axum::{
    extract::{Path, State},
    http::HeaderMap,
    response::sse::{Event, KeepAlive, Sse},
};
use futures_util::{Stream, StreamExt};
use mongo_odm::{
    Error, ErrorKind,
    action::{ChangeEvent, DocumentChange, ResumeToken},
    prelude::*,
};
use tokio_util::sync::CancellationToken;

use crate::{
    failure::Failure,
    model::{Project, Task},
    request::{ById, InTeam},
};

/// Streams the changes to the tasks of a project.
///
/// The stream contains the events `saved` and `restored` with the whole task, and `deleted` with the id of the task.
/// After a lost connection, a browser sends the id of the last event in the header `last-event-id`. The stream then
/// continues after this event.
#[utoipa::path(get, path = "/projects/{id}/events", tag = "tasks", params(("id" = Id<Project>, Path)),
    responses((status = 200, content_type = "text/event-stream"), (status = 410, description = "Reload the list.")))]
pub(super) async fn follow(
    InTeam { odm, .. }: InTeam,
    State(shutdown): State<CancellationToken>,
    Path(ById { id: project }): Path<ById<Project>>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Failure> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let token: Option<ResumeToken> = last.map(str::parse).transpose()?;
    let watch = Task::watch(&odm).filter(Task::fields().project.eq(project));
    let changes = watch.after(token).await?;
    let events = changes
        .filter_map(async |change| event(change).transpose())
        .take_until(shutdown.cancelled_owned());
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Returns the event for a change. Returns `None` for an update of a task that no longer exists, and for a task that this
/// version of the program cannot decode. An error ends the stream.
fn event(change: Result<ChangeEvent<Task>, Error>) -> Result<Option<Event>, axum::Error> {
    let ChangeEvent { change, token, .. } = match change {
        Err(error) if error.kind() == ErrorKind::Decode => {
            tracing::warn!(%error, "an event is skipped");
            return Ok(None);
        }
        change => change.map_err(axum::Error::new)?,
    };
    let event = Event::default().id(token.to_string());
    match change {
        DocumentChange::Inserted(task)
        | DocumentChange::Updated {
            document: Some(task),
            ..
        } => event.event("saved").json_data(task).map(Some),
        DocumentChange::Restored {
            document: Some(task),
            ..
        } => event.event("restored").json_data(task).map(Some),
        DocumentChange::Deleted { id, .. } => event.event("deleted").json_data(id).map(Some),
        _ => Ok(None),
    }
}
