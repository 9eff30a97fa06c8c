//! The timestamps after each kind of write to a document's own fields.

use mongo_odm::{bson::Bson, prelude::*};

use super::*;

async fn note_times(t: &Harness, number: i64) -> (i64, i64) {
    times(&t.odm, "maintained_notes", number).await
}

#[tokio::test]
async fn an_insert_sets_both_times_to_one_value() {
    let (t, clock) = clocked("maintained_insert").await;
    clock.set(at(5));
    note(1).insert(&t.odm).await.unwrap();
    Note::insert_many(&t.odm, &[note(2), note(3)])
        .await
        .unwrap();
    let unordered = Note::insert_many(&t.odm, &[note(1), note(4)]).unordered();
    assert!(unordered.await.unwrap_err().is_duplicate_key());
    for number in 1..=4 {
        assert_eq!(note_times(&t, number).await, (5, 5), "{number}");
    }
    let stored = raw(&t.odm, "maintained_notes", 1).await;
    let names: Vec<&str> = stored.keys().map(String::as_str).collect();
    assert_eq!(names, ["_id", "text", "stars", "created", "updated"]);
}

#[tokio::test]
async fn a_write_of_each_kind_sets_the_time_of_the_update_only() {
    let (t, clock) = clocked("maintained_each_write").await;
    let (odm, fields) = (&t.odm, Note::fields());
    let by_id = |number: i64| fields.id.eq(id(number));
    for number in 1..=12 {
        note(number).insert(odm).await.unwrap();
    }
    clock.set(at(7));
    note(1).save(odm).await.unwrap();
    let replaced = note(2).replace(odm).await.unwrap();
    assert_eq!((replaced.matched, replaced.modified), (1, 1));
    Note::update(odm, id(3))
        .set(fields.text, "x")
        .await
        .unwrap();
    Note::update_many(odm, by_id(4))
        .inc(fields.stars, 1)
        .await
        .unwrap();
    let found = Note::find_one_and_update(odm, by_id(5)).inc(fields.stars, 1);
    let found = found.return_new().await.unwrap().unwrap();
    assert_eq!((found.created, found.updated), (at(1), at(7)));
    let upsert = Note::upsert(odm, by_id(6)).set(fields.text, "x");
    assert_eq!(upsert.await.unwrap().matched, 1);
    let pipeline = vec![doc! { "$set": { "stars": { "$add": ["$stars", 1] } } }];
    Note::update(odm, id(7))
        .modifications(pipeline)
        .await
        .unwrap();
    for (number, stage) in [
        (
            8,
            doc! { "$replaceWith": { "_id": 8, "text": "$text", "stars": 2 } },
        ),
        (
            9,
            doc! { "$project": { "text": 1, "stars": { "$literal": 3 } } },
        ),
        (
            10,
            doc! { "$replaceRoot": { "newRoot": { "$mergeObjects": ["$$ROOT", { "stars": 4 }] } } },
        ),
        (11, doc! { "$project": { "stars": 0 } }),
    ] {
        Note::update(odm, id(number))
            .modifications(vec![stage])
            .await
            .unwrap();
    }
    Note::update(odm, id(12))
        .with(doc! { "$set": { "text": "note 12" } })
        .await
        .unwrap();
    for number in 1..=12 {
        assert_eq!(note_times(&t, number).await, (1, 7), "{number}");
        assert!(Note::get(odm, id(number)).await.is_ok(), "{number}");
    }
    assert_eq!(Note::get(odm, id(8)).await.unwrap().stars, 2);
}

#[tokio::test]
async fn a_save_of_a_new_document_and_an_upsert_that_inserts_set_both() {
    let (t, clock) = clocked("maintained_new").await;
    let (odm, fields) = (&t.odm, Note::fields());
    clock.set(at(3));
    note(1).save(odm).await.unwrap();
    assert_eq!(note(2).replace(odm).await.unwrap().matched, 0);
    let upsert = Note::upsert(odm, fields.id.eq(id(3))).set(fields.text, "x");
    assert_eq!(upsert.await.unwrap().upserted_id, Some(Bson::Int64(3)));
    let upsert = Note::upsert(odm, fields.id.eq(id(4)));
    upsert.set_on_insert(fields.text, "x").await.unwrap();
    let pipeline = vec![doc! { "$set": { "text": "x" } }];
    let upsert = Note::upsert(odm, fields.id.eq(id(5))).modifications(pipeline);
    upsert.await.unwrap();
    for number in [1, 3, 4, 5] {
        assert_eq!(note_times(&t, number).await, (3, 3), "{number}");
    }
    assert_eq!(Note::count(odm).await.unwrap(), 4);
}

#[tokio::test]
async fn an_upsert_that_only_inserts_leaves_an_existing_document_as_it_is() {
    let (t, clock) = clocked("maintained_only_inserts").await;
    note(1).insert(&t.odm).await.unwrap();
    clock.set(at(2));
    let upsert = Note::upsert(&t.odm, Note::fields().id.eq(id(1)));
    let report = upsert
        .set_on_insert(Note::fields().text, "x")
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (1, 0));
    assert_eq!(note_times(&t, 1).await, (1, 1));
}

#[tokio::test]
async fn imports_keep_the_times_of_their_structs() {
    let (t, _) = clocked("maintained_imports").await;
    note(1).insert(&t.odm).keep_timestamps().await.unwrap();
    let many = Note::insert_many(&t.odm, &[note(2), note(3)]).keep_timestamps();
    many.await.unwrap();
    note(4).save(&t.odm).keep_timestamps().await.unwrap();
    note(5).insert(&t.odm).await.unwrap();
    note(5).save(&t.odm).keep_timestamps().await.unwrap();
    for number in 1..=5 {
        assert_eq!(note_times(&t, number).await, (GIVEN, GIVEN), "{number}");
    }
}

#[tokio::test]
async fn an_update_by_hand_is_rejected_before_anything_is_sent() {
    let (t, _) = clocked("maintained_by_hand").await;
    note(1).insert(&t.odm).await.unwrap();
    t.forget();
    let by_operators = |operators| Note::update(&t.odm, id(1)).with(operators);
    for operators in [
        doc! { "$set": { "updated": at(3) } },
        doc! { "$currentDate": { "updated": true } },
        doc! { "$unset": { "created": "" } },
        doc! { "$rename": { "text": "created" } },
    ] {
        let error = by_operators(operators.clone())
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("which the library maintains"),
            "{operators}: {error}"
        );
    }
    for stage in [
        doc! { "$set": { "updated": "$$NOW" } },
        doc! { "$unset": ["created"] },
        doc! { "$project": { "created": 0 } },
    ] {
        let update = Note::update(&t.odm, id(1)).modifications(vec![stage.clone()]);
        let error = update.await.unwrap_err().to_string();
        assert!(
            error.contains("which the library maintains"),
            "{stage}: {error}"
        );
    }
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn texts_that_look_like_paths_survive_a_save() {
    let (t, _) = clocked("maintained_literal").await;
    let mut stored = note(1);
    for text in ["$created", "$$ROOT", "{ $add: [1, 2] }"] {
        stored.text = text.into();
        stored.save(&t.odm).await.unwrap();
        assert_eq!(Note::get(&t.odm, id(1)).await.unwrap().text, text);
    }
}
