//! Parts of requests and responses that several handlers have in common.

use axum::{
    Json,
    extract::FromRequestParts,
    http::{
        HeaderMap,
        header::{ETAG, IF_MATCH},
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use mongo_odm::{PageToken, prelude::*};
use utoipa::IntoParams;

use crate::{
    failure::Failure,
    model::{Member, Versioned},
    state::Board,
};

/// The member that sent a request, and a handle that stores this member in each document that it writes.
///
/// The header `x-member` contains the id of the member. A real service would check a password or a token here.
#[derive(Debug)]
pub struct Acting {
    /// The id of the member.
    pub member: Id<Member>,
    /// The handle. Its writes store the member as the actor.
    pub odm: Odm,
}

impl FromRequestParts<Board> for Acting {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, board: &Board) -> Result<Self, Failure> {
        let id = header(&parts.headers, "x-member").and_then(|text| text.parse().ok());
        let member: Id<Member> = id.ok_or(Failure::NoMember)?;
        let exists = Member::exists(&board.odm).filter(Member::fields().id.eq(member));
        if !exists.await? {
            return Err(Failure::NoMember);
        }
        let odm = board.odm.acting_as(member);
        Ok(Self { member, odm })
    }
}

/// The version in the header `if-match`: the version of the document that the client has seen.
#[derive(Clone, Copy, Debug)]
pub struct IfMatch(pub i64);

impl<S: Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let tag = header(&parts.headers, IF_MATCH.as_str()).ok_or(Failure::NoVersion)?;
        let version = tag.trim_matches('"').parse();
        version.map(Self).map_err(|_| Failure::NoVersion)
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// A document as a response. Its version is the entity tag.
#[derive(Debug)]
pub struct Tagged<T>(pub T);

impl<T: Serialize + Versioned> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        let tag = format!("\"{}\"", self.0.version());
        ([(ETAG, tag)], Json(self.0)).into_response()
    }
}

/// The position of a page in a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Start {
    /// The field `next` of the previous page.
    #[param(inline)]
    pub after: Option<PageToken>,
}
