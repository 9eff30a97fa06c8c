//! Typed change streams.

mod connections;
mod kinds;
mod own_fields;
mod positions;
mod upserts;

use std::time::Duration;

use futures_util::TryStreamExt;
use mongo_odm::{
    Error, ErrorKind,
    action::{ChangeEvent, ChangeStream, DocumentChange},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Step {
    text: String,
    is_done: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: Id<Task, i64>,
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default)]
    labels: Vec<String>,
    #[embed(max = 10)]
    steps: Vec<Step>,
}

/// A model in a collection that keeps pre-images.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_notes", pre_images)]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i64>,
    text: String,
    is_open: bool,
}

fn task(id: i64, title: &str) -> Task {
    Task {
        id: Id::from_key(id),
        title: title.to_owned(),
        note: Some("x".to_owned()),
        labels: vec!["a".to_owned(), "b".to_owned()],
        steps: vec![Step {
            text: "first".to_owned(),
            is_done: false,
        }],
    }
}

fn note(id: i64, text: &str) -> Note {
    Note {
        id: Id::from_key(id),
        text: text.to_owned(),
        is_open: true,
    }
}

/// Returns the next event, or fails after some seconds.
async fn next<M: Documents>(changes: &mut ChangeStream<M>) -> ChangeEvent<M> {
    let next = tokio::time::timeout(Duration::from_secs(20), changes.try_next());
    let next = next.await.expect("an event arrives");
    next.unwrap().expect("the stream is open")
}

#[tokio::test]
async fn inserts_updates_and_deletes_are_typed() {
    let t = Harness::new("watch_typed").await;
    let mut changes = Task::watch(&t.odm).await.unwrap();
    let new = task(1, "milk");
    new.insert(&t.odm).await.unwrap();
    let fields = Task::fields();
    Task::update(&t.odm, new.id)
        .set(fields.title, "bread")
        .unset(fields.note)
        .set(fields.steps.at::<0>().is_done, true)
        .await
        .unwrap();
    Task::delete(&t.odm, new.id).await.unwrap();

    let inserted = next(&mut changes).await;
    assert!(matches!(inserted.change, DocumentChange::Inserted(task) if task == new));
    let updated = next(&mut changes).await;
    let DocumentChange::Updated {
        id,
        changes: written,
        document,
        before,
        ..
    } = updated.change
    else {
        panic!("{updated:?}");
    };
    assert_eq!((id, before), (new.id, None));
    assert_eq!(
        document, None,
        "the document is gone when the event is sent"
    );
    assert_eq!(written.get(fields.title).unwrap().as_deref(), Some("bread"));
    assert!(written.is_changed(fields.title) && !written.is_changed(fields.labels));
    assert!(written.is_removed(fields.note) && written.is_changed(fields.note));
    assert_eq!(written.get(fields.note).unwrap(), None);
    assert!(written.is_changed(fields.steps) && written.is_changed(fields.steps.is_done));
    assert!(!written.is_changed(fields.steps.text));
    assert_eq!(
        written.get(fields.steps).unwrap(),
        None,
        "only a part is written"
    );
    let deleted = next(&mut changes).await;
    assert!(deleted.at >= updated.at);
    let DocumentChange::Deleted { id, before, .. } = deleted.change else {
        panic!("{deleted:?}");
    };
    assert_eq!((id, before), (new.id, None));
}

#[tokio::test]
async fn a_replacement_has_the_values_of_the_new_document() {
    let t = Harness::new("watch_replaced").await;
    let old = task(1, "milk");
    t.given(&[old.clone()]).await;
    let mut changes = Task::watch(&t.odm).await.unwrap();
    let new = Task {
        title: "bread".to_owned(),
        ..old
    };
    new.save(&t.odm).await.unwrap();
    let event = next(&mut changes).await;
    assert_eq!(event.change.document(), Some(&new));
    let DocumentChange::Updated { changes, .. } = event.change else {
        panic!("{event:?}");
    };
    assert!(changes.is_replacement() && changes.paths().next().is_none());
    let title = changes.get(Task::fields().title).unwrap();
    assert_eq!(title.as_deref(), Some("bread"));
}

#[tokio::test]
async fn a_filter_selects_events_on_the_server() {
    let t = Harness::new("watch_filter").await;
    let fields = Task::fields();
    let red = fields.labels.contains("red") & !fields.title.starts_with("old");
    let mut changes = Task::watch(&t.odm).filter(red).await.unwrap();
    let labelled = |id, title: &str, label: &str| Task {
        labels: vec![label.to_owned()],
        ..task(id, title)
    };
    for new in [
        labelled(1, "a", "blue"),
        labelled(2, "old", "red"),
        labelled(3, "b", "red"),
    ] {
        new.insert(&t.odm).await.unwrap();
    }
    Task::update(&t.odm, Id::from_key(1))
        .push(fields.labels, "red")
        .await
        .unwrap();
    let first = next(&mut changes).await;
    assert_eq!(first.change.document().map(|it| *it.id.key()), Some(3));
    let second = next(&mut changes).await;
    assert_eq!(second.change.document().map(|it| *it.id.key()), Some(1));
    let expression = doc! { "$expr": { "$eq": ["$title", "a"] } };
    let rejected = Task::watch(&t.odm).filter(expression).await.unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::Invalid);
    assert!(rejected.to_string().contains("`$expr`"), "{rejected}");
}

#[tokio::test]
async fn pre_images_are_enabled_by_sync_indexes() {
    let t = Harness::new("watch_pre_images").await;
    let rejected = Note::watch(&t.odm).with_before().await.unwrap_err();
    assert!(matches!(
        rejected,
        Error::Invalid {
            model: Some("Note"),
            ..
        }
    ));
    assert!(rejected.to_string().contains("sync_indexes"), "{rejected}");
    let diff = t.odm.index_diff().only::<Note>().await.unwrap();
    assert_eq!(diff.pre_images, ["watched_notes"]);
    assert!(!diff.is_in_sync());
    let shown = "db.runCommand({ collMod: \"watched_notes\", changeStreamPreAndPostImages: { enabled: true } })";
    assert!(diff.to_string().contains(shown), "{diff}");
    // The collection does not exist yet.
    let report = t.odm.sync_indexes().only::<Note>().await.unwrap();
    assert_eq!(report.pre_images, ["watched_notes"]);
    assert!(!report.is_unchanged());
    let again = t.odm.sync_indexes().only::<Note>().await.unwrap();
    assert!(again.is_unchanged(), "{again}");
    let other = t.odm.index_diff().only::<Task>().await.unwrap();
    assert_eq!(other.pre_images, <[String; 0]>::default());

    let mut changes = Note::watch(&t.odm).with_before().await.unwrap();
    let old = note(1, "a");
    old.insert(&t.odm).await.unwrap();
    for text in ["b", "c"] {
        Note::update(&t.odm, old.id)
            .set(Note::fields().text, text)
            .await
            .unwrap();
    }
    note(1, "d").save(&t.odm).await.unwrap();
    Note::delete(&t.odm, old.id).await.unwrap();
    let inserted = next(&mut changes).await.change;
    assert_eq!((inserted.document(), inserted.before()), (Some(&old), None));
    for (before, after) in [("a", "b"), ("b", "c"), ("c", "d")] {
        let event = next(&mut changes).await.change;
        let states = (event.before().unwrap(), event.document().unwrap());
        assert_eq!(
            (states.0.text.as_str(), states.1.text.as_str()),
            (before, after)
        );
        let DocumentChange::Updated { changes, .. } = event else {
            panic!("{event:?}");
        };
        assert!(changes.is_changed(Note::fields().text));
        assert!(!changes.is_changed(Note::fields().is_open));
    }
    let deleted = next(&mut changes).await.change;
    assert_eq!(deleted.before().map(|it| it.text.as_str()), Some("d"));
}

#[tokio::test]
async fn a_view_cannot_keep_pre_images() {
    let t = Harness::new("watch_pre_images_view").await;
    let create = doc! { "create": "watched_notes", "viewOn": "notes", "pipeline": [] };
    t.odm.database().run_command(create).await.unwrap();
    let diff = t.odm.index_diff().only::<Note>().await.unwrap_err();
    let sync = t.odm.sync_indexes().only::<Note>().await.unwrap_err();
    for error in [diff, sync] {
        let text = error.to_string();
        assert!(text.contains("`watched_notes` has `pre_images`"), "{text}");
        assert!(text.contains("remove `pre_images`"), "{text}");
    }
}

#[tokio::test]
async fn with_pre_images_a_document_is_seen_when_it_leaves_the_filter() {
    let t = Harness::new("watch_leaving").await;
    note(9, "other").insert(&t.odm).await.unwrap();
    // The collection exists already.
    t.odm.sync_indexes().only::<Note>().await.unwrap();
    let is_open = Note::fields().is_open;
    let mut changes = Note::watch(&t.odm).filter(is_open.eq(true)).await.unwrap();
    let mut closed = note(2, "closed");
    closed.is_open = false;
    closed.insert(&t.odm).await.unwrap();
    Note::delete(&t.odm, closed.id).await.unwrap();
    Note::update(&t.odm, Id::from_key(9))
        .set(is_open, false)
        .await
        .unwrap();
    let left = next(&mut changes).await.change;
    assert_eq!(left.document().map(|it| it.is_open), Some(false));
    assert_eq!(left.before(), None, "the stream does not ask for it");
}

/// In the server's event, the document after the change contains the fields after an inserted field twice.
#[tokio::test]
async fn an_inserted_field_does_not_hide_the_document() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
    #[model(collection = "watched_drafts", pre_images)]
    struct Draft {
        #[serde(rename = "_id")]
        id: Id<Draft, i32>,
        text: String,
        #[serde(default)]
        note: Option<String>,
        words: Vec<i32>,
        #[created_at]
        #[serde(default)]
        created: Option<DateTime>,
    }
    let t = Harness::new("watch_inserted_field").await;
    t.odm.sync_indexes().only::<Draft>().await.unwrap();
    let drafts = t.odm.database().collection("watched_drafts");
    let old = doc! { "_id": 1, "text": "a".repeat(100), "words": [1] };
    drafts.insert_one(old).await.unwrap();
    let mut changes = Draft::watch(&t.odm).with_before().await.unwrap();
    let mut draft = Draft::get(&t.odm, Id::from_key(1)).await.unwrap();
    draft.note = Some("x".to_owned());
    draft.words.push(2);
    draft.save(&t.odm).await.unwrap();
    let event = next(&mut changes).await.change;
    let stored = Draft::get(&t.odm, draft.id).await.unwrap();
    assert_eq!(
        (event.document(), &stored.words),
        (Some(&stored), &draft.words)
    );
}
