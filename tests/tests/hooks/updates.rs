//! Hooks of documents that are updated.

use odm_tests::cluster::is_sharded;

use super::*;

/// The update that most tests send.
fn retitle(title: &str) -> Update<Task> {
    Update::new().set(Task::fields().title, title)
}

#[tokio::test]
async fn a_hook_adds_to_an_update_before_timestamps_and_summaries() {
    let t = with_tasks("hooks_update", &["one", "two"]).await;
    let before = get(&t, 1).await;
    let update = Task::update(&t.odm, id(1)).set(Task::fields().title, "new");
    let report = update.await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    let found = get(&t, 1).await;
    assert_eq!((&*found.title, &*found.slug), ("new", "new-1"));
    assert_eq!((found.version, found.created), (2, before.created));
    assert!(found.updated >= before.updated);
    assert_eq!(summary(&t).await, (2, Some("new-1".into())));
    assert_eq!(calls(&t).await, ["update 1 of one", "Updated 1 as new-1"]);
    assert_eq!(events(&t).await, ["update 1 of one"]);
    assert_eq!(get(&t, 2).await.slug, "");
    let missing = Task::update(&t.odm, id(7)).set(Task::fields().title, "new");
    assert_eq!(missing.await.unwrap().matched, 0);
    assert_eq!(calls(&t).await, [""; 0]);
}

#[tokio::test]
async fn each_write_that_updates_calls_the_hook() {
    let t = with_tasks("hooks_each_update", &["one"]).await;
    let (odm, fields) = (&t.odm, Task::fields());
    let expect = async |title: &str, slug: &str, version: i64| {
        let found = get(&t, 1).await;
        assert_eq!(
            (&*found.title, &*found.slug, found.version),
            (title, slug, version)
        );
        assert_eq!(found.owner_name.as_deref(), Some("ann"));
        assert_eq!(summary(&t).await, (1, Some(slug.to_owned())));
        let calls = calls(&t).await;
        assert_eq!(calls.len(), 2, "{calls:?}");
        assert!(calls[0].starts_with("update 1 of "), "{calls:?}");
        assert_eq!(calls[1], format!("Updated 1 as {slug}"));
    };
    Task::update(odm, id(1))
        .set(fields.title, "a")
        .await
        .unwrap();
    expect("a", "a-1", 2).await;
    let filter = fields.title.eq("a");
    Task::update_many(odm, filter)
        .set(fields.title, "b")
        .await
        .unwrap();
    expect("b", "b-1", 3).await;
    let found = Task::find_one_and_update(odm, fields.title.eq("b")).set(fields.title, "c");
    assert_eq!(found.return_new().await.unwrap().unwrap().slug, "c-1");
    expect("c", "c-1", 4).await;
    let found = Task::find_one_and_update(odm, fields.title.eq("c")).set(fields.title, "d");
    assert_eq!(
        found.sort(fields.id.asc()).await.unwrap().unwrap().slug,
        "c-1"
    );
    expect("d", "d-1", 5).await;
    let upsert = Task::upsert(odm, fields.id.eq(id(1))).set(fields.title, "e");
    let report = upsert.await.unwrap();
    assert_eq!((report.matched, report.upserted_id), (1, None));
    expect("e", "e-1", 6).await;
    let before = get(&t, 1).await;
    let mut task = before.clone();
    task.title = "f".into();
    task.save_changes(odm, &before).await.unwrap();
    expect("f", "f-1", 7).await;
    let mut task = get(&t, 1).await;
    task.title = "g".into();
    task.owner_name = Some("nobody".into());
    let task = task.save(odm).returning().await.unwrap();
    assert_eq!(task.slug, "g-1");
    expect("g", "g-1", 8).await;
    let mut task = get(&t, 1).await;
    task.title = "h".into();
    assert_eq!(task.replace(odm).await.unwrap().matched, 1);
    expect("h", "h-1", 9).await;
    // The hook leaves this update unchanged, so the library replaces the whole document.
    let mut task = get(&t, 1).await;
    (task.title, task.slug) = ("unchanged".into(), "given".into());
    task.save(odm).await.unwrap();
    expect("unchanged", "given", 10).await;
}

#[tokio::test]
async fn a_save_of_an_old_struct_is_a_conflict_with_hooks_too() {
    let t = with_tasks("hooks_conflict", &["one"]).await;
    for title in ["a", "unchanged"] {
        let mut old = get(&t, 1).await;
        Task::update(&t.odm, id(1))
            .set(Task::fields().slug, "x")
            .await
            .unwrap();
        old.title = title.into();
        let error = old.save(&t.odm).await.unwrap_err();
        assert_eq!(error.code(), "odm.conflict");
        let update = Task::update(&t.odm, id(1)).set(Task::fields().title, title);
        let error = update.if_unchanged(&old).await.unwrap_err();
        assert_eq!(error.code(), "odm.conflict");
    }
    assert_eq!(get(&t, 1).await.title, "one");
}

#[tokio::test]
async fn a_save_stores_the_difference_and_removes_unknown_fields() {
    let t = with_tasks("hooks_save", &["one"]).await;
    let tasks = t.database().collection("hook_tasks");
    let set = doc! { "$set": { "legacy": 1, "notes": [{ "text": "old" }] } };
    tasks.update_many(doc! {}, set).await.unwrap();
    let mut task = get(&t, 1).await;
    task.title = "new".into();
    task.notes = vec![Note { text: "new".into() }];
    task.save(&t.odm).await.unwrap();
    let mut expected = task.clone();
    (expected.slug, expected.version) = ("new-1".into(), 2);
    let found = get(&t, 1).await;
    expected.updated = found.updated;
    assert_eq!(found, expected);
    assert!(!stored(&t).await[0].contains_key("legacy"));
    // The hook has changed the saved document, so its rules are checked again.
    task.version = 2;
    task.title = "unsluggable".into();
    let error = task.save(&t.odm).await.unwrap_err();
    assert!(matches!(error, Error::Hook { .. }));
    assert_eq!(error.code(), "odm.validation");
    assert_eq!(get(&t, 1).await, found);
}

#[tokio::test]
async fn a_failing_hook_leaves_everything_unchanged() {
    let t = with_tasks("hooks_update_refused", &["one", "two"]).await;
    let (before, fields) = (stored(&t).await, Task::fields());
    let refused = "refused";
    let update = Task::update(&t.odm, id(1)).set(fields.title, refused);
    assert_refused(&update.await.unwrap_err(), "before_update");
    let update = Task::update_many(&t.odm, Filter::all()).set(fields.title, refused);
    assert_refused(&update.await.unwrap_err(), "before_update");
    let update = Task::find_one_and_update(&t.odm, Filter::all()).set(fields.title, refused);
    assert_refused(&update.await.unwrap_err(), "before_update");
    let upsert = Task::upsert(&t.odm, fields.id.eq(id(1))).set(fields.title, refused);
    assert_refused(&upsert.await.unwrap_err(), "before_update");
    let mut task = get(&t, 1).await;
    task.title = refused.into();
    assert_refused(&task.save(&t.odm).await.unwrap_err(), "before_update");
    // An update with the changes of a hook is checked like an update of the application.
    let update = Task::update(&t.odm, id(1)).set(fields.title, "twice");
    let error = update.await.unwrap_err();
    assert!(matches!(error, Error::Hook { .. }));
    assert_eq!(error.code(), "odm.invalid");
    assert_eq!(stored(&t).await, before);
    assert!(events(&t).await.is_empty());
    assert!(
        calls(&t)
            .await
            .iter()
            .all(|call| call.starts_with("update"))
    );
}

#[tokio::test]
async fn many_documents_are_updated_in_batches_of_500() {
    let t = database("hooks_update_many").await;
    let mut tasks: Vec<Task> = (1..=1_100).map(|number| task(number, "light")).collect();
    tasks[999].notes = vec![Note { text: "!".into() }];
    let insert = Task::insert_many(&t.odm, &tasks).without_hooks();
    insert.await.unwrap();
    let fields = Task::fields();
    let update = Task::update_many(&t.odm, fields.title.eq("light")).set(fields.title, "light");
    let report = update.await.unwrap();
    assert_eq!((report.matched, report.modified), (1_100, 1_100));
    assert_eq!(get(&t, 777).await.slug, "light");
    assert_eq!(summary(&t).await, (1_100, Some("light".into())));
    // The hook fails in the second batch.
    let numbered = Task::update_many(&t.odm, Filter::all()).set(fields.slug, "numbered");
    let error = numbered.await.unwrap_err();
    let Error::PartlyUpdated {
        modified, source, ..
    } = &error
    else {
        panic!("{error:#?}");
    };
    assert_eq!(*modified, 500);
    assert!(matches!(**source, Error::Hook { .. }));
    let count = async |slug| {
        Task::count(&t.odm)
            .filter(fields.slug.eq(slug))
            .await
            .unwrap()
    };
    assert_eq!((count("numbered").await, count("light").await), (500, 600));
    assert_eq!(calls(&t).await, [""; 0]);
}

#[tokio::test]
async fn each_document_of_an_update_can_get_its_own_update() {
    let t = with_tasks("hooks_own_updates", &["one", "two", "three"]).await;
    let fields = Task::fields();
    let update = Task::update_many(&t.odm, fields.id.gt(id(1))).set(fields.title, "new");
    assert_eq!(update.await.unwrap().modified, 2);
    let slugs: Vec<String> = Task::find(&t.odm)
        .sort(fields.id.asc())
        .await
        .unwrap()
        .into_iter()
        .map(|task| task.slug)
        .collect();
    assert_eq!(slugs, ["", "new-2", "new-3"]);
    assert_eq!(summary(&t).await, (3, Some("new-3".into())));
    let expected = [
        "update 2 of two",
        "update 3 of three",
        "Updated 2 as new-2",
        "Updated 3 as new-3",
    ];
    let mut made = calls(&t).await;
    if is_sharded() {
        // The documents of several shards have no order.
        made.sort_by_key(|call| (call.starts_with("Updated"), call.clone()));
    }
    assert_eq!(made, expected);
}

#[tokio::test]
async fn a_full_array_is_an_error_with_hooks_too() {
    let t = with_tasks("hooks_bounds", &["one"]).await;
    let (fields, note) = (Task::fields(), |text: &str| Note { text: text.into() });
    for text in ["a", "b"] {
        let push = Task::update(&t.odm, id(1)).push(fields.notes, note(text));
        push.await.unwrap();
    }
    let push = Task::update(&t.odm, id(1)).push(fields.notes, note("c"));
    let error = push.set(fields.title, "new").await.unwrap_err();
    assert_eq!(error.code(), "odm.bound_exceeded");
    assert_eq!(get(&t, 1).await.notes.len(), 2);
    assert_eq!(
        retitle("x").value_set(fields.title).unwrap().as_deref(),
        Some("x")
    );
}

/// A hook changes the update of a save that keeps its times.
#[tokio::test]
async fn an_import_keeps_its_times_if_a_hook_changes_the_update() {
    let t = with_tasks("hooks_import", &["one"]).await;
    let before = get(&t, 1).await;
    let imported = Task {
        title: "imported".into(),
        created: DateTime::from_millis(1),
        updated: DateTime::from_millis(2),
        ..before
    };
    imported.save(&t.odm).keep_timestamps().await.unwrap();
    let stored = get(&t, 1).await;
    assert_eq!(stored.slug, "imported-1");
    assert_eq!(
        (stored.created, stored.updated),
        (imported.created, imported.updated)
    );
    assert_eq!(stored.version, imported.version + 1);
}
