//! The tasks of a project.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use mongo_odm::{Page, PageToken, prelude::*};
use utoipa::IntoParams;

use crate::{
    failure::Failure,
    model::{Member, NewTask, Project, Status, Tag, Task, TaskPatch},
    request::{Acting, ById, IfMatch, InTeam, Tagged},
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
    /// Whether the list contains the deleted tasks instead of the live ones.
    #[serde(default)]
    deleted: bool,
    /// The field `next` of the previous page.
    #[param(inline)]
    after: Option<PageToken>,
}

/// Lists the tasks of a project, the newest first.
#[utoipa::path(get, path = "/projects/{id}/tasks", tag = "tasks", params(("id" = Id<Project>, Path), Search),
    responses((status = 200, body = Page<Task>)))]
pub(super) async fn list(
    InTeam { odm, .. }: InTeam,
    Path(ById { id: project }): Path<ById<Project>>,
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
    let mut tasks = Task::find(&odm).filter(filter).sort(task.created_at.desc());
    if search.deleted {
        tasks = tasks.only_deleted();
    }
    let page = tasks.page(20).with_total().after(search.after).await?;
    Ok(Json(page))
}

/// Creates a task.
#[utoipa::path(post, path = "/projects/{id}/tasks", tag = "tasks", request_body = NewTask,
    params(("id" = Id<Project>, Path), Acting),
    responses((status = 201, body = Task), (status = 422, description = "A value is not valid.")))]
pub(super) async fn create(
    acting: Acting,
    Path(ById { id: project }): Path<ById<Project>>,
    Json(new): Json<NewTask>,
) -> Result<(StatusCode, Tagged<Task>), Failure> {
    let insert = new.insert(&acting.odm);
    let task = insert.set(Task::fields().project, project).await?;
    Ok((StatusCode::CREATED, Tagged(task)))
}

/// Returns a task.
#[utoipa::path(get, path = "/tasks/{id}", tag = "tasks", params(("id" = Id<Task>, Path)),
    responses((status = 200, body = Task), (status = 404)))]
pub(super) async fn show(
    InTeam { odm, .. }: InTeam,
    Path(ById { id }): Path<ById<Task>>,
) -> Result<Tagged<Task>, Failure> {
    Ok(Tagged(Task::get(&odm, id).await?))
}

/// Changes a task.
#[utoipa::path(patch, path = "/tasks/{id}", tag = "tasks", request_body = TaskPatch,
    params(("id" = Id<Task>, Path), Acting, IfMatch),
    responses((status = 200, body = Task), (status = 409, description = "The task has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(ById { id }): Path<ById<Task>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<TaskPatch>,
) -> Result<Tagged<Task>, Failure> {
    let update = Task::update(&acting.odm, id)
        .patch(patch)
        .if_version(version);
    Ok(Tagged(update.returning().await?))
}

/// Deletes a task and its comments. All of them can be restored.
#[utoipa::path(delete, path = "/tasks/{id}", tag = "tasks", params(("id" = Id<Task>, Path), Acting),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(ById { id }): Path<ById<Task>>,
) -> Result<StatusCode, Failure> {
    Task::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Restores a deleted task, and the comments that were deleted with it.
#[utoipa::path(post, path = "/tasks/{id}/restore", tag = "tasks",
    params(("id" = Id<Task>, Path), Acting),
    responses((status = 200, body = Task), (status = 404), (status = 409, description = "The project is deleted.")))]
pub(super) async fn restore(
    acting: Acting,
    Path(ById { id }): Path<ById<Task>>,
) -> Result<Tagged<Task>, Failure> {
    // The update changes only `updated_at` and the version. If another request deletes the project at the same time, one
    // of the two transactions gets a conflict and runs again. Without this update, the counts in the project might not
    // cause a conflict, because changes to a frequently updated count are first stored as deltas.
    let restored = acting.odm.transaction(async |tx| {
        let task = Task::fields().id.eq(id);
        let deleted = Task::find_one(&tx).filter(task).only_deleted();
        if let Some(task) = deleted.await? {
            let project = Project::fields();
            let found = Project::find_one(&tx).filter(project.id.eq(task.project));
            let Some(found) = found.await? else {
                return Ok(false);
            };
            let touch = Project::update(&tx, found.id).set(project.name, found.name);
            touch.await?;
        }
        Task::restore(&tx, id).await?;
        Ok(true)
    });
    if !restored.await? {
        return Err(Failure::InTrash);
    }
    Ok(Tagged(Task::get(&acting.odm, id).await?))
}
