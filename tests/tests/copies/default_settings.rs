//! Programs with the default settings, which store their own declarations and read those of other
//! programs.

use std::time::Duration;

use mongo_odm::{CopyReport, Guarantee, Token, Tx, bson::Document, prelude::*};
use odm_tests::{Harness, declared::assert_declarations_are_own};

use crate::{linked, mirrored, setting::*, two_way};

#[tokio::test]
async fn a_program_takes_no_declaration_of_its_own_for_one_of_another() {
    assert_declarations_are_own("copies_own_declarations").await;
}

/// Checks that a write has updated all derived data, and that no job is still to be run.
async fn assert_atomic(t: &Harness, copies: &[CopyReport], token: &Token) {
    assert!(!copies.is_empty(), "nothing is reported");
    for copy in copies {
        assert_eq!(copy.guarantee, Guarantee::Atomic, "{copy:?}");
    }
    let waiting = t.odm.wait(token).timeout(Duration::from_secs(5));
    waiting.await.unwrap();
    let mut jobs = jobs(&t.odm).await;
    // Jobs for declarations that other programs may not know yet still wait for their last look.
    jobs.retain(|job| job.get_str("phase").is_ok_and(|it| it == "run"));
    assert_eq!(jobs, Vec::<Document>::new());
    let health = t.odm.health().await.unwrap();
    assert_eq!(health.undeclared, []);
    assert_eq!(health.left_to_others, Vec::<String>::new());
    assert_eq!(health.jobs.foreign, 0);
}

#[tokio::test]
async fn links_between_two_arrays_are_atomic_and_leave_nothing_to_others() {
    let t = Harness::new("default_two_arrays").await;
    t.odm.sync_indexes().only::<mirrored::User>().await.unwrap();
    let users = [(); 3].map(|()| mirrored::user());
    t.given(&users).await;
    let [ann, bob, cid] = &users;
    let linked = ann.link_friends(&t.odm, [bob.id, cid.id]).await.unwrap();
    assert_atomic(&t, &linked.copies, linked.token()).await;
    let inside = async |tx: Tx| ann.link_follows(&tx, [cid.id]).await;
    let linked = t.odm.transaction(inside).await.unwrap();
    assert_atomic(&t, &linked.copies, linked.token()).await;
    let unlinked = ann.unlink_friends(&t.odm, [bob.id]).await.unwrap();
    assert_atomic(&t, &unlinked.copies, unlinked.token()).await;
    let deleted = mirrored::User::delete(&t.odm, cid.id).await.unwrap();
    t.odm.wait(deleted.token()).await.unwrap();
    let users = mirrored::User::find(&t.odm).await.unwrap();
    let are_free = |it: &mirrored::User| it.friends.is_empty() && it.follows.is_empty();
    assert!(users.iter().all(are_free), "{users:?}");
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn links_within_a_collection_are_atomic_and_leave_nothing_to_others() {
    let t = Harness::new("default_links").await;
    let sync = t.odm.sync_indexes().only::<linked::Class>();
    sync.only::<linked::Student>()
        .only::<linked::Room>()
        .await
        .unwrap();
    let (class, student) = (linked::class(1), linked::student(1));
    class.insert(&t.odm).await.unwrap();
    student.insert(&t.odm).await.unwrap();
    let linked = student.link(&t.odm, &class).await.unwrap();
    assert_atomic(&t, &linked.copies, linked.token()).await;
    linked::assert_linked(&t.odm, &[("C1", &["C1", "S1"]), ("S1", &["S1", "C1"])]).await;
    let unlinked = class.unlink(&t.odm, &student).await.unwrap();
    assert_atomic(&t, &unlinked.copies, unlinked.token()).await;
    linked::assert_linked(&t.odm, &[("C1", &["C1"]), ("S1", &["S1"])]).await;
}

#[tokio::test]
async fn an_array_and_its_parent_references_leave_nothing_to_others() {
    let t = Harness::new("default_parents").await;
    let sync = t.odm.sync_indexes().only::<two_way::Person>();
    sync.only::<two_way::Task>()
        .only::<two_way::Errand>()
        .await
        .unwrap();
    let [kate, nicky] = ["Kate", "Nicky"].map(two_way::person);
    t.given(&[kate.clone(), nicky.clone()]).await;
    let task = two_way::task(&kate, "learn");
    let inserted = task.insert(&t.odm).await.unwrap();
    assert_atomic(&t, &inserted.copies, inserted.token()).await;
    let fields = two_way::Task::fields();
    let moved = two_way::Task::update(&t.odm, task.id).set(fields.owner, nicky.id);
    let moved = moved.await.unwrap();
    assert_atomic(&t, &moved.copies, moved.token()).await;
    let nicky = two_way::Person::get(&t.odm, nicky.id).await.unwrap();
    assert_eq!(nicky.tasks, [task.id]);
}
