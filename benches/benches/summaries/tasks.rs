//! Tasks and their owners, which store facts about their tasks, and a change of a task's owner by
//! hand.

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
    #[refs(many, inverse = "owner")]
    pub(crate) tasks: Vec<Id<Task>>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "summarized_tasks")]
pub(crate) struct Task {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Task>,
    pub(crate) description: String,
    #[parent_ref(inverse = "tasks")]
    pub(crate) owner: Id<Person>,
}

/// Returns a person that has no tasks.
pub(crate) fn person(number: usize) -> Person {
    Person {
        id: Id::new(),
        name: format!("Kate Monster {number}"),
        tasks: Vec::new(),
    }
}

pub(crate) fn task(number: usize, owner: Id<Person>) -> Task {
    Task {
        id: Id::new(),
        description: format!("write lesson plan {number}"),
        owner,
    }
}

/// Changes the owner of a task with the library.
pub(crate) async fn reassign(odm: &Odm, task: Id<Task>, to: Id<Person>) -> Result<()> {
    let moved = Task::update(odm, task).set(Task::fields().owner, to);
    moved.await?;
    Ok(())
}

/// Changes the owner of a task by hand, in a transaction.
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
        hand.update_all(PEOPLE, self.updates(from), session).await
    }
}

impl Reassignment {
    /// Returns the updates of the old and the new owner.
    fn updates(&self, from: ObjectId) -> Vec<Document> {
        let of = |id: ObjectId, update: Document| doc! { "q": { "_id": id }, "u": update };
        vec![
            of(from, doc! { "$pull": { "tasks": self.task } }),
            of(self.to, doc! { "$push": { "tasks": self.task } }),
        ]
    }
}

/// Fails if the fields of a person do not match the person's tasks.
pub(crate) async fn check(odm: &Odm, people: &[Id<Person>]) -> Result<()> {
    for &id in people {
        let person = odm.collection::<Person>();
        let person = person.find_one(doc! { "_id": id }).await?;
        let person = person.ok_or("no person")?;
        let tasks = odm.collection::<Task>();
        let known = doc! { "owner": id, "_id": { "$in": &person.tasks } };
        let all = tasks.count_documents(doc! { "owner": id }).await?;
        let known = tasks.count_documents(known).await?;
        let listed = u64::try_from(person.tasks.len())?;
        if (known, listed) != (all, all) {
            return Err(format!("`{}` knows of {known} of {all} tasks", person.name).into());
        }
    }
    Ok(())
}
