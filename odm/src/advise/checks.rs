//! The checks: one small function for each code, a file for each kind of thing that they look at.

pub(super) mod arrays;
pub(super) mod asked;
pub(super) mod collections;
pub(super) mod copies;
pub(super) mod documents;
pub(super) mod found;
pub(super) mod indexes;
pub(super) mod profile;
pub(super) mod references;
pub(super) mod usage;
