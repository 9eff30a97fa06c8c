//! Delete rules: the effects of a delete, a restore and a purge on referring documents.

use mongo_odm::{Error, prelude::*};

use crate::models::*;

#[tokio::test]
async fn a_delete_marks_the_children_and_a_restore_restores_them() {
    let t = filled("life_cascade").await;
    let odm = &t.odm;
    let report = Project::delete(odm, id(1)).await.unwrap();
    assert_eq!(report.deleted, 1);
    let children: u64 = report.cascaded.iter().map(|it| it.deleted).sum();
    assert_eq!(children, 5, "{report:?}");
    assert_eq!(live::<Project>(odm).await, [2]);
    assert_eq!(live::<Task>(odm).await, [4]);
    assert_eq!(live::<Comment>(odm).await, [3]);
    assert_verified(odm).await;

    let report = Project::restore(odm, id(1)).await.unwrap();
    let children: u64 = report.cascaded.iter().map(|it| it.restored).sum();
    assert_eq!((report.restored, children), (1, 5), "{report:?}");
    assert_eq!(live::<Task>(odm).await, [1, 2, 3, 4]);
    assert_eq!(live::<Comment>(odm).await, [1, 2, 3]);
    let project: Project = Project::get(odm, id(1)).await.unwrap();
    assert_eq!((project.tasks, project.hours, project.done), (3, 60, 1));
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_child_that_was_deleted_before_stays_deleted() {
    let t = filled("life_before").await;
    let odm = &t.odm;
    Comment::delete(odm, id(1)).await.unwrap();
    Task::delete(odm, id(2)).await.unwrap();
    Project::delete(odm, id(1)).await.unwrap();
    Project::restore(odm, id(1)).await.unwrap();
    assert_eq!(live::<Task>(odm).await, [1, 3, 4]);
    assert_eq!(live::<Comment>(odm).await, [2, 3]);
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(live::<Task>(odm).await, [1, 3, 4]);
    assert_eq!(live::<Comment>(odm).await, [2, 3]);
    Task::restore(odm, id(2)).await.unwrap();
    assert_eq!(live::<Task>(odm).await, [1, 2, 3, 4]);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_live_reference_with_restrict_forbids_the_delete_and_a_deleted_one_does_not() {
    let t = filled("life_restrict").await;
    let odm = &t.odm;
    t.given(&[member(1)]).await;
    let owner = Task::fields().owner;
    Task::update(odm, id(1))
        .set(owner, Some(id(1)))
        .await
        .unwrap();
    let refused = Member::delete(odm, id(1)).await.unwrap_err();
    assert!(matches!(refused, Error::Restricted { .. }), "{refused}");
    assert!(!is_deleted(odm, "life_members", 1).await);
    let refused = Member::purge(odm, id(1)).await.unwrap_err();
    assert!(matches!(refused, Error::Restricted { .. }), "{refused}");

    Task::delete(odm, id(1)).await.unwrap();
    assert_eq!(Member::delete(odm, id(1)).await.unwrap().deleted, 1);
    assert_verified(odm).await;
}

#[tokio::test]
async fn pull_waits_for_the_purge() {
    let t = filled("life_pull").await;
    let odm = &t.odm;
    t.given(&[label(1), label(2)]).await;
    let labels = Task::fields().labels;
    Task::update(odm, id(1))
        .set(labels, vec![id(1), id(2)])
        .await
        .unwrap();
    Label::delete(odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let task: Task = Task::get(odm, id(1)).await.unwrap();
    assert_eq!(task.labels, [id(1), id(2)]);
    assert_eq!(task.load_labels(odm).await.unwrap().len(), 1);
    assert_verified(odm).await;

    Label::restore(odm, id(1)).await.unwrap();
    assert_eq!(task.load_labels(odm).await.unwrap().len(), 2);
    // A purge also changes deleted documents. Otherwise, a restored document would contain a dangling reference.
    Task::delete(odm, id(1)).await.unwrap();
    Label::purge(odm, id(1)).await.unwrap();
    Task::restore(odm, id(1)).await.unwrap();
    let task: Task = Task::get(odm, id(1)).await.unwrap();
    assert_eq!(task.labels, [id(2)]);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_new_reference_to_a_deleted_document_is_rejected() {
    let t = filled("life_exists").await;
    let odm = &t.odm;
    Project::delete(odm, id(2)).await.unwrap();
    let refused = task(9, 2).insert(odm).await.unwrap_err();
    assert!(matches!(refused, Error::NoTarget { .. }), "{refused}");
    assert_eq!(stored(odm, "life_tasks", 9).await, None);
    let moved = Task::update(odm, id(1))
        .set(Task::fields().project, id(2))
        .await;
    assert!(matches!(moved, Err(Error::NoTarget { .. })));
    // An update of another field does not check the reference again.
    Project::delete(odm, id(1)).await.unwrap();
    Project::restore(odm, id(1)).await.unwrap();
    Task::update(odm, id(1))
        .set(Task::fields().hours, 5)
        .await
        .unwrap();
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_purge_of_a_parent_removes_deleted_children() {
    let t = filled("life_purge_parent").await;
    let odm = &t.odm;
    Task::delete(odm, id(1)).await.unwrap();
    Project::purge(odm, id(1)).await.unwrap();
    for number in 1..=3 {
        assert_eq!(stored(odm, "life_tasks", number).await, None);
    }
    assert_eq!(stored(odm, "life_comments", 1).await, None);
    assert_eq!(live::<Task>(odm).await, [4]);
    assert_verified(odm).await;
}

/// A node of a tree. Its children are deleted with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: Id<Folder, i64>,
    #[parent_ref(on_delete = "cascade")]
    parent: Option<Id<Folder, i64>>,
    #[rollup(count, of = Folder, via = parent)]
    children: i64,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[tokio::test]
async fn a_tree_is_deleted_and_restored_on_all_levels() {
    let t = board("life_tree").await;
    t.odm.sync_indexes().only::<Folder>().await.unwrap();
    for number in 1..=15_i64 {
        let folder = Folder {
            id: id(number),
            parent: (number > 1).then(|| id(number / 2)),
            children: 0,
            deleted_at: None,
        };
        folder.insert(&t.odm).await.unwrap();
    }
    t.odm.run_pending_jobs().await.unwrap();
    for inline in [1_000, 3] {
        let odm = &t.odm.with_settings(settings().inline_copies(inline));
        Folder::delete(odm, id(5)).await.unwrap();
        let report = Folder::delete(odm, id(2)).await.unwrap();
        odm.wait(report.token()).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        assert_eq!(live::<Folder>(odm).await, [1, 3, 6, 7, 12, 13, 14, 15]);
        let root: Folder = Folder::get(odm, id(1)).await.unwrap();
        assert_eq!(root.children, 1);
        assert_verified(odm).await;

        let report = Folder::restore(odm, id(2)).await.unwrap();
        odm.wait(report.token()).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        assert_eq!(
            live::<Folder>(odm).await,
            [1, 2, 3, 4, 6, 7, 8, 9, 12, 13, 14, 15]
        );
        assert_verified(odm).await;
        Folder::restore(odm, id(5)).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        assert_eq!(live::<Folder>(odm).await.len(), 15);
        assert_verified(odm).await;
    }
}
