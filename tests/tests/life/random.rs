//! Random writes, compared with a naive model, and concurrent writes.

use std::collections::{BTreeMap, BTreeSet};

use mongo_odm::{Error, Odm, prelude::*};

use crate::models::*;

/// A document of the naive model.
#[derive(Clone, Debug)]
struct Kept {
    parent: i64,
    hours: i64,
    /// The number of the delete that has marked the document.
    deleted: Option<u64>,
}

/// The documents that the collections should contain. Projects have no parent.
#[derive(Clone, Debug, Default)]
struct Naive {
    deletes: u64,
    projects: BTreeMap<i64, Kept>,
    tasks: BTreeMap<i64, Kept>,
    comments: BTreeMap<i64, Kept>,
}

fn mark(of: &mut BTreeMap<i64, Kept>, parents: &BTreeSet<i64>, delete: u64) -> BTreeSet<i64> {
    let children = of.iter_mut().filter(|(_, it)| parents.contains(&it.parent));
    let live = children.filter(|(_, it)| it.deleted.is_none());
    live.map(|(id, it)| {
        it.deleted = Some(delete);
        *id
    })
    .collect()
}

fn unmark(of: &mut BTreeMap<i64, Kept>, parents: &BTreeSet<i64>, delete: u64) -> BTreeSet<i64> {
    let children = of.iter_mut().filter(|(_, it)| parents.contains(&it.parent));
    let marked = children.filter(|(_, it)| it.deleted == Some(delete));
    marked
        .map(|(id, it)| {
            it.deleted = None;
            *id
        })
        .collect()
}

fn purge(of: &mut BTreeMap<i64, Kept>, parents: &BTreeSet<i64>) -> BTreeSet<i64> {
    let gone: BTreeSet<i64> = of
        .iter()
        .filter(|(_, it)| parents.contains(&it.parent))
        .map(|(id, _)| *id)
        .collect();
    of.retain(|id, _| !gone.contains(id));
    gone
}

impl Naive {
    fn delete_task(&mut self, task: i64) {
        let Some(it) = self.tasks.get_mut(&task).filter(|it| it.deleted.is_none()) else {
            return;
        };
        self.deletes += 1;
        it.deleted = Some(self.deletes);
        mark(&mut self.comments, &[task].into(), self.deletes);
    }

    fn restore_task(&mut self, task: i64) {
        let it = self.tasks.get_mut(&task);
        let Some(delete) = it.and_then(|it| it.deleted.take()) else {
            return;
        };
        unmark(&mut self.comments, &[task].into(), delete);
    }

    fn delete_project(&mut self, project: i64) {
        let it = self.projects.get_mut(&project);
        let Some(it) = it.filter(|it| it.deleted.is_none()) else {
            return;
        };
        self.deletes += 1;
        it.deleted = Some(self.deletes);
        let tasks = mark(&mut self.tasks, &[project].into(), self.deletes);
        mark(&mut self.comments, &tasks, self.deletes);
    }

    fn restore_project(&mut self, project: i64) {
        let it = self.projects.get_mut(&project);
        let Some(delete) = it.and_then(|it| it.deleted.take()) else {
            return;
        };
        let tasks = unmark(&mut self.tasks, &[project].into(), delete);
        unmark(&mut self.comments, &tasks, delete);
    }

    fn live(of: &BTreeMap<i64, Kept>) -> Vec<i64> {
        let live = of.iter().filter(|(_, it)| it.deleted.is_none());
        live.map(|(id, _)| *id).collect()
    }

    async fn assert_stored(&self, odm: &Odm, history: &[String]) {
        let history = history.join("\n");
        assert_eq!(
            live::<Project>(odm).await,
            Self::live(&self.projects),
            "{history}"
        );
        assert_eq!(
            live::<Task>(odm).await,
            Self::live(&self.tasks),
            "{history}"
        );
        assert_eq!(
            live::<Comment>(odm).await,
            Self::live(&self.comments),
            "{history}"
        );
        for project in Project::find(odm).with_deleted().await.unwrap() {
            let id = project.id.into_key();
            let tasks = self.tasks.values();
            let live = tasks.filter(|it| it.parent == id && it.deleted.is_none());
            let hours: Vec<i64> = live.map(|it| it.hours).collect();
            assert_eq!(
                project.tasks,
                i64::try_from(hours.len()).unwrap(),
                "{id}:\n{history}"
            );
            assert_eq!(project.hours, hours.iter().sum::<i64>(), "{id}:\n{history}");
            assert_eq!(
                project.longest,
                hours.iter().max().copied(),
                "{id}:\n{history}"
            );
        }
    }
}

async fn program(seed: u64, inline: u64) {
    let t = board(&format!("life_random_{seed}")).await;
    let odm = &t.odm.with_settings(settings().inline_copies(inline));
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut naive, mut history) = (Naive::default(), Vec::new());
    for step in 1..=60_i64 {
        let (parent, child) = (random.i64(1..=3), random.i64(1..=12));
        let kind = random.u8(0..12);
        history.push(format!("{step}: {kind} {parent} {child}"));
        match kind {
            0 if !naive.projects.contains_key(&parent) => {
                project(parent).insert(odm).await.unwrap();
                let new = Kept {
                    parent: 0,
                    hours: 0,
                    deleted: None,
                };
                naive.projects.insert(parent, new);
            }
            1..=3 if !naive.tasks.contains_key(&child) => {
                let stored = task(child, parent).insert(odm).await;
                let target = naive.projects.get(&parent);
                if target.is_some_and(|it| it.deleted.is_none()) {
                    stored.unwrap();
                    let new = Kept {
                        parent,
                        hours: child * 10,
                        deleted: None,
                    };
                    naive.tasks.insert(child, new);
                } else {
                    assert!(matches!(stored, Err(Error::NoTarget { .. })));
                }
            }
            4 if naive
                .tasks
                .get(&child)
                .is_some_and(|it| it.deleted.is_none()) =>
            {
                comment(step, child).insert(odm).await.unwrap();
                let new = Kept {
                    parent: child,
                    hours: 0,
                    deleted: None,
                };
                naive.comments.insert(step, new);
            }
            5 => {
                let update = Task::update(odm, id(child)).set(Task::fields().hours, step);
                let matched = update.await.unwrap().matched;
                let it = naive
                    .tasks
                    .get_mut(&child)
                    .filter(|it| it.deleted.is_none());
                assert_eq!(matched, u64::from(it.is_some()));
                if let Some(it) = it {
                    it.hours = step;
                }
            }
            6 => {
                Task::delete(odm, id(child)).await.unwrap();
                naive.delete_task(child);
            }
            7 => {
                Task::restore(odm, id(child)).await.unwrap();
                naive.restore_task(child);
            }
            8 => {
                Project::delete(odm, id(parent)).await.unwrap();
                naive.delete_project(parent);
            }
            9 => {
                Project::restore(odm, id(parent)).await.unwrap();
                naive.restore_project(parent);
            }
            10 => {
                Task::purge(odm, id(child)).await.unwrap();
                if naive.tasks.remove(&child).is_some() {
                    purge(&mut naive.comments, &[child].into());
                }
            }
            11 if step % 5 == 0 => {
                Project::purge(odm, id(parent)).await.unwrap();
                if naive.projects.remove(&parent).is_some() {
                    let tasks = purge(&mut naive.tasks, &[parent].into());
                    purge(&mut naive.comments, &tasks);
                }
            }
            _ => {}
        }
        if inline == 0 || random.bool() {
            odm.run_pending_jobs().await.unwrap();
        }
        if step % 10 == 0 {
            odm.run_pending_jobs().await.unwrap();
            naive.assert_stored(odm, &history).await;
        }
    }
    assert_verified(odm).await;
}

#[tokio::test]
async fn random_writes_agree_with_the_naive_model() {
    for seed in 0..6 {
        program(seed, 1_000).await;
    }
}

#[tokio::test]
async fn random_writes_that_jobs_complete_agree_with_the_naive_model() {
    for seed in 100..104 {
        program(seed, 0).await;
        program(seed + 50, 2).await;
    }
}

#[tokio::test]
async fn concurrent_deletes_restores_and_inserts_leave_no_stale_document() {
    let t = board("life_at_once").await;
    t.given(&[project(1)]).await;
    let tasks: Vec<Task> = (1..=20).map(|number| task(number, 1)).collect();
    t.given(&tasks).await;
    t.odm.run_pending_jobs().await.unwrap();
    for round in 0..6_i64 {
        let small = t
            .odm
            .with_settings(settings().inline_copies(if round % 2 == 0 { 5 } else { 1_000 }));
        let deletes = async {
            Project::delete(&small, id(1)).deferred().await.unwrap();
            Project::restore(&small, id(1)).await.unwrap();
            if round % 3 == 0 {
                Project::delete(&small, id(1)).await.unwrap();
            }
        };
        let inserts = async {
            for number in 0..5 {
                let stored = task(100 + round * 10 + number, 1).insert(&t.odm).await;
                if let Err(error) = stored {
                    assert!(matches!(error, Error::NoTarget { .. }), "{error}");
                }
            }
        };
        let jobs = async {
            for _ in 0..4 {
                t.odm.run_pending_jobs().await.unwrap();
            }
        };
        futures_util::join!(deletes, inserts, jobs);
        t.odm.run_pending_jobs().await.unwrap();
        let is_deleted = is_deleted(&t.odm, "life_projects", 1).await;
        let (live, all) = (
            Task::count(&t.odm).await.unwrap(),
            Task::count(&t.odm).with_deleted().await.unwrap(),
        );
        assert_eq!(live, if is_deleted { 0 } else { all }, "round {round}");
        let project: Project = Project::get(&t.odm, id(1)).with_deleted().await.unwrap();
        assert_eq!(project.tasks, live.cast_signed(), "round {round}");
        assert_verified(&t.odm).await;
        Project::restore(&t.odm, id(1)).await.unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        assert_eq!(Task::count(&t.odm).await.unwrap(), all, "round {round}");
    }
}
