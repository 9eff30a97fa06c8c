//! Reads leave out deleted documents.

use futures_util::TryStreamExt;
use mongo_odm::{Error, bson::doc, prelude::*};

use crate::models::*;

#[tokio::test]
async fn queries_leave_out_deleted_documents() {
    let t = filled("life_queries").await;
    let (odm, by_project) = (&t.odm, Task::fields().project.eq(id::<Project>(1)));
    assert_eq!(Task::delete(odm, id(2)).await.unwrap().deleted, 1);

    assert_eq!(live::<Task>(odm).await, [1, 3, 4]);
    assert_eq!(
        Task::count(odm).filter(by_project.clone()).await.unwrap(),
        2
    );
    let second = Task::fields().number.eq(2);
    assert!(!Task::exists(odm).filter(second.clone()).await.unwrap());
    assert!(
        Task::find_one(odm)
            .filter(second.clone())
            .await
            .unwrap()
            .is_none()
    );
    let numbers = Task::distinct(odm, Task::fields().number).await.unwrap();
    assert_eq!(numbers, [1, 3, 4]);
    let page = Task::find(odm).page(10).with_total().await.unwrap();
    assert_eq!((page.items.len(), page.total), (3, Some(3)));
    let streamed: Vec<Task> = Task::find(odm).stream().try_collect().await.unwrap();
    assert_eq!(streamed.len(), 3);
    let gone = Task::get(odm, id(2)).await.unwrap_err();
    assert!(matches!(gone, Error::NotFound { .. }), "{gone}");
    let rows: Vec<mongo_odm::bson::Document> = Task::aggregate(odm, vec![doc! { "$count": "n" }])
        .await
        .unwrap();
    assert_eq!(rows, [doc! { "n": 3 }]);
}

#[tokio::test]
async fn a_query_can_ask_for_deleted_documents() {
    let t = filled("life_with_deleted").await;
    let odm = &t.odm;
    Task::delete(odm, id(2)).await.unwrap();

    assert_eq!(Task::find(odm).with_deleted().await.unwrap().len(), 4);
    let deleted = Task::find(odm).only_deleted().await.unwrap();
    assert_eq!(deleted.iter().map(|it| it.number).collect::<Vec<_>>(), [2]);
    assert!(deleted[0].deleted_at.is_some());
    assert_eq!(Task::count(odm).only_deleted().await.unwrap(), 1);
    assert_eq!(Task::find(odm).only_deleted().count().await.unwrap(), 1);
    assert!(Task::exists(odm).only_deleted().await.unwrap());
    let numbers = Task::distinct(odm, Task::fields().number).only_deleted();
    assert_eq!(numbers.await.unwrap(), [2]);
    assert_eq!(
        Task::get(odm, id(2)).with_deleted().await.unwrap().number,
        2
    );
    assert!(Task::get(odm, id(1)).only_deleted().await.is_err());
    let page = Task::find(odm)
        .with_deleted()
        .page(3)
        .with_total()
        .await
        .unwrap();
    assert_eq!((page.items.len(), page.total), (3, Some(4)));
    let one = Task::find_one(odm).only_deleted().await.unwrap().unwrap();
    assert_eq!(one.number, 2);
}

#[tokio::test]
async fn loads_and_joins_leave_out_deleted_documents() {
    let t = filled("life_joins").await;
    let odm = &t.odm;
    let project: Project = Project::get(odm, id(1)).await.unwrap();
    Task::delete(odm, id(2)).await.unwrap();

    let tasks = project
        .load_tasks(odm)
        .sort(Task::fields().number.asc())
        .await
        .unwrap();
    assert_eq!(tasks.iter().map(|it| it.number).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(
        project.load_tasks(odm).with_deleted().await.unwrap().len(),
        3
    );
    assert_eq!(
        project.load_tasks(odm).only_deleted().await.unwrap().len(),
        1
    );
    assert_eq!(project.count_tasks(odm).await.unwrap(), 2);
    assert_eq!(project.count_tasks(odm).with_deleted().await.unwrap(), 3);
    let projects = Project::find(odm)
        .sort(Project::fields().id.asc())
        .await
        .unwrap();
    let joined = Project::join_tasks(&projects, odm).await.unwrap();
    assert_eq!(joined.of(&projects[0]).len(), 2);
    let counts = Project::join_tasks(&projects, odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!((counts.of(&projects[0]), counts.of(&projects[1])), (2, 1));
    let limited = Project::join_tasks(&projects, odm)
        .sort(Task::fields().number.desc())
        .limit_each(1)
        .await
        .unwrap();
    assert_eq!(limited.of(&projects[0]).next().unwrap().number, 3);
}

#[tokio::test]
async fn a_deleted_target_is_unmatched_and_not_missing() {
    let t = filled("life_unmatched").await;
    let odm = &t.odm;
    let task: Task = Task::get(odm, id(4)).await.unwrap();
    Task::delete(odm, id(4)).await.unwrap();
    let comment: Comment = Comment::get(odm, id(3)).with_deleted().await.unwrap();

    assert_eq!(comment.load_task(odm).await.unwrap(), None);
    let tasks = Comment::join_task(std::slice::from_ref(&comment), odm).require_all();
    assert!(matches!(tasks.await, Err(Error::Unmatched { .. })));
    assert_eq!(comment.load_task(odm).missing().await.unwrap(), []);
    let found = comment.load_task(odm).with_deleted().await.unwrap();
    assert_eq!(found.unwrap().id, task.id);
}

#[tokio::test]
async fn a_statement_contains_the_condition_only_for_a_model_with_the_attribute() {
    let t = board("life_condition").await;
    let plan = Task::find(&t.odm).plan().unwrap().to_string();
    assert_eq!(plan, "db.life_tasks.find({ deleted_at: null })");
    let plan = Task::find(&t.odm)
        .with_deleted()
        .plan()
        .unwrap()
        .to_string();
    assert_eq!(plan, "db.life_tasks.find({})");
    let plan = Task::find(&t.odm)
        .only_deleted()
        .plan()
        .unwrap()
        .to_string();
    assert_eq!(plan, "db.life_tasks.find({ deleted_at: { $ne: null } })");
    let of_field = Task::fields().deleted_at.ne(None);
    assert_eq!(Task::find(&t.odm).filter(of_field).await.unwrap(), []);
}
