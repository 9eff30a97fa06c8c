//! The data. There are as many classes as students, so a class has as many students as a student has classes.

use std::sync::Arc;

use mongo_odm::{
    Odm,
    bson::{Document, serialize_to_document},
    mongodb::{
        IndexModel,
        options::{Acknowledgment, WriteConcern},
    },
    prelude::*,
};
use odm_benches::{Result, place::Place};

use crate::{
    hand::Hand,
    models::{Class, Link, Student, TOGETHER, class, student},
};

/// The collections for the variants that use two collections. Together, they contain the same documents as the single
/// collection.
pub(crate) const STUDENTS: &str = "students_alone";
pub(crate) const CLASSES: &str = "classes_alone";

/// The students and classes in a database.
pub(crate) struct School {
    pub(crate) odm: Odm,
    pub(crate) hand: Hand,
    pub(crate) students: Arc<Vec<Student>>,
    pub(crate) classes: Arc<Vec<Class>>,
    /// Number of classes for each student.
    pub(crate) each: usize,
}

impl School {
    /// Creates and fills a separate database.
    pub(crate) async fn fill(place: &Place, size: usize, each: usize) -> Result<Self> {
        let odm = place.database(&format!("school_{each}")).await?;
        let (students, classes) = linked(size, each);
        let documents = [
            as_stored(&classes, "class")?,
            as_stored(&students, "student")?,
        ];
        for (documents, alone) in documents.iter().zip([CLASSES, STUDENTS]) {
            insert(&odm, TOGETHER, documents).await?;
            insert(&odm, alone, documents).await?;
        }
        let by_target = IndexModel::builder().keys(doc! { "links.target": 1, "links.doc_type": 1 });
        let alone = odm.database().collection::<Document>(CLASSES);
        alone.create_index(by_target.build()).await?;
        place.flush().await?;
        Ok(Self {
            hand: Hand::new(&odm),
            odm,
            students: Arc::new(students),
            classes: Arc::new(classes),
            each,
        })
    }
}

/// Returns students and classes with their links. The first link of each document refers to the document itself.
fn linked(size: usize, each: usize) -> (Vec<Student>, Vec<Class>) {
    let mut students: Vec<Student> = (0..size).map(student).collect();
    let mut classes: Vec<Class> = (0..size).map(class).collect();
    for student in &mut students {
        student.links.push(link(student.id.key(), "student"));
    }
    for class in &mut classes {
        class.links.push(link(class.id.key(), "class"));
    }
    for (number, student) in students.iter_mut().enumerate() {
        for place in 0..each {
            let class = classes.get_mut((number * 7 + place) % size);
            if let Some(class) = class {
                class.links.push(link(student.id.key(), "student"));
                student.links.push(link(class.id.key(), "class"));
            }
        }
    }
    (students, classes)
}

fn link(target: &str, doc_type: &str) -> Link {
    Link {
        target: target.to_owned(),
        doc_type: doc_type.to_owned(),
    }
}

/// Converts models to documents, exactly as the library stores them.
fn as_stored<M: Model + Serialize>(models: &[M], kind: &str) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    for model in models {
        let mut document = serialize_to_document(model)?;
        document.insert("doc_type", kind);
        documents.push(document);
    }
    Ok(documents)
}

async fn insert(odm: &Odm, collection: &str, documents: &[Document]) -> Result<()> {
    let collection = odm.database().collection::<Document>(collection);
    let concern = WriteConcern::builder().w(Acknowledgment::Nodes(1)).build();
    let insert = collection.insert_many(documents);
    insert.write_concern(concern).await?;
    Ok(())
}
