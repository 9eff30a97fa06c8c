//! The comments on a task.

use garde::Validate;
use mongo_odm::prelude::*;
use utoipa::ToSchema;

use super::{Member, Task, Team, Versioned};

/// A comment on a task.
#[derive(Clone, Debug, Serialize, Deserialize, Model, Validate, ToSchema)]
#[model(
    collection = "comments",
    tenant = "team",
    validate,
    index(keys(task = 1, created_at = -1, id = 1))
)]
#[garde(allow_unvalidated)]
pub struct Comment {
    /// The id of the comment.
    #[serde(rename = "_id")]
    pub id: Id<Comment>,
    /// The team, which is the tenant of the comment.
    pub team: Id<Team>,
    /// The task.
    #[parent_ref(exists, on_delete = "cascade")]
    pub task: Id<Task>,
    /// The text.
    #[garde(length(chars, min = 1, max = 2_000))]
    pub text: String,
    /// The author of the comment.
    #[created_by]
    #[refs(one, on_delete = "restrict")]
    pub author: Id<Member>,
    /// The name of this member.
    #[denorm(from = "Member.name")]
    pub author_name: String,
    /// The time of the insert.
    #[created_at]
    #[serde(with = "mongo_odm::with::native")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: DateTime,
    /// The time of the last change.
    #[updated_at]
    #[serde(with = "mongo_odm::with::native")]
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: DateTime,
    /// The time of the delete. While it is null, the document is live.
    #[deleted_at]
    #[serde(default, with = "mongo_odm::with::native")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deleted_at: Option<DateTime>,
    /// The number of changes, which is also the entity tag.
    #[version]
    pub version: i64,
}

impl Versioned for Comment {
    fn version(&self) -> i64 {
        self.version
    }
}

/// The fields of a comment that its task also stores.
#[derive(Clone, Debug, Serialize, Deserialize, Projection, ToSchema)]
#[projection(of = "Comment")]
pub struct CommentLine {
    /// The id of the comment.
    #[serde(rename = "_id")]
    pub id: Id<Comment>,
    /// The text.
    pub text: String,
    /// The name of the author.
    pub author_name: String,
    /// The time of the insert.
    #[serde(with = "mongo_odm::with::native")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: DateTime,
}

/// The body of a request that creates a comment. The path of the request contains the task.
#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[insertable(of = "Comment", set(task))]
#[serde(deny_unknown_fields)]
pub struct NewComment {
    /// The text.
    pub text: String,
}

/// The body of a request that changes a comment.
#[derive(Debug, Deserialize, Patch, Validate, ToSchema)]
#[patch(of = "Comment", validate)]
#[serde(deny_unknown_fields)]
pub struct CommentPatch {
    /// A new text.
    #[garde(length(chars, min = 1, max = 2_000))]
    #[serde(default)]
    pub text: Presence<String>,
}
