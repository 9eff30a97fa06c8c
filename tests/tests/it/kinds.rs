//! Several models in one collection. Reads and writes of one model never affect another.

mod attacks;
mod indexes;
mod reads;
mod writes;

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

/// A model with the names from the manual's page on the Single Collection Pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "kinds_students_classes",
    kind(doc_type = "class"),
    index(keys(name = 1), unique)
)]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    name: String,
    number: i64,
    #[serde(default)]
    #[embed(max = 3)]
    rooms: Vec<Room>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Room {
    door: i32,
}

/// A model with the same fields and additionally the field of the kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "kinds_students_classes",
    kind(doc_type = "student"),
    has_many(enrollments = "Enrolled.student")
)]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    #[index]
    name: String,
    number: i64,
    doc_type: Option<String>,
}

/// A model that refers to both other kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kinds_students_classes", kind(doc_type = "enrolled"))]
struct Enrolled {
    #[serde(rename = "_id")]
    id: Id<Enrolled, String>,
    number: i64,
    #[refs(one)]
    class: Id<Class, String>,
    #[parent_ref]
    student: Id<Student, String>,
}

/// The first kind of part. Documents from the time before there were cables have no kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kinds_parts", kind(part_type = "chip", default))]
struct Chip {
    #[serde(rename = "_id")]
    id: Id<Chip, i64>,
    #[index(unique)]
    name: String,
    number: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kinds_parts", kind("part_type" = "cable"))]
struct Cable {
    #[serde(rename = "_id")]
    id: Id<Cable, i64>,
    #[index(unique)]
    name: String,
    number: i64,
}

fn class(number: i64) -> Class {
    Class {
        id: Id::from_key(format!("C{number}")),
        name: format!("n{number}"),
        number,
        rooms: Vec::new(),
    }
}

fn student(number: i64) -> Student {
    Student {
        id: Id::from_key(format!("S{number}")),
        name: format!("n{number}"),
        number,
        doc_type: Some("student".to_owned()),
    }
}

fn chip(number: i64) -> Chip {
    Chip {
        id: Id::from_key(number),
        name: format!("n{number}"),
        number,
    }
}

fn cable(number: i64) -> Cable {
    Cable {
        id: Id::from_key(100 + number),
        name: format!("n{number}"),
        number,
    }
}

/// Stores five classes and five students that differ only by their kind and `_id`.
async fn school(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.given(&(0..5).map(class).collect::<Vec<_>>()).await;
    t.given(&(0..5).map(student).collect::<Vec<_>>()).await;
    t
}

/// Stores five chips, of which two have no kind, and five cables.
async fn parts(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.given(&(0..5).map(chip).collect::<Vec<_>>()).await;
    t.given(&(0..5).map(cable).collect::<Vec<_>>()).await;
    let old = doc! { "_id": { "$lt": 2 } };
    let without = doc! { "$unset": { "part_type": "" } };
    let parts = t.odm.database().collection::<Document>("kinds_parts");
    parts.update_many(old, without).await.unwrap();
    t
}

/// Lists the stored documents in the order of `_id`.
async fn stored(t: &Harness, collection: &str, filter: Document) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let all = t.odm.database().collection::<Document>(collection);
    let found = all.find(filter).sort(doc! { "_id": 1 }).await.unwrap();
    found.try_collect().await.unwrap()
}

/// Lists the documents of all kinds except the given one.
async fn others(t: &Harness, kind: &str) -> Vec<Document> {
    let mut all = stored(
        t,
        "kinds_students_classes",
        doc! { "doc_type": { "$ne": kind } },
    )
    .await;
    all.extend(stored(t, "kinds_parts", doc! { "part_type": { "$ne": kind } }).await);
    all
}
