//! The routes of the service.

mod comment;
mod documentation;
mod event;
mod health;
mod member;
mod metric;
mod page;
mod project;
mod tag;
mod task;
mod team;

use axum::{
    Router, middleware,
    routing::{get, patch, post, put},
};

use crate::{state::Board, trace};

/// Returns the router of the whole service.
pub fn router(board: Board) -> Router {
    Router::new()
        .route("/", get(page::board))
        .route("/routes", get(page::routes))
        .route("/teams", get(team::list).post(team::create))
        .nest("/teams/{team}", in_team())
        .route("/health", get(health::show))
        .route("/metrics", get(metric::show))
        .route("/openapi.json", get(documentation::describe))
        .layer(middleware::from_fn(trace::requests))
        .with_state(board)
}

/// Returns the routes for the documents of one team.
fn in_team() -> Router<Board> {
    Router::new()
        .route("/members", get(member::list).post(member::create))
        .route(
            "/members/{id}",
            get(member::show)
                .patch(member::change)
                .delete(member::remove),
        )
        .route("/projects", get(project::list).post(project::create))
        .route(
            "/projects/{id}",
            get(project::show)
                .patch(project::change)
                .delete(project::remove),
        )
        .route("/projects/{id}/restore", post(project::restore))
        .route(
            "/projects/{id}/members/{member}",
            put(project::add_member).delete(project::remove_member),
        )
        .route("/projects/{id}/tasks", get(task::list).post(task::create))
        .route("/projects/{id}/events", get(event::follow))
        .route(
            "/tasks/{id}",
            get(task::show).patch(task::change).delete(task::remove),
        )
        .route("/tasks/{id}/restore", post(task::restore))
        .route(
            "/tasks/{id}/comments",
            get(comment::list).post(comment::create),
        )
        .route(
            "/comments/{id}",
            patch(comment::change).delete(comment::remove),
        )
        .route("/comments/{id}/restore", post(comment::restore))
        .route("/tags", get(tag::list).post(tag::create))
        .route("/tags/{id}", patch(tag::change).delete(tag::remove))
}
