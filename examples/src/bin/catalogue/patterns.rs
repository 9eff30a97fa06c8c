//! The patterns of the article, each with its own functions.

pub mod child_references;
pub mod embed;
pub mod parent_references;
pub mod two_way;
pub mod writes;
