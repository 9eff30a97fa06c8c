//! The teams that use the service.

use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{NewTeam, Team},
    request::Start,
};

/// Lists the teams by name.
#[utoipa::path(get, path = "/teams", tag = "teams", params(Start), responses((status = 200, body = Page<Team>)))]
pub(super) async fn list(
    State(odm): State<Odm>,
    Query(start): Query<Start>,
) -> Result<Json<Page<Team>>, Failure> {
    let teams = Team::find(&odm).sort(Team::fields().name.asc());
    let page = teams.page(50).with_total().after(start.after).await?;
    Ok(Json(page))
}

/// Creates a team.
#[utoipa::path(post, path = "/teams", tag = "teams", request_body = NewTeam,
    responses((status = 201, body = Team), (status = 409, description = "The name is taken.")))]
pub(super) async fn create(
    State(odm): State<Odm>,
    Json(new): Json<NewTeam>,
) -> Result<(StatusCode, Json<Team>), Failure> {
    Ok((StatusCode::CREATED, Json(new.insert(&odm).await?)))
}
