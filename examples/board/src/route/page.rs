//! The pages for browsers.

use axum::response::Html;

/// Returns the page of the board, which calls the routes of the service.
pub(super) async fn board() -> Html<&'static str> {
    Html(include_str!("../../page/board.html"))
}

/// Returns a page that shows the description of the routes.
pub(super) async fn routes() -> Html<&'static str> {
    Html(include_str!("../../page/routes.html"))
}
