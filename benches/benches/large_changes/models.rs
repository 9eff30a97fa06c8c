//! The models: projects that have tasks, and tasks that have members and subtasks. Each level has
//! copies and counters.

use mongo_odm::prelude::*;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "large_projects")]
pub(crate) struct Project {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Project, i64>,
    pub(crate) name: String,
    #[rollup(count, of = "Task", via = "project")]
    pub(crate) tasks: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "large_members")]
pub(crate) struct Member {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Member, i64>,
    pub(crate) name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "large_tasks")]
pub(crate) struct Task {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Task, i64>,
    pub(crate) title: String,
    #[parent_ref(on_delete = "cascade")]
    pub(crate) project: Id<Project, i64>,
    #[denorm(from = "Project.name", via = "project")]
    pub(crate) project_name: String,
    #[parent_ref(on_delete = "nullify")]
    pub(crate) member: Option<Id<Member, i64>>,
    #[denorm(from = "Member.name", via = "member")]
    pub(crate) member_name: Option<String>,
    #[rollup(count, of = "Subtask", via = "task")]
    pub(crate) subtasks: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "large_subtasks")]
pub(crate) struct Subtask {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Subtask, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub(crate) task: Id<Task, i64>,
    #[denorm(from = "Task.title", via = "task")]
    pub(crate) task_title: String,
}

/// A document that a move stores in another collection.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "large_old_notes")]
pub(crate) struct OldNote {
    #[serde(rename = "_id")]
    pub(crate) id: Id<OldNote, i64>,
    pub(crate) text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "large_notes")]
pub(crate) struct Note {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Note, i64>,
    pub(crate) text: String,
}
