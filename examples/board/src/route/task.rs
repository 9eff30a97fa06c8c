//! The tasks of a project.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use mongo_odm::{Page, PageToken, prelude::*};
use utoipa::IntoParams;

use crate::{
    failure::Failure,
    model::{Member, NewTask, Project, Status, Tag, Task, TaskPatch},
    request::{Acting, IfMatch, Tagged},
};

/// The conditions of a list of tasks.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Search {
    /// Words in the title or the details.
    text: Option<String>,
    /// The state of the work.
    #[param(inline)]
    status: Option<Status>,
    /// A tag of the tasks.
    #[param(inline)]
    tag: Option<Id<Tag>>,
    /// The member that is responsible for the tasks.
    #[param(inline)]
    assignee: Option<Id<Member>>,
    /// The field `next` of the previous page.
    #[param(inline)]
    after: Option<PageToken>,
}

/// Lists the tasks of a project, the newest first.
#[utoipa::path(get, path = "/projects/{id}/tasks", tag = "tasks", params(("id" = Id<Project>, Path), Search),
    responses((status = 200, body = Page<Task>)))]
pub(super) async fn list(
    State(odm): State<Odm>,
    Path(project): Path<Id<Project>>,
    Query(search): Query<Search>,
) -> Result<Json<Page<Task>>, Failure> {
    let task = Task::fields();
    let filter = task
        .project
        .eq(project)
        .and_if(search.text, Filter::text)
        .and_if(search.status, |status| task.status.eq(status))
        .and_if(search.tag, |tag| task.tags.contains(tag))
        .and_if(search.assignee, |member| task.assignee.eq(member));
    let tasks = Task::find(&odm).filter(filter).sort(task.created_at.desc());
    let page = tasks.page(20).with_total().after(search.after).await?;
    Ok(Json(page))
}

/// Creates a task.
#[utoipa::path(post, path = "/projects/{id}/tasks", tag = "tasks", request_body = NewTask,
    params(("id" = Id<Project>, Path), ("x-member" = Id<Member>, Header)),
    responses((status = 201, body = Task), (status = 422, description = "A value is not valid.")))]
pub(super) async fn create(
    acting: Acting,
    Path(project): Path<Id<Project>>,
    Json(new): Json<NewTask>,
) -> Result<(StatusCode, Tagged<Task>), Failure> {
    let task = new.in_project(project, acting.member);
    let task = task.insert(&acting.odm).returning().await?;
    Ok((StatusCode::CREATED, Tagged(task)))
}

/// Returns a task.
#[utoipa::path(get, path = "/tasks/{id}", tag = "tasks", params(("id" = Id<Task>, Path)),
    responses((status = 200, body = Task), (status = 404)))]
pub(super) async fn show(
    State(odm): State<Odm>,
    Path(id): Path<Id<Task>>,
) -> Result<Tagged<Task>, Failure> {
    Ok(Tagged(Task::get(&odm, id).await?))
}

/// Changes a task.
#[utoipa::path(patch, path = "/tasks/{id}", tag = "tasks", request_body = TaskPatch,
    params(("id" = Id<Task>, Path), ("x-member" = Id<Member>, Header), ("if-match" = String, Header)),
    responses((status = 200, body = Task), (status = 409, description = "The task has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(id): Path<Id<Task>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<TaskPatch>,
) -> Result<Tagged<Task>, Failure> {
    let mut seen = Task::get(&acting.odm, id).await?;
    // `if_unchanged` compares the stored version with the version that the client has seen.
    seen.version = version;
    let update = Task::update(&acting.odm, id).patch(patch);
    update.if_unchanged(&seen).await?;
    Ok(Tagged(seen.reload(&acting.odm).await?))
}

/// Deletes a task and its comments.
#[utoipa::path(delete, path = "/tasks/{id}", tag = "tasks", params(("id" = Id<Task>, Path)),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(id): Path<Id<Task>>,
) -> Result<StatusCode, Failure> {
    Task::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
