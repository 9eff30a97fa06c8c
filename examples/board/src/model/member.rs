//! The members of a team.

use garde::Validate;
use mongo_odm::prelude::*;
use utoipa::ToSchema;

use super::{Project, Team, Versioned};

/// A member of a team. Members create tasks and write comments.
#[derive(Clone, Debug, Serialize, Deserialize, Model, Validate, ToSchema)]
#[model(
    collection = "members",
    tenant = "team",
    validate,
    index(keys(name = 1, id = 1))
)]
#[garde(allow_unvalidated)]
pub struct Member {
    /// The id of the member.
    #[serde(rename = "_id")]
    pub id: Id<Member>,
    /// The team, which is the tenant of the member.
    pub team: Id<Team>,
    /// The name, which tasks and comments copy.
    #[garde(length(chars, min = 1, max = 60))]
    pub name: String,
    /// The email address, which is unique in the team.
    #[index(unique)]
    #[garde(contains("@"), length(chars, max = 200))]
    pub email: String,
    /// The projects of the member, including deleted projects, because these projects can be restored.
    #[refs(many, inverse = "members", max = 100)]
    #[serde(default)]
    pub projects: Vec<Id<Project>>,
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
    /// The number of changes, which is also the entity tag.
    #[version]
    pub version: i64,
}

impl Versioned for Member {
    fn version(&self) -> i64 {
        self.version
    }
}

/// The body of a request that creates a member.
#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[insertable(of = "Member")]
#[serde(deny_unknown_fields)]
pub struct NewMember {
    /// The name.
    pub name: String,
    /// The email address.
    pub email: String,
}

/// The body of a request that changes a member.
#[derive(Debug, Deserialize, Patch, Validate, ToSchema)]
#[patch(of = "Member", validate)]
#[serde(deny_unknown_fields)]
pub struct MemberPatch {
    /// A new name.
    #[garde(length(chars, min = 1, max = 60))]
    #[serde(default)]
    pub name: Presence<String>,
}
