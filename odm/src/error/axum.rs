//! Converts errors to responses of `axum`.

use std::sync::Arc;

use axum_core::response::{IntoResponse, Response};

use super::{Error, Violation};

/// Responds with the [status](super::ErrorKind::http_status) of the error's kind. The body is a JSON object that
/// contains the kind's code and its public message. For [`Error::Validation`], also inside other errors, the field `fields`
/// of this object lists the violated rules.
///
/// The body does not contain the error's own message, because that message contains names and values from the database.
/// The extensions of the response contain the error as an `Arc<Error>`, so that a middleware can log it.
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
        let mut body = serde_json::Map::new();
        body.insert("code".to_owned(), kind.code().into());
        body.insert("message".to_owned(), kind.http_message().into());
        if let Some(violations) = violations_of(&self) {
            body.insert("fields".to_owned(), serde_json::json!(violations));
        }
        let body = serde_json::Value::Object(body);
        let headers = [("content-type", "application/json")];
        let mut response = (headers, body.to_string()).into_response();
        if let Ok(status) = kind.http_status().try_into() {
            *response.status_mut() = status;
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Returns the violated rules of a validation error, which can be inside the error of a hook or of several writes.
fn violations_of(error: &Error) -> Option<&[Violation]> {
    match error {
        Error::Validation { violations, .. } => Some(violations),
        Error::Hook { source, .. }
        | Error::PartlyUpdated { source, .. }
        | Error::PartlyDeleted { source, .. } => violations_of(source),
        Error::InsertMany { source, .. } | Error::BulkWrite { source, .. } => violations_of(source),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_found_in_the_error_of_a_hook() {
        let violations = vec![Violation {
            path: "title".to_owned(),
            message: "is too long".to_owned(),
        }];
        let inner = Error::Validation {
            model: "Task",
            violations: violations.clone(),
        };
        let outer = Error::Hook {
            model: "Task",
            collection: "tasks",
            hook: "before_insert",
            id: None,
            source: Box::new(inner),
        };
        assert_eq!(violations_of(&outer), Some(&*violations));
        assert!(violations_of(&Error::TransactionEnded).is_none());
    }
}
