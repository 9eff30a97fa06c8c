//! Documents that were stored before the attributes were declared, and programs that do not declare them.

use super::*;

/// A note, as declared by a program without the attributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_notes")]
struct OldNote {
    #[serde(rename = "_id")]
    id: Id<OldNote, i64>,
    text: String,
}

/// The same note, as declared by a program with the attributes. It can also read documents without these fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maintained_notes")]
struct NewNote {
    #[serde(rename = "_id")]
    id: Id<NewNote, i64>,
    text: String,
    #[created_at]
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<DateTime>,
    #[updated_at]
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<DateTime>,
}

#[tokio::test]
async fn an_update_of_an_older_document_leaves_the_time_of_its_insert_open() {
    let (t, clock) = clocked("maintained_older_document").await;
    put(
        &t.odm,
        "maintained_notes",
        [doc! { "_id": 1, "text": "old" }],
    )
    .await;
    let read = async || NewNote::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((read().await.created, read().await.updated), (None, None));
    clock.set(at(6));
    let update = NewNote::update(&t.odm, id(1)).set(NewNote::fields().text, "new");
    update.await.unwrap();
    assert_eq!(
        (read().await.created, read().await.updated),
        (None, Some(at(6)))
    );
    // The save stores the current time as `created`, because it cannot distinguish an older document from a new one.
    read().await.save(&t.odm).await.unwrap();
    assert_eq!(
        (read().await.created, read().await.updated),
        (Some(at(6)), Some(at(6)))
    );
}

#[tokio::test]
async fn a_struct_without_values_is_stored_with_both_times() {
    let (t, clock) = clocked("maintained_without_values").await;
    clock.set(at(6));
    let new = NewNote {
        id: id(1),
        text: "x".into(),
        created: None,
        updated: None,
    };
    new.insert(&t.odm).await.unwrap();
    assert_eq!(times(&t.odm, "maintained_notes", 1).await, (6, 6));
}

#[tokio::test]
async fn a_program_without_the_attributes_does_not_set_them() {
    let (t, clock) = clocked("maintained_older_program").await;
    note(1).insert(&t.odm).await.unwrap();
    clock.set(at(6));
    let update = OldNote::update(&t.odm, id(1)).set(OldNote::fields().text, "old");
    update.await.unwrap();
    assert_eq!(times(&t.odm, "maintained_notes", 1).await, (1, 1));
}
