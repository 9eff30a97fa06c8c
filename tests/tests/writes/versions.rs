//! `if_version`: an update or a delete of a document that must have a version.

use mongo_odm::{
    Error,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::planned::assert_sent;

use crate::models::*;

#[tokio::test]
async fn an_update_with_a_version_needs_no_read() {
    let t = opened("if_version_update").await;
    page(1).insert(&t.odm).await.unwrap();
    let set = |text: &str| Page::update(&t.odm, id(1)).set(Page::fields().text, text);
    let plan = set("x").if_version(1).plan().unwrap();
    t.forget();
    assert_eq!(set("x").if_version(1).await.unwrap().modified, 1);
    assert_sent(&t, "if_version", &plan);
    assert_eq!(t.recorder().names(), ["update"]);
    t.forget();
    assert_conflict(set("y").if_version(1_u32).await, 1, (1, Some(2)));
    assert_eq!(t.recorder().names(), ["update", "find"]);
    assert_conflict(
        Page::update(&t.odm, id(2))
            .set(Page::fields().text, "y")
            .if_version(1)
            .await,
        2,
        (1, None),
    );
    let stored = Page::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((stored.text.as_str(), stored.version), ("x", 2));
    // `if_unchanged` is the same call with the version of the struct.
    let by_struct = set("y").if_unchanged(&stored).plan().unwrap();
    assert_eq!(by_struct, set("y").if_version(2).plan().unwrap());
}

#[tokio::test]
async fn a_delete_with_a_version_deletes_only_this_version() {
    let t = opened("if_version_delete").await;
    page(1).insert(&t.odm).await.unwrap();
    let loaded = page(1).reload(&t.odm).await.unwrap();
    let set = Page::update(&t.odm, id(1)).set(Page::fields().text, "x");
    set.await.unwrap();
    let delete = || Page::delete(&t.odm, id(1));
    t.forget();
    assert_conflict(delete().if_version(1).await, 1, (1, Some(2)));
    assert_eq!(t.recorder().names(), ["delete", "find"]);
    assert_conflict(delete().if_unchanged(&loaded).await, 1, (1, Some(2)));
    let plan = delete().if_version(2).plan().unwrap();
    t.forget();
    assert_eq!(delete().if_version(2).await.unwrap().deleted, 1);
    assert_sent(&t, "delete", &plan);
    assert_conflict(delete().if_version(2).await, 1, (2, None));
}

#[tokio::test]
async fn a_delete_with_effects_and_a_version_deletes_nothing_after_a_conflict() {
    let t = opened("if_version_cascade").await;
    writer(1).insert(&t.odm).await.unwrap();
    essay(1, 1).insert(&t.odm).await.unwrap();
    let delete = || Writer::delete(&t.odm, id(1));
    assert_conflict(delete().if_version(2).await, 1, (2, Some(1)));
    assert_eq!(Essay::count(&t.odm).await.unwrap(), 1);
    let deleted = delete().if_version(1).await.unwrap();
    assert_eq!((deleted.deleted, deleted.cascaded.len()), (1, 1));
    assert_eq!(Essay::count(&t.odm).await.unwrap(), 0);
}

#[tokio::test]
async fn a_conflict_of_a_delete_leaves_the_transaction_usable() {
    let t = opened("if_version_transaction").await;
    writer(1).insert(&t.odm).await.unwrap();
    page(1).insert(&t.odm).await.unwrap();
    let run = t.odm.transaction(async |tx| {
        page(2).insert(&tx).await?;
        let delete = Page::delete(&tx, id(1)).if_version(7);
        assert_conflict(delete.await, 1, (7, Some(1)));
        let delete = Writer::delete(&tx, id(1)).if_version(7);
        assert_conflict(delete.await, 1, (7, Some(1)));
        Page::delete(&tx, id(1)).if_version(1).await?;
        Ok(())
    });
    run.await.unwrap();
    let left = Page::find(&t.odm).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].text, "page 2");
}

#[tokio::test]
async fn a_soft_delete_with_a_version_marks_only_this_version() {
    let t = opened("if_version_soft_delete").await;
    draft(1).insert(&t.odm).await.unwrap();
    let delete = || Draft::delete(&t.odm, id(1));
    assert_conflict(delete().if_version(3).await, 1, (3, Some(1)));
    assert_eq!(delete().if_version(1).await.unwrap().deleted, 1);
    let again = delete().if_version(1).await.unwrap_err();
    assert!(matches!(again, Error::Deleted { .. }), "{again}");
    // A purge also finds deleted documents, so it can report their version.
    let purge = || Draft::purge(&t.odm, id(1));
    assert_conflict(purge().if_version(1).await, 1, (1, Some(2)));
    assert_eq!(purge().if_version(2).await.unwrap().deleted, 1);
}

#[tokio::test]
async fn a_save_with_a_negative_version_stores_no_new_document() {
    let t = opened("negative_version").await;
    let mut negative = page(1);
    negative.version = -5;
    assert_conflict(negative.save(&t.odm).await, 1, (-5, None));
    assert_eq!(Page::count(&t.odm).await.unwrap(), 0);
    // A document of another program can be saved.
    t.given(&[page(1)]).await;
    let pages = t.odm.database().collection::<Document>("writes_pages");
    let set = doc! { "$set": { "version": -5_i64 } };
    pages.update_one(doc! { "_id": 1_i64 }, set).await.unwrap();
    let loaded = Page::get(&t.odm, id(1)).await.unwrap();
    let saved = loaded.save(&t.odm).returning().await.unwrap();
    assert_eq!(saved.version, -4);
    assert_conflict(loaded.save(&t.odm).await, 1, (-5, Some(-4)));
}

#[tokio::test]
async fn a_version_needs_one_document() {
    let t = opened("if_version_id").await;
    page(1).insert(&t.odm).await.unwrap();
    let other = page(2).insert(&t.odm).returning().await.unwrap();
    let many = Page::delete_many(&t.odm, Page::fields().text.eq("page 1"));
    let error = many.if_version(1).await.unwrap_err().to_string();
    assert!(
        error.contains("check the version of one document"),
        "{error}"
    );
    let error = Page::delete(&t.odm, id(1)).if_unchanged(&other).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("is about another document"), "{error}");
    assert_eq!(Page::count(&t.odm).await.unwrap(), 2);
}
