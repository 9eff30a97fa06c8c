//! The measured changes.

use mongo_odm::{Odm, prelude::*};
use odm_benches::{Result, place::fill};

use crate::models::{Member, Note, OldNote, Project, Subtask, Task};

/// Number of copies of each renamed source.
const COPIES: i64 = 10;

/// Number of subtasks of each deleted task.
const SUBTASKS: i64 = 3;

/// A change that affects many documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// `update_many` of sources that have ten copies each.
    Rename,
    /// `insert_many` of documents that have copies and are counted in their parent.
    Insert,
    /// Delete of a parent. The children of this parent have children of their own, a copy and a
    /// counter.
    Cascade,
    /// Delete of a document to which optional references with a copy refer.
    Nullify,
    /// A move (`move_documents`) of documents to which no other document refers.
    Move,
    /// A repair of copies that have become stale because another program changed them. Each source
    /// has ten copies.
    Repair,
}

impl Change {
    pub(crate) const ALL: [Self; 6] = [
        Self::Rename,
        Self::Insert,
        Self::Cascade,
        Self::Nullify,
        Self::Move,
        Self::Repair,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::Insert => "insert",
            Self::Cascade => "cascade",
            Self::Nullify => "nullify",
            Self::Move => "move",
            Self::Repair => "repair",
        }
    }

    /// Stores the documents with the driver, so that the library's own writes are not part of the
    /// measurement.
    pub(crate) async fn prepare(self, size: i64, odm: &Odm) -> Result<()> {
        match self {
            Self::Rename => {
                fill((0..size).map(|id| project(id, COPIES)), odm).await?;
                fill((0..size * COPIES).map(|id| task(id, id / COPIES, 0)), odm).await
            }
            Self::Insert => fill([project(0, 0)].into_iter(), odm).await,
            Self::Cascade => {
                fill([project(0, size)].into_iter(), odm).await?;
                fill((0..size).map(|id| task(id, 0, SUBTASKS)), odm).await?;
                fill((0..size * SUBTASKS).map(subtask), odm).await
            }
            Self::Nullify => {
                fill([project(0, size)].into_iter(), odm).await?;
                fill([member()].into_iter(), odm).await?;
                fill((0..size).map(|id| task(id, 0, 0)), odm).await
            }
            Self::Move => fill((0..size).map(old_note), odm).await,
            Self::Repair => {
                fill([member()].into_iter(), odm).await?;
                fill((0..=size / COPIES).map(|id| project(id, COPIES)), odm).await?;
                fill((0..size).map(|id| stale_task(id, id / COPIES)), odm).await
            }
        }
    }

    pub(crate) async fn run(self, size: i64, odm: &Odm) -> Result<()> {
        match self {
            Self::Rename => {
                let change = vec![doc! { "$set": { "name": { "$concat": ["x", "$name"] } } }];
                Project::update_many(odm, Filter::all())
                    .modifications(change)
                    .await?;
            }
            Self::Insert => {
                let tasks: Vec<Task> = (0..size).map(|id| task(id, 0, 0)).collect();
                Task::insert_many(odm, &tasks).await?;
            }
            Self::Cascade => {
                Project::delete(odm, Id::from_key(0)).await?;
            }
            Self::Nullify => {
                Member::delete(odm, Id::from_key(0)).await?;
            }
            Self::Move => {
                let moved = odm.move_documents(|old: OldNote| Note {
                    id: Id::from_key(*old.id.key()),
                    text: old.text,
                });
                moved.await?;
            }
            Self::Repair => {
                odm.verify().repair().await?;
            }
        }
        Ok(())
    }

    /// Fails if a stored document does not have the state that the change should result in.
    pub(crate) async fn check(self, size: i64, odm: &Odm) -> Result<()> {
        let count = async |name: &str, filter| {
            let all = odm.database().collection::<mongo_odm::bson::Document>(name);
            let count = all.count_documents(filter).await;
            count.map(i64::try_from)
        };
        let (found, expected) = match self {
            Self::Rename => {
                let renamed = doc! { "project_name": { "$regex": "^x" } };
                (count("large_tasks", renamed).await??, size * COPIES)
            }
            Self::Insert => {
                let counted = doc! { "tasks": size };
                (count("large_projects", counted).await??, 1)
            }
            Self::Cascade => {
                let left = count("large_subtasks", doc! {}).await??;
                (left + count("large_tasks", doc! {}).await??, 0)
            }
            Self::Nullify => {
                let empty = doc! { "member": null, "member_name": null };
                (count("large_tasks", empty).await??, size)
            }
            Self::Move => (count("large_notes", doc! {}).await??, size),
            Self::Repair => {
                let stale = doc! { "project_name": "stale" };
                (count("large_tasks", stale).await??, 0)
            }
        };
        if found == expected {
            return Ok(());
        }
        let name = self.name();
        Err(format!("{name} of {size}: {found} documents instead of {expected}").into())
    }
}

fn project(id: i64, tasks: i64) -> Project {
    Project {
        id: Id::from_key(id),
        name: format!("project {id}"),
        tasks,
    }
}

fn member() -> Member {
    Member {
        id: Id::from_key(0),
        name: "member".to_owned(),
    }
}

pub(crate) fn task(id: i64, of: i64, subtasks: i64) -> Task {
    Task {
        id: Id::from_key(id),
        title: format!("task {id}"),
        project: Id::from_key(of),
        project_name: format!("project {of}"),
        member: Some(Id::from_key(0)),
        member_name: Some("member".to_owned()),
        subtasks,
    }
}

fn stale_task(id: i64, of: i64) -> Task {
    Task {
        project_name: "stale".to_owned(),
        ..task(id, of, 0)
    }
}

fn old_note(id: i64) -> OldNote {
    OldNote {
        id: Id::from_key(id),
        text: format!("note {id}"),
    }
}

fn subtask(id: i64) -> Subtask {
    let task = id / SUBTASKS;
    Subtask {
        id: Id::from_key(id),
        task: Id::from_key(task),
        task_title: format!("task {task}"),
    }
}
