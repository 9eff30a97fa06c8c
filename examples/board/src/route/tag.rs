//! Tags of tasks.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{NewTag, Tag, TagPatch},
    request::{Acting, ById, IfMatch, InTeam, Start, Tagged},
};

/// Lists the tags by name.
#[utoipa::path(get, path = "/tags", tag = "tags", params(Start), responses((status = 200, body = Page<Tag>)))]
pub(super) async fn list(
    InTeam { odm, .. }: InTeam,
    Query(start): Query<Start>,
) -> Result<Json<Page<Tag>>, Failure> {
    let tags = Tag::find(&odm).sort(Tag::fields().name.asc());
    let page = tags.page(50).with_total().after(start.after).await?;
    Ok(Json(page))
}

/// Creates a tag.
#[utoipa::path(post, path = "/tags", tag = "tags", request_body = NewTag, params(Acting),
    responses((status = 201, body = Tag), (status = 409, description = "The name is taken.")))]
pub(super) async fn create(
    acting: Acting,
    Json(new): Json<NewTag>,
) -> Result<(StatusCode, Tagged<Tag>), Failure> {
    Ok((StatusCode::CREATED, Tagged(new.insert(&acting.odm).await?)))
}

/// Changes a tag.
#[utoipa::path(patch, path = "/tags/{id}", tag = "tags", request_body = TagPatch,
    params(("id" = Id<Tag>, Path), Acting, IfMatch),
    responses((status = 200, body = Tag), (status = 409, description = "The tag has changed.")))]
pub(super) async fn change(
    acting: Acting,
    Path(ById { id }): Path<ById<Tag>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<TagPatch>,
) -> Result<Tagged<Tag>, Failure> {
    let update = Tag::update(&acting.odm, id)
        .patch(patch)
        .if_version(version);
    Ok(Tagged(update.returning().await?))
}

/// Deletes a tag, and removes it from all tasks.
#[utoipa::path(delete, path = "/tags/{id}", tag = "tags", params(("id" = Id<Tag>, Path), Acting),
    responses((status = 204)))]
pub(super) async fn remove(
    acting: Acting,
    Path(ById { id }): Path<ById<Tag>>,
) -> Result<StatusCode, Failure> {
    Tag::delete(&acting.odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
