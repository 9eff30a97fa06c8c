//! The stored documents, and the bodies of requests that create or change them.
//!
//! Responses contain the models themselves. Each model has two more structs. One is a new document without the fields
//! that the service sets, and one is a patch with the fields that a request can change.

mod comment;
mod member;
mod project;
mod tag;
mod task;
mod team;

pub use comment::{Comment, CommentLine, CommentPatch, NewComment};
pub use member::{Member, MemberPatch, NewMember};
pub use project::{NewProject, Project, ProjectPatch};
pub use tag::{NewTag, Tag, TagPatch};
pub use task::{NewTask, Status, Task, TaskPatch};
pub use team::{NewTeam, Team};

/// A model whose documents have a version.
pub trait Versioned {
    /// Returns the version of the document.
    fn version(&self) -> i64;
}
