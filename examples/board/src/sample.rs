//! Documents for an empty database.

use mongo_odm::prelude::*;

use crate::model::{
    Comment, Member, NewComment, NewMember, NewProject, NewTag, NewTask, NewTeam, Project, Tag,
    Task, Team,
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
    let odm = insert_team(odm, "Gardeners").await?;
    let members = ["Ada", "Ben"].map(member);
    let members = NewMember::insert_many(&odm, &members).await?;
    let [ada, ben] = &*members else {
        return Ok(());
    };
    let name = "urgent".to_owned();
    let urgent = NewTag { name }.insert(&odm).await?;

    let odm = odm.acting_as(ada.id);
    let garden = insert_project(&odm, "Garden", ada).await?;
    garden.link_members(&odm, [ben.id]).await?;
    let (in_garden, task) = (Task::fields().project, Comment::fields().task);
    let water = task_for("Water the beans", Some(ben), &[urgent.id]);
    let water = water.insert(&odm).set(in_garden, garden.id).await?;
    let heap = task_for("Build a compost heap", None, &[]);
    heap.insert(&odm).set(in_garden, garden.id).await?;
    let text = "Twice a week is enough.".to_owned();
    let comment = NewComment { text }.insert(&odm);
    comment.set(task, water.id).await?;
    Ok(())
}

async fn insert_cooks(odm: &Odm) -> mongo_odm::Result<()> {
    let odm = insert_team(odm, "Kitchen staff").await?;
    let cleo = member("Cleo").insert(&odm).await?;
    let odm = odm.acting_as(cleo.id);
    let kitchen = insert_project(&odm, "Kitchen", &cleo).await?;
    let soup = task_for("Cook a soup", Some(&cleo), &[]).insert(&odm);
    soup.set(Task::fields().project, kitchen.id).await?;
    Ok(())
}

/// Inserts a team, and returns a handle for its documents.
async fn insert_team(odm: &Odm, name: &str) -> mongo_odm::Result<Odm> {
    let name = name.to_owned();
    let team = NewTeam { name }.insert(odm).await?;
    Ok(odm.for_tenant(team.id))
}

async fn insert_project(odm: &Odm, name: &str, creator: &Member) -> mongo_odm::Result<Project> {
    let name = name.to_owned();
    let insert = NewProject { name }.insert(odm);
    insert.set(Project::fields().members, [creator.id]).await
}

fn member(name: &str) -> NewMember {
    NewMember {
        name: name.to_owned(),
        email: format!("{}@example.org", name.to_lowercase()),
    }
}

fn task_for(title: &str, assignee: Option<&Member>, tags: &[Id<Tag>]) -> NewTask {
    NewTask {
        title: title.to_owned(),
        details: String::new(),
        assignee: assignee.map(|member| member.id),
        tags: tags.to_vec(),
    }
}
