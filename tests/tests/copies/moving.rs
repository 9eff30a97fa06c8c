//! Moves documents of a collection to a kind in another collection, and back.

mod interrupted;
mod refused;

use mongo_odm::{MoveDocuments, Odm, bson::Document, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

/// A person, who counts the students of both models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, i64>,
    name: String,
    #[rollup(count, of = "OldStudent", via = "mentor")]
    before: i64,
    #[rollup(count, of = "Student", via = "mentor")]
    now: i64,
}

/// A student before the move into the school.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_students")]
struct OldStudent {
    #[serde(rename = "_id")]
    id: Id<OldStudent, i64>,
    name: String,
    score: f64,
    #[parent_ref]
    mentor: Id<Person, i64>,
    #[denorm(from = "Person.name")]
    mentor_name: String,
    #[denorm(from = "Person.name", snapshot)]
    first_mentor: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_school", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    #[index(unique)]
    name: String,
    score: f64,
    #[parent_ref]
    mentor: Id<Person, i64>,
    #[denorm(from = "Person.name")]
    mentor_name: String,
    #[denorm(from = "Person.name", snapshot)]
    first_mentor: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_school", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    name: String,
}

fn new_id(id: i64) -> String {
    format!("S{id:03}")
}

fn new(old: OldStudent) -> Student {
    Student {
        id: Id::from_key(new_id(*old.id.key())),
        name: old.name,
        score: old.score,
        mentor: old.mentor,
        mentor_name: old.mentor_name,
        first_mentor: old.first_mentor,
    }
}

fn old(new: Student) -> OldStudent {
    OldStudent {
        id: Id::from_key(new.id.key()[1..].parse().unwrap()),
        name: new.name,
        score: new.score,
        mentor: new.mentor,
        mentor_name: new.mentor_name,
        first_mentor: new.first_mentor,
    }
}

fn student(number: i64) -> OldStudent {
    OldStudent {
        id: Id::from_key(number),
        name: format!("student {number}"),
        // The move treats NaN as equal to itself.
        score: if number == 3 { f64::NAN } else { 0.5 },
        mentor: Id::from_key(number % 2),
        mentor_name: String::new(),
        first_mentor: String::new(),
    }
}

fn there(odm: &Odm) -> MoveDocuments<OldStudent, Student> {
    odm.move_documents(new)
}

fn back(odm: &Odm) -> MoveDocuments<Student, OldStudent> {
    odm.move_documents(old)
}

/// Two people, `number` students of the old model, and a class in the school.
async fn students(test: &str, number: i64) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Person>().only::<OldStudent>();
    sync.only::<Student>().await.unwrap();
    let people = [0, 1].map(|id| Person {
        id: Id::from_key(id),
        name: format!("person {id}"),
        before: 0,
        now: 0,
    });
    t.given(&people).await;
    t.given(&(0..number).map(student).collect::<Vec<_>>()).await;
    let class = Class {
        id: Id::from_key("C1".to_owned()),
        name: "student 1".to_owned(),
    };
    t.given(&[class]).await;
    settle(&t.odm).await;
    t
}

/// Returns the stored documents as text, so NaN is equal to itself.
async fn stored(t: &Harness, collection: &str) -> Vec<String> {
    let all = all(&t.odm, collection).await;
    all.iter().map(ToString::to_string).collect()
}

async fn kept(t: &Harness) -> Vec<(i64, i64)> {
    let people = Person::find(&t.odm).sort(Person::fields().id.asc()).await;
    let people = people.unwrap().into_iter();
    people.map(|it| (it.before, it.now)).collect()
}

#[tokio::test]
async fn students_become_a_kind_and_are_brought_back() {
    let t = students("moving_both_ways", 30).await;
    let odm = &t.odm;
    let rename = Person::update(odm, Id::<Person, i64>::from_key(1));
    rename.set(Person::fields().name, "renamed").await.unwrap();
    settle(odm).await;
    let before = stored(&t, "moving_students").await;
    let report = there(odm).batch_size(7).await.unwrap();
    assert_eq!(
        (report.looked_at, report.moved, report.present),
        (30, 30, 0)
    );
    assert_eq!((report.batches, report.resumed), (5, false));
    settle(odm).await;
    let one = raw(odm, "moving_school", "S001").await;
    let expected = doc! {
        "_id": "S001", "name": "student 1", "score": 0.5, "mentor": 1_i64, "mentor_name": "renamed",
        "first_mentor": "person 1", "doc_type": "student",
    };
    assert_eq!(one, expected);
    assert_eq!(kept(&t).await, [(15, 15), (15, 15)]);
    let drift = there(odm).check().await.unwrap();
    assert!(drift.is_empty() && drift.compared == 30, "{drift}");
    assert_eq!(Class::count(odm).await.unwrap(), 1);
    // A second call has nothing to move. Then the old documents are deleted.
    let again = there(odm).await.unwrap();
    assert_eq!((again.moved, again.present), (0, 30));
    assert_eq!(stored(&t, "moving_students").await, before);
    let gone = there(odm).delete_moved().await.unwrap();
    assert_eq!((gone.present, gone.deleted), (30, 30));
    settle(odm).await;
    assert_eq!(OldStudent::count(odm).await.unwrap(), 0);
    assert_eq!(kept(&t).await, [(0, 15), (0, 15)]);
    // The documents are moved back, and deleted as they are moved.
    let report = back(odm).delete_moved().batch_size(8).await.unwrap();
    assert_eq!((report.moved, report.deleted), (30, 30));
    settle(odm).await;
    assert_eq!(stored(&t, "moving_students").await, before);
    assert_eq!(kept(&t).await, [(15, 0), (15, 0)]);
    assert_eq!(stored(&t, "moving_school").await.len(), 1);
    assert!(odm.verify().only::<Person>().await.unwrap().is_empty());
}

#[tokio::test]
async fn what_differs_is_left_until_it_may_be_overwritten() {
    let t = students("moving_differing", 6).await;
    let odm = &t.odm;
    there(odm).await.unwrap();
    let change = OldStudent::update(odm, Id::<OldStudent, i64>::from_key(2));
    change
        .set(OldStudent::fields().name, "other")
        .await
        .unwrap();
    OldStudent::delete(odm, Id::<OldStudent, i64>::from_key(4))
        .await
        .unwrap();
    Student::delete(odm, Id::<Student, String>::from_key(new_id(5)))
        .await
        .unwrap();
    let drift = there(odm).check().await.unwrap();
    assert_eq!((drift.compared, drift.found), (5, 3));
    assert_eq!(drift.differing, [2_i64.into()]);
    assert_eq!(drift.missing, [5_i64.into()]);
    assert_eq!(drift.left_over, ["S004".into()]);
    let shown = drift.to_string();
    assert!(
        shown.starts_with("5 documents compared, missing: "),
        "{shown}"
    );
    assert!(shown.ends_with(", left over: \"S004\""), "{shown}");
    let report = there(odm).delete_moved().await.unwrap();
    assert_eq!(report.differing, [2_i64.into()]);
    assert_eq!((report.moved, report.present, report.deleted), (1, 3, 4));
    assert_eq!(
        report.to_string(),
        "5 documents read, 1 moved, 3 already present, 4 deleted, 1 differing"
    );
    let report = there(odm).overwrite().await.unwrap();
    assert_eq!((report.looked_at, report.overwritten), (1, 1));
    assert!(report.differing.is_empty());
    let one = Student::get(odm, Id::from_key(new_id(2))).await.unwrap();
    assert_eq!(one.name, "other");
    settle(odm).await;
}

/// A different order of fields is not a difference either.
#[tokio::test]
async fn what_the_library_keeps_itself_is_no_difference() {
    let t = students("moving_kept", 4).await;
    let odm = &t.odm;
    there(odm).await.unwrap();
    for collection in ["moving_school", "moving_students"] {
        let stale = doc! { "$set": { "mentor_name": collection } };
        let stored = odm.database().collection::<Document>(collection);
        stored
            .update_many(doc! { "mentor": 1 }, stale)
            .await
            .unwrap();
    }
    let school = odm.database().collection::<Document>("moving_school");
    for update in [
        doc! { "$rename": { "score": "other" } },
        doc! { "$rename": { "other": "score" } },
    ] {
        let students = doc! { "doc_type": "student" };
        school.update_many(students, update).await.unwrap();
    }
    assert!(there(odm).check().await.unwrap().is_empty());
    assert_eq!(there(odm).overwrite().await.unwrap().present, 4);
}

/// The move is called repeatedly until nothing is left to be moved, during other writes.
#[tokio::test(flavor = "multi_thread")]
async fn others_may_write_until_the_last_call() {
    let t = students("moving_beside", 60).await;
    let odm = &t.odm;
    let writes = async {
        for number in 0..40_i64 {
            student(100 + number).insert(odm).await.unwrap();
            let id = Id::<OldStudent, i64>::from_key(number);
            let change = OldStudent::update(odm, id);
            let name = format!("written {number}");
            change.set(OldStudent::fields().name, &name).await.unwrap();
        }
    };
    let moves = async {
        for _ in 0..3 {
            there(odm).overwrite().batch_size(5).await.unwrap();
        }
    };
    futures_util::join!(writes, moves);
    let last = there(odm).overwrite().await.unwrap();
    assert_eq!(last.looked_at, 100);
    let idle = there(odm).overwrite().await.unwrap();
    assert_eq!((idle.moved, idle.overwritten, idle.present), (0, 0, 100));
    let drift = there(odm).check().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    settle(odm).await;
    assert_eq!(kept(&t).await, [(50, 50), (50, 50)]);
}
