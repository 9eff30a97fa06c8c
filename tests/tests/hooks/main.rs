//! Hooks: the writes that call them, their order, and the stored documents after a failed hook.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod deletes;
mod inserts;
mod kept_values;
mod nested;
mod panics;
mod required;
mod standalone;
mod statements;
mod times;
mod transactions;
mod two_way;
mod updates;
mod upserts;
mod who;
mod writes_of_deletes;

use std::time::Duration;

use futures_util::TryStreamExt;
use mongo_odm::{
    Committed, CustomError, Error, Settings, Settle, Update, bson::Document, prelude::*,
};
use odm_tests::Harness;

/// A document with all hooks except `before_delete`. The hooks record their calls, unless the title is "light". The
/// document contains a copy, and a summary counts it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_tasks", hooks, validate)]
#[derive(garde::Validate)]
#[garde(allow_unvalidated)]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: Id<Task, i64>,
    #[garde(length(max = 20))]
    pub title: String,
    #[serde(default)]
    #[garde(length(max = 20))]
    pub slug: String,
    #[parent_ref]
    pub owner: Option<Id<Person, i64>>,
    #[denorm(from = Person.name, via = owner)]
    #[serde(default)]
    pub owner_name: Option<String>,
    #[embed(max = 2)]
    #[serde(default)]
    pub notes: Vec<Note>,
    #[created_at]
    pub created: DateTime,
    #[updated_at]
    pub updated: DateTime,
    #[version]
    #[serde(default)]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Note {
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_people", has_many(tasks = "Task.owner"))]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: Id<Person, i64>,
    pub name: String,
    #[rollup(count, of = Task, via = owner)]
    pub count: i64,
    #[rollup(max, of = Task, via = owner, field = slug)]
    pub last: Option<String>,
}

/// A document that a hook writes inside the transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_events")]
pub struct Event {
    #[serde(rename = "_id")]
    pub id: Id<Event>,
    pub text: String,
}

/// A document that a hook writes outside of the transaction. It remains after an abort, so each call of a hook is
/// visible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_calls")]
pub struct Call {
    #[serde(rename = "_id")]
    pub id: Id<Call>,
    pub text: String,
}

#[derive(Debug, PartialEq)]
pub struct Refused(pub String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the title {} is not allowed", self.0)
    }
}

impl std::error::Error for Refused {}

impl CustomError for Refused {}

impl Hooks for Task {
    async fn before_insert(&mut self, tx: &Tx) -> mongo_odm::Result<()> {
        let id = self.id.key();
        if self.title != "light" {
            record(format!("insert {id}"), tx).await?;
        }
        match self.title.as_str() {
            "refused" => return Err(Refused(self.title.clone()).into()),
            "other id" => self.id = self::id(99),
            "unsluggable" => self.slug = "x".repeat(30),
            "busy" => conflict(tx).await?,
            "slow" => tokio::time::sleep(Duration::from_millis(300)).await,
            "again" => self::task(1, "again").insert(tx).await.map(|_| ())?,
            _ => {}
        }
        if self.slug.is_empty() {
            self.slug = format!("{}-new", self.title);
        }
        Ok(())
    }

    async fn before_update(&self, change: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        let (id, task) = (self.id.key(), Task::fields());
        if self.title != "light" {
            record(format!("update {id} of {}", self.title), tx).await?;
        }
        if self.notes.first().is_some_and(|note| note.text == "!") && change.is_writing(task.slug) {
            return Err(Refused(self.title.clone()).into());
        }
        let Some(title) = change.value_set(task.title)? else {
            return Ok(());
        };
        match title.as_str() {
            "refused" => return Err(Refused(title).into()),
            "unchanged" => return Ok(()),
            "unsluggable" => {
                change.set(task.slug, "x".repeat(30));
            }
            "twice" => {
                let unset = doc! { "$unset": { "title": "" } };
                *change = std::mem::take(change).with(unset);
            }
            "busy" => conflict(tx).await?,
            _ => {}
        }
        if title == "light" {
            change.set(task.slug, title);
        } else if !change.is_writing(task.slug) {
            change.set(task.slug, format!("{title}-{id}"));
        }
        Ok(())
    }

    async fn after_commit(&self, write: Committed, odm: &Odm) -> mongo_odm::Result<()> {
        let (id, slug) = (self.id.key(), &self.slug);
        if self.title != "light" {
            called(format!("{write:?} {id} as {slug}"), odm).await?;
        }
        match self.title.as_str() {
            "failing" => Err(Refused(self.title.clone()).into()),
            "panicking" => panic!("the hook panics"),
            _ => Ok(()),
        }
    }
}

/// Records a call inside and outside of the transaction.
async fn record(text: String, tx: &Tx) -> mongo_odm::Result<()> {
    called(text.clone(), tx.odm()).await?;
    let id = Id::new();
    Event { id, text }.insert(tx).await?;
    Ok(())
}

async fn called(text: String, odm: &Odm) -> mongo_odm::Result<()> {
    let id = Id::new();
    Call { id, text }.insert(odm).await?;
    Ok(())
}

/// Causes a write conflict at the first call, so that the transaction is retried.
async fn conflict(tx: &Tx) -> mongo_odm::Result<()> {
    let (person, name) = (id(1), Person::fields().name);
    if Person::get(tx, person).await?.name != "conflict" {
        let outside = Person::update(tx.odm(), person).set(name, "conflict");
        outside.await?;
    }
    Person::update(tx, person).set(name, "conflict").await?;
    Ok(())
}

pub fn id<M>(id: i64) -> Id<M, i64> {
    Id::from_key(id)
}

pub fn task(number: i64, title: &str) -> Task {
    Task {
        id: id(number),
        title: title.into(),
        slug: String::new(),
        owner: Some(id(1)),
        owner_name: None,
        notes: Vec::new(),
        created: DateTime::from_millis(99),
        updated: DateTime::from_millis(99),
        version: 0,
    }
}

/// Opens a database in which all programs know the declarations. Only the test runs jobs.
pub async fn empty(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    let settings = Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::ZERO);
    t.odm = t.odm.with_settings(settings);
    t.create_on_cluster(&["hook_calls", "hook_events", "hook_papers", "hook_letters"])
        .await;
    t
}

/// Opens a database that has the indexes of these models, and a person.
pub async fn database(test: &str) -> Harness {
    let t = empty(test).await;
    t.odm
        .sync_indexes()
        .only::<Task>()
        .only::<Person>()
        .await
        .unwrap();
    let (id, name) = (id(1), "ann".to_owned());
    t.given(&[Person {
        id,
        name,
        count: 0,
        last: None,
    }])
    .await;
    t
}

/// Stores tasks with the numbers 1, 2, .. and the given titles, without hooks.
pub async fn with_tasks(test: &str, titles: &[&str]) -> Harness {
    let t = database(test).await;
    let numbered = titles.iter().zip(1..);
    let tasks: Vec<Task> = numbered
        .map(|(title, number)| task(number, title))
        .collect();
    Task::insert_many(&t.odm, &tasks)
        .without_hooks()
        .await
        .unwrap();
    t
}

/// Returns the texts of all calls, in their order, and deletes the records.
pub async fn calls(t: &Harness) -> Vec<String> {
    let all = Call::find(&t.odm)
        .sort(Call::fields().id.asc())
        .await
        .unwrap();
    Call::delete_many(&t.odm, Filter::all())
        .everything()
        .await
        .unwrap();
    all.into_iter().map(|call| call.text).collect()
}

/// Returns the texts of the stored events, in their order, and deletes the events.
pub async fn events(t: &Harness) -> Vec<String> {
    let all = Event::find(&t.odm)
        .sort(Event::fields().id.asc())
        .await
        .unwrap();
    Event::delete_many(&t.odm, Filter::all())
        .everything()
        .await
        .unwrap();
    all.into_iter().map(|event| event.text).collect()
}

pub async fn get(t: &Harness, number: i64) -> Task {
    Task::get(&t.odm, id(number)).await.unwrap()
}

/// Returns the count and the last slug of the person.
pub async fn summary(t: &Harness) -> (i64, Option<String>) {
    let person = Person::get(&t.odm, id(1)).await.unwrap();
    (person.count, person.last)
}

/// Checks that an error is that of the given hook, which has rejected the title "refused".
pub fn assert_refused(error: &Error, hook: &str) {
    let Error::Hook {
        hook: name, model, ..
    } = error
    else {
        panic!("{error:#?}");
    };
    assert_eq!((*name, *model), (hook, "Task"));
    assert_eq!(error.get_custom(), Some(&Refused("refused".into())));
    assert_eq!(error.code(), "odm.hook");
    assert_eq!(error.kind().http_status(), 422);
}

pub async fn stored(t: &Harness) -> Vec<Document> {
    let tasks = t.database().collection("hook_tasks");
    let all = tasks.find(doc! {}).sort(doc! { "_id": 1 }).await;
    all.unwrap().try_collect().await.unwrap()
}
