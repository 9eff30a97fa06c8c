//! The version of a document: which writes increment it, and which writes fail because of it.

use mongo_odm::{Error, bson::Bson, prelude::*};

use super::*;

const PAGES: &str = "maintained_pages";

/// A document that no derived data depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_pages")]
struct Page {
    #[serde(rename = "_id")]
    id: Id<Page, i64>,
    text: String,
    #[version]
    #[serde(default)]
    version: i64,
}

/// A page, as declared by a program without the version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_pages")]
struct OldPage {
    #[serde(rename = "_id")]
    id: Id<OldPage, i64>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_writers")]
struct Writer {
    #[serde(rename = "_id")]
    id: Id<Writer, i64>,
    name: String,
    #[rollup(sum, of = Essay, via = writer, field = version)]
    versions: i64,
    #[version]
    version: i64,
}

/// A document that contains a copy. A summary in its writer adds up the versions of such documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_essays")]
struct Essay {
    #[serde(rename = "_id")]
    id: Id<Essay, i64>,
    text: String,
    #[parent_ref(on_delete = "nullify")]
    writer: Option<Id<Writer, i64>>,
    #[denorm(from = Writer.name, via = writer)]
    writer_name: Option<String>,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    #[version]
    version: u32,
}

fn page(number: i64) -> Page {
    Page {
        id: id(number),
        text: format!("page {number}"),
        version: 0,
    }
}

fn essay(number: i64, writer: i64) -> Essay {
    Essay {
        id: id(number),
        text: format!("essay {number}"),
        writer: Some(id(writer)),
        writer_name: None,
        created: at(GIVEN),
        updated: at(GIVEN),
        version: 0,
    }
}

fn writer(number: i64) -> Writer {
    Writer {
        id: id(number),
        name: format!("writer {number}"),
        versions: 0,
        version: 0,
    }
}

/// Opens a database that has the indexes of these models.
async fn versioned(test: &str) -> (Harness, TestClock) {
    let (t, clock) = clocked(test).await;
    let sync = t.odm.sync_indexes().only::<Page>().only::<Essay>();
    sync.only::<Writer>().await.unwrap();
    (t, clock)
}

async fn version(odm: &Odm, collection: &str, number: i64) -> i64 {
    raw(odm, collection, number)
        .await
        .get_i64("version")
        .unwrap()
}

/// Asserts that a write failed because the stored version was not the expected one.
fn assert_conflict<T: std::fmt::Debug>(
    done: mongo_odm::Result<T>,
    number: i64,
    versions: (i64, Option<i64>),
) {
    match done {
        Err(Error::Conflict {
            id,
            expected,
            found,
            ..
        }) => {
            assert_eq!(
                (*id, expected, found),
                (Bson::Int64(number), versions.0, versions.1)
            );
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_write_of_own_fields_increments_the_version_by_one() {
    let (t, _) = versioned("version_each_write").await;
    let (odm, fields) = (&t.odm, Page::fields());
    let by_id = || fields.id.eq(id(1));
    page(1).insert(odm).await.unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 1);
    page(1).reload(odm).await.unwrap().save(odm).await.unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 2);
    let replaced = page(1).reload(odm).await.unwrap();
    replaced.replace(odm).await.unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 3);
    Page::update(odm, id(1))
        .set(fields.text, "x")
        .await
        .unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 4);
    Page::update_many(odm, by_id())
        .set(fields.text, "x")
        .await
        .unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 5);
    let found = Page::find_one_and_update(odm, by_id()).set(fields.text, "y");
    assert_eq!(found.return_new().await.unwrap().unwrap().version, 6);
    Page::upsert(odm, by_id())
        .set(fields.text, "z")
        .await
        .unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 7);
    let pipeline = vec![doc! { "$replaceWith": { "_id": 1_i64, "text": "x" } }];
    Page::update(odm, id(1))
        .modifications(pipeline)
        .await
        .unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 8);
    let only_inserts = Page::upsert(odm, by_id()).set_on_insert(fields.text, "no");
    only_inserts.await.unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 8);
    OldPage::update(odm, id(1))
        .set(OldPage::fields().text, "old")
        .await
        .unwrap();
    assert_eq!(version(odm, PAGES, 1).await, 8);
}

#[tokio::test]
async fn a_new_document_has_version_one_however_it_is_inserted() {
    let (t, _) = versioned("version_new").await;
    let (odm, fields) = (&t.odm, Page::fields());
    let mut given = page(1);
    given.version = 7;
    given.insert(odm).await.unwrap();
    page(2).save(odm).await.unwrap();
    Page::upsert(odm, fields.id.eq(id(3)))
        .set(fields.text, "x")
        .await
        .unwrap();
    Page::upsert(odm, fields.id.eq(id(4)))
        .set_on_insert(fields.text, "x")
        .await
        .unwrap();
    let pipeline = vec![doc! { "$set": { "text": "x" } }];
    Page::upsert(odm, fields.id.eq(id(5)))
        .modifications(pipeline)
        .await
        .unwrap();
    for number in 1..=5 {
        assert_eq!(version(odm, PAGES, number).await, 1, "{number}");
    }
    assert_eq!(page(6).replace(odm).await.unwrap().matched, 0);
}

#[tokio::test]
async fn of_two_writers_with_one_version_one_finds_a_conflict() {
    let (t, _) = versioned("version_two_writers").await;
    page(1).insert(&t.odm).await.unwrap();
    for round in 1..=10 {
        let loaded = Page::get(&t.odm, id(1)).await.unwrap();
        assert_eq!(loaded.version, round);
        let mut other = loaded.clone();
        other.text = format!("other {round}");
        let set = Page::update(&t.odm, id(1)).set(Page::fields().text, "set");
        let (saved, updated) = tokio::join!(
            other.save(&t.odm).into_future(),
            set.if_unchanged(&loaded).into_future()
        );
        let (done, failed) = match (&saved, &updated) {
            (Ok(_), Err(_)) => (saved, updated),
            (Err(_), Ok(_)) => (updated, saved),
            both => panic!("{both:?}"),
        };
        assert_eq!(done.unwrap().modified, 1);
        assert_conflict(failed, 1, (round, Some(round + 1)));
    }
}

#[tokio::test]
async fn a_second_save_of_the_same_struct_is_a_conflict() {
    let (t, _) = versioned("version_second_save").await;
    page(1).insert(&t.odm).await.unwrap();
    assert_conflict(page(1).save(&t.odm).await, 1, (0, Some(1)));
    let loaded = page(1).reload(&t.odm).await.unwrap();
    loaded.save(&t.odm).await.unwrap();
    let error = loaded.save(&t.odm).await.unwrap_err();
    assert_eq!(error.kind().code(), "odm.conflict");
    assert_eq!(
        error.to_string(),
        "the document NumberLong(\"1\") of `maintained_pages` has version 2, but the write expects version 1; load the `Page` again \
         with `reload`, and repeat the change; a struct keeps its version when it is saved, and `.returning()` returns the new one"
    );
    assert_conflict(loaded.replace(&t.odm).await, 1, (1, Some(2)));
}

#[tokio::test]
async fn a_deleted_document_is_a_conflict_and_is_not_inserted_again() {
    let (t, _) = versioned("version_deleted").await;
    page(1).insert(&t.odm).await.unwrap();
    let loaded = page(1).reload(&t.odm).await.unwrap();
    Page::delete(&t.odm, id(1)).await.unwrap();
    let error = loaded.save(&t.odm).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the document NumberLong(\"1\") of `maintained_pages` does not exist, but the write expects version 1; if the `Page` is new \
         or was deleted, store it with `insert`; if it belongs to another tenant, use a handle for that tenant"
    );
    assert_conflict::<()>(Err(error), 1, (1, None));
    assert_conflict(loaded.replace(&t.odm).await, 1, (1, None));
    let update = Page::update(&t.odm, id(1)).set(Page::fields().text, "x");
    assert_conflict(update.if_unchanged(&loaded).await, 1, (1, None));
    assert_eq!(Page::count(&t.odm).await.unwrap(), 0);
}

#[tokio::test]
async fn another_condition_that_does_not_match_is_no_conflict() {
    let (t, _) = versioned("version_filter").await;
    page(1).insert(&t.odm).await.unwrap();
    let loaded = page(1).reload(&t.odm).await.unwrap();
    let fields = Page::fields();
    let update = Page::update(&t.odm, id(1)).set(fields.text, "x");
    let update = update
        .if_unchanged(&loaded)
        .filter(fields.text.eq("another"));
    assert_eq!(update.await.unwrap().matched, 0);
    let other = Page::update(&t.odm, id(2)).set(fields.text, "x");
    let error = other.if_unchanged(&loaded).await.unwrap_err().to_string();
    assert!(
        error.contains("the write is about another document"),
        "{error}"
    );
}

#[tokio::test]
async fn a_missing_version_counts_as_zero() {
    let (t, _) = versioned("version_missing").await;
    let old = |number: i64| doc! { "_id": number, "text": "old" };
    put(&t.odm, PAGES, [old(1), old(2), old(3)]).await;
    let loaded = Page::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(loaded.version, 0);
    loaded.save(&t.odm).await.unwrap();
    assert_conflict(loaded.save(&t.odm).await, 1, (0, Some(1)));
    let update = || Page::update(&t.odm, id(2)).set(Page::fields().text, "x");
    let two = Page::get(&t.odm, id(2)).await.unwrap();
    update().if_unchanged(&two).await.unwrap();
    assert_conflict(update().if_unchanged(&two).await, 2, (0, Some(1)));
    Page::update(&t.odm, id(3))
        .set(Page::fields().text, "x")
        .await
        .unwrap();
    for number in 1..=3 {
        assert_eq!(version(&t.odm, PAGES, number).await, 1, "{number}");
    }
}

#[tokio::test]
async fn a_conflict_in_a_transaction_leaves_the_transaction_usable() {
    let (t, _) = versioned("version_transaction").await;
    page(1).insert(&t.odm).await.unwrap();
    let loaded = page(1).reload(&t.odm).await.unwrap();
    Page::update(&t.odm, id(1))
        .set(Page::fields().text, "x")
        .await
        .unwrap();
    let run = t.odm.transaction(async |tx| {
        page(2).insert(&tx).await?;
        assert_conflict(loaded.save(&tx).await, 1, (1, Some(2)));
        // The version 0 also means a new document, but the save fails because the document exists.
        assert_conflict(page(1).save(&tx).await, 1, (0, Some(2)));
        let update = Page::update(&tx, id(1)).set(Page::fields().text, "y");
        assert_conflict(update.if_unchanged(&loaded).await, 1, (1, Some(2)));
        loaded.reload(&tx).await?.save(&tx).await?;
        Ok(())
    });
    run.await.unwrap();
    assert_eq!(version(&t.odm, PAGES, 1).await, 3);
    assert_eq!(version(&t.odm, PAGES, 2).await, 1);
}

#[tokio::test]
async fn copies_that_changed_meanwhile_are_no_conflict() {
    let (t, clock) = versioned("version_copies").await;
    for (way, odm) in both_ways(&t.odm) {
        let odm = &clock.handle(&odm);
        t.odm
            .collection::<Essay>()
            .delete_many(doc! {})
            .await
            .unwrap();
        t.odm
            .collection::<Writer>()
            .delete_many(doc! {})
            .await
            .unwrap();
        writer(1).insert(odm).await.unwrap();
        essay(1, 1).insert(odm).await.unwrap();
        let mut loaded = Essay::get(odm, id(1)).await.unwrap();
        let rename = Writer::update(odm, id(1)).set(Writer::fields().name, "new name");
        rename.await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        assert_eq!(loaded.writer_name.as_deref(), Some("writer 1"), "{way}");
        loaded.text = "changed".into();
        loaded.save(odm).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let stored = loaded.reload(odm).await.unwrap();
        assert_eq!(stored.writer_name.as_deref(), Some("new name"), "{way}");
        assert_eq!(
            (stored.text.as_str(), stored.version),
            ("changed", 2),
            "{way}"
        );
        // An update of the summary does not increment the version of the writer that contains it.
        let stored = Writer::get(odm, id(1)).await.unwrap();
        assert_eq!((stored.versions, stored.version), (2, 2), "{way}");
        assert_conflict(loaded.save(odm).await, 1, (1, Some(2)));
    }
}

#[tokio::test]
async fn a_save_and_an_update_with_effects_find_conflicts_too() {
    let (t, _) = versioned("version_effects").await;
    writer(1).insert(&t.odm).await.unwrap();
    let loaded = writer(1).reload(&t.odm).await.unwrap();
    essay(1, 1).insert(&t.odm).await.unwrap();
    let rename = || Writer::update(&t.odm, id(1)).set(Writer::fields().name, "x");
    rename().if_unchanged(&loaded).await.unwrap();
    assert_conflict(rename().if_unchanged(&loaded).await, 1, (1, Some(2)));
    assert_conflict(loaded.save(&t.odm).await, 1, (1, Some(2)));
    assert_conflict(writer(1).save(&t.odm).await, 1, (0, Some(2)));
    let copied = Essay::get(&t.odm, id(1)).await.unwrap().writer_name;
    assert_eq!(copied.as_deref(), Some("x"));
}

#[tokio::test]
async fn nullify_increments_the_version_also_by_a_job() {
    let (t, clock) = versioned("version_nullify").await;
    for (way, odm) in both_ways(&t.odm) {
        let odm = &clock.handle(&odm);
        t.odm
            .collection::<Essay>()
            .delete_many(doc! {})
            .await
            .unwrap();
        writer(1).insert(odm).await.unwrap();
        essay(1, 1).insert(odm).await.unwrap();
        let loaded = Essay::get(odm, id(1)).await.unwrap();
        Writer::delete(odm, id(1)).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        assert_eq!(version(odm, "maintained_essays", 1).await, 2, "{way}");
        assert_conflict(loaded.save(odm).await, 1, (1, Some(2)));
    }
}

#[tokio::test]
async fn a_version_costs_no_round_trip_unless_there_is_a_conflict() {
    let (t, _) = versioned("version_round_trips").await;
    page(1).insert(&t.odm).await.unwrap();
    let loaded = page(1).reload(&t.odm).await.unwrap();
    t.forget();
    page(2).insert(&t.odm).await.unwrap();
    loaded.save(&t.odm).await.unwrap();
    let update = || Page::update(&t.odm, id(1)).set(Page::fields().text, "x");
    update().await.unwrap();
    assert_eq!(t.recorder().names(), ["insert", "update", "update"]);
    t.forget();
    assert!(update().if_unchanged(&loaded).await.is_err());
    assert!(loaded.save(&t.odm).await.is_err());
    assert_eq!(t.recorder().names(), ["update", "find", "update", "find"]);
}

#[tokio::test]
async fn an_update_of_a_versioned_source_does_not_read_the_document_again() {
    let (t, _) = versioned("version_source_round_trips").await;
    writer(1).insert(&t.odm).await.unwrap();
    let rename = || Writer::update(&t.odm, id(1)).set(Writer::fields().name, "x");
    let plan = rename().plan().unwrap().to_string();
    assert!(
        plan.contains("maintained_writers.findOneAndUpdate("),
        "{plan}"
    );
    assert!(!plan.contains("maintained_writers.find("), "{plan}");
    t.forget();
    rename().await.unwrap();
    let names = t.recorder().names();
    assert_eq!(names[0], "findAndModify");
    assert_ne!(names[1], "find", "{names:?}");
}
