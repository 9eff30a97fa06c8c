//! Inserts, updates, saves, upserts and deletes.

use odm_tests::cluster::is_sharded;

use super::*;

both!(an_insert_stores_the_document, "crud_insert", insert);

async fn insert(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let sixth = part(6);
    let (one, sent) = t.sent(async { sixth.insert(odm).await.unwrap() }).await;
    assert_eq!(sent, ["insert"]);
    assert_eq!(Part::get(odm, sixth.id).await.unwrap(), sixth);
    let more = [part(7), part(8)];
    let (inserted, sent) = t
        .sent(async { Part::insert_many(odm, &more).await.unwrap() })
        .await;
    assert_eq!((one.inserted, inserted.inserted), (1, 2));
    assert_eq!(sent, ["insert"]);
    let (inserted, sent) = t
        .sent(async { Part::insert_many(odm, &[]).await.unwrap() })
        .await;
    assert_eq!(inserted.inserted, 0);
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(Part::count(odm).await.unwrap(), parts.len() as u64 + 3);
}

#[tokio::test]
async fn a_second_document_with_the_same_key_is_told_apart() {
    let t = Harness::new("crud_duplicate").await;
    let mut first = part(1);
    first.insert(&t.odm).await.unwrap();
    let error = first.insert(&t.odm).await.unwrap_err();
    assert!(error.is_duplicate_key(), "{error:?}");
    let inside = t
        .odm
        .transaction(async |tx| first.insert(&tx).await)
        .await
        .unwrap_err();
    assert!(inside.is_duplicate_key(), "{inside:?}");
    let many = Part::insert_many(&t.odm, [&first]).await.unwrap_err();
    assert!(many.is_duplicate_key(), "{many:?}");

    t.odm.sync_indexes().only::<Part>().await.unwrap();
    first.id = Id::new();
    assert!(first.save(&t.odm).await.unwrap_err().is_duplicate_key());
    let upsert = Part::upsert(&t.odm, Part::fields().name.eq("another"))
        .set(Part::fields().partno, &first.partno)
        .with(doc! { "$setOnInsert": { "qty": 1_i64, "cost": 1.0, "price": 1.0 } })
        .await
        .unwrap_err();
    assert!(upsert.is_duplicate_key(), "{upsert:?}");
    let found = Part::find_one_and_update(&t.odm, Part::fields().name.eq("x"))
        .await
        .unwrap_err();
    assert!(!found.is_duplicate_key());
    assert!(!Error::NoTransactions.is_duplicate_key());
}

#[tokio::test]
async fn insert_many_stops_at_the_first_refused_document_unless_unordered() {
    let t = Harness::new("crud_insert_many").await;
    let (a, c, d) = (part(1), part(3), part(4));
    let positions = |error: Error| match error.driver().unwrap().kind.as_ref() {
        ErrorKind::InsertMany(many) => {
            let errors = many.write_errors.clone().unwrap();
            errors.iter().map(|error| error.index).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let documents = [a.clone(), a.clone(), c.clone(), c.clone(), d.clone()];
    let ordered = Part::insert_many(&t.odm, &documents).await.unwrap_err();
    assert_eq!(positions(ordered), [1]);
    assert_eq!(all(&t.odm).await, std::slice::from_ref(&a));

    Part::delete(&t.odm, a.id).await.unwrap();
    let unordered = Part::insert_many(&t.odm, &documents)
        .unordered()
        .await
        .unwrap_err();
    assert!(unordered.is_duplicate_key());
    assert_eq!(positions(unordered), [1, 3]);
    assert_eq!(all(&t.odm).await, [a.clone(), c, d]);

    let fresh = part(9);
    let refused = t
        .odm
        .transaction(async |tx| Part::insert_many(&tx, [&fresh, &a]).await)
        .await;
    assert!(refused.unwrap_err().is_duplicate_key());
    assert!(
        !Part::exists(&t.odm)
            .filter(Part::fields().partno.eq(&fresh.partno))
            .await
            .unwrap()
    );
}

both!(update_changes_one_document, "crud_update", update);

async fn update(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let part = Part::fields();
    let (report, sent) = t
        .sent(async {
            Part::update(odm, parts[0].id)
                .set(part.qty, 9)
                .await
                .unwrap()
        })
        .await;
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(sent, ["update"]);
    assert_eq!(Part::get(odm, parts[0].id).await.unwrap().qty, 9);
    let report = Part::update(odm, parts[0].id)
        .set(part.qty, 9)
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (1, 0));
    let report = Part::update(odm, Id::new()).set(part.qty, 9).await.unwrap();
    assert_eq!((report.matched, report.modified), (0, 0));
    assert_eq!(Part::count(odm).filter(part.qty.eq(9)).await.unwrap(), 1);

    let (report, sent) = t
        .sent(async {
            Part::update_many(odm, part.price.eq(2.5))
                .inc(part.qty, 10)
                .await
                .unwrap()
        })
        .await;
    assert_eq!((report.matched, report.modified), (2, 2));
    assert_eq!(sent, ["update"]);
    let changed: Vec<i64> = all(odm).await.iter().map(|part| part.qty).collect();
    assert_eq!(changed, [9, 11, 2, 13, 4]);
    let report = Part::update_many(odm, Filter::all())
        .set(part.qty, 0)
        .await
        .unwrap();
    assert_eq!(report.matched, 5);
}

both!(
    find_one_and_update_returns_the_document_before_or_after,
    "crud_find_and",
    find_and
);

async fn find_and(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let part = Part::fields();
    let cheap = || Part::find_one_and_update(odm, part.price.eq(1.5)).inc(part.qty, 100);
    let (before, sent) = t
        .sent(async { cheap().sort(part.qty.desc()).await.unwrap() })
        .await;
    assert_eq!(before.as_ref(), Some(&parts[4]));
    // On a cluster, the library finds the `_id` first: see the test binary `sharded`.
    if !is_sharded() {
        assert_eq!(sent, ["findAndModify"]);
    }
    let after = cheap()
        .sort(part.qty.desc())
        .return_new()
        .await
        .unwrap()
        .unwrap();
    assert_eq!((after.id, after.qty), (parts[4].id, 204));
    let name = cheap()
        .sort(part.qty.asc())
        .select::<PartName>()
        .await
        .unwrap();
    assert_eq!(
        name,
        Some(PartName {
            name: parts[0].name.clone()
        })
    );
    assert_eq!(Part::get(odm, parts[0].id).await.unwrap().qty, 100);
    let none = Part::find_one_and_update(odm, part.qty.eq(-1))
        .inc(part.qty, 1)
        .await
        .unwrap();
    assert_eq!(none, None);
}

both!(save_writes_the_whole_document, "crud_save", save);

async fn save(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let mut changed = parts[0].clone();
    "changed".clone_into(&mut changed.name);
    let (report, sent) = t.sent(async { changed.save(odm).await.unwrap() }).await;
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(sent, ["update"]);
    assert_eq!(Part::get(odm, changed.id).await.unwrap(), changed);
    let fresh = part(77);
    let report = fresh.save(odm).await.unwrap();
    assert_eq!((report.matched, report.modified), (0, 0));
    assert_eq!(Part::get(odm, fresh.id).await.unwrap(), fresh);

    let other = part(78);
    let (report, sent) = t.sent(async { other.replace(odm).await.unwrap() }).await;
    assert_eq!((report.matched, report.modified), (0, 0));
    assert_eq!(sent, ["update"]);
    assert!(Part::get(odm, other.id).await.unwrap_err().is_not_found());
    "again".clone_into(&mut changed.name);
    assert_eq!(changed.replace(odm).await.unwrap().modified, 1);
    assert_eq!(Part::get(odm, changed.id).await.unwrap().name, "again");
    assert_eq!(Part::count(odm).await.unwrap(), 6);
}

both!(upsert_updates_or_inserts, "crud_upsert", upsert);

async fn upsert(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let part = Part::fields();
    let upsert = |partno: &str| {
        Part::upsert(odm, part.partno.eq(partno))
            .inc(part.qty, 5)
            .set_on_insert(part.name, "new")
            .set_on_insert(part.cost, 1.0)
            .set_on_insert(part.price, 2.0)
    };
    let (report, sent) = t
        .sent(async { upsert(&parts[1].partno).await.unwrap() })
        .await;
    assert_eq!(
        (report.matched, report.modified, report.upserted_id),
        (1, 1, None)
    );
    if !is_sharded() {
        assert_eq!(sent, ["update"]);
    }
    assert_eq!(Part::get(odm, parts[1].id).await.unwrap().qty, 6);
    let report = upsert("fresh").await.unwrap();
    assert_eq!((report.matched, report.modified), (0, 0));
    let id = report.upserted_id.unwrap().as_object_id().unwrap();
    let fresh = Part::get(odm, Id::from_key(id)).await.unwrap();
    assert_eq!(
        (&*fresh.partno, &*fresh.name, fresh.qty),
        ("fresh", "new", 5)
    );
}

#[tokio::test]
async fn an_upsert_without_the_key_of_the_application_is_refused() {
    let t = Harness::new("crud_upsert_key").await;
    let fields = Student::fields();
    let upsert = || Student::upsert(&t.odm, fields.name.eq("Ann")).set(fields.grade, 1);
    let (error, sent) = t.sent(async { upsert().await.unwrap_err() }).await;
    assert_eq!(
        error.to_string(),
        "an upsert of `Student` needs its `_id`: the server would make up an ObjectId; filter by \
         the id, or add `set_on_insert` with it"
    );
    assert!(sent.is_empty(), "{sent:?}");
    let key = Id::from_key("S1".to_owned());
    let report = upsert().set_on_insert(fields.id, &key).await.unwrap();
    assert_eq!(report.upserted_id, Some("S1".into()));
    assert_eq!(Student::get(&t.odm, &key).await.unwrap().name, "Ann");

    let by_id = Id::from_key("S2".to_owned());
    let upsert = Student::upsert(&t.odm, fields.id.eq(&by_id) & fields.grade.eq(3));
    let report = upsert.set(fields.name, "Bob").await.unwrap();
    assert_eq!(report.upserted_id, Some("S2".into()));
    assert_eq!(Student::get(&t.odm, &by_id).await.unwrap().grade, 3);
}

both!(delete_removes_what_matches, "crud_delete", delete);

async fn delete(t: &Harness, odm: &impl Executor, parts: &[Part]) {
    let part = Part::fields();
    let (deleted, sent) = t
        .sent(async { Part::delete(odm, parts[0].id).await.unwrap() })
        .await;
    assert_eq!(deleted.deleted, 1);
    assert_eq!(sent, ["delete"]);
    assert_eq!(Part::delete(odm, parts[0].id).await.unwrap().deleted, 0);
    let (deleted, sent) = t
        .sent(async { Part::delete_many(odm, part.price.eq(2.5)).await.unwrap() })
        .await;
    assert_eq!(deleted.deleted, 2);
    assert_eq!(sent, ["delete"]);
    assert_eq!(all(odm).await, [parts[2].clone(), parts[4].clone()]);

    for filter in [Filter::all(), Filter::all() & Filter::all(), doc! {}.into()] {
        let (error, sent) = t
            .sent(async { Part::delete_many(odm, filter).await.unwrap_err() })
            .await;
        assert_eq!(
            error.to_string(),
            "an empty filter deletes every document of `Part` in `parts`; if that is meant, add \
             `.everything()`"
        );
        assert!(sent.is_empty(), "{sent:?}");
    }
    assert_eq!(Part::count(odm).await.unwrap(), 2);
    assert_eq!(
        Part::delete_many(odm, Filter::all())
            .everything()
            .await
            .unwrap()
            .deleted,
        2
    );
    assert_eq!(Part::count(odm).await.unwrap(), 0);
}
