//! Two-way references between an array and single references. Each write to one end also changes the other.

use mongo_odm::{
    Odm,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

// These modules use the items below.
mod contention;
mod full;
mod reassign;
mod take;

/// A person with tasks, and with an element for each errand that was assigned to the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: Id<Person>,
    pub name: String,
    #[refs(many, inverse = "owner", max = 5)]
    pub tasks: Vec<Id<Task>>,
    #[refs(many, inverse = "runner")]
    pub errands: Vec<ErrandLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: Id<Task>,
    pub description: String,
    #[parent_ref(inverse = "tasks", on_delete = "nullify")]
    pub owner: Option<Id<Person>>,
    #[denorm(from = "Person.name", via = "owner")]
    pub owner_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_errands")]
pub struct Errand {
    #[serde(rename = "_id")]
    pub id: Id<Errand>,
    pub what: String,
    #[parent_ref(inverse = "errands")]
    pub runner: Id<Person>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct ErrandLine {
    #[refs(one)]
    pub errand: Id<Errand>,
    #[denorm(from = "Errand.what")]
    pub what: String,
}

/// A part of a tree: both ends are in one collection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_branches")]
pub struct Branch {
    #[serde(rename = "_id")]
    pub id: Id<Branch>,
    #[refs(many, inverse = "above")]
    pub below: Vec<Id<Branch>>,
    #[parent_ref(inverse = "below")]
    pub above: Option<Id<Branch>>,
}

/// A database with the indexes of these models.
pub async fn both_sides(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Person>().only::<Task>();
    sync.only::<Errand>().only::<Branch>().await.unwrap();
    t
}

pub async fn office(test: &str) -> (Harness, Person, Person) {
    let t = both_sides(test).await;
    let (kate, nicky) = (person("Kate"), person("Nicky"));
    t.given(&[kate.clone(), nicky.clone()]).await;
    (t, kate, nicky)
}

pub fn person(name: &str) -> Person {
    Person {
        id: Id::new(),
        name: name.to_owned(),
        tasks: Vec::new(),
        errands: Vec::new(),
    }
}

pub fn task(owner: &Person, description: &str) -> Task {
    Task {
        id: Id::new(),
        description: description.to_owned(),
        owner: Some(owner.id),
        owner_name: None,
    }
}

fn errand(runner: &Person, what: &str) -> Errand {
    Errand {
        id: Id::new(),
        what: what.to_owned(),
        runner: runner.id,
    }
}

/// Asserts that each array contains exactly the documents that refer to its document, each once. The test computes the
/// expected arrays without the library.
async fn assert_both_ends(odm: &Odm, title: &str) {
    let tasks = Task::find(odm).await.unwrap();
    let errands = Errand::find(odm).await.unwrap();
    for person in Person::find(odm).await.unwrap() {
        let own = tasks.iter().filter(|task| task.owner == Some(person.id));
        let own = own.map(|task| {
            (
                Bson::from(task.id),
                Some(&person.name) == task.owner_name.as_ref(),
            )
        });
        let own: Vec<_> = own.collect();
        assert!(
            own.iter().all(|(_, is_named)| *is_named),
            "{title}: {tasks:?}"
        );
        let named = person.tasks.iter().map(|id| Bson::from(*id));
        assert_eq!(
            sorted(named),
            sorted(own.into_iter().map(|(id, _)| id)),
            "{title}: {person:?}"
        );
        let own = errands.iter().filter(|errand| errand.runner == person.id);
        let own = own.map(|errand| doc! { "errand": errand.id, "what": &errand.what }.into());
        let lines = person.errands.iter();
        let lines = lines.map(|line| doc! { "errand": line.errand, "what": &line.what }.into());
        assert_eq!(sorted(lines), sorted(own), "{title}: {person:?}");
    }
    let drift = odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{title}: {drift}");
}

fn sorted(ids: impl Iterator<Item = Bson>) -> Vec<String> {
    let mut texts: Vec<String> = ids.map(|id| id.to_string()).collect();
    texts.sort();
    texts
}

#[tokio::test]
async fn every_write_of_the_reference_moves_both_ends() {
    for (title, way) in ["inline", "job"].into_iter().zip([false, true]) {
        let (t, kate, nicky) = office(&format!("two_way_{title}")).await;
        let odm = if way { by_jobs(&t.odm) } else { t.odm.clone() };
        let right = async |step: &str| assert_both_ends(&t.odm, &format!("{title}, {step}")).await;
        let fields = Task::fields();
        let first = task(&kate, "write");
        first.insert(&odm).await.unwrap();
        right("insert").await;
        let more: Vec<Task> = ["teach", "grade", "sleep"]
            .map(|it| task(&kate, it))
            .to_vec();
        Task::insert_many(&odm, &more).await.unwrap();
        right("insert_many").await;
        let order = Person::get(&t.odm, kate.id).await.unwrap().tasks;
        assert_eq!(order, [first.id, more[0].id, more[1].id, more[2].id]);
        Task::update(&odm, first.id)
            .set(fields.owner, Some(nicky.id))
            .await
            .unwrap();
        right("update").await;
        Task::update(&odm, more[0].id)
            .set(fields.owner, None)
            .await
            .unwrap();
        right("null").await;
        Task::update(&odm, more[1].id)
            .unset(fields.owner)
            .await
            .unwrap();
        right("unset").await;
        let all = fields.description.is_in(["teach", "grade"]);
        Task::update_many(&odm, all)
            .set(fields.owner, Some(nicky.id))
            .await
            .unwrap();
        right("update_many").await;
        Task::find_one_and_update(&odm, fields.id.eq(more[0].id))
            .set(fields.owner, Some(kate.id))
            .await
            .unwrap();
        right("find_one_and_update").await;
        let saved = Task {
            owner: Some(nicky.id),
            ..more[2].clone()
        };
        saved.save(&odm).await.unwrap();
        right("save").await;
        let new = task(&kate, "new");
        Task::upsert(&odm, fields.id.eq(new.id))
            .set(fields.description, "new")
            .set(fields.owner, Some(kate.id))
            .await
            .unwrap();
        right("upsert").await;
        Task::delete(&odm, new.id).await.unwrap();
        right("delete").await;
        let inside = async |tx: mongo_odm::Tx| {
            task(&kate, "one").insert(&tx).await?;
            let moved = Task::update(&tx, saved.id).set(Task::fields().owner, Some(kate.id));
            moved.await?;
            Ok(())
        };
        t.odm.transaction(inside).await.unwrap();
        right("a transaction").await;
        let errand = errand(&kate, "milk");
        errand.insert(&odm).await.unwrap();
        right("a line").await;
        let fields = Errand::fields();
        Errand::update(&odm, errand.id)
            .set(fields.what, "bread")
            .await
            .unwrap();
        right("a copy in a line").await;
        Errand::update(&odm, errand.id)
            .set(fields.runner, nicky.id)
            .await
            .unwrap();
        right("a line moves").await;
        let renamed = Person::update(&odm, nicky.id).set(Person::fields().name, "Nick");
        renamed.await.unwrap();
        right("a copy at the other end").await;
        Person::delete(&odm, kate.id).await.unwrap();
        right("an owner goes").await;
        Errand::delete(&odm, errand.id).await.unwrap();
        right("a line goes").await;
        Task::delete_many(&odm, doc! {}).everything().await.unwrap();
        right("all go").await;
        settle(&t.odm).await;
        right("the end").await;
    }
}

#[tokio::test]
async fn an_array_is_written_by_its_other_side_alone_but_for_its_order() {
    let (t, kate, nicky) = office("two_way_refused").await;
    let tasks: Vec<Task> = (0..3).map(|n| task(&kate, &n.to_string())).collect();
    t.given(&tasks).await;
    let fields = Person::fields();
    let ids = [tasks[2].id, tasks[0].id, tasks[1].id];
    Person::update(&t.odm, kate.id)
        .set(fields.tasks, ids.to_vec())
        .await
        .unwrap();
    assert_eq!(Person::get(&t.odm, kate.id).await.unwrap().tasks, ids);
    let remedy = "write `Task.owner`, and both sides change";
    let refused = Person::update(&t.odm, kate.id)
        .set(fields.tasks, ids[..2].to_vec())
        .await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains(remedy), "{refused}");
    let refused = Person::update(&t.odm, nicky.id)
        .push(fields.tasks, tasks[0].id)
        .await;
    assert!(refused.unwrap_err().to_string().contains(remedy));
    let unset = Person::update(&t.odm, kate.id).with(doc! { "$unset": { "tasks": "" } });
    let refused = unset.await;
    assert!(refused.unwrap_err().to_string().contains(remedy));
    let swallowed = async |tx: mongo_odm::Tx| {
        let wrong = Person::update(&tx, kate.id).set(Person::fields().tasks, Vec::new());
        wrong.await.unwrap_err();
        Ok(())
    };
    t.odm.transaction(swallowed).await.unwrap_err();
    assert_eq!(Person::get(&t.odm, kate.id).await.unwrap().tasks, ids);
    // A save of a struct that was read before other tasks were deleted and inserted does not restore deleted tasks, and
    // the order of the array is kept.
    let mut old = Person::get(&t.odm, kate.id).await.unwrap();
    Task::delete(&t.odm, tasks[0].id).await.unwrap();
    let new = task(&kate, "new");
    new.insert(&t.odm).await.unwrap();
    old.name = "Kate M.".to_owned();
    old.save(&t.odm).await.unwrap();
    let stored = Person::get(&t.odm, kate.id).await.unwrap();
    assert_eq!(stored.tasks, [tasks[2].id, tasks[1].id, new.id]);
    assert_both_ends(&t.odm, "saved").await;
}

#[tokio::test]
async fn both_ends_can_be_in_one_collection() {
    let t = both_sides("two_way_self").await;
    let branch = |above: Option<&Branch>| Branch {
        id: Id::new(),
        below: Vec::new(),
        above: above.map(|above| above.id),
    };
    let root = branch(None);
    let (left, right) = (branch(Some(&root)), branch(Some(&root)));
    // The children are inserted before their parent.
    t.given(&[left.clone(), right.clone()]).await;
    root.insert(&t.odm).await.unwrap();
    let leaf = branch(Some(&left));
    leaf.insert(&t.odm).await.unwrap();
    let moved = Branch::update(&t.odm, leaf.id).set(Branch::fields().above, Some(right.id));
    moved.await.unwrap();
    let below = async |of: &Branch| Branch::get(&t.odm, of.id).await.unwrap().below;
    assert_eq!(below(&root).await.len(), 2);
    assert_eq!(
        (below(&left).await, below(&right).await),
        (vec![], vec![leaf.id])
    );
    Branch::update(&t.odm, leaf.id)
        .set(Branch::fields().above, Some(leaf.id))
        .await
        .unwrap();
    assert_eq!(below(&leaf).await, [leaf.id]);
    assert!(t.odm.verify().await.unwrap().is_empty());
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_reassign_to_the_same_owner_writes_no_array() {
    let (t, kate, _) = office("two_way_same").await;
    let task = task(&kate, "write");
    task.insert(&t.odm).await.unwrap();
    let same = || Task::update(&t.odm, task.id).set(Task::fields().owner, Some(kate.id));
    same().await.unwrap();
    t.forget();
    let report = same().await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 0));
    let names = t.recorder().names();
    assert!(!names.contains(&"update".to_owned()), "{names:?}");
    assert_both_ends(&t.odm, "the same owner").await;
}

/// Another program has stored an element twice, with a different order of fields. Only the key of the element counts.
#[tokio::test]
async fn a_line_in_another_order_of_fields_is_the_same_line() {
    let (t, kate, nicky) = office("two_way_order").await;
    let errand = Errand {
        id: Id::new(),
        what: "milk".to_owned(),
        runner: kate.id,
    };
    let people = t.odm.database().collection::<Document>("two_way_people");
    let turned = doc! { "what": "milk", "errand": errand.id };
    for lines in [vec![turned.clone()], vec![turned.clone(), turned.clone()]] {
        let hold = doc! { "$set": { "errands": lines } };
        people
            .update_one(doc! { "_id": kate.id }, hold)
            .await
            .unwrap();
        let before = Errand::find(&t.odm).await.unwrap().len();
        if before == 0 {
            errand.insert(&t.odm).await.unwrap();
            assert_both_ends(&t.odm, "inserted").await;
        }
        for runner in [nicky.id, kate.id] {
            let moved = Errand::update(&t.odm, errand.id).set(Errand::fields().runner, runner);
            moved.await.unwrap();
            settle(&t.odm).await;
            assert_both_ends(&t.odm, "moved").await;
        }
    }
}

/// A branch that is its own parent is deleted together with its array. Its children remain.
#[tokio::test]
async fn what_is_deleted_leaves_all_arrays_but_its_own() {
    let t = both_sides("two_way_gone").await;
    let branch = |above: Option<Id<Branch>>| Branch {
        id: Id::new(),
        below: Vec::new(),
        above,
    };
    let root = branch(None);
    root.insert(&t.odm).await.unwrap();
    let ring = branch(Some(root.id));
    ring.insert(&t.odm).await.unwrap();
    let leaf = branch(Some(ring.id));
    leaf.insert(&t.odm).await.unwrap();
    let own = Branch::update(&t.odm, ring.id).set(Branch::fields().above, Some(ring.id));
    own.await.unwrap();
    let below = Branch::get(&t.odm, ring.id).await.unwrap().below;
    assert_eq!(below, [leaf.id, ring.id]);
    Branch::delete(&t.odm, leaf.id).await.unwrap();
    assert_eq!(Branch::get(&t.odm, ring.id).await.unwrap().below, [ring.id]);
    Branch::delete(&t.odm, ring.id).await.unwrap();
    settle(&t.odm).await;
    assert_eq!(Branch::find(&t.odm).await.unwrap(), [root]);
    assert!(t.odm.verify().only::<Branch>().await.unwrap().is_empty());
}
