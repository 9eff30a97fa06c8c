//! Projects and their members.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{Member, NewProject, Project, ProjectPatch},
    request::{Acting, IfMatch, Start, Tagged},
};

/// Lists the projects by name.
#[utoipa::path(get, path = "/projects", tag = "projects", params(Start),
    responses((status = 200, body = Page<Project>)))]
pub(super) async fn list(
    State(odm): State<Odm>,
    Query(start): Query<Start>,
) -> Result<Json<Page<Project>>, Failure> {
    let projects = Project::find(&odm).sort(Project::fields().name.asc());
    let page = projects.page(50).with_total().after(start.after).await?;
    Ok(Json(page))
}

/// Creates a project.
#[utoipa::path(post, path = "/projects", tag = "projects", request_body = NewProject,
    params(("x-member" = Id<Member>, Header)),
    responses((status = 201, body = Project), (status = 422, description = "A value is not valid.")))]
pub(super) async fn create(
    acting: Acting,
    Json(new): Json<NewProject>,
) -> Result<(StatusCode, Tagged<Project>), Failure> {
    let project = new.by(acting.member);
    let project = project.insert(&acting.odm).returning().await?;
    Ok((StatusCode::CREATED, Tagged(project)))
}

/// Returns a project.
#[utoipa::path(get, path = "/projects/{id}", tag = "projects", params(("id" = Id<Project>, Path)),
    responses((status = 200, body = Project), (status = 404)))]
pub(super) async fn show(
    State(odm): State<Odm>,
    Path(id): Path<Id<Project>>,
) -> Result<Tagged<Project>, Failure> {
    Ok(Tagged(Project::get(&odm, id).await?))
}

/// Changes a project.
#[utoipa::path(patch, path = "/projects/{id}", tag = "projects", request_body = ProjectPatch,
    params(("id" = Id<Project>, Path), ("x-member" = Id<Member>, Header), ("if-match" = String, Header)),
    responses((status = 200, body = Project), (status = 409, description = "The project has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(id): Path<Id<Project>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<ProjectPatch>,
) -> Result<Tagged<Project>, Failure> {
    let mut seen = Project::get(&acting.odm, id).await?;
    // `if_unchanged` compares the stored version with the version that the client has seen.
    seen.version = version;
    let update = Project::update(&acting.odm, id).patch(patch);
    update.if_unchanged(&seen).await?;
    Ok(Tagged(seen.reload(&acting.odm).await?))
}

/// Deletes a project, its tasks and their comments.
#[utoipa::path(delete, path = "/projects/{id}", tag = "projects", params(("id" = Id<Project>, Path)),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(id): Path<Id<Project>>,
) -> Result<StatusCode, Failure> {
    Project::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds a member to a project. The member then also contains the id of the project.
#[utoipa::path(put, path = "/projects/{id}/members/{member}", tag = "projects",
    params(("id" = Id<Project>, Path), ("member" = Id<Member>, Path), ("x-member" = Id<Member>, Header)),
    responses((status = 200, body = Project), (status = 422, description = "The member does not exist.")))]
pub(super) async fn add_member(
    acting: Acting,
    Path((id, member)): Path<(Id<Project>, Id<Member>)>,
) -> Result<Tagged<Project>, Failure> {
    let project = Project::get(&acting.odm, id).await?;
    project.link_members(&acting.odm, [member]).await?;
    Ok(Tagged(project.reload(&acting.odm).await?))
}

/// Removes a member from a project.
#[utoipa::path(delete, path = "/projects/{id}/members/{member}", tag = "projects",
    params(("id" = Id<Project>, Path), ("member" = Id<Member>, Path), ("x-member" = Id<Member>, Header)),
    responses((status = 200, body = Project)))]
pub(super) async fn remove_member(
    acting: Acting,
    Path((id, member)): Path<(Id<Project>, Id<Member>)>,
) -> Result<Tagged<Project>, Failure> {
    let project = Project::get(&acting.odm, id).await?;
    project.unlink_members(&acting.odm, [member]).await?;
    Ok(Tagged(project.reload(&acting.odm).await?))
}
