//! The teams that use the service. A team is a tenant.

use garde::Validate;
use mongo_odm::prelude::*;
use utoipa::ToSchema;

/// A team. Each document of the other models belongs to one team. The documents of this model are shared by all teams.
#[derive(Clone, Debug, Serialize, Deserialize, Model, Validate, ToSchema)]
#[model(collection = "teams", validate)]
#[garde(allow_unvalidated)]
pub struct Team {
    /// The id of the team.
    #[serde(rename = "_id")]
    pub id: Id<Team>,
    /// The name.
    #[index(unique)]
    #[garde(length(chars, min = 1, max = 60))]
    pub name: String,
    /// The time of the insert.
    #[created_at]
    #[serde(with = "mongo_odm::with::native")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: DateTime,
}

/// The body of a request that creates a team.
#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[insertable(of = "Team")]
#[serde(deny_unknown_fields)]
pub struct NewTeam {
    /// The name.
    pub name: String,
}
