//! Documents for an empty database.

use mongo_odm::prelude::*;

use crate::model::{
    Member, NewComment, NewMember, NewProject, NewTag, NewTask, NewTeam, Project, Tag, Task, Team,
};

/// Inserts two teams with a project each, unless the database contains a team.
///
/// # Errors
///
/// An error of the database.
pub async fn insert_if_empty(odm: &Odm) -> mongo_odm::Result<()> {
    if Team::exists(odm).await? {
        return Ok(());
    }
    insert_gardeners(odm).await?;
    insert_cooks(odm).await
}

async fn insert_gardeners(odm: &Odm) -> mongo_odm::Result<()> {
    let team = insert_team(odm, "Gardeners").await?;
    let odm = odm.for_tenant(team);
    let (ada, ben) = (member(team, "Ada"), member(team, "Ben"));
    Member::insert_many(&odm, [&ada, &ben]).await?;
    let name = "urgent".to_owned();
    let urgent = NewTag { name }.in_team(team);
    urgent.insert(&odm).await?;

    let odm = odm.acting_as(ada.id);
    let garden = insert_project(&odm, "Garden", &ada).await?;
    garden.link_members(&odm, [ben.id]).await?;
    let water = task(&garden, "Water the beans", Some(&ben), &[urgent.id]);
    water.insert(&odm).await?;
    let heap = task(&garden, "Build a compost heap", None, &[]);
    heap.insert(&odm).await?;
    let text = "Twice a week is enough.".to_owned();
    let comment = NewComment { text }.on_task(team, water.id, ada.id);
    comment.insert(&odm).await?;
    Ok(())
}

async fn insert_cooks(odm: &Odm) -> mongo_odm::Result<()> {
    let team = insert_team(odm, "Kitchen staff").await?;
    let odm = odm.for_tenant(team);
    let cleo = member(team, "Cleo");
    cleo.insert(&odm).await?;
    let odm = odm.acting_as(cleo.id);
    let kitchen = insert_project(&odm, "Kitchen", &cleo).await?;
    let soup = task(&kitchen, "Cook a soup", Some(&cleo), &[]);
    soup.insert(&odm).await?;
    Ok(())
}

async fn insert_team(odm: &Odm, name: &str) -> mongo_odm::Result<Id<Team>> {
    let name = name.to_owned();
    let team = Team::from(NewTeam { name });
    team.insert(odm).await?;
    Ok(team.id)
}

async fn insert_project(odm: &Odm, name: &str, creator: &Member) -> mongo_odm::Result<Project> {
    let name = name.to_owned();
    let project = NewProject { name }.by(creator.team, creator.id);
    project.insert(odm).await?;
    Ok(project)
}

fn member(team: Id<Team>, name: &str) -> Member {
    let new = NewMember {
        name: name.to_owned(),
        email: format!("{}@example.org", name.to_lowercase()),
    };
    new.in_team(team)
}

fn task(project: &Project, title: &str, assignee: Option<&Member>, tags: &[Id<Tag>]) -> Task {
    let new = NewTask {
        title: title.to_owned(),
        details: String::new(),
        assignee: assignee.map(|member| member.id),
        tags: tags.to_vec(),
    };
    new.in_project(project.team, project.id, project.created_by)
}
