//! The routes of the service, each against a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that does not find its values has failed"
)]

#[cfg(unix)]
mod browser;
#[cfg(unix)]
mod chromium;
mod client;
mod comments;
mod events;
mod lists;
mod members;
mod operation;
mod process;
mod projects;
mod shutdown;
mod tags;
mod tasks;
mod teams;
mod trash;
