//! Errors as responses.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

/// The error of a handler.
#[derive(Debug)]
pub enum Failure {
    /// An error of the library, which can be converted to a response.
    Odm(mongo_odm::Error),
    /// The path does not contain the id of a team.
    NoTeam,
    /// The request does not contain the id of a member of the team.
    NoMember,
    /// The document to restore is part of another document that is deleted.
    InTrash,
    /// The request changes a document, but does not contain the version that the client has seen.
    NoVersion,
}

impl From<mongo_odm::Error> for Failure {
    fn from(error: mongo_odm::Error) -> Self {
        Self::Odm(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            // The version matches no document, because the team has no document with this id.
            Self::Odm(mongo_odm::Error::Conflict { found: None, .. }) => {
                let message = "the document does not exist";
                refusal(StatusCode::NOT_FOUND, "board.not_found", message)
            }
            Self::Odm(error) => error.into_response(),
            Self::NoTeam => refusal(
                StatusCode::NOT_FOUND,
                "board.no_team",
                "the team does not exist",
            ),
            Self::NoMember => {
                let message = "the header `x-member` must contain the id of a member of the team";
                refusal(StatusCode::UNAUTHORIZED, "board.no_member", message)
            }
            Self::InTrash => {
                let message = "the document is part of a deleted document; restore that one first";
                refusal(StatusCode::CONFLICT, "board.in_trash", message)
            }
            Self::NoVersion => {
                let message = "the header `if-match` must contain the entity tag of the document, such as \"3\"";
                refusal(
                    StatusCode::PRECONDITION_REQUIRED,
                    "board.no_version",
                    message,
                )
            }
        }
    }
}

fn refusal(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(json!({ "code": code, "message": message }))).into_response()
}
