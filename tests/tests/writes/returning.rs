//! `.returning()` of an update, which returns the stored document.

use mongo_odm::{
    Error,
    mongodb::options::{ReadConcern, WriteConcern},
    prelude::*,
};
use odm_tests::planned::assert_sent;

use crate::models::*;

#[tokio::test]
async fn an_update_returns_the_stored_document_in_one_statement() {
    let t = opened("returning_one").await;
    page(1).insert(&t.odm).await.unwrap();
    let update = || Page::update(&t.odm, id(1)).set(Page::fields().text, "x");
    let plan = update().if_version(1).returning().plan().unwrap();
    t.forget();
    let stored = update().if_version(1).returning().await.unwrap();
    assert_sent(&t, "returning", &plan);
    assert_eq!(t.recorder().names(), ["findAndModify"]);
    assert_eq!((stored.text.as_str(), stored.version), ("x", 2));
    t.forget();
    assert_conflict(update().if_version(1).returning().await, 1, (1, Some(2)));
    assert_eq!(t.recorder().names(), ["findAndModify", "find"]);
    let other = update()
        .if_unchanged(&stored)
        .filter(Page::fields().text.eq("no"));
    let error = other.returning().await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
}

#[tokio::test]
async fn a_missing_document_is_not_found() {
    let t = opened("returning_missing").await;
    let update = Page::update(&t.odm, id(7)).set(Page::fields().text, "x");
    let error = update.returning().await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    assert_eq!(error.kind().http_status(), 404);
    let update = Page::update(&t.odm, id(7)).set(Page::fields().text, "x");
    assert_conflict(update.if_version(1).returning().await, 7, (1, None));
}

#[tokio::test]
async fn an_update_with_effects_returns_its_copies_and_its_summary() {
    let t = opened("returning_effects").await;
    writer(1).insert(&t.odm).await.unwrap();
    writer(2).insert(&t.odm).await.unwrap();
    essay(1, 1).insert(&t.odm).await.unwrap();
    let rename = Writer::update(&t.odm, id(1)).set(Writer::fields().name, "Tove");
    let stored = rename.if_version(1).returning().await.unwrap();
    assert_eq!(
        (stored.name.as_str(), stored.version, stored.essays),
        ("Tove", 2, 1)
    );
    let moved = || Essay::update(&t.odm, id(1)).set(Essay::fields().writer, id(2));
    let stored = moved().if_version(1).returning().await.unwrap();
    assert_eq!(
        (stored.writer_name.as_str(), stored.version),
        ("writer 2", 2)
    );
    assert_conflict(moved().if_version(1).returning().await, 1, (1, Some(2)));
    assert_eq!(Writer::get(&t.odm, id(2)).await.unwrap().essays, 1);
}

#[tokio::test]
async fn an_empty_patch_returns_the_document_unchanged() {
    let t = opened("returning_patch").await;
    page(1).insert(&t.odm).await.unwrap();
    let update = Page::update(&t.odm, id(1)).patch(PagePatch::default());
    let stored = update.if_version(1).returning().await.unwrap();
    assert_eq!((stored.text.as_str(), stored.version), ("page 1", 1));
    let update = Page::update(&t.odm, id(1)).patch(PagePatch::default());
    assert_conflict(update.if_version(2).returning().await, 1, (2, Some(1)));
}

#[tokio::test]
async fn save_changes_can_return_the_stored_document() {
    let t = opened("returning_save_changes").await;
    let before = page(1).insert(&t.odm).returning().await.unwrap();
    let mut changed = before.clone();
    changed.text = "y".into();
    let stored = changed
        .save_changes(&t.odm, &before)
        .returning()
        .await
        .unwrap();
    assert_eq!((stored.text.as_str(), stored.version), ("y", 2));
}

#[tokio::test]
async fn an_insert_and_a_save_plan_the_find_too() {
    let t = opened("returning_plan").await;
    let plan = page(1).insert(&t.odm).returning().plan().unwrap();
    t.forget();
    let stored = page(1).insert(&t.odm).returning().await.unwrap();
    assert_sent(&t, "insert", &plan);
    let plan = stored.save(&t.odm).returning().plan().unwrap();
    t.forget();
    stored.save(&t.odm).returning().await.unwrap();
    assert_sent(&t, "save", &plan);
}

#[tokio::test]
async fn a_write_finds_its_own_document_with_every_read_concern() {
    let t = opened("returning_concerns").await;
    let fields = Note::fields();
    for (round, concern) in [ReadConcern::majority(), ReadConcern::linearizable()]
        .into_iter()
        .enumerate()
    {
        let w1 = t.odm.with_write_concern(WriteConcern::nodes(1));
        let handle = &w1.with_read_concern(concern);
        for number in (1..=10).map(|number| number + 100 * i64::try_from(round).unwrap()) {
            let new = page(number);
            let stored = new.insert(handle).returning().await.unwrap();
            assert_eq!(stored.text, new.text);
            let changed = Page {
                text: format!("changed {number}"),
                ..stored
            };
            let stored = changed.save(handle).returning().await.unwrap();
            assert_eq!((&stored.text, stored.version), (&changed.text, 2));
            // Without its own write, the check would find the old version, and report no conflict.
            let old = Page::update(handle, new.id).set(Page::fields().text, "old");
            assert_conflict(old.if_version(1).await, number, (1, Some(2)));

            let text = format!("created {number}");
            let new = Note {
                id: id(number),
                text: text.clone(),
                stars: 0,
            };
            let created = Note::get_or_create(handle, fields.text.eq(text), &new);
            let created = created.await.unwrap();
            assert_eq!((created.document, created.is_created), (new, true));
        }
    }
}
