//! The state of the service, for load balancers and operators.

use axum::{Json, extract::State, http::StatusCode};
use mongo_odm::{JobCounts, Odm};
use serde::Serialize;
use utoipa::ToSchema;

use crate::failure::Failure;

/// The state of the database.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Health {
    /// Whether the service works without any action by an operator.
    is_good: bool,
    /// The time in which the server answered.
    answered_in_millis: u128,
    /// The number and the age of pending jobs.
    #[schema(value_type = Object)]
    jobs: JobCounts,
}

/// Returns the state of the database. The status is 503 if an operator must act.
#[utoipa::path(get, path = "/health", tag = "operation",
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub(super) async fn show(State(odm): State<Odm>) -> Result<(StatusCode, Json<Health>), Failure> {
    let health = odm.health().await?;
    let status = if health.is_good() {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = Health {
        is_good: health.is_good(),
        answered_in_millis: health.answered_in.as_millis(),
        jobs: health.jobs,
    };
    Ok((status, Json(body)))
}
