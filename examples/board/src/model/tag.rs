//! Tags, which group tasks of all projects.

use garde::Validate;
use mongo_odm::prelude::*;
use utoipa::ToSchema;

use super::{Task, Team, Versioned};

/// A tag. The tasks contain the ids of their tags, and the tag does not contain the ids of its tasks.
#[derive(Clone, Debug, Serialize, Deserialize, Model, Validate, ToSchema)]
#[model(
    collection = "tags",
    tenant = "team",
    validate,
    index(keys(name = 1, id = 1)),
    has_many(tasks = "Task.tags")
)]
#[garde(allow_unvalidated)]
pub struct Tag {
    /// The id of the tag.
    #[serde(rename = "_id")]
    pub id: Id<Tag>,
    /// The team, which is the tenant of the tag.
    pub team: Id<Team>,
    /// The name, which is unique in the team.
    #[index(unique, locale = "en", strength = 2)]
    #[garde(length(chars, min = 1, max = 40))]
    pub name: String,
    /// The number of tasks that have the tag.
    #[rollup(count, of = "Task", via = "tags")]
    pub tasks: i64,
    /// The number of changes, which is also the entity tag.
    #[version]
    pub version: i64,
}

impl Versioned for Tag {
    fn version(&self) -> i64 {
        self.version
    }
}

/// The body of a request that creates a tag.
#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[insertable(of = "Tag")]
#[serde(deny_unknown_fields)]
pub struct NewTag {
    /// The name.
    pub name: String,
}

/// The body of a request that changes a tag.
#[derive(Debug, Deserialize, Patch, Validate, ToSchema)]
#[patch(of = "Tag", validate)]
#[serde(deny_unknown_fields)]
pub struct TagPatch {
    /// A new name.
    #[garde(length(chars, min = 1, max = 40))]
    #[serde(default)]
    pub name: Presence<String>,
}
