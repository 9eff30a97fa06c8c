//! Moves to the archive and back, and references to archived documents.

use mongo_odm::{
    Error,
    bson::{Bson, doc},
    prelude::*,
};
use mongo_odm_testkit::TestClock;

use super::*;
use crate::models::assert_verified;

#[tokio::test]
async fn a_delete_moves_the_children_and_a_restore_moves_them_back() {
    let mut t = library("arch_move").await;
    t.odm = TestClock::at(DateTime::from_millis(5)).handle(&t.odm);
    let odm = &t.odm;
    let before: Shelf = Shelf::get(odm, id(1)).await.unwrap();
    let report = Shelf::delete(odm, id(1)).await.unwrap();
    let children: u64 = report.cascaded.iter().map(|it| it.deleted).sum();
    assert_eq!((report.deleted, children), (1, 5), "{report:?}");
    assert_eq!(
        places(odm).await,
        [vec![4], vec![3], vec![1, 2, 3], vec![1, 2]]
    );
    assert_eq!(ids_in(odm, "arch_shelves").await, [2]);
    let kept = archived(odm, "arch_shelves", 1).await.unwrap();
    let at = kept.get_datetime("_odm_deleted_at").unwrap();
    assert_eq!(at.timestamp_millis(), 5);
    let child = archived(odm, "arch_marks", 1).await.unwrap();
    assert_eq!(kept.get("_odm_delete"), child.get("_odm_delete"));
    assert_eq!(Shelf::count(odm).await.unwrap(), 1);
    assert_verified(odm).await;

    let report = Shelf::restore(odm, id(1)).await.unwrap();
    let children: u64 = report.cascaded.iter().map(|it| it.restored).sum();
    assert_eq!((report.restored, children), (1, 5), "{report:?}");
    assert_eq!(
        places(odm).await,
        [vec![1, 2, 3, 4], vec![1, 2, 3], vec![], vec![]]
    );
    let after: Shelf = Shelf::get(odm, id(1)).await.unwrap();
    assert_eq!(after.version, before.version + 1);
    let version = before.version + 1;
    assert_eq!(after, Shelf { version, ..before });
    let again = stored(odm, "arch_shelves", 1).await.unwrap();
    assert!(!again.contains_key("_odm_deleted_at"), "{again}");
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(Volume::count(odm).await.unwrap(), 4);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_child_that_was_deleted_before_stays_in_the_archive() {
    let t = library("arch_before").await;
    let odm = &t.odm;
    Mark::delete(odm, id(1)).await.unwrap();
    Volume::delete(odm, id(2)).await.unwrap();
    let shelf: Shelf = Shelf::get(odm, id(1)).await.unwrap();
    assert_eq!((shelf.volumes, shelf.pages), (2, 40));
    Shelf::delete(odm, id(1)).await.unwrap();
    Shelf::restore(odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(
        places(odm).await,
        [vec![1, 3, 4], vec![2, 3], vec![2], vec![1]]
    );
    Volume::restore(odm, id(2)).await.unwrap();
    let shelf: Shelf = Shelf::get(odm, id(1)).await.unwrap();
    assert_eq!((shelf.volumes, shelf.pages), (3, 60));
    let lines: Vec<i64> = shelf.recent.iter().map(|it| it.pages).collect();
    assert_eq!(lines, [20, 30]);
    assert_verified(odm).await;
}

#[tokio::test]
async fn an_archived_document_is_no_target() {
    let t = library("arch_targets").await;
    let odm = &t.odm;
    t.given(&[reader(1)]).await;
    let owner = Volume::fields().owner;
    Volume::update(odm, id(1))
        .set(owner, Some(id(1)))
        .await
        .unwrap();
    let refused = Reader::delete(odm, id(1)).await.unwrap_err();
    assert!(matches!(refused, Error::Restricted { .. }), "{refused}");
    assert_eq!(archived(odm, "arch_readers", 1).await, None);
    // The reference in an archived document does not restrict the delete.
    Volume::delete(odm, id(1)).await.unwrap();
    Reader::delete(odm, id(1)).await.unwrap();

    Shelf::delete(odm, id(2)).await.unwrap();
    let refused = volume(9, 2).insert(odm).await.unwrap_err();
    assert!(matches!(refused, Error::NoTarget { .. }), "{refused}");
    let moved = Volume::update(odm, id(2)).set(Volume::fields().shelf, id(2));
    assert!(matches!(moved.await, Err(Error::NoTarget { .. })));
    assert_verified(odm).await;
}

#[tokio::test]
async fn nullify_and_pull_change_the_references_at_the_delete() {
    let t = library("arch_unlink").await;
    let odm = &t.odm;
    t.given(&[reader(1)]).await;
    t.given(&[Tag { id: id(1) }, Tag { id: id(2) }]).await;
    let loan = Loan {
        id: id(1),
        reader: Some(id(1)),
        reader_name: None,
    };
    loan.insert(odm).await.unwrap();
    let tags = Volume::fields().tags;
    Volume::update(odm, id(1))
        .set(tags, vec![id(1), id(2)])
        .await
        .unwrap();
    Reader::delete(odm, id(1)).await.unwrap();
    Tag::delete(odm, id(1)).await.unwrap();
    let loan: Loan = Loan::get(odm, id(1)).await.unwrap();
    assert_eq!((loan.reader, loan.reader_name), (None, None));
    let volume: Volume = Volume::get(odm, id(1)).await.unwrap();
    assert_eq!(volume.tags, [id(2)]);
    assert_verified(odm).await;
    // The delete rule has changed the reference in a loan, and a restore cannot undo this change.
    Reader::restore(odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let loan: Loan = Loan::get(odm, id(1)).await.unwrap();
    assert_eq!(loan.reader, None);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_restore_fills_the_copies_and_keeps_the_snapshots() {
    let t = library("arch_copies").await;
    let odm = &t.odm;
    Volume::delete(odm, id(1)).await.unwrap();
    let name = Shelf::fields().name;
    Shelf::update(odm, id(1))
        .set(name, "renamed")
        .await
        .unwrap();
    let kept = archived(odm, "arch_volumes", 1).await.unwrap();
    assert_eq!(kept.get_str("shelf_name").unwrap(), "shelf 1");
    Volume::restore(odm, id(1)).await.unwrap();
    let volume: Volume = Volume::get(odm, id(1)).await.unwrap();
    assert_eq!(volume.shelf_name.as_deref(), Some("renamed"));
    assert_eq!(volume.first_name.as_deref(), Some("shelf 1"));
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_restore_fails_as_a_whole() {
    let t = library("arch_fails").await;
    let odm = &t.odm;
    Shelf::delete(odm, id(1)).await.unwrap();
    let all = places(odm).await;
    // The `_id` of a child is in use.
    volume(2, 2).insert(odm).await.unwrap();
    let taken = Shelf::restore(odm, id(1)).await.unwrap_err();
    assert!(matches!(taken, Error::DuplicateKey { .. }), "{taken}");
    assert_eq!(ids_in(odm, "arch_shelves").await, [2]);
    Volume::purge_many(odm, Volume::fields().shelf.eq(id::<Shelf>(2)))
        .await
        .unwrap();
    // A unique value of the document is in use.
    let mut other = shelf(7);
    other.code = "s1".to_owned();
    other.insert(odm).await.unwrap();
    let taken = Shelf::restore(odm, id(1)).await.unwrap_err();
    assert!(matches!(taken, Error::DuplicateKey { .. }), "{taken}");
    Shelf::purge(odm, id(7)).await.unwrap();
    // The target of a reference with `exists` is missing.
    let missing = Volume::restore(odm, id(1)).await.unwrap_err();
    assert!(matches!(missing, Error::NoTarget { .. }), "{missing}");
    let now = places(odm).await;
    assert_eq!(now[2..], all[2..]);
    Shelf::restore(odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_verified(odm).await;
}

#[tokio::test]
async fn the_id_of_an_archived_document_is_free_and_the_last_deleted_document_is_kept() {
    let t = library("arch_again").await;
    let odm = &t.odm;
    t.given(&[reader(1)]).await;
    Reader::delete(odm, id(1)).await.unwrap();
    let mut second = reader(1);
    second.name = "second".to_owned();
    second.insert(odm).await.unwrap();
    let taken = Reader::restore(odm, id(1)).await.unwrap_err();
    assert!(matches!(taken, Error::DuplicateKey { .. }), "{taken}");
    Reader::delete(odm, id(1)).await.unwrap();
    Reader::restore(odm, id(1)).await.unwrap();
    let restored: Reader = Reader::get(odm, id(1)).await.unwrap();
    assert_eq!(restored.name, "second");
    assert_eq!(Reader::restore(odm, id(1)).await.unwrap().restored, 0);
}

#[tokio::test]
async fn a_purge_removes_live_and_archived_documents_with_their_children() {
    let t = library("arch_purge").await;
    let odm = &t.odm;
    Volume::delete(odm, id(1)).await.unwrap();
    Mark::delete(odm, id(3)).await.unwrap();
    assert_eq!(Volume::purge(odm, id(1)).await.unwrap().deleted, 1);
    let all = places(odm).await;
    assert_eq!(all, [vec![2, 3, 4], vec![], vec![], vec![3]]);
    // A live parent with an archived child.
    Volume::purge(odm, id(4)).await.unwrap();
    assert_eq!(ids_in(odm, "arch_marks_archive").await, [0_i64; 0]);
    Volume::delete(odm, id(2)).await.unwrap();
    Shelf::purge(odm, id(1)).await.unwrap();
    let all = places(odm).await;
    assert_eq!(all, [vec![], vec![], vec![], vec![]] as [Vec<i64>; 4]);
    assert_eq!(ids_in(odm, "arch_shelves_archive").await, [0_i64; 0]);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_purge_of_an_archived_document_keeps_the_children_of_a_new_one() {
    let t = library("arch_purge_new").await;
    let odm = &t.odm;
    Volume::delete(odm, id(1)).await.unwrap();
    t.given(&[volume(1, 2)]).await;
    t.given(&[mark(9, 1)]).await;
    let old = doc! { "_odm_deleted_at": { "$lte": DateTime::now() } };
    assert_eq!(Volume::purge_many(odm, old).await.unwrap().deleted, 1);
    odm.run_pending_jobs().await.unwrap();
    let [volumes, marks, archived, _] = places(odm).await;
    assert_eq!((volumes, marks), (vec![1, 2, 3, 4], vec![3, 9]));
    assert!(archived.is_empty());
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_save_of_a_deleted_struct_inserts_nothing_if_it_has_a_version() {
    let t = library("arch_save").await;
    let odm = &t.odm;
    let loaded: Shelf = Shelf::get(odm, id(2)).await.unwrap();
    Shelf::delete(odm, id(2)).await.unwrap();
    let conflict = loaded.save(odm).await.unwrap_err();
    assert!(matches!(conflict, Error::Conflict { .. }), "{conflict}");
    let matched = Shelf::update(odm, id(2)).set(Shelf::fields().name, "x");
    assert_eq!(matched.await.unwrap().matched, 0);
    let kept = archived(odm, "arch_shelves", 2).await.unwrap();
    assert_ne!(kept.get("_odm_deleted_at"), None);
    assert_ne!(kept.get("created"), Some(&Bson::Null));
}

/// Nothing depends on marks. A bulk write deletes such documents with one shared statement if the model has no archive.
#[tokio::test]
async fn a_bulk_write_moves_documents_to_the_archive() {
    let t = library("arch_bulk").await;
    let odm = &t.odm;
    let deletes = [1, 2].map(|number| Mark::delete(odm, id(number)));
    let report = odm.bulk_write().add_all(deletes).await.unwrap();
    assert_eq!(report.counts.deleted, 2);
    assert_eq!(ids_in(odm, "arch_marks_archive").await, [1, 2]);
    let many = Mark::delete_many(odm, Mark::fields().id.gt(id(2)));
    let report = odm.bulk_write().add(many).unordered().await.unwrap();
    let left = ids_in(odm, "arch_marks").await;
    let moved = ids_in(odm, "arch_marks_archive").await.len() as u64;
    assert_eq!((left.len(), moved), (0, 2 + report.counts.deleted));
}
