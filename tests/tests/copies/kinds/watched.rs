//! The watcher, which distinguishes the kinds of documents that other programs write.

use super::*;
use crate::change_stream::{kill, run_all, run_until, watching};

async fn write(t: &Harness, id: &str, update: Document) {
    let school = t.odm.database().collection::<Document>("kind_school");
    let done = school.update_one(doc! { "_id": id }, update).await.unwrap();
    assert_eq!(done.matched_count, 1);
}

async fn note_of(t: &Harness, id: &str) -> Option<String> {
    let all = all(&t.odm, "kind_school").await;
    let note = all
        .into_iter()
        .find(|it| it.get_str("_id").is_ok_and(|known| known == id))?;
    note.get_str("name").ok().map(ToOwned::to_owned)
}

#[tokio::test]
async fn what_others_write_to_one_kind_is_followed() {
    let t = school("kinds_watch").await;
    let watcher = watching(&t.odm).await;
    // The student and the stray document have all fields of a class, but their fields are not copied.
    for id in ["S1", "X", "C1"] {
        write(&t, id, doc! { "$set": { "name": "by hand" } }).await;
    }
    let arrived =
        doc! { "_id": "C9", "doc_type": "class", "name": "late", "owner": "P1", "points": 1 };
    put(&t.odm, "kind_school", [arrived]).await;
    run_until(&t.odm, async || {
        note_of(&t, "N1").await.as_deref() == Some("by hand")
            && Person::get(&t.odm, person(1).id).await.unwrap().classes == 2
    })
    .await;
    run_all(&t.odm).await;
    assert_eq!(note_of(&t, "N2").await.as_deref(), Some("class 2"));
    // A document that now has a different kind is no longer counted.
    write(&t, "C9", doc! { "$set": { "doc_type": "stray" } }).await;
    run_until(&t.odm, async || {
        Person::get(&t.odm, person(1).id).await.unwrap().classes == 1
    })
    .await;
    run_all(&t.odm).await;
    kill(watcher).await;
}

#[tokio::test]
async fn a_delete_by_others_takes_what_goes_with_its_kind() {
    let t = school("kinds_watch_delete").await;
    let watcher = watching(&t.odm).await;
    let school = t.odm.database().collection::<Document>("kind_school");
    for id in ["S1", "X", "C1"] {
        school.delete_one(doc! { "_id": id }).await.unwrap();
    }
    run_until(&t.odm, async || note_of(&t, "N1").await.is_none()).await;
    run_all(&t.odm).await;
    let left = all(&t.odm, "kind_school").await;
    let left: Vec<_> = left.iter().map(|it| it.get_str("_id").unwrap()).collect();
    assert_eq!(left, ["C2", "N2", "S2"]);
    kill(watcher).await;
}

#[tokio::test]
async fn a_delete_by_others_with_its_image_is_of_one_kind() {
    let t = school("kinds_watch_image").await;
    let images =
        doc! { "collMod": "kind_school", "changeStreamPreAndPostImages": { "enabled": true } };
    t.odm.database().run_command(images).await.unwrap();
    // A note with the key of a student does not refer to a class.
    let wrong = doc! { "_id": "N3", "doc_type": "note", "about": "S1", "name": "none" };
    put(&t.odm, "kind_school", [wrong]).await;
    let watcher = watching(&t.odm).await;
    let school = t.odm.database().collection::<Document>("kind_school");
    for id in ["S1", "X", "C1"] {
        school.delete_one(doc! { "_id": id }).await.unwrap();
    }
    run_until(&t.odm, async || note_of(&t, "N1").await.is_none()).await;
    run_all(&t.odm).await;
    let left = all(&t.odm, "kind_school").await;
    let left: Vec<_> = left.iter().map(|it| it.get_str("_id").unwrap()).collect();
    assert_eq!(left, ["C2", "N2", "N3", "S2"]);
    kill(watcher).await;
}
