//! The models of the tests, and a database with their indexes.

use std::time::Duration;

use mongo_odm::{
    Odm, Settings, Settle,
    bson::{Bson, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_projects", has_many(tasks = "Task.project"))]
pub struct Project {
    #[serde(rename = "_id")]
    pub id: Id<Project, i64>,
    pub name: String,
    #[index(unique)]
    pub slug: String,
    #[rollup(count, of = Task, via = project)]
    pub tasks: i64,
    #[rollup(sum, of = Task, via = project, field = hours)]
    pub hours: i64,
    #[rollup(max, of = Task, via = project, field = hours)]
    pub longest: Option<i64>,
    #[rollup(count, of = Task, via = project, filter = "done_tasks")]
    pub done: i64,
    #[recent(of = Task, via = project, sort = number, limit = 3)]
    pub recent: Vec<TaskLine>,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = Task)]
pub struct TaskLine {
    #[serde(rename = "_id")]
    pub id: Id<Task, i64>,
    pub number: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_tasks", has_many(comments = "Comment.task"))]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: Id<Task, i64>,
    pub number: i64,
    pub hours: i64,
    pub done: bool,
    #[parent_ref(on_delete = "cascade", exists)]
    pub project: Id<Project, i64>,
    #[denorm(from = Project.name, via = project)]
    pub project_name: Option<String>,
    #[refs(one, on_delete = "restrict")]
    pub owner: Option<Id<Member, i64>>,
    #[refs(many, on_delete = "pull")]
    pub labels: Vec<Id<Label, i64>>,
    #[deleted_at]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<DateTime>,
    #[version]
    #[serde(default)]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_comments")]
pub struct Comment {
    #[serde(rename = "_id")]
    pub id: Id<Comment, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub task: Id<Task, i64>,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_members")]
pub struct Member {
    #[serde(rename = "_id")]
    pub id: Id<Member, i64>,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_labels")]
pub struct Label {
    #[serde(rename = "_id")]
    pub id: Id<Label, i64>,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
}

/// Returns a filter for the tasks that are done.
pub fn done_tasks() -> Filter<Task> {
    Task::fields().done.eq(true)
}

pub fn id<M>(number: i64) -> Id<M, i64> {
    Id::from_key(number)
}

pub fn project(number: i64) -> Project {
    Project {
        id: id(number),
        name: format!("project {number}"),
        slug: format!("p{number}"),
        tasks: 0,
        hours: 0,
        longest: None,
        done: 0,
        recent: Vec::new(),
        deleted_at: None,
    }
}

pub fn task(number: i64, project: i64) -> Task {
    Task {
        id: id(number),
        number,
        hours: number * 10,
        done: number % 2 == 0,
        project: id(project),
        project_name: None,
        owner: None,
        labels: Vec::new(),
        deleted_at: None,
        version: 0,
    }
}

pub fn comment(number: i64, task: i64) -> Comment {
    Comment {
        id: id(number),
        task: id(task),
        deleted_at: None,
    }
}

pub fn member(number: i64) -> Member {
    Member {
        id: id(number),
        deleted_at: None,
    }
}

pub fn label(number: i64) -> Label {
    Label {
        id: id(number),
        deleted_at: None,
    }
}

/// Returns settings with which jobs run only on request, and take their last look without a delay.
pub fn settings() -> Settings {
    Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::ZERO)
}

/// Opens a database that has the indexes of the models.
pub async fn board(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    let sync = t.odm.sync_indexes().only::<Project>().only::<Task>();
    let sync = sync.only::<Comment>().only::<Member>();
    sync.only::<Label>().await.unwrap();
    t.forget();
    t
}

/// Opens a board with two projects. The first has the tasks 1 to 3, with two comments at task 1.
pub async fn filled(test: &str) -> Harness {
    let t = board(test).await;
    t.given(&[project(1), project(2)]).await;
    t.given(&[task(1, 1), task(2, 1), task(3, 1), task(4, 2)])
        .await;
    t.given(&[comment(1, 1), comment(2, 1), comment(3, 4)])
        .await;
    t.odm.run_pending_jobs().await.unwrap();
    t.forget();
    t
}

/// Returns a handle that leaves all dependent documents to jobs, even if there is only one.
pub fn by_jobs(odm: &Odm) -> Odm {
    odm.with_settings(settings().inline_copies(0))
}

/// Reads a stored document without the library.
pub async fn stored(odm: &Odm, collection: &str, number: i64) -> Option<Document> {
    let documents = odm.database().collection::<Document>(collection);
    documents.find_one(doc! { "_id": number }).await.unwrap()
}

/// Whether a stored document is marked as deleted.
pub async fn is_deleted(odm: &Odm, collection: &str, number: i64) -> bool {
    let stored = stored(odm, collection, number).await.unwrap();
    matches!(stored.get("deleted_at"), Some(Bson::DateTime(_)))
}

/// Asserts that `verify` finds nothing.
pub async fn assert_verified(odm: &Odm) {
    let report = odm.verify().await.unwrap();
    assert!(report.is_empty(), "{report}");
}

/// Returns the ids of the live documents of a model.
pub async fn live<M: Model<Key = i64>>(odm: &Odm) -> Vec<i64> {
    let collection = odm.collection::<M>().clone_with_type::<Document>();
    let live = doc! { "deleted_at": null };
    let mut found = collection.find(live).sort(doc! { "_id": 1 }).await.unwrap();
    let mut ids = Vec::new();
    while found.advance().await.unwrap() {
        ids.push(found.current().get_i64("_id").unwrap());
    }
    let visible: u64 = M::count(odm).await.unwrap();
    assert_eq!(visible, ids.len() as u64);
    ids
}
