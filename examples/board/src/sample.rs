//! Documents for an empty database.

use mongo_odm::prelude::*;

use crate::model::{Member, NewComment, NewMember, NewProject, NewTag, NewTask, Tag};

/// Inserts a project with two members and a few tasks, unless the database contains a member.
///
/// # Errors
///
/// An error of the database.
pub async fn insert_if_empty(odm: &Odm) -> mongo_odm::Result<()> {
    if Member::exists(odm).await? {
        return Ok(());
    }
    let member = |name: &str| {
        Member::from(NewMember {
            name: name.to_owned(),
            email: format!("{}@example.org", name.to_lowercase()),
        })
    };
    let (ada, ben) = (member("Ada"), member("Ben"));
    let urgent = Tag::from(NewTag {
        name: "urgent".to_owned(),
    });
    Member::insert_many(odm, [&ada, &ben]).await?;
    urgent.insert(odm).await?;

    let odm = odm.acting_as(ada.id);
    let name = "Garden".to_owned();
    let garden = NewProject { name }.by(ada.id);
    garden.insert(&odm).await?;
    garden.link_members(&odm, [ben.id]).await?;

    let task = |title: &str, assignee: Option<&Member>, tags: &[Id<Tag>]| {
        let new = NewTask {
            title: title.to_owned(),
            details: String::new(),
            assignee: assignee.map(|member| member.id),
            tags: tags.to_vec(),
        };
        new.in_project(garden.id, ada.id)
    };
    let water = task("Water the beans", Some(&ben), &[urgent.id]);
    water.insert(&odm).await?;
    task("Build a compost heap", None, &[]).insert(&odm).await?;
    let text = "Twice a week is enough.".to_owned();
    let comment = NewComment { text }.on_task(water.id, ada.id);
    comment.insert(&odm).await?;
    Ok(())
}
