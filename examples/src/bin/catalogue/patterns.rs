//! The patterns, a function each.

pub mod child_references;
pub mod embed;
pub mod parent_references;
pub mod two_way;
pub mod writes;
