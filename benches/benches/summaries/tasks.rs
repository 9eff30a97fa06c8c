//! Tasks with an owner who knows something of them, and what a move of a task is by hand.

use mongo_odm::{
    Odm,
    bson::Document,
    mongodb::{
        ClientSession,
        error::{Error, Result as DriverResult},
    },
    prelude::*,
};
use odm_benches::Result;

use crate::hand::{Hand, Statements};

const PEOPLE: &str = "summarizing_people";
const TASKS: &str = "summarized_tasks";

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "summarizing_people")]
pub(crate) struct Person {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Person>,
    pub(crate) name: String,
    #[rollup(count, of = "Task", via = "owner")]
    pub(crate) tasks: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "summarized_tasks")]
pub(crate) struct Task {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Task>,
    pub(crate) description: String,
    #[parent_ref]
    pub(crate) owner: Id<Person>,
}

/// Returns a person who knows of some tasks.
pub(crate) fn person(number: usize, tasks: usize) -> Person {
    Person {
        id: Id::new(),
        name: format!("Kate Monster {number}"),
        tasks: i64::try_from(tasks).unwrap_or_default(),
    }
}

pub(crate) fn task(number: usize, owner: Id<Person>) -> Task {
    Task {
        id: Id::new(),
        description: format!("write lesson plan {number}"),
        owner,
    }
}

/// Gives a task to another owner with the library.
pub(crate) async fn reassign(odm: &Odm, task: Id<Task>, to: Id<Person>) -> Result<()> {
    let moved = Task::update(odm, task).set(Task::fields().owner, to);
    moved.await?;
    Ok(())
}

/// The same by hand, in a transaction.
pub(crate) struct Reassignment {
    pub(crate) task: ObjectId,
    pub(crate) to: ObjectId,
}

impl Statements for Reassignment {
    async fn send(&self, hand: &Hand, session: &mut ClientSession) -> DriverResult<()> {
        let tasks = hand.collection::<Document>(TASKS);
        let new = doc! { "$set": { "owner": self.to } };
        let moved = tasks
            .find_one_and_update(doc! { "_id": self.task }, new)
            .projection(doc! { "owner": 1 });
        let before = moved.session(&mut *session).await?;
        let owner = before
            .as_ref()
            .and_then(|it| it.get_object_id("owner").ok());
        let from = owner.ok_or_else(|| Error::custom("no task with an owner"))?;
        hand.update_all(PEOPLE, updates(from, self.to), session)
            .await
    }
}

/// Returns what a move changes at both ends.
fn updates(from: ObjectId, to: ObjectId) -> Vec<Document> {
    let counts =
        |id: ObjectId, by: i64| doc! { "q": { "_id": id }, "u": { "$inc": { "tasks": by } } };
    vec![counts(from, -1), counts(to, 1)]
}

/// Fails if a person does not know what the tasks say.
pub(crate) async fn check(odm: &Odm, people: &[Id<Person>]) -> Result<()> {
    for &id in people {
        let person = odm.collection::<Person>();
        let person = person.find_one(doc! { "_id": id }).await?;
        let person = person.ok_or("no person")?;
        let tasks = odm.collection::<Task>();
        let count = tasks.count_documents(doc! { "owner": id }).await?;
        if i64::try_from(count)? != person.tasks {
            return Err(format!("`{}` does not know of {count} tasks", person.name).into());
        }
    }
    Ok(())
}
