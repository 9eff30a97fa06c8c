//! Sources that are deleted while their copies are written, and sources that are inserted again.

use std::time::Duration;

use mongo_odm::prelude::*;

use super::lab::*;
use crate::{
    edges::deletes::{Author, Letter, Novel, Portrait, index_library, library},
    models::*,
    setting::*,
};

/// T12: a source is deleted while its copies are written and while new documents refer to it. The delete rules apply to
/// all references.
#[tokio::test]
async fn a_delete_during_a_rename_and_an_insert_leaves_nothing_behind() {
    let lab = Lab::new("faults_delete").await;
    index_library(&lab.other).await;
    // The transaction of the inserter lasts longer than a job whose last look follows at once.
    let patient = settings().grace(Duration::from_secs(180));
    let other = lab.other.with_settings(patient.clone());
    let slow = lab.odm.with_settings(patient.inline_copies(0));
    for (command, collection) in [("update", "author_letters"), ("commitTransaction", "")] {
        let author = Author {
            id: Id::new(),
            name: "old".to_owned(),
        };
        author.insert(&lab.other).await.unwrap();
        let letter = || Letter {
            id: Id::new(),
            author: author.id,
            name: "?".to_owned(),
            known_as: Some("?".to_owned()),
        };
        let letters: Vec<_> = (0..20).map(|_| letter()).collect();
        Letter::insert_many(&lab.other, &letters).await.unwrap();

        let inserted = other.transaction(async |tx| {
            // The transaction reads the author before the other writes change it, and commits after all of them.
            let novel = Novel {
                id: Id::new(),
                title: "late".to_owned(),
                author: author.id,
            };
            novel.insert(&tx).await?;
            letter().insert(&tx).await?;
            let collection = Some(collection).filter(|name| !name.is_empty());
            let trap = lab
                .hold(&[command], collection, Duration::from_millis(250))
                .await;
            let rename = Author::update(&slow, author.id);
            let rename = rename.set(Author::fields().name, "new").into_future();
            let rename = tokio::spawn(rename);
            lab.sprung(&trap).await;
            let delete = Author::delete(&other, author.id).await?;
            assert_eq!(delete.deleted, 1);
            rename.await.unwrap().map(|_| ())
        });
        inserted.await.unwrap();
        lab.disarm().await;
        runners_are_dead(&lab.other).await;
        // Runs the jobs that the renamer has left. The deleter wrote their copies, but not their next phase.
        lab.other.run_pending_jobs().await.unwrap();
        later(&lab.other).await;
        settle(&lab.other).await;
        assert_eq!(Novel::count(&lab.other).await.unwrap(), 0, "{command}");
        let named = Letter::fields()
            .known_as
            .exists()
            .and(Letter::fields().known_as.ne(None));
        let named = Letter::count(&lab.other).filter(named).await.unwrap();
        assert_eq!(named, 0, "{command}");
    }
}

/// T13: another program restores an old state of the sources, which the library cannot notice. The next write to a
/// source updates all copies to the stored value.
#[tokio::test]
async fn a_write_after_a_restore_brings_all_copies_to_the_source() {
    let lab = Lab::new("faults_restore").await;
    let host = lab.logs(5).await;
    let hosts = lab.other.database().collection::<Host>("hosts");
    for inline in [1_000, 0] {
        let odm = lab.other.with_settings(settings().inline_copies(inline));
        rename(&odm, &host, "new").await.unwrap();
        settle(&odm).await;
        let id = doc! { "_id": host.id };
        hosts.delete_one(id).await.unwrap();
        hosts.insert_one(&host).await.unwrap();
        rename(&odm, &host, format!("newer {inline}"))
            .await
            .unwrap();
        assert_eq!(stale(&odm, &host).await, 0);
        lab.expect_equal(&host, "").await;
    }
}

/// T13: a source is deleted and inserted again while its copies are written.
#[tokio::test]
async fn a_source_made_again_during_a_rename_has_copies_of_its_new_life() {
    let lab = Lab::new("faults_again").await;
    let host = lab.logs(5).await;
    for command in ["findAndModify", "update", "commitTransaction"] {
        let trap = lab.hold(&[command], None, Duration::from_millis(250)).await;
        let slow = by_jobs(&lab.odm);
        let renamed = tokio::spawn(rename(&slow, &host, format!("before {command}")).into_future());
        lab.sprung(&trap).await;
        Host::delete(&lab.other, host.id).await.unwrap();
        let again = Host {
            ipaddr: format!("after {command}"),
            ..host.clone()
        };
        again.insert(&lab.other).await.unwrap();
        renamed.await.unwrap().unwrap();
        lab.expect_equal(&host, command).await;
    }
}

/// T13: a source is deleted and inserted again while another program stores a copy of its old value. That program
/// crashes after its commit. The job of the delete rule finds the copy, and keeps the reference.
#[tokio::test]
async fn a_copy_stored_late_follows_a_source_that_was_made_again() {
    let (t, old, _) = library("faults_again_late").await;
    let portrait = Portrait {
        id: Id::new(),
        author: Some(old.id),
        name: Some(old.name.clone()),
        signed: None,
    };
    let portraits = t.odm.database().collection::<Portrait>("author_portraits");
    let mut late = t.odm.database().client().start_session().await.unwrap();
    late.start_transaction().await.unwrap();
    let insert = portraits.insert_one(&portrait).session(&mut late);
    insert.await.unwrap();
    Author::delete(&t.odm, old.id).await.unwrap();
    let new = Author {
        name: "new".to_owned(),
        ..old
    };
    new.insert(&t.odm).await.unwrap();
    late.commit_transaction().await.unwrap();
    settle(&t.odm).await;
    let stored = Portrait::get(&t.odm, portrait.id).await.unwrap();
    assert_eq!((stored.author, stored.name), (Some(new.id), Some(new.name)));
}
