//! A web service for several teams: projects, tasks, comments, members and tags.
//!
//! The service is an example of the library `mongo-odm` with `axum`. `README.md` in the folder of this package explains
//! how to start it. These are the parts:
//!
//! | module | contents |
//! |---|---|
//! | [`model`] | the stored documents, and the bodies of requests |
//! | [`route`] | one file of handlers for each kind of document |
//! | [`state`] | values that the handlers share |
//! | [`request`] | parts of requests that several handlers read |
//! | [`failure`] | errors as responses |
//! | [`trace`] | a span for each request |
//! | [`server`] | start, background jobs and shutdown |
//! | [`sample`] | documents for an empty database |
//! | [`trash`] | removes documents that were deleted long ago |

pub mod failure;
pub mod model;
pub mod request;
pub mod route;
pub mod sample;
pub mod server;
pub mod state;
pub mod trace;
pub mod trash;

pub use route::router;
pub use server::serve;
pub use state::Board;
