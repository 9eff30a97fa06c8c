//! Cascades and restores that are too large for one transaction.

use mongo_odm::{
    Odm,
    bson::{Bson, Document, doc},
    prelude::*,
};

use crate::models::*;

async fn large(test: &str) -> (odm_tests::Harness, Odm) {
    let t = board(test).await;
    t.given(&[project(1)]).await;
    let tasks: Vec<Task> = (1..=40).map(|number| task(number, 1)).collect();
    t.given(&tasks).await;
    let comments: Vec<Comment> = (1..=40).map(|number| comment(number, number)).collect();
    t.given(&comments).await;
    t.odm.run_pending_jobs().await.unwrap();
    let odm = t.odm.with_settings(settings().inline_copies(10));
    (t, odm)
}

#[tokio::test]
async fn a_large_cascade_marks_all_children_in_jobs() {
    let (_t, odm) = large("life_large").await;
    Task::delete(&odm, id(7)).await.unwrap();
    let report = Project::delete(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert!(live::<Task>(&odm).await.is_empty());
    assert!(live::<Comment>(&odm).await.is_empty());
    assert_verified(&odm).await;

    let report = Project::restore(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 39);
    assert_eq!(live::<Comment>(&odm).await.len(), 39);
    let project: Project = Project::get(&odm, id(1)).await.unwrap();
    assert_eq!(project.tasks, 39);
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_restore_cancels_a_cascade_that_is_still_a_job() {
    let (_t, odm) = large("life_cancel").await;
    Project::delete(&odm, id(1)).deferred().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 40);
    Project::restore(&odm, id(1)).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 40);
    assert_eq!(live::<Comment>(&odm).await.len(), 40);
    assert_verified(&odm).await;
}

/// Another program has stored a field that the library stores only in archives.
#[tokio::test]
async fn a_stored_time_of_a_delete_does_not_remove_the_children_of_a_live_document() {
    let (_t, odm) = large("life_foreign_time").await;
    let projects = odm.database().collection::<Document>("life_projects");
    let mark = doc! { "$set": { "_odm_deleted_at": DateTime::now() } };
    let project = doc! { "_id": 1_i64 };
    projects.update_one(project, mark).await.unwrap();
    Project::delete(&odm, id(1)).deferred().await.unwrap();
    Project::restore(&odm, id(1)).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 40);
    assert_eq!(live::<Comment>(&odm).await.len(), 40);
}

#[tokio::test]
async fn a_save_of_a_restored_document_does_not_cancel_the_rest_of_the_restore() {
    let (_t, odm) = large("life_saved_restore").await;
    let report = Project::delete(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    Project::restore(&odm, id(1)).deferred().await.unwrap();
    let mut project: Project = Project::get(&odm, id(1)).await.unwrap();
    project.name = "saved".into();
    project.save(&odm).await.unwrap();
    Project::update(&odm, id(1))
        .modifications(vec![doc! { "$replaceWith": "$$ROOT" }])
        .await
        .unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 40);
    assert_eq!(live::<Comment>(&odm).await.len(), 40);
    assert_verified(&odm).await;
    // A save of a document that was never deleted adds no field.
    member(1).save(&odm).await.unwrap();
    let stored = stored(&odm, "life_members", 1).await.unwrap();
    assert!(!stored.contains_key("_odm_delete"), "{stored}");
}

#[tokio::test]
async fn a_delete_cancels_a_restore_that_is_still_a_job() {
    let (_t, odm) = large("life_cancel_restore").await;
    Project::delete(&odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    Project::restore(&odm, id(1)).deferred().await.unwrap();
    Project::delete(&odm, id(1)).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert!(live::<Task>(&odm).await.is_empty());
    Project::restore(&odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_child_that_is_inserted_during_the_cascade_is_marked() {
    let (_t, odm) = large("life_during").await;
    Project::delete(&odm, id(1)).deferred().await.unwrap();
    comment(99, 3).insert(&odm).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert!(live::<Comment>(&odm).await.is_empty());
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_delete_of_many_projects_marks_all_children() {
    let t = board("life_many").await;
    let projects: Vec<Project> = (1..=30).map(project).collect();
    t.given(&projects).await;
    let tasks: Vec<Task> = (1..=60)
        .map(|number| task(number, number % 30 + 1))
        .collect();
    t.given(&tasks).await;
    let odm = t.odm.with_settings(settings().inline_copies(20));
    let report = Project::delete_many(&odm, Filter::all())
        .everything()
        .await
        .unwrap();
    assert_eq!(report.deleted, 30);
    odm.run_pending_jobs().await.unwrap();
    assert!(live::<Task>(&odm).await.is_empty());
    for number in 1..=30 {
        Project::restore(&odm, id(number)).await.unwrap();
    }
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 60);
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_dropped_delete_or_restore_happens_as_a_whole_or_not_at_all() {
    for inline in [1_000, 10] {
        let (t, _) = large(&format!("life_dropped_{inline}")).await;
        let odm = t.odm.with_settings(settings().inline_copies(inline));
        for round in 0..12_u64 {
            let time = std::time::Duration::from_micros(round * round * 150);
            let is_deleted = is_deleted(&odm, "life_projects", 1).await;
            if is_deleted {
                let restore = Project::restore(&odm, id(1)).into_future();
                _ = tokio::time::timeout(time, restore).await;
            } else {
                let delete = Project::delete(&odm, id(1)).into_future();
                _ = tokio::time::timeout(time, delete).await;
            }
            odm.finish_writes().await;
            odm.run_pending_jobs().await.unwrap();
            let is_deleted = crate::models::is_deleted(&odm, "life_projects", 1).await;
            let expected = if is_deleted { 0 } else { 40 };
            assert_eq!(live::<Task>(&odm).await.len(), expected, "round {round}");
            assert_eq!(live::<Comment>(&odm).await.len(), expected, "round {round}");
            let project: Project = Project::get(&odm, id(1)).with_deleted().await.unwrap();
            assert_eq!(
                project.tasks,
                i64::try_from(expected).unwrap(),
                "round {round}"
            );
        }
        assert_verified(&odm).await;
    }
}

#[tokio::test]
async fn a_child_that_was_restored_by_itself_is_not_deleted_again_by_the_job() {
    let (_t, odm) = large("life_restored_child").await;
    let report = Project::delete(&odm, id(1)).await.unwrap();
    odm.wait(report.token()).await.unwrap();
    Task::restore(&odm, id(3)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await, [3]);
    assert_eq!(live::<Comment>(&odm).await, [3]);
    assert_verified(&odm).await;
}

/// Another program has stored versions that the server cannot increment.
#[tokio::test]
async fn a_task_whose_version_is_no_number_keeps_no_other_task_from_a_delete() {
    let t = board("life_odd_version").await;
    t.given(&[project(1)]).await;
    let tasks: Vec<Task> = (1..=8).map(|number| task(number, 1)).collect();
    t.given(&tasks).await;
    t.odm.run_pending_jobs().await.unwrap();
    let odd = [
        Bson::Null,
        "3".into(),
        i64::MAX.into(),
        vec![Bson::Int64(1)].into(),
    ];
    let stored_tasks = t.odm.database().collection::<Document>("life_tasks");
    for (number, version) in (3_i64..).zip(odd) {
        let spoil = doc! { "$set": { "version": version } };
        let task = doc! { "_id": number };
        stored_tasks.update_one(task, spoil).await.unwrap();
    }
    Project::delete(&t.odm, id(1)).deferred().await.unwrap();
    let report = t.odm.run_pending_jobs().await.unwrap();
    assert!(report.failed > 0 && report.left == 0, "{report}");
    let mut deleted = Vec::new();
    for number in 1..=8 {
        if is_deleted(&t.odm, "life_tasks", number).await {
            deleted.push(number);
        }
    }
    assert_eq!(deleted, [1, 2, 7, 8]);
}

/// The tasks that the job has not reached yet belong to the new project.
#[tokio::test]
async fn a_document_that_is_stored_again_before_the_job_keeps_the_children() {
    let (_t, odm) = large("life_stored_again").await;
    Project::purge(&odm, id(1)).deferred().await.unwrap();
    project(1).insert(&odm).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(&odm).await.len(), 40);
    assert_eq!(live::<Comment>(&odm).await.len(), 40);
    let project: Project = Project::get(&odm, id(1)).await.unwrap();
    assert_eq!(project.tasks, 40);
    assert_verified(&odm).await;
}
