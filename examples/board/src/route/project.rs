//! Projects and their members.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{Member, NewProject, Project, ProjectPatch},
    request::{Acting, ById, IfMatch, InTeam, Tagged, Trash},
};

/// The project and the member in a path.
#[derive(Debug, Deserialize)]
pub(super) struct Membership {
    id: Id<Project>,
    member: Id<Member>,
}

/// Lists the projects by name.
#[utoipa::path(get, path = "/projects", tag = "projects", params(Trash),
    responses((status = 200, body = Page<Project>)))]
pub(super) async fn list(
    InTeam { odm, .. }: InTeam,
    Query(trash): Query<Trash>,
) -> Result<Json<Page<Project>>, Failure> {
    let mut projects = Project::find(&odm).sort(Project::fields().name.asc());
    if trash.deleted {
        projects = projects.only_deleted();
    }
    let page = projects.page(50).with_total().after(trash.after).await?;
    Ok(Json(page))
}

/// Creates a project.
#[utoipa::path(post, path = "/projects", tag = "projects", request_body = NewProject,
    params(Acting),
    responses((status = 201, body = Project), (status = 422, description = "A value is not valid.")))]
pub(super) async fn create(
    acting: Acting,
    Json(new): Json<NewProject>,
) -> Result<(StatusCode, Tagged<Project>), Failure> {
    let insert = new.insert(&acting.odm);
    let project = insert
        .set(Project::fields().members, [acting.member])
        .await?;
    Ok((StatusCode::CREATED, Tagged(project)))
}

/// Returns a project.
#[utoipa::path(get, path = "/projects/{id}", tag = "projects", params(("id" = Id<Project>, Path)),
    responses((status = 200, body = Project), (status = 404)))]
pub(super) async fn show(
    InTeam { odm, .. }: InTeam,
    Path(ById { id }): Path<ById<Project>>,
) -> Result<Tagged<Project>, Failure> {
    Ok(Tagged(Project::get(&odm, id).await?))
}

/// Changes a project.
#[utoipa::path(patch, path = "/projects/{id}", tag = "projects", request_body = ProjectPatch,
    params(("id" = Id<Project>, Path), Acting, IfMatch),
    responses((status = 200, body = Project), (status = 409, description = "The project has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(ById { id }): Path<ById<Project>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<ProjectPatch>,
) -> Result<Tagged<Project>, Failure> {
    let update = Project::update(&acting.odm, id)
        .patch(patch)
        .if_version(version);
    Ok(Tagged(update.returning().await?))
}

/// Deletes a project, its tasks and their comments. All of them can be restored.
#[utoipa::path(delete, path = "/projects/{id}", tag = "projects", params(("id" = Id<Project>, Path), Acting),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(ById { id }): Path<ById<Project>>,
) -> Result<StatusCode, Failure> {
    Project::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Restores a deleted project, and the tasks and comments that were deleted with it.
#[utoipa::path(post, path = "/projects/{id}/restore", tag = "projects",
    params(("id" = Id<Project>, Path), Acting),
    responses((status = 200, body = Project), (status = 404)))]
pub(super) async fn restore(
    acting: Acting,
    Path(ById { id }): Path<ById<Project>>,
) -> Result<Tagged<Project>, Failure> {
    Project::restore(&acting.odm, id).await?;
    Ok(Tagged(Project::get(&acting.odm, id).await?))
}

/// Adds a member to a project. The member then also contains the id of the project.
#[utoipa::path(put, path = "/projects/{id}/members/{member}", tag = "projects",
    params(("id" = Id<Project>, Path), ("member" = Id<Member>, Path), Acting),
    responses((status = 200, body = Project), (status = 422, description = "The member does not exist.")))]
pub(super) async fn add_member(
    acting: Acting,
    Path(Membership { id, member }): Path<Membership>,
) -> Result<Tagged<Project>, Failure> {
    let project = Project::get(&acting.odm, id).await?;
    project.link_members(&acting.odm, [member]).await?;
    Ok(Tagged(project.reload(&acting.odm).await?))
}

/// Removes a member from a project.
#[utoipa::path(delete, path = "/projects/{id}/members/{member}", tag = "projects",
    params(("id" = Id<Project>, Path), ("member" = Id<Member>, Path), Acting),
    responses((status = 200, body = Project)))]
pub(super) async fn remove_member(
    acting: Acting,
    Path(Membership { id, member }): Path<Membership>,
) -> Result<Tagged<Project>, Failure> {
    let project = Project::get(&acting.odm, id).await?;
    project.unlink_members(&acting.odm, [member]).await?;
    Ok(Tagged(project.reload(&acting.odm).await?))
}
