//! Links that are removed while a job adds their other end, which the removing write does not find. The abstract model
//! of the protocol, `pairs`, has found each of these cases.

use std::{
    future::Future,
    sync::{Arc, Mutex},
    time::Duration,
};

use mongo_odm::{Tx, bson::Document};
use tokio::{sync::oneshot, task::JoinHandle};

use super::*;

async fn past_the_library(odm: &Odm, collection: &str, id: impl Into<Bson>, update: Document) {
    let collection = odm.database().collection::<Document>(collection);
    let updated = collection.update_one(doc! { "_id": id.into() }, update);
    assert_eq!(updated.await.unwrap().matched_count, 1);
}

/// A transaction that is open until it is told to commit.
struct Held {
    commit: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

impl Held {
    /// Begins a transaction, and returns after its statements are sent.
    async fn begin<Running>(
        odm: &Odm,
        statements: impl Fn(Tx) -> Running + Send + Sync + 'static,
    ) -> Self
    where
        Running: Future<Output = mongo_odm::Result<()>> + Send,
    {
        let (sent, is_sent) = oneshot::channel();
        let (commit, may_commit) = oneshot::channel();
        let once = Arc::new(Mutex::new(Some((sent, may_commit))));
        let odm = odm.clone();
        let ended = tokio::spawn(async move {
            let held = odm.transaction(|tx: Tx| {
                let (sending, once) = (statements(tx), Arc::clone(&once));
                async move {
                    sending.await?;
                    let first = once.lock().unwrap().take();
                    if let Some((sent, may_commit)) = first {
                        sent.send(()).unwrap();
                        may_commit.await.unwrap();
                    }
                    Ok(())
                }
            });
            held.await.unwrap();
        });
        is_sent.await.unwrap();
        Self { commit, ended }
    }

    async fn commit(self) {
        self.commit.send(()).unwrap();
        self.ended.await.unwrap();
    }
}

/// Stores a job for the students of a course.
async fn job_of(odm: &Odm, student: &Student, course: &Course) {
    let push = doc! { "$push": { "courses": course.id } };
    past_the_library(odm, "mirrored_students", student.id, push).await;
    student.unlink_courses(odm, [course.id]).await.unwrap();
    assert_eq!(jobs(odm).await.len(), 1);
}

/// Removes all links of a student, in a transaction that stays open.
async fn ends_links(odm: &Odm, student: Id<Student>) -> Held {
    Held::begin(odm, move |tx| async move {
        let set = Student::update(&tx, student).set(Student::fields().courses, vec![]);
        set.await.map(drop)
    })
    .await
}

/// Runs the jobs until they have added a student to a course, or at most for the time that this would take without a
/// conflict.
async fn run_jobs(odm: &Odm, course: &Course) -> JoinHandle<()> {
    let jobs = odm.clone();
    let running = tokio::spawn(async move { _ = jobs.run_pending_jobs().await.unwrap() });
    for _ in 0..40 {
        let stored = raw(odm, "mirrored_courses", course.id).await;
        if stored.get_array("students").is_ok_and(|it| !it.is_empty()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    running
}

async fn assert_at_neither_end(odm: &Odm, title: &str) {
    settle(odm).await;
    let drift = odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{title}: {drift}");
    for student in Student::find(odm).await.unwrap() {
        assert_eq!(student.courses, [], "{title}");
    }
}

#[tokio::test]
async fn a_link_to_an_array_that_is_missing_is_ended_beside_its_job() {
    for title in ["array", "missing", "null"] {
        let (t, students, courses) = school(&format!("mirrored_job_{title}")).await;
        let ([ann, bob, ..], art) = (students.as_slice(), &courses[0]) else {
            panic!("three students")
        };
        job_of(&t.odm, bob, art).await;
        let push = doc! { "$push": { "courses": art.id } };
        past_the_library(&t.odm, "mirrored_students", ann.id, push).await;
        let array = match title {
            "array" => doc! { "$set": { "students": [] } },
            "missing" => doc! { "$unset": { "students": "" } },
            _ => doc! { "$set": { "students": null } },
        };
        past_the_library(&t.odm, "mirrored_courses", art.id, array).await;
        let writer = ends_links(&t.odm, ann.id).await;
        let runner = run_jobs(&t.odm, art).await;
        writer.commit().await;
        runner.await.unwrap();
        settle(&t.odm).await;
        let stored = raw(&t.odm, "mirrored_courses", art.id).await;
        let students = stored.get_array("students");
        assert!(students.map_or(true, Vec::is_empty), "{title}: {stored}");
    }
}

#[tokio::test]
async fn a_link_to_a_document_that_is_being_inserted_is_ended_beside_its_job() {
    let (t, students, courses) = school("mirrored_job_insert").await;
    let (ann, art) = (students[0].id, courses[0].clone());
    job_of(&t.odm, &students[1], &art).await;
    // A runner has already claimed the job, and the course is deleted.
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    let run = doc! { "$set": { "phase": "run" } };
    jobs.update_many(doc! {}, run).await.unwrap();
    Course::delete(&t.odm, art.id).await.unwrap();
    let new = art.clone();
    let insert = Held::begin(&t.odm, move |tx| {
        let new = new.clone();
        async move { new.insert(&tx).await.map(drop) }
    })
    .await;
    let link = Student::update(&t.odm, ann).set(Student::fields().courses, vec![art.id]);
    link.await.unwrap();
    let writer = ends_links(&t.odm, ann).await;
    // The work of the insert after its commit waits for the writer, as the runner does. So the test does not wait for
    // the insert here.
    let inserted = tokio::spawn(insert.commit());
    let is_there = doc! { "_id": art.id };
    while count(&t.odm, "mirrored_courses", is_there.clone()).await == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let runner = run_jobs(&t.odm, &art).await;
    writer.commit().await;
    inserted.await.unwrap();
    runner.await.unwrap();
    assert_at_neither_end(&t.odm, "inserted").await;
}

#[tokio::test]
async fn one_repair_adds_and_another_one_removes() {
    let (t, students, courses) = school("mirrored_two_repairs").await;
    for round in 0..30 {
        let (ann, art) = (&students[round % 3], &courses[round % 3]);
        let push = doc! { "$push": { "courses": art.id } };
        past_the_library(&t.odm, "mirrored_students", ann.id, push).await;
        let drift = t.odm.verify().await.unwrap();
        let adds = async { drift.repair(&t.odm).await.unwrap() };
        let removes = async {
            let pause = u64::try_from(round % 20).unwrap();
            tokio::time::sleep(Duration::from_millis(pause)).await;
            drift.repair(&t.odm).remove_one_sided().await.unwrap()
        };
        tokio::join!(adds, removes);
        settle(&t.odm).await;
        let [left, right] = both_ends(&t.odm).await;
        assert_eq!(left, right, "{round}");
        ann.unlink_courses(&t.odm, [art.id]).await.unwrap();
        settle(&t.odm).await;
    }
}
