//! One random write, and its expected result.

use mongo_odm::Result;

use super::{Dice, Oracle};
use crate::linked::*;

/// The documents of a write, and the documents to which they have links.
struct Drawn {
    student: Student,
    class: Class,
    to: Vec<String>,
    of_class: Vec<String>,
}

/// Does one write, and describes it in `told`.
pub(super) async fn write(
    odm: &impl Executor,
    dice: &mut Dice,
    oracle: &mut Oracle,
    told: &mut String,
) -> Result<()> {
    let kind = dice.roll(14);
    let (student, class) = (dice.student(), dice.class());
    let drawn = Drawn {
        to: dice.ids(student.id.key()),
        of_class: dice.ids(class.id.key()),
        student,
        class,
    };
    let (s, c) = (drawn.student.id.key(), drawn.class.id.key());
    let title = format!("{kind}: {s} {:?}, {c} {:?}; ", drawn.to, drawn.of_class);
    told.push_str(&title);
    match kind {
        0 | 1 => drawn.link_student(kind == 0, odm, oracle).await,
        2 | 3 => drawn.link_class(kind == 2, odm, oracle).await,
        4 => {
            oracle.delete(s);
            Student::delete(odm, &drawn.student.id).await.map(drop)
        }
        5 => {
            oracle.delete(c);
            Class::delete_many(odm, doc! { "_id": c }).await.map(drop)
        }
        6 | 7 => drawn.store_student(kind == 6, odm, oracle).await,
        8 => drawn.store_class(odm, oracle).await,
        9 => drawn.set(odm, oracle).await,
        10 => drawn.push(odm, oracle).await,
        11 => drawn.pull(odm, oracle).await,
        12 => drawn.keep_some(odm, oracle).await,
        _ => drawn.upsert(odm, oracle).await,
    }
}

impl Oracle {
    fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }
}

impl Drawn {
    async fn link_student(
        &self,
        makes: bool,
        odm: &impl Executor,
        oracle: &mut Oracle,
    ) -> Result<()> {
        let (one, to) = (&self.student, only("C", &self.to));
        if oracle.has(one.id.key()) {
            oracle.change(one.id.key(), &to, makes);
        }
        let others = to.into_iter().map(Id::<Class, String>::from_key);
        let done = if makes {
            one.link(odm, others).await
        } else {
            one.unlink(odm, others).await
        };
        done.map(drop)
    }

    async fn link_class(
        &self,
        makes: bool,
        odm: &impl Executor,
        oracle: &mut Oracle,
    ) -> Result<()> {
        let (one, to) = (&self.class, only("S", &self.of_class));
        if oracle.has(one.id.key()) {
            oracle.change(one.id.key(), &to, makes);
        }
        let others = to.into_iter().map(Id::<Student, String>::from_key);
        let done = if makes {
            one.link(odm, others).await
        } else {
            one.unlink(odm, others).await
        };
        done.map(drop)
    }

    /// A stored document keeps its links, whatever links the struct contains.
    async fn store_student(
        &self,
        saves: bool,
        odm: &impl Executor,
        oracle: &mut Oracle,
    ) -> Result<()> {
        let id = self.student.id.key();
        let links = self.to.iter().map(|id| link(id)).collect();
        let new = Student {
            links,
            ..self.student.clone()
        };
        let is_there = oracle.has(id);
        if !is_there {
            oracle.insert(id, &self.to);
        }
        if saves {
            new.save(odm).await.map(drop)
        } else if is_there {
            new.replace(odm).await.map(drop)
        } else {
            new.insert(odm).await.map(drop)
        }
    }

    async fn store_class(&self, odm: &impl Executor, oracle: &mut Oracle) -> Result<()> {
        let (id, mut to) = (self.class.id.key(), self.of_class.clone());
        to.truncate(2);
        let links = to.iter().map(|id| link(id)).collect();
        if !oracle.has(id) {
            oracle.insert(id, &to);
        }
        let new = Class {
            links,
            ..self.class.clone()
        };
        new.save(odm).await.map(drop)
    }

    async fn set(&self, odm: &impl Executor, oracle: &mut Oracle) -> Result<()> {
        let id = self.student.id.key();
        if oracle.has(id) {
            oracle.set(id, &self.to);
        }
        let links: Vec<Link> = [id]
            .into_iter()
            .chain(&self.to)
            .map(|id| link(id))
            .collect();
        let update = Student::update(odm, &self.student.id);
        update.set(Student::fields().links, links).await.map(drop)
    }

    async fn push(&self, odm: &impl Executor, oracle: &mut Oracle) -> Result<()> {
        let id = self.student.id.key();
        let Some(known) = oracle.0.get(id).cloned() else {
            return Ok(());
        };
        let new: Vec<String> = self
            .to
            .iter()
            .filter(|it| !known.contains(*it))
            .cloned()
            .collect();
        oracle.change(id, &new, true);
        let push = Student::find_one_and_update(odm, doc! { "_id": id });
        let push = push.push_all(Student::fields().links, new.iter().map(|id| link(id)));
        push.await.map(drop)
    }

    /// Removes a class from the links of all students.
    async fn pull(&self, odm: &impl Executor, oracle: &mut Oracle) -> Result<()> {
        let class = self.class.id.key();
        for id in oracle.namers(class) {
            if id.starts_with('S') {
                oracle.change(&id, std::slice::from_ref(class), false);
            }
        }
        let pull = doc! { "$pull": { "links": { "target": class } } };
        let update = Student::update_many(odm, doc! {}).with(pull);
        update.await.map(drop)
    }

    async fn keep_some(&self, odm: &impl Executor, oracle: &mut Oracle) -> Result<()> {
        let id = self.student.id.key();
        if let Some(known) = oracle.0.get(id).cloned() {
            let kept: Vec<String> = self
                .to
                .iter()
                .filter(|it| known.contains(*it))
                .cloned()
                .collect();
            oracle.set(id, &kept);
        }
        let keep: Vec<&String> = self.to.iter().chain([id]).collect();
        let is_kept = doc! { "$in": ["$$this.target", keep] };
        let kept = doc! { "$filter": { "input": "$links", "cond": is_kept } };
        let by_pipeline = vec![doc! { "$set": { "links": kept } }];
        let update = Student::update(odm, &self.student.id).modifications(by_pipeline);
        update.await.map(drop)
    }

    async fn upsert(&self, odm: &impl Executor, oracle: &mut Oracle) -> Result<()> {
        let id = self.student.id.key();
        if !oracle.has(id) {
            oracle.insert(id, &[]);
        }
        let upsert = Student::upsert(odm, Student::fields().id.eq(&self.student.id));
        upsert
            .set(Student::fields().name, "upserted")
            .await
            .map(drop)
    }
}

fn only(kind: &str, ids: &[String]) -> Vec<String> {
    ids.iter()
        .filter(|id| id.starts_with(kind))
        .cloned()
        .collect()
}
