//! `link_*` and `unlink_*`.

use std::future::IntoFuture;

use super::*;

#[tokio::test]
async fn links_are_made_and_ended_at_both_ends() {
    let (t, students, courses) = school("mirrored_links").await;
    let [ann, bob] = [0, 1].map(|at: usize| students[at].clone());
    let [art, biology] = [0, 1].map(|at: usize| courses[at].clone());
    let report = ann
        .link_courses(&t.odm, [art.id, biology.id])
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_mirrored(&t.odm, "linked", 2).await;
    // Existing links are not changed.
    let report = art.link_students(&t.odm, [ann.id, bob.id, bob.id]).await;
    assert_eq!(report.unwrap().modified, 1);
    assert_mirrored(&t.odm, "linked again", 3).await;
    let report = art.link_students(&t.odm, [ann.id]).await.unwrap();
    assert_eq!(report.modified, 0);
    let report = art.link_students(&t.odm, Vec::<Id<Student>>::new()).await;
    assert_eq!(report.unwrap().modified, 0);
    let inside = async |tx: mongo_odm::Tx| {
        bob.link_courses(&tx, [biology.id]).await?;
        ann.unlink_courses(&tx, [art.id, courses[2].id]).await?;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    assert_mirrored(&t.odm, "in a transaction", 3).await;
    let report = biology.unlink_students(&t.odm, [ann.id, bob.id]).await;
    assert_eq!(report.unwrap().modified, 1);
    let report = biology.unlink_students(&t.odm, Vec::<Id<Student>>::new());
    assert_eq!(report.await.unwrap().modified, 0);
    assert_mirrored(&t.odm, "unlinked", 1).await;
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_link_to_what_is_full_is_not_made_at_either_end() {
    let (t, students, courses) = school("mirrored_full_links").await;
    let full: Vec<Student> = (0..4)
        .map(|n| student(&n.to_string(), &[&courses[0]]))
        .collect();
    t.given(&full).await;
    let both = [courses[1].id, courses[0].id];
    let refused = students[0].link_courses(&t.odm, both).await.unwrap_err();
    assert_eq!(
        refused.kind(),
        mongo_odm::ErrorKind::BoundExceeded,
        "{refused}"
    );
    let refused = courses[0].link_students(&t.odm, [students[0].id]).await;
    assert_eq!(
        refused.unwrap_err().kind(),
        mongo_odm::ErrorKind::BoundExceeded
    );
    assert_mirrored(&t.odm, "refused", 4).await;
}

#[tokio::test]
async fn a_link_is_an_update_at_each_end_and_one_look() {
    let t = super::pairs("mirrored_trips").await;
    let users: Vec<User> = (0..4).map(|_| user()).collect();
    t.given(&users).await;
    let others = [users[1].id, users[2].id, users[3].id];
    users[0].link_follows(&t.odm, [users[0].id]).await.unwrap();
    let (linked, sent) = t
        .sent(users[0].link_follows(&t.odm, others).into_future())
        .await;
    linked.unwrap();
    assert_eq!(
        sent,
        ["findAndModify", "find", "update", "commitTransaction"]
    );
}
