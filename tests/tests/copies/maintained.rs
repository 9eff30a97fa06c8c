//! Maintained fields: the writes that set them, and the stored values.

mod actors;
mod changes;
mod derived;
mod older;
mod random;
mod statements;
mod transactions;
mod versions;
mod writes;

use mongo_odm::{Odm, bson::Document, prelude::*};
use mongo_odm_testkit::TestClock;
use odm_tests::Harness;

use crate::setting::*;

/// A document that no derived data depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_notes")]
pub struct Note {
    #[serde(rename = "_id")]
    pub id: Id<Note, i64>,
    pub text: String,
    #[serde(default)]
    pub stars: i64,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
}

/// A document with copies, which is also the source of copies, summaries and a mirror.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: Id<Task, i64>,
    pub title: String,
    #[parent_ref(inverse = "tasks")]
    pub owner: Option<Id<Person, i64>>,
    #[denorm(from = Person.name, via = owner)]
    pub owner_name: Option<String>,
    #[refs(one, on_delete = "nullify")]
    pub note: Option<Id<Note, i64>>,
    #[refs(many, on_delete = "pull")]
    pub notes: Vec<Id<Note, i64>>,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: Id<Person, i64>,
    pub name: String,
    #[refs(many, inverse = "owner")]
    pub tasks: Vec<Id<Task, i64>>,
    #[rollup(count, of = Task, via = owner)]
    pub count: i64,
    #[rollup(max, of = Task, via = owner, field = updated)]
    pub last_update: Option<DateTime>,
    #[recent(of = Task, via = owner, sort = created, limit = 3)]
    pub recent: Vec<TaskTime>,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = Task)]
pub struct TaskTime {
    #[serde(rename = "_id")]
    pub id: Id<Task, i64>,
    pub created: DateTime,
}

/// The value that maintained fields have in new structs. It is stored only if the library does not replace it.
pub const GIVEN: i64 = 99;

pub fn at(millis: i64) -> DateTime {
    DateTime::from_millis(millis)
}

pub fn id<M>(id: i64) -> Id<M, i64> {
    Id::from_key(id)
}

pub fn note(number: i64) -> Note {
    Note {
        id: id(number),
        text: format!("note {number}"),
        stars: 0,
        created: at(GIVEN),
        updated: at(GIVEN),
    }
}

pub fn task(number: i64) -> Task {
    Task {
        id: id(number),
        title: format!("task {number}"),
        owner: None,
        owner_name: None,
        note: None,
        notes: Vec::new(),
        created: at(GIVEN),
        updated: at(GIVEN),
    }
}

pub fn person(number: i64) -> Person {
    Person {
        id: id(number),
        name: format!("person {number}"),
        tasks: Vec::new(),
        count: 0,
        last_update: None,
        recent: Vec::new(),
        created: at(GIVEN),
        updated: at(GIVEN),
    }
}

/// Opens a database that has the indexes of these models. Also returns the clock of the handle, which starts at 1 ms.
pub async fn clocked(test: &str) -> (Harness, TestClock) {
    let (mut t, clock) = (empty(test).await, TestClock::at(at(1)));
    t.odm = clock.handle(&t.odm);
    let sync = t.odm.sync_indexes().only::<Note>().only::<Task>();
    sync.only::<Person>().await.unwrap();
    (t, clock)
}

/// Returns the stored `created` and `updated` times of a document.
pub async fn times(odm: &Odm, collection: &str, id: i64) -> (i64, i64) {
    let stored: Document = raw(odm, collection, id).await;
    let time = |name: &str| stored.get_datetime(name).unwrap().timestamp_millis();
    (time("created"), time("updated"))
}
