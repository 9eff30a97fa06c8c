//! Copies, rules, computed fields and checks of one kind, which never affect another kind in the collection.

mod clash;
mod follow;
mod mixed;
mod parents;
mod rules;
mod selves;
mod watched;

use mongo_odm::{bson::Document, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

/// Classes and students are in one collection, and refer to people and to each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_people")]
struct Person {
    #[serde(rename = "_id")]
    id: Id<Person, String>,
    name: String,
    #[rollup(count, of = "Class", via = "owner")]
    classes: i64,
    #[rollup(sum, of = "Student", via = "owner", field = "points")]
    points: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_school", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    name: String,
    points: i64,
    #[parent_ref]
    owner: Id<Person, String>,
    #[denorm(from = "Person.name")]
    owner_name: String,
    #[refs(many, inverse = "classes")]
    #[serde(default)]
    students: Vec<Id<Student, String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_school", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    name: String,
    points: i64,
    #[parent_ref]
    owner: Id<Person, String>,
    #[denorm(from = "Person.name")]
    owner_name: String,
    #[refs(many, inverse = "students")]
    #[serde(default)]
    classes: Vec<Id<Class, String>>,
}

/// A note, which copies the name of a class and is deleted with the class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kind_school", kind(doc_type = "note"))]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, String>,
    #[refs(one, on_delete = "cascade")]
    about: Id<Class, String>,
    #[denorm(from = "Class.name")]
    name: String,
}

fn person(number: i64) -> Person {
    Person {
        id: Id::from_key(format!("P{number}")),
        name: format!("person {number}"),
        classes: 0,
        points: 0,
    }
}

fn class(number: i64, owner: i64) -> Class {
    Class {
        id: Id::from_key(format!("C{number}")),
        name: format!("class {number}"),
        points: 100,
        owner: person(owner).id,
        owner_name: person(owner).name,
        students: Vec::new(),
    }
}

fn student(number: i64, owner: i64) -> Student {
    Student {
        id: Id::from_key(format!("S{number}")),
        name: format!("student {number}"),
        points: 1,
        owner: person(owner).id,
        owner_name: person(owner).name,
        classes: Vec::new(),
    }
}

fn note(number: i64, about: &str) -> Note {
    Note {
        id: Id::from_key(format!("N{number}")),
        about: Id::from_key(about.to_owned()),
        name: format!("class {number}"),
    }
}

/// A document of a kind without a model. It has all fields that the documents of other kinds have.
fn stray() -> Document {
    doc! {
        "_id": "X", "doc_type": "stray", "name": "stray", "points": 1000, "owner": "P1", "owner_name": "person 1",
        "about": "C1", "students": ["S1"], "classes": ["C1"],
    }
}

/// Two people with a class, a student and a note each, and the stray document.
async fn school(test: &str) -> Harness {
    let t = empty(test).await;
    t.odm
        .sync_indexes()
        .only::<Class>()
        .only::<Person>()
        .await
        .unwrap();
    t.given(&[person(1), person(2)]).await;
    t.given(&[class(1, 1), class(2, 2)]).await;
    t.given(&[student(1, 1), student(2, 2)]).await;
    t.given(&[note(1, "C1"), note(2, "C2")]).await;
    put(&t.odm, "kind_school", [stray()]).await;
    settle(&t.odm).await;
    t
}

async fn assert_stray_is_untouched(t: &Harness) {
    assert_eq!(raw(&t.odm, "kind_school", "X").await, stray());
}
