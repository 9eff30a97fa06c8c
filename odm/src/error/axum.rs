//! Errors as responses of `axum`.

use std::sync::Arc;

use axum_core::response::{IntoResponse, Response};

use super::Error;

/// Responds with the [status](super::ErrorKind::http_status) of the error's kind, and with its code and public message
/// as JSON.
///
/// The response does not contain the error's own message, because the message contains names and values of the
/// database. The error itself is an extension of the response, as `Arc<Error>`. So a middleware can log the error.
///
/// # Examples
///
/// ```
/// use mongo_odm::{Error, prelude::*};
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: Id<Part>, name: String }
///
/// /// A handler of `axum`, which responds with the status 404 if the part does not exist.
/// async fn name_of(odm: Odm, id: Id<Part>) -> Result<String, Error> {
///     Ok(Part::get(&odm, id).await?.name)
/// }
/// ```
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let kind = self.kind();
        let body = serde_json::json!({ "code": kind.code(), "message": kind.http_message() });
        let headers = [("content-type", "application/json")];
        let mut response = (headers, body.to_string()).into_response();
        if let Ok(status) = kind.http_status().try_into() {
            *response.status_mut() = status;
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
