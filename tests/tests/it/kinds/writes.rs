//! Writes store the kind, and do not change documents of other kinds.

use mongo_odm::{Error, UpdateOperators};

use super::*;

async fn kind_of(t: &Harness, id: &str) -> Option<String> {
    let found = stored(t, "kinds_students_classes", doc! { "_id": id }).await;
    let kind = found.first()?.get_str("doc_type").ok();
    kind.map(ToOwned::to_owned)
}

async fn kind_of_part(t: &Harness, id: i64) -> Option<String> {
    let found = stored(t, "kinds_parts", doc! { "_id": id }).await;
    let kind = found.first()?.get_str("part_type").ok();
    kind.map(ToOwned::to_owned)
}

#[tokio::test]
async fn inserts_and_saves_write_the_kind_whether_or_not_the_struct_has_it() {
    let t = Harness::new("kinds_insert").await;
    let odm = &t.odm;
    class(1).insert(odm).await.unwrap();
    Class::insert_many(odm, &[class(2), class(3)])
        .await
        .unwrap();
    class(4).save(odm).await.unwrap();
    Class {
        name: "other".to_owned(),
        ..class(1)
    }
    .replace(odm)
    .await
    .unwrap();
    for id in ["C1", "C2", "C3", "C4"] {
        assert_eq!(kind_of(&t, id).await.as_deref(), Some("class"), "{id}");
    }
    // A struct that contains the field of the kind may leave it empty.
    let without = |number| Student {
        doc_type: None,
        ..student(number)
    };
    without(1).insert(odm).await.unwrap();
    without(2).save(odm).await.unwrap();
    student(3).insert(odm).await.unwrap();
    let found = Student::find(odm)
        .sort(Student::fields().id.asc())
        .await
        .unwrap();
    assert_eq!(found, [student(1), student(2), student(3)]);
}

#[tokio::test]
async fn a_struct_that_says_it_is_of_another_kind_is_refused() {
    let t = school("kinds_refused").await;
    let before = others(&t, "none").await;
    let wrong = Student {
        doc_type: Some("class".to_owned()),
        ..student(1)
    };
    let good = student(9);
    for error in [
        wrong.insert(&t.odm).await.unwrap_err(),
        wrong.save(&t.odm).await.unwrap_err(),
        wrong.replace(&t.odm).await.unwrap_err(),
        Student::insert_many(&t.odm, [&good, &wrong])
            .await
            .unwrap_err(),
    ] {
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        let message = "`Student.doc_type` is \"class\", and documents of `Student` are of the kind \"student\"; \
            set the field to \"student\", or leave it out: it is written by the library";
        assert_eq!(error.to_string(), message);
        // The struct can be the body of a request, so the status is an error of the client.
        assert_eq!(error.code(), "odm.invalid_document");
        assert_eq!(error.kind().http_status(), 422);
    }
    assert_eq!(others(&t, "none").await, before);
}

#[tokio::test]
async fn updates_change_documents_of_one_kind() {
    let t = school("kinds_update").await;
    let (odm, before) = (&t.odm, others(&t, "class").await);
    let (f, id) = (Class::fields(), class(1).id);
    let other: Id<Class, String> = Id::from_key("S1".to_owned());
    assert_eq!(
        Class::update(odm, &other)
            .set(f.number, 9)
            .await
            .unwrap()
            .matched,
        0
    );
    assert_eq!(
        Class::update(odm, &id)
            .set(f.number, 9)
            .await
            .unwrap()
            .modified,
        1
    );
    let pushed = Class::update(odm, &id).push(f.rooms, Room { door: 1 });
    assert_eq!(pushed.await.unwrap().modified, 1);
    let all = Class::update_many(odm, doc! {}).inc(f.number, 1);
    assert_eq!(all.await.unwrap().matched, 5);
    let both = Class::update_many(odm, doc! { "name": "n2" }).set(f.number, 20);
    assert_eq!(both.await.unwrap().matched, 1);
    let found = Class::find_one_and_update(odm, f.number.eq(20)).inc(f.number, 1);
    assert_eq!(found.return_new().await.unwrap().unwrap().number, 21);
    let none = Class::find_one_and_update(odm, doc! { "_id": "S2" }).inc(f.number, 1);
    assert_eq!(none.await.unwrap(), None);
    let pipeline = vec![doc! { "$set": { "number": { "$add": ["$number", 1] } } }];
    let piped = Class::update(odm, &id).modifications(pipeline);
    assert_eq!(piped.await.unwrap().modified, 1);
    assert_eq!(others(&t, "class").await, before);
}

#[tokio::test]
async fn an_update_that_writes_the_kind_is_refused() {
    let t = school("kinds_keep").await;
    let (odm, before) = (&t.odm, others(&t, "none").await);
    let refused = |error: Error| {
        let message = error.to_string();
        assert!(
            message.contains("writes `Class.doc_type`, which holds the kind \"class\""),
            "{message}"
        );
    };
    for operators in [
        doc! { "$set": { "doc_type": "student" } },
        doc! { "$set": { "doc_type": "class" } },
        doc! { "$set": { "doc_type.x": 1 } },
        doc! { "$unset": { "doc_type": "" } },
        doc! { "$rename": { "doc_type": "kind" } },
        doc! { "$rename": { "name": "doc_type" } },
        doc! { "$setOnInsert": { "doc_type": "class" } },
    ] {
        let update = || operators.clone();
        refused(
            Class::update(odm, class(1).id)
                .with(update())
                .await
                .unwrap_err(),
        );
        refused(
            Class::update_many(odm, doc! {})
                .with(update())
                .await
                .unwrap_err(),
        );
        let upsert = Class::upsert(odm, doc! { "_id": "C1" });
        refused(upsert.with(update()).await.unwrap_err());
        let find = Class::find_one_and_update(odm, doc! { "_id": "C1" });
        refused(find.with(update()).await.unwrap_err());
    }
    for stage in [
        doc! { "$set": { "doc_type": "student" } },
        doc! { "$addFields": { "doc_type": "student" } },
        doc! { "$unset": "doc_type" },
        doc! { "$unset": ["number", "doc_type"] },
        doc! { "$project": { "doc_type": 0 } },
        doc! { "$project": { "doc_type": "$name" } },
    ] {
        refused(
            Class::update(odm, class(1).id)
                .modifications(vec![stage])
                .await
                .unwrap_err(),
        );
    }
    let typed = Student::update(odm, student(1).id)
        .set(Student::fields().doc_type, Some("class".to_owned()));
    let error = typed.await.unwrap_err().to_string();
    assert!(error.contains("writes `Student.doc_type`"), "{error}");
    assert_eq!(others(&t, "none").await, before);
    // A pipeline that replaces the document does not change its kind.
    for stage in [
        doc! { "$replaceWith": { "_id": "$_id", "name": "new", "number": 1, "rooms": [] } },
        doc! { "$project": { "name": 1, "number": 1, "rooms": 1 } },
        doc! { "$project": { "doc_type": 1, "name": 1, "number": 1 } },
    ] {
        Class::update(odm, class(1).id)
            .modifications(vec![stage])
            .await
            .unwrap();
        assert_eq!(kind_of(&t, "C1").await.as_deref(), Some("class"));
    }
}

#[tokio::test]
async fn upserts_insert_the_kind_and_find_no_other() {
    let t = school("kinds_upsert").await;
    let (odm, before) = (&t.odm, others(&t, "class").await);
    let f = Class::fields();
    let id = |text: &str| Id::<Class, String>::from_key(text.to_owned());
    let new = Class::upsert(odm, f.id.eq(id("C9")))
        .set(f.name, "nine")
        .set(f.number, 9);
    assert_eq!(new.await.unwrap().upserted_id, Some("C9".into()));
    assert_eq!(kind_of(&t, "C9").await.as_deref(), Some("class"));
    let nine = f.id.eq(id("C9")) & f.name.eq("nine");
    let old = Class::upsert(odm, nine).set(f.number, 10);
    assert_eq!(old.await.unwrap().matched, 1);
    let own = doc! { "_id": "C8", "doc_type": "class" };
    let eight = Class::upsert(odm, own).set(f.name, "eight");
    eight.set_on_insert(f.number, 8).await.unwrap();
    assert_eq!(kind_of(&t, "C8").await.as_deref(), Some("class"));
    let pushed = Class::upsert(odm, f.id.eq(id("C7"))).push(f.rooms, Room { door: 1 });
    let rest = doc! { "$set": { "name": "seven", "number": 7_i64 } };
    pushed.with(rest).await.unwrap();
    assert_eq!(kind_of(&t, "C7").await.as_deref(), Some("class"));
    // An id is unique over all kinds.
    let taken = Class::upsert(odm, f.id.eq(id("S1"))).set(f.number, 9);
    assert!(
        taken
            .set(f.name, "one")
            .await
            .unwrap_err()
            .is_duplicate_key()
    );
    let other = doc! { "_id": "C6", "doc_type": "student" };
    let error = Class::upsert(odm, other)
        .set(f.number, 1)
        .set(f.name, "six")
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("an upsert of `Class` looks for `doc_type` \"student\""),
        "{error}"
    );
    assert_eq!(others(&t, "class").await, before);
}

#[tokio::test]
async fn saves_and_replaces_never_write_over_another_kind() {
    let t = school("kinds_save").await;
    let before = others(&t, "class").await;
    let as_student = Class {
        id: Id::from_key("S1".to_owned()),
        ..class(1)
    };
    assert!(
        as_student
            .save(&t.odm)
            .await
            .unwrap_err()
            .is_duplicate_key()
    );
    assert_eq!(as_student.replace(&t.odm).await.unwrap().matched, 0);
    assert_eq!(others(&t, "class").await, before);
}

#[tokio::test]
async fn deletes_leave_other_kinds() {
    let t = school("kinds_delete").await;
    let (odm, before) = (&t.odm, others(&t, "class").await);
    let other: Id<Class, String> = Id::from_key("S1".to_owned());
    assert_eq!(Class::delete(odm, &other).await.unwrap().deleted, 0);
    assert_eq!(Class::delete(odm, class(1).id).await.unwrap().deleted, 1);
    let some = Class::delete_many(odm, Class::fields().number.gte(3))
        .await
        .unwrap();
    assert_eq!(some.deleted, 2);
    let all = Class::delete_many(odm, doc! {}).everything().await.unwrap();
    assert_eq!(all.deleted, 2);
    assert_eq!(Class::count(odm).await.unwrap(), 0);
    assert_eq!(others(&t, "class").await, before);
}

#[tokio::test]
async fn a_default_kind_writes_the_field_and_takes_documents_without_it() {
    let t = parts("kinds_default_writes").await;
    let (odm, cables) = (&t.odm, others(&t, "chip").await.len() - 2);
    assert_eq!(kind_of_part(&t, 0).await, None);
    let f = Chip::fields();
    assert_eq!(
        Chip::update_many(odm, doc! {})
            .inc(f.number, 10)
            .await
            .unwrap()
            .modified,
        5
    );
    assert_eq!(
        kind_of_part(&t, 0).await,
        None,
        "an update writes what it says"
    );
    Chip {
        number: 7,
        ..chip(0)
    }
    .save(odm)
    .await
    .unwrap();
    assert_eq!(kind_of_part(&t, 0).await.as_deref(), Some("chip"));
    Chip::upsert(odm, f.id.eq(Id::from_key(8)))
        .set(f.name, "eight")
        .set(f.number, 8)
        .await
        .unwrap();
    assert_eq!(kind_of_part(&t, 8).await.as_deref(), Some("chip"));
    let stage = doc! { "$set": { "name": "nine", "number": 9 } };
    Chip::upsert(odm, f.id.eq(Id::from_key(9)))
        .modifications(vec![stage])
        .await
        .unwrap();
    assert_eq!(kind_of_part(&t, 9).await.as_deref(), Some("chip"));
    assert_eq!(
        Chip::delete_many(odm, doc! {})
            .everything()
            .await
            .unwrap()
            .deleted,
        7
    );
    assert_eq!(Cable::count(odm).await.unwrap(), cables as u64);
    assert_eq!(cables, 5);
}

#[tokio::test]
async fn a_plan_shows_the_kind_in_every_statement() {
    let t = Harness::new("kinds_plan").await;
    let odm = &t.odm;
    let shown = [
        Class::find(odm).plan().unwrap().to_string(),
        Class::count(odm).plan().unwrap().to_string(),
        class(1).insert(odm).plan().unwrap().to_string(),
        class(1).save(odm).plan().unwrap().to_string(),
        Class::update(odm, class(1).id)
            .set(Class::fields().number, 1)
            .plan()
            .unwrap()
            .to_string(),
        Class::delete(odm, class(1).id).plan().unwrap().to_string(),
    ];
    for plan in shown {
        assert!(plan.contains("doc_type: \"class\""), "{plan}");
    }
}
