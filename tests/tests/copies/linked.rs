//! Links between documents of several kinds in one collection.

mod both_ends;
mod callers;
mod copied;
mod defaults;
mod deletes;
mod drift;
mod forms;
mod full;
mod grouped;
mod hostile;
mod keys;
mod oracle;
mod plans;
mod reads;
mod rules;
mod school;
mod storms;

use mongo_odm::{
    Odm,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Link {
    pub target: String,
    pub doc_type: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_school", kind(doc_type = "class"))]
pub struct Class {
    #[serde(rename = "_id")]
    pub id: Id<Class, String>,
    pub name: String,
    #[links(max = 4)]
    pub links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_school", kind(doc_type = "student"))]
pub struct Student {
    #[serde(rename = "_id")]
    pub id: Id<Student, String>,
    pub name: String,
    #[links]
    #[serde(default)]
    pub links: Vec<Link>,
}

/// A room. Thousands of documents have links to a room, which stores none of these links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_school", kind(doc_type = "room"))]
pub struct Room {
    #[serde(rename = "_id")]
    pub id: Id<Room, String>,
    pub seats: i64,
    #[links(one_sided)]
    #[serde(default)]
    pub links: Vec<Link>,
}

pub fn class(number: i64) -> Class {
    Class {
        id: Id::from_key(format!("C{number}")),
        name: format!("class {number}"),
        links: Vec::new(),
    }
}

pub fn student(number: i64) -> Student {
    Student {
        id: Id::from_key(format!("S{number}")),
        name: format!("student {number}"),
        links: Vec::new(),
    }
}

fn room(number: i64) -> Room {
    Room {
        id: Id::from_key(format!("R{number}")),
        seats: 10 * number,
        links: Vec::new(),
    }
}

fn link(target: &str) -> Link {
    let kind = match target.as_bytes().first() {
        Some(b'C') => "class",
        Some(b'S') => "student",
        _ => "room",
    };
    Link {
        target: target.to_owned(),
        doc_type: kind.to_owned(),
    }
}

fn stored_link(target: &str) -> Document {
    let link = link(target);
    doc! { "target": link.target, "doc_type": link.doc_type }
}

async fn indexed(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Class>().only::<Student>();
    sync.only::<Room>().await.unwrap();
    t
}

/// Five classes, five students and two rooms. Their only links are those to themselves.
async fn school(test: &str) -> Harness {
    let t = indexed(test).await;
    t.given(&(0..5).map(class).collect::<Vec<_>>()).await;
    t.given(&(0..5).map(student).collect::<Vec<_>>()).await;
    t.given(&(0..2).map(room).collect::<Vec<_>>()).await;
    t
}

/// Returns the targets of the stored links of a document, and asserts that each link has the kind of its target.
async fn links_of(odm: &Odm, id: &str) -> Vec<String> {
    let stored = raw(odm, "linked_school", id).await;
    let links = stored.get_array("links").unwrap();
    let target = |it: &bson::Bson| {
        let stored = it.as_document().unwrap();
        let target = stored.get_str("target").unwrap();
        assert_eq!(stored.get_str("doc_type").unwrap(), link(target).doc_type);
        target.to_owned()
    };
    links.iter().map(target).collect()
}

pub async fn assert_linked(odm: &Odm, expected: &[(&str, &[&str])]) {
    for (id, links) in expected {
        assert_eq!(links_of(odm, id).await, *links, "links of {id}");
    }
}

/// Updates a document without the library.
async fn past_the_library(odm: &Odm, id: &str, update: Document) {
    let collection = odm.database().collection::<Document>("linked_school");
    let updated = collection.update_one(doc! { "_id": id }, update).await;
    assert_eq!(updated.unwrap().matched_count, 1);
}
