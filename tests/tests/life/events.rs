//! Change streams of models that keep their deleted documents.

use std::pin::pin;

use futures_util::TryStreamExt;
use mongo_odm::{action::DocumentChange, prelude::*};

use crate::models::*;

#[tokio::test]
async fn a_stream_reports_deletes_and_restores() {
    let t = filled("life_events").await;
    let odm = &t.odm;
    let mut events = pin!(Task::watch(odm).await.unwrap());
    let mut next = async || events.try_next().await.unwrap().unwrap().change;
    Task::delete(odm, id(1)).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Deleted { id: task, .. } if task == id(1)));
    // The copy in the deleted task changes, too. The stream does not report it.
    let tasks = Task::fields();
    let renamed = Project::update(odm, id(1)).set(Project::fields().name, "other");
    renamed.await.unwrap();
    for _ in 0..2 {
        let DocumentChange::Updated {
            id: task, changes, ..
        } = next().await
        else {
            panic!("expected the copies in the other tasks");
        };
        assert!(changes.is_changed(tasks.project_name) && task != id(1));
    }
    Task::restore(odm, id(1)).await.unwrap();
    let DocumentChange::Restored { document, .. } = next().await else {
        panic!("expected the restore");
    };
    assert_eq!(document.unwrap().id, id(1));
    Task::update(odm, id(1)).set(tasks.hours, 1).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Updated { .. }));
    Task::purge(odm, id(1)).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Deleted { .. }));
}
