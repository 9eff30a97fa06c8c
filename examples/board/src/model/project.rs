//! Projects, which contain tasks and have members.

use garde::Validate;
use mongo_odm::prelude::*;
use utoipa::ToSchema;

use super::{Member, Task, Team, Versioned};

/// A project.
#[derive(Clone, Debug, Serialize, Deserialize, Model, Validate, ToSchema)]
#[model(
    collection = "projects",
    tenant = "team",
    validate,
    index(keys(name = 1, id = 1))
)]
#[garde(allow_unvalidated)]
pub struct Project {
    /// The id of the project.
    #[serde(rename = "_id")]
    pub id: Id<Project>,
    /// The team, which is the tenant of the project.
    pub team: Id<Team>,
    /// The name of the project.
    #[garde(length(chars, min = 1, max = 100))]
    pub name: String,
    /// The members of the project. Each of these members also stores the id of the project.
    #[refs(many, inverse = "projects", exists, max = 50)]
    pub members: Vec<Id<Member>>,
    /// The number of all tasks.
    #[rollup(count, of = "Task", via = "project")]
    pub tasks: i64,
    /// The number of tasks that are not done.
    #[rollup(count, of = "Task", via = "project", filter = "Task::is_open")]
    pub open_tasks: i64,
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
    /// The creator of the project.
    #[created_by]
    #[refs(one, on_delete = "restrict")]
    pub created_by: Id<Member>,
    /// The last editor of the project.
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

impl Versioned for Project {
    fn version(&self) -> i64 {
        self.version
    }
}

/// The body of a request that creates a project. The creator is its first member.
#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[insertable(of = "Project", set(members))]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    /// The name of the project.
    pub name: String,
}

/// The body of a request that changes a project.
#[derive(Debug, Deserialize, Patch, Validate, ToSchema)]
#[patch(of = "Project", validate)]
#[serde(deny_unknown_fields)]
pub struct ProjectPatch {
    /// A new name.
    #[garde(length(chars, min = 1, max = 100))]
    #[serde(default)]
    pub name: Presence<String>,
}
