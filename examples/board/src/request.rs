//! Parts of requests and responses that several handlers have in common.

use axum::{
    Json,
    extract::{FromRequestParts, Path},
    http::{
        HeaderMap,
        header::{ETAG, IF_MATCH},
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use mongo_odm::{PageToken, prelude::*};
use utoipa::{
    IntoParams, PartialSchema,
    openapi::{
        RefOr, Required, Schema,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

use crate::{
    failure::Failure,
    model::{Member, Team, Versioned},
    state::Board,
};

/// The team in the path of a request, and a handle that accesses only the documents of this team.
#[derive(Debug)]
pub struct InTeam {
    /// The id of the team.
    pub team: Id<Team>,
    /// The handle, which adds the team to each filter and checks the team in each write.
    pub odm: Odm,
}

/// The part of a path that the extractor [`InTeam`] reads.
#[derive(Deserialize)]
struct TeamPath {
    team: Id<Team>,
}

impl FromRequestParts<Board> for InTeam {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, board: &Board) -> Result<Self, Failure> {
        let path = Path::<TeamPath>::from_request_parts(parts, board).await;
        let Path(TeamPath { team }) = path.map_err(|_| Failure::NoTeam)?;
        let exists = Team::exists(&board.odm).filter(Team::fields().id.eq(team));
        if !exists.await? {
            return Err(Failure::NoTeam);
        }
        let odm = board.odm.for_tenant(team);
        Ok(Self { team, odm })
    }
}

/// The id of a document in the path. Serde ignores the other parts of the path, such as the team.
#[derive(Debug, Deserialize)]
#[serde(bound = "")]
pub struct ById<M> {
    /// The id of the document.
    pub id: Id<M>,
}

/// The header with the id of the member that sends a request.
const MEMBER: &str = "x-member";

/// The member that sent a request, and a handle that stores this member in each document that it writes.
///
/// The header `x-member` contains the id of the member. A real service would check a password or a token here.
#[derive(Debug)]
pub struct Acting {
    /// The team of the member.
    pub team: Id<Team>,
    /// The id of the member.
    pub member: Id<Member>,
    /// The handle of the team. Its writes store the member as the actor.
    pub odm: Odm,
}

impl FromRequestParts<Board> for Acting {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, board: &Board) -> Result<Self, Failure> {
        let InTeam { team, odm } = InTeam::from_request_parts(parts, board).await?;
        let id = header(&parts.headers, MEMBER).and_then(|text| text.parse().ok());
        let member: Id<Member> = id.ok_or(Failure::NoMember)?;
        let exists = Member::exists(&odm).filter(Member::fields().id.eq(member));
        if !exists.await? {
            return Err(Failure::NoMember);
        }
        let odm = odm.acting_as(member);
        Ok(Self { team, member, odm })
    }
}

impl IntoParams for Acting {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![required_header(MEMBER, Id::<Member>::schema())]
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

impl IntoParams for IfMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![required_header(IF_MATCH.as_str(), String::schema())]
    }
}

fn required_header(name: &str, schema: RefOr<Schema>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .schema(Some(schema))
        .build()
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

/// A list of live or deleted documents, and the position of a page in this list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Trash {
    /// Whether the list contains the deleted documents instead of the live ones.
    #[serde(default)]
    pub deleted: bool,
    /// The field `next` of the previous page.
    #[param(inline)]
    pub after: Option<PageToken>,
}

/// The position of a page in a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Start {
    /// The field `next` of the previous page.
    #[param(inline)]
    pub after: Option<PageToken>,
}
