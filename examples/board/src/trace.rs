//! Creates a span for each request. This span contains the spans of the statements that the request
//! sends.

use std::{sync::Arc, time::Instant};

use axum::{extract::Request, middleware::Next, response::Response};
use tracing::{Instrument, error, info, info_span};

/// Logs each request. If the status is 500 or higher, logs the error that the client does not see.
pub async fn requests(request: Request, next: Next) -> Response {
    let span = info_span!("request", method = %request.method(), path = request.uri().path());
    let answer = async {
        let started = Instant::now();
        let response = next.run(request).await;
        let status = response.status();
        let millis = started.elapsed().as_millis();
        match response.extensions().get::<Arc<mongo_odm::Error>>() {
            Some(error) if status.is_server_error() => {
                error!(status = status.as_u16(), code = error.code(), %error, millis);
            }
            _ => info!(status = status.as_u16(), millis),
        }
        response
    };
    answer.instrument(span).await
}
