//! Hooks of deletes that change which documents the delete affects.

use super::*;

/// A document whose hook makes the change that the document's text describes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_projects", hooks)]
struct Project {
    #[serde(rename = "_id")]
    id: Id<Project, i64>,
    change: String,
    #[rollup(count, of = "Job", via = "project")]
    jobs: i64,
    #[rollup(sum, of = "Stage", via = "project", field = "weight")]
    weight: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_jobs")]
struct Job {
    #[serde(rename = "_id")]
    id: Id<Job, i64>,
    #[parent_ref(exists, on_delete = "cascade")]
    project: Id<Project, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_remarks")]
struct Remark {
    #[serde(rename = "_id")]
    id: Id<Remark, i64>,
    #[parent_ref(on_delete = "nullify")]
    project: Option<Id<Project, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_contracts")]
struct Contract {
    #[serde(rename = "_id")]
    id: Id<Contract, i64>,
    #[parent_ref(exists, on_delete = "restrict")]
    project: Id<Project, i64>,
}

/// A document whose hook changes the next document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_stages", hooks)]
struct Stage {
    #[serde(rename = "_id")]
    id: Id<Stage, i64>,
    #[parent_ref]
    project: Option<Id<Project, i64>>,
    weight: i64,
}

impl Hooks for Project {
    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        let project = self.id;
        match self.change.as_str() {
            "move jobs" => {
                let own = Job::fields().project.eq(project);
                let moved = Job::update_many(tx, own).set(Job::fields().project, id(1));
                moved.await.map(drop)
            }
            "move remarks" => {
                let own = Remark::fields().project.eq(project);
                let moved = Remark::update_many(tx, own).set(Remark::fields().project, Some(id(1)));
                moved.await.map(drop)
            }
            "end contracts" => {
                let own = Contract::fields().project.eq(project);
                Contract::delete_many(tx, own).await.map(drop)
            }
            "sign" => {
                let contract = Contract { id: id(9), project };
                contract.insert(tx).await.map(drop)
            }
            "add a job" => Job { id: id(9), project }.insert(tx).await.map(drop),
            "delete the next" => Self::delete(tx, id(project.into_key() + 1)).await.map(drop),
            "record" => record("delete".to_owned(), tx).await,
            _ => Ok(()),
        }
    }
}

impl Hooks for Stage {
    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        let next = Self::update(tx, id(self.id.into_key() + 1));
        let fields = Self::fields();
        let changed = next
            .set(fields.weight, 100)
            .set(fields.project, Some(id(2)));
        changed.await.map(drop)
    }
}

/// Stores the project 1, and the project 2 with a job, a remark and a contract, if the change requires them.
async fn with_project(test: &str, change: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Project>().only::<Job>();
    let sync = sync.only::<Remark>().only::<Contract>();
    sync.only::<Stage>().await.unwrap();
    for (number, change) in [(1, "nothing"), (2, change), (3, "nothing")] {
        let project = Project {
            id: id(number),
            change: change.to_owned(),
            jobs: 0,
            weight: 0,
        };
        project.insert(&t.odm).await.unwrap();
    }
    let project = id(2);
    t.given(&[Remark {
        id: id(1),
        project: Some(project),
    }])
    .await;
    let job = Job { id: id(1), project };
    job.insert(&t.odm).await.unwrap();
    if change == "end contracts" {
        let contract = Contract { id: id(1), project };
        contract.insert(&t.odm).await.unwrap();
    }
    t
}

async fn is_consistent(t: &Harness) {
    t.odm.run_pending_jobs().await.unwrap();
    let found = t.odm.verify().await.unwrap();
    assert!(found.is_empty(), "{found}");
}

/// Deletes the project 2 in the given way.
async fn delete(odm: &Odm, way: &str) -> mongo_odm::Result<()> {
    let project = id::<Project>(2);
    match way {
        "one" => Project::delete(odm, project).await.map(drop),
        "many" => {
            let all = Project::fields().id.eq(project);
            Project::delete_many(odm, all).await.map(drop)
        }
        "transaction" => {
            let delete = async |tx: Tx| Project::delete(&tx, project).await.map(drop);
            odm.transaction(delete).await
        }
        _ => {
            let bulk = odm.bulk_write().add(Project::delete(odm, project));
            bulk.await.map(drop)
        }
    }
}

const WAYS: [&str; 4] = ["one", "many", "transaction", "bulk"];

#[tokio::test]
async fn children_that_the_hook_moves_are_not_deleted() {
    for way in WAYS {
        let t = with_project("hooks_moved_jobs", "move jobs").await;
        delete(&t.odm, way).await.unwrap();
        let job = Job::get(&t.odm, id(1)).await.unwrap();
        assert_eq!(job.project, id(1), "{way}");
        let project = Project::get(&t.odm, id(1)).await.unwrap();
        assert_eq!(project.jobs, 1, "{way}");
        is_consistent(&t).await;
        let t = with_project("hooks_moved_remarks", "move remarks").await;
        delete(&t.odm, way).await.unwrap();
        let remark = Remark::get(&t.odm, id(1)).await.unwrap();
        assert_eq!(remark.project, Some(id(1)), "{way}");
        assert_eq!(Job::count(&t.odm).await.unwrap(), 0, "{way}");
    }
}

#[tokio::test]
async fn references_of_the_hook_allow_or_forbid_the_delete() {
    for way in WAYS {
        let t = with_project("hooks_ended_contracts", "end contracts").await;
        delete(&t.odm, way).await.unwrap();
        assert_eq!(Contract::count(&t.odm).await.unwrap(), 0, "{way}");
        is_consistent(&t).await;
        let t = with_project("hooks_signed_contract", "sign").await;
        delete(&t.odm, way).await.unwrap_err();
        assert!(
            Project::exists(&t.odm)
                .filter(Project::fields().id.eq(id::<Project>(2)))
                .await
                .unwrap()
        );
        assert_eq!(Contract::count(&t.odm).await.unwrap(), 0, "{way}");
        is_consistent(&t).await;
    }
}

#[tokio::test]
async fn a_child_that_the_hook_inserts_is_deleted() {
    for way in WAYS {
        let t = with_project("hooks_added_job", "add a job").await;
        delete(&t.odm, way).await.unwrap();
        assert_eq!(Job::count(&t.odm).await.unwrap(), 0, "{way}");
        is_consistent(&t).await;
    }
}

#[tokio::test]
async fn a_hook_can_delete_another_document_of_the_same_call() {
    let t = with_project("hooks_deleted_next", "delete the next").await;
    let both = Project::delete_many(&t.odm, Project::fields().id.gte(id::<Project>(2)));
    assert_eq!(both.await.unwrap().deleted, 1);
    assert_eq!(Project::count(&t.odm).await.unwrap(), 1);
    is_consistent(&t).await;
}

#[tokio::test]
async fn summaries_lose_the_values_that_the_hook_has_written() {
    let t = with_project("hooks_weights", "nothing").await;
    let stage = |number, weight| Stage {
        id: id(number),
        project: Some(id(1)),
        weight,
    };
    let stages = [stage(1, 1), stage(2, 2), stage(3, 3)];
    Stage::insert_many(&t.odm, &stages).await.unwrap();
    let light = Stage::delete_many(&t.odm, Stage::fields().weight.lt(3));
    assert_eq!(light.await.unwrap().deleted, 2);
    let weight = async |number| Project::get(&t.odm, id(number)).await.unwrap().weight;
    assert_eq!((weight(1).await, weight(2).await), (0, 100));
    is_consistent(&t).await;
}

#[tokio::test]
async fn a_write_to_another_collection_reads_nothing_again() {
    let mut finds = Vec::new();
    for change in ["nothing", "record", "move jobs"] {
        let t = with_project("hooks_finds_of_deletes", change).await;
        // The first delete also prepares the handle.
        Project::delete(&t.odm, id(3)).await.unwrap();
        let (_, sent) = t.sent(delete(&t.odm, "one")).await;
        finds.push(sent.iter().filter(|name| *name == "find").count());
    }
    assert_eq!(finds[0], finds[1]);
    assert!(finds[2] > finds[0], "{finds:?}");
}
