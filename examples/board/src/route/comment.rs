//! The comments on a task.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{Comment, CommentPatch, NewComment, Task},
    request::{Acting, ById, IfMatch, InTeam, Start, Tagged},
};

/// Lists the comments on a task, the newest first.
#[utoipa::path(get, path = "/tasks/{id}/comments", tag = "comments", params(("id" = Id<Task>, Path), Start),
    responses((status = 200, body = Page<Comment>)))]
pub(super) async fn list(
    InTeam { odm, .. }: InTeam,
    Path(ById { id: task }): Path<ById<Task>>,
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
    params(("id" = Id<Task>, Path), Acting),
    responses((status = 201, body = Comment), (status = 422, description = "A value is not valid.")))]
pub(super) async fn create(
    acting: Acting,
    Path(ById { id: task }): Path<ById<Task>>,
    Json(new): Json<NewComment>,
) -> Result<(StatusCode, Tagged<Comment>), Failure> {
    let insert = new.insert(&acting.odm);
    let comment = insert.set(Comment::fields().task, task).await?;
    Ok((StatusCode::CREATED, Tagged(comment)))
}

/// Changes a comment.
#[utoipa::path(patch, path = "/comments/{id}", tag = "comments", request_body = CommentPatch,
    params(("id" = Id<Comment>, Path), Acting, IfMatch),
    responses((status = 200, body = Comment), (status = 409, description = "The comment has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(ById { id }): Path<ById<Comment>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<CommentPatch>,
) -> Result<Tagged<Comment>, Failure> {
    let update = Comment::update(&acting.odm, id)
        .patch(patch)
        .if_version(version);
    Ok(Tagged(update.returning().await?))
}

/// Deletes a comment. It can be restored.
#[utoipa::path(delete, path = "/comments/{id}", tag = "comments", params(("id" = Id<Comment>, Path), Acting),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(ById { id }): Path<ById<Comment>>,
) -> Result<StatusCode, Failure> {
    Comment::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Restores a deleted comment.
#[utoipa::path(post, path = "/comments/{id}/restore", tag = "comments",
    params(("id" = Id<Comment>, Path), Acting),
    responses((status = 200, body = Comment), (status = 404), (status = 409, description = "The task is deleted.")))]
pub(super) async fn restore(
    acting: Acting,
    Path(ById { id }): Path<ById<Comment>>,
) -> Result<Tagged<Comment>, Failure> {
    // The update of the task has the same purpose as in `task::restore`.
    let restored = acting.odm.transaction(async |tx| {
        let comment = Comment::fields().id.eq(id);
        let deleted = Comment::find_one(&tx).filter(comment).only_deleted();
        if let Some(comment) = deleted.await? {
            let task = Task::fields();
            let found = Task::find_one(&tx).filter(task.id.eq(comment.task));
            let Some(found) = found.await? else {
                return Ok(false);
            };
            let touch = Task::update(&tx, found.id).set(task.title, found.title);
            touch.await?;
        }
        Comment::restore(&tx, id).await?;
        Ok(true)
    });
    if !restored.await? {
        return Err(Failure::InTrash);
    }
    Ok(Tagged(Comment::get(&acting.odm, id).await?))
}
