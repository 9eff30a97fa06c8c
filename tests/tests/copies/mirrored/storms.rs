//! Many concurrent writers at both ends.

use mongo_odm::bson::Document;

use super::*;

/// Callers add and remove the same pairs at both ends. A caller that gets a conflict tries again.
#[tokio::test(flavor = "multi_thread")]
async fn a_storm_at_both_ends_leaves_no_pair_with_one_side() {
    let t = super::pairs("mirrored_storm").await;
    let users: Vec<User> = (0..10).map(|_| user()).collect();
    t.given(&users).await;
    let caller = |number: usize| {
        let (odm, users) = (t.odm.clone(), users.clone());
        async move {
            let fields = User::fields();
            for step in 0..40 {
                let (one, other) = ((step * 7 + number * 3) % 10, (step * 3 + number) % 10);
                let (one, other) = (users[one].id, users[other].id);
                let write = User::update(&odm, one);
                let write = match (step + number) % 5 {
                    0 => write.add_to_set(fields.follows, other),
                    1 => write.pull(fields.followers, other),
                    2 => write.add_to_set(fields.followers, other),
                    3 => write.add_to_set(fields.friends, other),
                    _ => write.pull(fields.friends, other),
                };
                write.await.unwrap();
            }
        }
    };
    let callers: Vec<_> = (0..8).map(|number| tokio::spawn(caller(number))).collect();
    for caller in callers {
        caller.await.unwrap();
    }
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    let pairs = User::find(&t.odm).await.unwrap();
    let pairs = pairs.iter().map(|it| it.follows.len() + it.friends.len());
    assert!(pairs.sum::<usize>() > 0);
}

/// The repair has read that a student refers to the course, and the student ends this link. The course is the only
/// document that both write.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_ended_while_a_repair_adds_it_is_at_neither_end() {
    let (t, students, courses) = school("mirrored_raced").await;
    let named = t.odm.database().collection::<Document>("mirrored_students");
    for round in 0..30 {
        let (student, course) = (&students[round % 3], &courses[round % 3]);
        let push = doc! { "$push": { "courses": course.id } };
        named
            .update_one(doc! { "_id": student.id }, push)
            .await
            .unwrap();
        let drift = t.odm.verify().await.unwrap();
        let ends = Student::update(&t.odm, student.id).set(Student::fields().courses, vec![]);
        let (repaired, ended) = tokio::join!(drift.repair(&t.odm), ends);
        repaired.unwrap();
        ended.unwrap();
        settle(&t.odm).await;
        assert_mirrored(&t.odm, &format!("round {round}"), 0).await;
    }
}
