//! Arrays that have reached their bound. Each write that would add an element is rejected as a whole, even if a job
//! could add the element.

use mongo_odm::{Error, ErrorKind, Guarantee, Result, Tx};

use super::*;

/// The models of a second program in this binary, which declares a different bound for the same desks and drawers.
mod wide {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
    #[model(collection = "two_way_desks")]
    pub struct Desk {
        #[serde(rename = "_id")]
        pub id: Id<Desk>,
        #[refs(many, inverse = "desk", max = 3)]
        pub drawers: Vec<Id<Drawer>>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
    #[model(collection = "two_way_drawers")]
    pub struct Drawer {
        #[serde(rename = "_id")]
        pub id: Id<Drawer>,
        #[parent_ref(inverse = "drawers")]
        pub desk: Id<Desk>,
    }
}

mod narrow {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
    #[model(collection = "two_way_desks")]
    pub struct SmallDesk {
        #[serde(rename = "_id")]
        pub id: Id<SmallDesk>,
        #[refs(many, inverse = "desk", max = 2)]
        pub drawers: Vec<Id<SmallDrawer>>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
    #[model(collection = "two_way_drawers")]
    pub struct SmallDrawer {
        #[serde(rename = "_id")]
        pub id: Id<SmallDrawer>,
        #[parent_ref(inverse = "drawers")]
        pub desk: Id<SmallDesk>,
    }
}

/// Every way to give a person one more task. Some of them leave the follow-up to jobs if the library allows it.
const WAYS: [&str; 13] = [
    "insert",
    "insert_many",
    "set",
    "set by jobs",
    "insert by jobs",
    "upsert",
    "save",
    "reassign",
    "take",
    "transaction",
    "update_many",
    "find_one_and_update",
    "pipeline",
];

/// Gives a person one more task: `free`, or a new one.
async fn give(odm: &Odm, way: &str, person: &Person, free: &Task) -> Result<()> {
    let by_jobs = by_jobs(odm);
    let f = Task::fields();
    let new = task(person, way);
    let set = |odm| Task::update(odm, free.id).set(f.owner, person.id);
    match way {
        "insert" => _ = new.insert(odm).deferred().await?,
        "insert_many" => _ = Task::insert_many(odm, &[new]).deferred().await?,
        "set" => _ = set(odm).deferred().await?,
        "set by jobs" => _ = set(&by_jobs).await?,
        "insert by jobs" => _ = new.insert(&by_jobs).await?,
        "upsert" => {
            let upsert = Task::upsert(odm, f.id.eq(new.id)).set(f.owner, person.id);
            upsert.set(f.description, way).deferred().await?;
        }
        "save" => {
            let owner = Some(person.id);
            let saved = Task {
                owner,
                ..free.clone()
            };
            saved.save(odm).deferred().await?;
        }
        "reassign" => _ = free.reassign_owner(odm, person.id).deferred().await?,
        "take" => _ = person.take_tasks(odm, [free.id]).deferred().await?,
        "transaction" => {
            let (task, person) = (free.id, person.id);
            let in_it = |tx: Tx| async move {
                let set = Task::update(&tx, task).set(Task::fields().owner, person);
                set.deferred().await
            };
            odm.transaction(in_it).await?;
        }
        "update_many" => {
            let update = Task::update_many(odm, f.id.eq(free.id));
            update.set(f.owner, person.id).deferred().await?;
        }
        "find_one_and_update" => {
            let update = Task::find_one_and_update(odm, f.id.eq(free.id));
            update.set(f.owner, person.id).deferred().await?;
        }
        "pipeline" => {
            let pipeline = vec![doc! { "$set": { "owner": person.id } }];
            let update = Task::update(odm, free.id).modifications(pipeline);
            update.deferred().await?;
        }
        other => panic!("{other}"),
    }
    Ok(())
}

#[tokio::test]
async fn an_array_that_is_full_takes_no_more_in_any_way() {
    let (t, kate, nicky) = office("two_way_full").await;
    let tasks: Vec<Task> = (0..5).map(|n| task(&kate, &n.to_string())).collect();
    t.given(&tasks).await;
    let free = task(&nicky, "of another");
    free.insert(&t.odm).await.unwrap();
    for way in WAYS {
        let refused = give(&t.odm, way, &kate, &free).await.expect_err(way);
        assert_eq!(refused.kind(), ErrorKind::BoundExceeded, "{way}: {refused}");
        assert_eq!(count(&t.odm, "two_way_tasks", doc! {}).await, 6, "{way}");
        assert_both_ends(&t.odm, way).await;
    }
    assert!(jobs(&t.odm).await.iter().all(|job| {
        let phase = job.get_str("phase").unwrap();
        phase == "settle"
    }));
    // If the array has room, a deferred write nevertheless updates the array at once.
    let moved = Task::update(&t.odm, tasks[0].id).set(Task::fields().owner, nicky.id);
    let report = moved.deferred().await.unwrap();
    let array = report
        .copies
        .iter()
        .find(|it| it.relation.ends_with("Task.owner"));
    assert_eq!(array.map(|it| it.guarantee), Some(Guarantee::Atomic));
    assert_both_ends(&t.odm, "moved").await;
}

#[tokio::test]
async fn a_job_that_is_running_lets_nobody_past_the_bound() {
    let (t, kate, nicky) = office("two_way_full_running").await;
    let tasks: Vec<Task> = (0..5).map(|n| task(&kate, &n.to_string())).collect();
    t.given(&tasks).await;
    // The job of her tasks is due.
    let errand = doc! { "$set": { "phase": "run" } };
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    jobs.update_many(doc! {}, errand).await.unwrap();
    let other = task(&nicky, "of another");
    other.insert(&t.odm).await.unwrap();
    for way in ["insert", "set", "take"] {
        give(&t.odm, way, &kate, &other).await.expect_err(way);
    }
    settle(&t.odm).await;
    assert_both_ends(&t.odm, "after the job").await;
}

#[tokio::test]
async fn more_parents_than_a_transaction_takes_are_bounded_too() {
    let t = both_sides("two_way_full_many").await;
    let few = t.odm.with_settings(settings().inline_copies(2));
    let people: Vec<Person> = (0..4).map(|n| person(&n.to_string())).collect();
    t.given(&people).await;
    let full: Vec<Task> = (0..5).map(|_| task(&people[3], "full")).collect();
    t.given(&full).await;
    let one_each: Vec<Task> = people.iter().map(|it| task(it, "one more")).collect();
    let refused = Task::insert_many(&few, &one_each).await.unwrap_err();
    let Error::BoundExceeded { id, .. } = &refused else {
        panic!("{refused:?}")
    };
    assert_eq!(id.as_deref(), Some(&Bson::from(people[3].id)), "{refused}");
    assert_eq!(count(&t.odm, "two_way_tasks", doc! {}).await, 5);
    Task::insert_many(&few, &one_each[..3]).await.unwrap();
    assert_both_ends(&t.odm, "three of four").await;
}

#[tokio::test]
async fn the_bound_of_a_missing_document_is_checked_when_it_is_inserted() {
    let t = both_sides("two_way_full_missing").await;
    let (kate, fields) = (person("Kate"), Task::fields());
    let tasks: Vec<Task> = (0..6).map(|n| task(&kate, &n.to_string())).collect();
    Task::insert_many(&t.odm, &tasks).await.unwrap();
    let free = person("Tom");
    let all = || Task::update_many(&t.odm, doc! {});
    all().set(fields.owner, free.id).await.unwrap();
    all().set(fields.owner, kate.id).await.unwrap();
    assert!(matches!(
        kate.insert(&t.odm).await.unwrap_err(),
        Error::BoundExceeded { .. }
    ));
    Task::delete(&t.odm, tasks[0].id).await.unwrap();
    kate.insert(&t.odm).await.unwrap();
    assert_both_ends(&t.odm, "as many as there is room for").await;
}

#[tokio::test]
async fn of_two_bounds_of_one_array_the_smaller_one_holds() {
    use narrow::{SmallDesk, SmallDrawer};
    use wide::{Desk, Drawer};

    let t = empty("two_way_two_bounds").await;
    let sync = t.odm.sync_indexes().only::<Desk>().only::<Drawer>();
    sync.await.unwrap();
    let (desk, small) = (Id::<Desk>::new(), Id::<SmallDesk>::new());
    let drawers = Vec::new();
    Desk { id: desk, drawers }.insert(&t.odm).await.unwrap();
    let drawers = Vec::new();
    let id = small;
    SmallDesk { id, drawers }.insert(&t.odm).await.unwrap();
    for n in 0..3 {
        let wide = Drawer {
            id: Id::new(),
            desk,
        };
        let narrow = SmallDrawer {
            id: Id::new(),
            desk: small,
        };
        let inserted = [
            wide.insert(&t.odm).await.map(drop),
            narrow.insert(&t.odm).await.map(drop),
        ];
        for inserted in inserted {
            assert_eq!(inserted.is_ok(), n < 2, "{n}: {inserted:?}");
        }
    }
}
