//! The comments on a task.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{Comment, CommentPatch, Member, NewComment, Task},
    request::{Acting, IfMatch, Start, Tagged},
};

/// Lists the comments on a task, the newest first.
#[utoipa::path(get, path = "/tasks/{id}/comments", tag = "comments", params(("id" = Id<Task>, Path), Start),
    responses((status = 200, body = Page<Comment>)))]
pub(super) async fn list(
    State(odm): State<Odm>,
    Path(task): Path<Id<Task>>,
    Query(start): Query<Start>,
) -> Result<Json<Page<Comment>>, Failure> {
    let comment = Comment::fields();
    let comments = Comment::find(&odm)
        .filter(comment.task.eq(task))
        .sort(comment.created_at.desc());
    let page = comments.page(20).with_total().after(start.after).await?;
    Ok(Json(page))
}

/// Creates a comment.
#[utoipa::path(post, path = "/tasks/{id}/comments", tag = "comments", request_body = NewComment,
    params(("id" = Id<Task>, Path), ("x-member" = Id<Member>, Header)),
    responses((status = 201, body = Comment), (status = 422, description = "A value is not valid.")))]
pub(super) async fn create(
    acting: Acting,
    Path(task): Path<Id<Task>>,
    Json(new): Json<NewComment>,
) -> Result<(StatusCode, Tagged<Comment>), Failure> {
    let comment = new.on_task(task, acting.member);
    let comment = comment.insert(&acting.odm).returning().await?;
    Ok((StatusCode::CREATED, Tagged(comment)))
}

/// Changes a comment.
#[utoipa::path(patch, path = "/comments/{id}", tag = "comments", request_body = CommentPatch,
    params(("id" = Id<Comment>, Path), ("x-member" = Id<Member>, Header), ("if-match" = String, Header)),
    responses((status = 200, body = Comment), (status = 409, description = "The comment has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(id): Path<Id<Comment>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<CommentPatch>,
) -> Result<Tagged<Comment>, Failure> {
    let mut seen = Comment::get(&acting.odm, id).await?;
    // `if_unchanged` compares the stored version with the version that the client has seen.
    seen.version = version;
    let update = Comment::update(&acting.odm, id).patch(patch);
    update.if_unchanged(&seen).await?;
    Ok(Tagged(seen.reload(&acting.odm).await?))
}

/// Deletes a comment.
#[utoipa::path(delete, path = "/comments/{id}", tag = "comments", params(("id" = Id<Comment>, Path)),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(id): Path<Id<Comment>>,
) -> Result<StatusCode, Failure> {
    Comment::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
