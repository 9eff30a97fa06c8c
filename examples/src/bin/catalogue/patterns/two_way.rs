//! Two-way references: a person refers to tasks, and each task refers to its owner.

use anyhow::{Context, Result};
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, date, few};

use crate::models::{Person, PersonName, Task};

/// Loads the tasks of a person, and then the owner of a task.
pub async fn both_ways(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Two-way references",
        "Both directions are one `find`; a change of owner moves both ends.",
    );
    let odm = &stage.odm;
    let busy = Person::fields().tasks.exists() & !Person::fields().tasks.size(0);
    let person = Person::find_one(odm).filter(busy).require().await?;

    let tasks = ask!(stage, person.load_tasks(odm));
    stage.answer(format!(
        "{}: {}",
        person.name,
        few(tasks.iter().map(|t| &t.description))
    ));

    let task = tasks.first().context("this person has tasks")?;
    let owner = ask!(stage, task.load_owner(odm).select::<PersonName>());
    let owner = owner.context("the task has lost its owner")?;
    stage.answer(format!("{} belongs to {}", task.description, owner.name));
    Ok(())
}

/// Joins in both directions for many documents, with filters and projections.
pub async fn many_people(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Two-way references of many documents",
        "A filter, a sort and a projection are part of the join.",
    );
    let odm = &stage.odm;
    let people = Person::find(odm)
        .sort(Person::fields().name.asc())
        .limit(50)
        .await?;
    let due = DateTime::from_millis(1_396_300_000_000);
    let tasks = ask!(
        stage,
        Person::join_tasks(&people, odm)
            .filter(Task::fields().due_date.lt(due))
            .sort(Task::fields().due_date.asc())
    );
    for person in people
        .iter()
        .filter(|person| tasks.of(person).len() > 1)
        .take(2)
    {
        let tasks = tasks
            .of(person)
            .map(|task| format!("{} {}", date(task.due_date), task.description));
        stage.answer(format!("{}: {}", person.name, few(tasks)));
    }

    let urgent = Task::find(odm)
        .sort(Task::fields().due_date.asc())
        .limit(20)
        .await?;
    let owners = ask!(stage, Task::join_owner(&urgent, odm).select::<PersonName>());
    let names = urgent
        .iter()
        .filter_map(|task| owners.one_of(task))
        .map(|owner| &owner.name);
    stage.answer(format!("the 20 most urgent tasks belong to {}", few(names)));
    Ok(())
}
