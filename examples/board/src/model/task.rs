//! The tasks of a project.

use garde::Validate;
use mongo_odm::prelude::*;
use utoipa::ToSchema;

use super::{Comment, CommentLine, Member, Project, Tag, Team, Versioned};

/// A task of a project.
///
/// The streams of events need the option `pre_images`. Without this option, the server cannot know the team of a task
/// that is removed from the trash.
#[derive(Clone, Debug, Serialize, Deserialize, Model, Validate, ToSchema)]
#[model(
    collection = "tasks",
    tenant = "team",
    validate,
    pre_images,
    index(keys(project = 1, created_at = -1, id = 1)),
    index(keys(title = "text", details = "text"))
)]
#[garde(allow_unvalidated)]
pub struct Task {
    /// The id of the task.
    #[serde(rename = "_id")]
    pub id: Id<Task>,
    /// The team, which is the tenant of the task.
    pub team: Id<Team>,
    /// The project that contains the task.
    #[parent_ref(exists, on_delete = "cascade")]
    pub project: Id<Project>,
    /// The title.
    #[garde(length(chars, min = 1, max = 200))]
    pub title: String,
    /// A longer description.
    #[garde(length(chars, max = 10_000))]
    pub details: String,
    /// The state of the work.
    #[serde(default)]
    pub status: Status,
    /// The member that is responsible for the task.
    #[refs(one, exists, on_delete = "nullify")]
    pub assignee: Option<Id<Member>>,
    /// The name of this member.
    #[denorm(from = "Member.name", via = "assignee")]
    pub assignee_name: Option<String>,
    /// The tags of the task.
    #[refs(many, exists, max = 10, on_delete = "pull")]
    pub tags: Vec<Id<Tag>>,
    /// The number of comments.
    #[rollup(count, of = "Comment", via = "task")]
    pub comments: i64,
    /// The newest comments, the newest first.
    #[recent(of = "Comment", via = "task", sort = "created_at", limit = 3, desc)]
    pub latest_comments: Vec<CommentLine>,
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
    /// The creator of the task.
    #[created_by]
    #[refs(one, on_delete = "restrict")]
    pub created_by: Id<Member>,
    /// The name of this member.
    #[denorm(from = "Member.name", via = "created_by")]
    pub creator_name: String,
    /// The last editor of the task.
    #[updated_by]
    pub updated_by: Id<Member>,
    /// The time of the delete. While it is null, the document is live.
    #[deleted_at]
    #[serde(default, with = "mongo_odm::with::native")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub deleted_at: Option<DateTime>,
    /// The number of changes, which is also the entity tag.
    #[version]
    pub version: i64,
}

impl Task {
    /// The condition of the summary `Project::open_tasks`.
    pub fn is_open() -> Filter<Self> {
        Self::fields().status.ne(Status::Done)
    }
}

/// The state of the work on a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The work has not begun.
    #[default]
    Open,
    /// The work has begun.
    InProgress,
    /// The work is complete.
    Done,
}

impl Versioned for Task {
    fn version(&self) -> i64 {
        self.version
    }
}

/// The body of a request that creates a task. The path of the request contains the project.
#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[insertable(of = "Task", set(project))]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// The title.
    pub title: String,
    /// A longer description.
    #[serde(default)]
    pub details: String,
    /// The member that is responsible for the task.
    pub assignee: Option<Id<Member>>,
    /// The tags of the task.
    #[serde(default)]
    pub tags: Vec<Id<Tag>>,
}

/// The body of a request that changes a task.
#[derive(Debug, Deserialize, Patch, Validate, ToSchema)]
#[patch(of = "Task", validate)]
#[serde(deny_unknown_fields)]
#[garde(allow_unvalidated)]
pub struct TaskPatch {
    /// A new title.
    #[garde(length(chars, min = 1, max = 200))]
    #[serde(default)]
    pub title: Presence<String>,
    /// A new description.
    #[garde(length(chars, max = 10_000))]
    #[serde(default)]
    pub details: Presence<String>,
    /// A new state.
    #[serde(default)]
    pub status: Presence<Status>,
    /// A different member, or null.
    #[serde(default)]
    pub assignee: Presence<Id<Member>>,
    /// The new list of all tags.
    #[serde(default)]
    pub tags: Presence<Vec<Id<Tag>>>,
}
