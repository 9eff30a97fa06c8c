//! Links that exist at only one end. They are found, and then completed or removed.

use mongo_odm::{DriftKind, bson::Document};

use super::*;

async fn past_the_library(odm: &Odm, collection: &str, id: impl Into<Bson>, update: Document) {
    let collection = odm.database().collection::<Document>(collection);
    let updated = collection.update_one(doc! { "_id": id.into() }, update);
    assert_eq!(updated.await.unwrap().modified_count, 1);
}

/// A course refers to a student and a student refers to a course, but neither target refers back.
async fn one_sided(test: &str) -> (Harness, Vec<Student>, Vec<Course>) {
    let (t, students, courses) = school(test).await;
    let push = doc! { "$push": { "students": students[0].id } };
    past_the_library(&t.odm, "mirrored_courses", courses[0].id, push).await;
    let push = doc! { "$push": { "courses": courses[1].id } };
    past_the_library(&t.odm, "mirrored_students", students[1].id, push).await;
    (t, students, courses)
}

#[tokio::test]
async fn repair_adds_what_the_other_side_lacks() {
    let (t, students, courses) = one_sided("mirrored_added").await;
    let verify = t.odm.verify().relation("Course.students");
    // There is one query for each side, and one for the bound of the array.
    let plan = verify.plan().unwrap();
    assert_eq!(plan.statements.len(), 3, "{plan}");
    let drift = verify.await.unwrap();
    let kinds: Vec<_> = drift.items.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [DriftKind::OneSided, DriftKind::OneSided], "{drift}");
    let plan = drift.plan().to_string();
    assert!(plan.contains("_odm_jobs"), "{plan}");
    let report = drift.repair(&t.odm).await.unwrap();
    // One link at each side, and a student's count of courses.
    assert_eq!((report.repaired(), report.left()), (3, 0), "{report}");
    t.odm.verify().repair().await.unwrap();
    assert_mirrored(&t.odm, "added", 2).await;
    let stored = Student::get(&t.odm, students[0].id).await.unwrap();
    assert_eq!(stored.courses, [courses[0].id]);
    settle(&t.odm).await;
}

#[tokio::test]
async fn repair_takes_away_what_one_side_names_if_it_is_told_to() {
    let (t, ..) = one_sided("mirrored_taken").await;
    let repair = t.odm.verify().repair().remove_one_sided();
    repair.await.unwrap();
    t.odm.verify().repair().await.unwrap();
    assert_mirrored(&t.odm, "taken", 0).await;
    settle(&t.odm).await;
}

#[tokio::test]
async fn repair_removes_the_keys_of_missing_documents_if_it_is_told_to() {
    let (t, _, courses) = school("mirrored_missing").await;
    let gone = student("gone", &[&courses[0]]);
    t.given(std::slice::from_ref(&gone)).await;
    let students = t.odm.database().collection::<Document>("mirrored_students");
    let deleted = students.delete_one(doc! { "_id": gone.id });
    assert_eq!(deleted.await.unwrap().deleted_count, 1);
    let drift = t.odm.verify().await.unwrap();
    let kinds: Vec<_> = drift.items.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [DriftKind::Dangling], "{drift}");
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (0, 1), "{report}");
    let report = drift.repair(&t.odm).remove_one_sided().await.unwrap();
    assert_eq!((report.repaired(), report.left()), (1, 0), "{report}");
    let stored = Course::get(&t.odm, courses[0].id).await.unwrap();
    assert_eq!(stored.students, []);
    settle(&t.odm).await;
}

#[tokio::test]
async fn an_array_that_is_full_keeps_no_other_from_its_repair() {
    let (t, _, courses) = school("mirrored_full_repair").await;
    let full: Vec<Student> = (0..4)
        .map(|n| student(&n.to_string(), &[&courses[0]]))
        .collect();
    let late = [student("too late", &[]), student("in time", &[])];
    t.given(&full).await;
    t.given(&late).await;
    for (student, course) in late.iter().zip(&courses) {
        let push = doc! { "$push": { "courses": course.id } };
        past_the_library(&t.odm, "mirrored_students", student.id, push).await;
    }
    let drift = t.odm.verify().await.unwrap();
    let sentence = drift.items[0].to_string();
    assert!(sentence.contains("does not refer back"), "{sentence}");
    let report = drift.repair(&t.odm).await.unwrap();
    // The other course, and the count of its student.
    assert_eq!(report.repaired(), 2, "{report}");
    let failed: Vec<&Bson> = report.relations.iter().flat_map(|it| &it.failed).collect();
    assert_eq!(failed, [&Bson::from(courses[0].id)], "{report}");
    let stored = Course::get(&t.odm, courses[1].id).await.unwrap();
    assert_eq!(stored.students, [late[1].id]);
    // The first course is found again, and is correct as soon as its array has room.
    let drift = t.odm.verify().include_pending().await.unwrap();
    assert!(!drift.is_empty());
    courses[0]
        .unlink_students(&t.odm, [full[0].id])
        .await
        .unwrap();
    later(&t.odm).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_mirrored(&t.odm, "room", 5).await;
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_pair_that_is_its_own_inverse_is_reported_once() {
    let t = super::pairs("mirrored_own_inverse").await;
    let users: Vec<User> = (0..2).map(|_| user()).collect();
    t.given(&users).await;
    let push = doc! { "$push": { "friends": users[1].id } };
    past_the_library(&t.odm, "mirrored_users", users[0].id, push).await;
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(drift.len(), 1, "{drift}");
    drift.repair(&t.odm).await.unwrap();
    let stored = User::get(&t.odm, users[1].id).await.unwrap();
    assert_eq!(stored.friends, [users[0].id]);
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn lines_that_one_side_lacks_come_with_their_copies() {
    let t = super::pairs("mirrored_lines_drift").await;
    let band = Band {
        id: Id::new(),
        members: Vec::new(),
    };
    let musician = Musician {
        id: Id::new(),
        name: "One".to_owned(),
        bands: Vec::new(),
    };
    band.insert(&t.odm).await.unwrap();
    musician.insert(&t.odm).await.unwrap();
    let push = doc! { "$push": { "bands": band.id } };
    past_the_library(&t.odm, "mirrored_musicians", musician.id, push).await;
    t.odm.verify().repair().await.unwrap();
    let members = Band::get(&t.odm, band.id).await.unwrap().members;
    let expected = MemberLine {
        musician: musician.id,
        name: "One".to_owned(),
    };
    assert_eq!(members, [expected]);
    let taken = doc! { "$set": { "bands": [] } };
    past_the_library(&t.odm, "mirrored_musicians", musician.id, taken).await;
    let repair = t.odm.verify().repair().remove_one_sided();
    repair.await.unwrap();
    let members = Band::get(&t.odm, band.id).await.unwrap().members;
    assert_eq!(members, []);
    assert!(t.odm.verify().await.unwrap().is_empty());
}
