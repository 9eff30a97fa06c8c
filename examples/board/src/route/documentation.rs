//! The description of the service for `OpenAPI`.

use axum::Json;
use mongo_odm::prelude::*;
use utoipa::{
    Modify, OpenApi, PartialSchema,
    openapi::{
        RefOr, Required, Response,
        path::{ParameterBuilder, ParameterIn},
    },
};

use super::{comment, event, health, member, metric, project, tag, task, team};
use crate::model::Team;

/// The path of the routes for one team.
const IN_TEAM: &str = "/teams/{team}";

/// The documents of all teams.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Board",
        description = "Teams with their projects, tasks, comments, members and tags"
    ),
    paths(team::list, team::create, health::show, metric::show),
    nest((path = "/teams/{team}", api = TeamDescription)),
    modifiers(&TeamParameter, &Refusals)
)]
struct Description;

/// The documents of one team.
#[derive(OpenApi)]
#[openapi(paths(
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
    project::restore,
    project::add_member,
    project::remove_member,
    task::list,
    task::create,
    task::show,
    task::change,
    task::remove,
    task::restore,
    comment::list,
    comment::create,
    comment::change,
    comment::remove,
    comment::restore,
    tag::list,
    tag::create,
    tag::change,
    tag::remove,
    event::follow,
))]
struct TeamDescription;

/// Describes the team in the path, which all routes for one team have in common.
struct TeamParameter;

impl Modify for TeamParameter {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let parameter = ParameterBuilder::new()
            .name("team")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(Id::<Team>::schema()))
            .build();
        let parameter = RefOr::T(parameter);
        for (path, item) in &mut description.paths.paths {
            if path.starts_with(IN_TEAM) {
                item.parameters = Some(vec![parameter.clone()]);
            }
        }
    }
}

/// Describes the responses to requests without a header that the operation requires, and to invalid bodies.
struct Refusals;

impl Modify for Refusals {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        for item in description.paths.paths.values_mut() {
            let methods = [
                &mut item.post,
                &mut item.put,
                &mut item.patch,
                &mut item.delete,
            ];
            for operation in methods.into_iter().flatten() {
                let needs = |header: &str| {
                    let mut all = operation.parameters.iter().flatten();
                    all.any(|it| matches!(it, RefOr::T(it) if it.name == header))
                };
                let refusals = [
                    (
                        needs("x-member"),
                        "401",
                        "The header `x-member` is missing.",
                    ),
                    (
                        operation.request_body.is_some(),
                        "422",
                        "A value is not valid.",
                    ),
                    (
                        needs("if-match"),
                        "428",
                        "The header `if-match` is missing.",
                    ),
                ];
                for (_, status, text) in refusals
                    .into_iter()
                    .filter(|(is_possible, ..)| *is_possible)
                {
                    let all = &mut operation.responses.responses;
                    all.entry(status.to_owned())
                        .or_insert_with(|| RefOr::T(Response::new(text)));
                }
            }
        }
    }
}

/// Returns the description of all routes.
pub(super) async fn describe() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}
