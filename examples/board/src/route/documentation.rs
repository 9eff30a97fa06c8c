//! The description of the service for `OpenAPI`.

use axum::Json;
use utoipa::OpenApi;

use super::{comment, event, health, member, metric, project, tag, task};

/// The documents of a team.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Board",
        description = "Projects, tasks, comments, members and tags"
    ),
    paths(
        member::list,
        member::create,
        member::show,
        member::change,
        member::remove,
        project::list,
        project::create,
        project::show,
        project::change,
        project::remove,
        project::add_member,
        project::remove_member,
        task::list,
        task::create,
        task::show,
        task::change,
        task::remove,
        comment::list,
        comment::create,
        comment::change,
        comment::remove,
        tag::list,
        tag::create,
        tag::change,
        tag::remove,
        event::follow,
        health::show,
        metric::show,
    )
)]
struct Description;

/// Returns the description of all routes.
pub(super) async fn describe() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}
