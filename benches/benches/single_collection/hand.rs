//! Reads and writes of links, written by hand with the driver and serde. The benchmarks compare the library with this
//! code.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use futures_util::{StreamExt, TryStreamExt};
use mongo_odm::{
    Odm,
    bson::{Document, RawBsonRef, RawDocument, RawDocumentBuf, deserialize_from_slice},
    mongodb::{
        ClientSession, Collection, Database,
        action::Find,
        error::{Error, Result as DriverResult},
        options::{ReadConcern, WriteConcern},
    },
    prelude::doc,
};
use odm_benches::Result;
use serde::de::DeserializeOwned;

use crate::{
    models::{Class, Enrollment, Student, TOGETHER},
    school::{CLASSES, STUDENTS},
};

/// Batch size. The library uses the same size for reads that need all documents.
const LARGE_BATCH: u32 = 100_000;

/// The result of reading one student: the student and the linked classes.
#[derive(Debug, Default)]
pub(crate) struct Linked {
    pub(crate) students: Vec<Student>,
    pub(crate) classes: Vec<Class>,
}

/// The result of a join: the classes, and the positions of each student's classes.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) classes: Vec<Class>,
    /// For each student, the positions in `classes`.
    pub(crate) of: Vec<Vec<usize>>,
}

/// Hand-written statements for a database.
#[derive(Clone, Debug)]
pub(crate) struct Hand {
    database: Database,
}

impl Hand {
    pub(crate) fn new(odm: &Odm) -> Self {
        Self {
            database: odm.database().clone(),
        }
    }

    fn raw(&self, collection: &str) -> Collection<RawDocumentBuf> {
        self.database.collection(collection)
    }

    /// Reads a student and all linked classes with one `find`. Each document is decoded directly from its batch, by its
    /// kind.
    pub(crate) async fn linked(&self, id: &str) -> Result<Linked> {
        let collection = self.raw(TOGETHER);
        let mut linked = Linked::default();
        let place = |document: &RawDocument| {
            match document.get_str("doc_type")? {
                "class" => linked.classes.push(decode(document)?),
                "student" => linked.students.push(decode(document)?),
                _ => {}
            }
            Ok(())
        };
        each(collection.find(doc! { "links.target": id }), place).await?;
        Ok(linked)
    }

    /// Reads the same documents in the usual way, with a cursor over a serde enum of both kinds.
    pub(crate) async fn linked_by_serde(&self, id: &str) -> Result<Linked> {
        let collection = self.database.collection::<Enrollment>(TOGETHER);
        let mut found = collection.find(doc! { "links.target": id }).await?;
        let mut linked = Linked::default();
        while let Some(document) = found.try_next().await? {
            match document {
                Enrollment::Student(student) => linked.students.push(student),
                Enrollment::Class(class) => linked.classes.push(class),
            }
        }
        Ok(linked)
    }

    /// Reads the same documents from two collections: first the student, and then the classes by the ids in the
    /// student.
    pub(crate) async fn two_finds(&self, id: &str) -> Result<Linked> {
        let students = self.database.collection::<Student>(STUDENTS);
        let student = students.find_one(doc! { "_id": id }).await?;
        let student = student.ok_or("no student")?;
        let links = student.links.iter().skip(1);
        let ids: Vec<&str> = links.map(|link| link.target.as_str()).collect();
        let collection = self.raw(CLASSES);
        let (by_id, expected) = (doc! { "_id": { "$in": &ids } }, u32::try_from(ids.len())?);
        let mut classes = Vec::with_capacity(ids.len());
        let place = |document: &RawDocument| {
            classes.push(decode(document)?);
            Ok(())
        };
        each(collection.find(by_id).batch_size(expected + 1), place).await?;
        Ok(Linked {
            students: vec![student],
            classes,
        })
    }

    /// Reads the same documents from two collections with two concurrent `find`s. The classes are found by the links
    /// that they contain.
    pub(crate) async fn two_finds_at_once(&self, id: &str) -> Result<Linked> {
        let students = self.database.collection::<Student>(STUDENTS);
        let collection = self.raw(CLASSES);
        let mut classes = Vec::new();
        let place = |document: &RawDocument| {
            classes.push(decode(document)?);
            Ok(())
        };
        let link = doc! { "$elemMatch": { "target": id, "doc_type": "student" } };
        let classes_of = each(collection.find(doc! { "links": link }), place);
        let student = students.find_one(doc! { "_id": id });
        let (student, ()) = tokio::try_join!(async { Ok(student.await?) }, classes_of)?;
        Ok(Linked {
            students: vec![student.ok_or("no student")?],
            classes,
        })
    }

    /// Reads the classes of many students with one `find`, and assigns them with a hash table of the students.
    pub(crate) async fn join(&self, students: &[Student]) -> Result<Joined> {
        let mut ids: Vec<&str> = students.iter().map(|it| it.id.key().as_str()).collect();
        let numbers = ids.iter().copied().zip(0..);
        let numbers: HashMap<&str, usize, FixedState> = numbers.collect();
        ids.sort_unstable();
        let linked = doc! { "links.target": { "$in": &ids }, "doc_type": "class" };
        let collection = self.raw(TOGETHER);
        let mut classes: Vec<Class> = Vec::new();
        let mut of = vec![Vec::new(); students.len()];
        let place = |document: &RawDocument| {
            let class: Class = decode(document)?;
            for link in &class.links {
                let student = numbers.get(link.target.as_str());
                if let Some(of) = student.and_then(|number| of.get_mut(*number)) {
                    of.push(classes.len());
                }
            }
            classes.push(class);
            Ok(())
        };
        each(collection.find(linked).batch_size(LARGE_BATCH), place).await?;
        Ok(Joined { classes, of })
    }

    /// Creates a link and removes it, each in a transaction that has two updates.
    pub(crate) async fn link_and_unlink(&self, student: &str, class: &str) -> Result<()> {
        for operator in ["$addToSet", "$pull"] {
            let change = |target: &str, kind: &str| doc! { operator: { "links": { "target": target, "doc_type": kind } } };
            let ends = [
                (student, "student", change(class, "class")),
                (class, "class", change(student, "student")),
            ];
            self.both_ends(&ends).await?;
        }
        Ok(())
    }

    /// Updates both ends in one transaction, with the same read and write concern as the library. There are no
    /// conflicts, because there is only one caller.
    async fn both_ends(&self, ends: &[(&str, &str, Document)]) -> Result<()> {
        let mut session = self.database.client().start_session().await?;
        let begin = session.start_transaction();
        let begin = begin.read_concern(ReadConcern::snapshot());
        begin.write_concern(WriteConcern::majority()).await?;
        for (id, kind, change) in ends {
            self.update(id, kind, change, &mut session).await?;
        }
        session.commit_transaction().await?;
        Ok(())
    }

    async fn update(
        &self,
        id: &str,
        kind: &str,
        change: &Document,
        session: &mut ClientSession,
    ) -> DriverResult<()> {
        let collection = self.database.collection::<Document>(TOGETHER);
        let update = collection.update_one(doc! { "_id": id, "doc_type": kind }, change.clone());
        match update.session(session).await?.modified_count {
            1 => Ok(()),
            _ => Err(Error::custom(format!("`{id}` was not changed"))),
        }
    }
}

/// Passes each document of a cursor to a function, without copying it from its batch.
async fn each(
    find: Find<'_, RawDocumentBuf>,
    mut place: impl FnMut(&RawDocument) -> Result<()> + Send,
) -> Result<()> {
    let mut batches = find.batch().await?;
    while let Some(batch) = batches.next().await {
        for document in batch?.doc_slices()? {
            if let RawBsonRef::Document(document) = document? {
                place(document)?;
            }
        }
    }
    Ok(())
}

fn decode<T: DeserializeOwned>(document: &RawDocument) -> Result<T> {
    Ok(deserialize_from_slice(document.as_bytes())?)
}
