//! The members of the team.

use axum::{
    Json,
    extract::{Path, Query},
    http::StatusCode,
};
use mongo_odm::{Page, prelude::*};

use crate::{
    failure::Failure,
    model::{Member, MemberPatch, NewMember},
    request::{ById, IfMatch, InTeam, Start, Tagged},
};

/// Lists the members by name.
#[utoipa::path(get, path = "/members", tag = "members", params(Start),
    responses((status = 200, body = Page<Member>)))]
pub(super) async fn list(
    InTeam { odm, .. }: InTeam,
    Query(start): Query<Start>,
) -> Result<Json<Page<Member>>, Failure> {
    let members = Member::find(&odm).sort(Member::fields().name.asc());
    let page = members.page(50).with_total().after(start.after).await?;
    Ok(Json(page))
}

/// Creates a member.
#[utoipa::path(post, path = "/members", tag = "members", request_body = NewMember,
    responses((status = 201, body = Member), (status = 409, description = "The email address is taken.")))]
pub(super) async fn create(
    InTeam { odm, .. }: InTeam,
    Json(new): Json<NewMember>,
) -> Result<(StatusCode, Tagged<Member>), Failure> {
    Ok((StatusCode::CREATED, Tagged(new.insert(&odm).await?)))
}

/// Returns a member.
#[utoipa::path(get, path = "/members/{id}", tag = "members", params(("id" = Id<Member>, Path)),
    responses((status = 200, body = Member), (status = 404)))]
pub(super) async fn show(
    InTeam { odm, .. }: InTeam,
    Path(ById { id }): Path<ById<Member>>,
) -> Result<Tagged<Member>, Failure> {
    Ok(Tagged(Member::get(&odm, id).await?))
}

/// Changes a member.
///
/// A member can have many tasks and comments. So the response does not wait for the copies of the name: the worker
/// updates them.
#[utoipa::path(patch, path = "/members/{id}", tag = "members", request_body = MemberPatch,
    params(("id" = Id<Member>, Path), IfMatch),
    responses((status = 200, body = Member), (status = 409, description = "The member has changed.")))]
pub(super) async fn change(
    InTeam { odm, .. }: InTeam,
    Path(ById { id }): Path<ById<Member>>,
    IfMatch(version): IfMatch,
    Json(patch): Json<MemberPatch>,
) -> Result<Tagged<Member>, Failure> {
    let update = Member::update(&odm, id).patch(patch).if_version(version);
    Ok(Tagged(update.deferred().returning().await?))
}

/// Deletes a member. The tasks of the member then have no assignee.
#[utoipa::path(delete, path = "/members/{id}", tag = "members", params(("id" = Id<Member>, Path)),
    responses((status = 204), (status = 409, description = "The member has created documents.")))]
pub(super) async fn remove(
    InTeam { odm, .. }: InTeam,
    Path(ById { id }): Path<ById<Member>>,
) -> Result<StatusCode, Failure> {
    Member::delete(&odm, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
