//! Several kinds of documents in one collection, read as one type.

mod boxes;
mod filters;
mod hostile;
mod reads;
mod references;

use mongo_odm::{bson::Document, prelude::*};
use odm_tests::Harness;

/// A class does not contain the field of its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "mixed_school",
    kind(doc_type = "class"),
    index(keys(name = 1), all_kinds),
    has_many(boards = "references::Board.entries"),
    has_many(first_of = "references::Board.first")
)]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    name: String,
    number: i64,
    #[index]
    seats: i64,
    #[serde(default)]
    held: Vec<DateTime>,
}

/// A student contains the field of its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_school", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    name: String,
    number: i64,
    doc_type: String,
    grade: Option<f64>,
}

/// All kinds, and a variant for unknown ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
#[single_collection(shared(name: String, number: i64))]
enum Enrollment {
    Class(Class),
    Student(Student),
    #[serde(untagged)]
    Other(Document),
}

/// The same kinds without a variant for unknown ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type")]
enum Known {
    #[serde(rename = "class")]
    Course(Class),
    #[serde(rename = "student")]
    Pupil(Student),
}

/// The first kind of part. Documents from the time before there were cables have no kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_parts", kind(part_type = "chip", default))]
struct Chip {
    #[serde(rename = "_id")]
    id: Id<Chip>,
    pins: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_parts", kind(part_type = "cable"))]
struct Cable {
    #[serde(rename = "_id")]
    id: Id<Cable>,
    length: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "part_type", rename_all = "lowercase")]
enum Part {
    Chip(Chip),
    Cable(Cable),
}

fn class(number: i64) -> Class {
    Class {
        id: Id::from_key(format!("C{number}")),
        name: format!("n{number}"),
        number,
        seats: 10 * number,
        held: vec![DateTime::from_millis(number)],
    }
}

fn student(number: i64) -> Student {
    Student {
        id: Id::from_key(format!("S{number}")),
        name: format!("n{number}"),
        number,
        doc_type: "student".to_owned(),
        grade: Some(1.5),
    }
}

/// Stores three classes and three students.
async fn school(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.given(&(0..3).map(class).collect::<Vec<_>>()).await;
    t.given(&(0..3).map(student).collect::<Vec<_>>()).await;
    t.forget();
    t
}

/// Stores documents without the library.
async fn store(t: &Harness, collection: &str, documents: impl IntoIterator<Item = Document>) {
    let documents: Vec<_> = documents.into_iter().collect();
    let all = t.odm.database().collection::<Document>(collection);
    all.insert_many(documents).await.unwrap();
    t.forget();
}

/// Returns the keys of the found documents.
fn keys(found: &[Enrollment]) -> Vec<String> {
    let key = |one: &Enrollment| match one {
        Enrollment::Class(class) => class.id.key().clone(),
        Enrollment::Student(student) => student.id.key().clone(),
        Enrollment::Other(document) => document.get("_id").unwrap().to_string(),
    };
    found.iter().map(key).collect()
}
