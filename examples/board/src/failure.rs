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
    /// The request does not contain the id of a member.
    NoMember,
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
            Self::Odm(error) => error.into_response(),
            Self::NoMember => {
                let message = "the header `x-member` must contain the id of a member";
                refusal(StatusCode::UNAUTHORIZED, "board.no_member", message)
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
