//! Reads return only documents of one kind.

use futures_util::TryStreamExt;
use mongo_odm::{Error, JoinKey, relation::Slot};

use super::*;

#[tokio::test]
async fn find_get_count_and_exists_see_one_kind() {
    let t = school("kinds_find").await;
    let odm = &t.odm;
    let found = Class::find(odm).sort(Class::fields().id.asc()).await;
    assert_eq!(found.unwrap(), (0..5).map(class).collect::<Vec<_>>());
    assert_eq!(Student::find(odm).await.unwrap().len(), 5);
    assert_eq!(Class::get(odm, class(1).id).await.unwrap(), class(1));
    let other: Id<Class, String> = Id::from_key("S1".to_owned());
    assert!(Class::get(odm, &other).await.unwrap_err().is_not_found());
    let one = Class::find_one(odm)
        .filter(Class::fields().number.eq(2))
        .await;
    assert_eq!(one.unwrap(), Some(class(2)));
    assert_eq!(Class::count(odm).await.unwrap(), 5);
    let two = Class::find(odm).filter(Class::fields().number.gte(3));
    assert_eq!(two.count().await.unwrap(), 2);
    assert!(
        !Class::exists(odm)
            .filter(Class::fields().id.eq(&other))
            .await
            .unwrap()
    );
    assert!(
        Class::exists(odm)
            .filter(Class::fields().number.eq(3))
            .await
            .unwrap()
    );
}

#[tokio::test]
async fn a_filter_on_the_kind_narrows_and_never_widens() {
    let t = school("kinds_filter").await;
    let own = doc! { "doc_type": "class", "number": 1 };
    assert_eq!(Class::find(&t.odm).filter(own).await.unwrap(), [class(1)]);
    for other in [
        doc! { "doc_type": "student" },
        doc! { "doc_type": { "$in": ["student", "enrolled"] } },
        doc! { "doc_type": { "$ne": "class" } },
    ] {
        assert_eq!(Class::find(&t.odm).filter(other).await.unwrap(), []);
    }
    let any = doc! { "$or": [{ "doc_type": "student" }, { "number": 1 }] };
    assert_eq!(Class::find(&t.odm).filter(any).await.unwrap(), [class(1)]);
    let typed = Student::fields().doc_type.eq("class");
    assert_eq!(Student::find(&t.odm).filter(typed).await.unwrap(), []);
}

#[tokio::test]
async fn distinct_and_aggregations_see_one_kind() {
    let t = school("kinds_aggregate").await;
    let odm = &t.odm;
    let more = Student {
        number: 7,
        ..student(7)
    };
    more.insert(odm).await.unwrap();
    let numbers = Class::distinct(odm, Class::fields().number).await.unwrap();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    let sum = doc! { "$group": { "_id": null, "sum": { "$sum": "$number" } } };
    for stages in [
        vec![sum.clone()],
        vec![doc! { "$match": { "number": { "$gte": 0 } } }, sum.clone()],
        vec![doc! { "$sort": { "number": 1 } }, sum.clone()],
    ] {
        let found: Vec<Document> = Class::aggregate(odm, stages).await.unwrap();
        assert_eq!(found[0].get_i64("sum").unwrap(), 10);
    }
    let stats = [doc! { "$collStats": { "count": {} } }];
    let found: Vec<Document> = Class::aggregate(odm, stats).await.unwrap();
    assert_eq!(found[0].get_i32("count").unwrap(), 11);
}

#[tokio::test]
async fn streams_batches_and_pages_see_one_kind() {
    let t = school("kinds_pages").await;
    let sorted = || Class::find(&t.odm).sort(Class::fields().number.desc());
    let all: Vec<Class> = sorted().stream().try_collect().await.unwrap();
    let expected: Vec<_> = (0..5).rev().map(class).collect();
    assert_eq!(all, expected);
    let batches: Vec<Vec<Class>> = sorted().batches(2).try_collect().await.unwrap();
    assert_eq!(batches.concat(), expected);
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let page = sorted().page(2).after(after).await.unwrap();
        paged.extend(page.items);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(paged, expected);
}

#[tokio::test]
async fn a_key_of_no_document_of_the_kind_is_missing() {
    let t = school("kinds_missing").await;
    let of = |class: &str| Enrolled {
        id: Id::from_key("E1".to_owned()),
        number: 1,
        class: Id::from_key(class.to_owned()),
        student: student(1).id,
    };
    // No document has the first key, and a student has the second.
    let all = [of("C9"), of("S1")];
    let keys = ["C9", "S1"].map(|key| JoinKey::from(Bson::from(key)));
    let join = || Enrolled::join_class(&all, &t.odm);
    let joined = join().await.unwrap();
    assert_eq!(
        (joined.missing(), joined.unmatched()),
        (keys.to_vec(), vec![])
    );
    assert_eq!(join().missing().await.unwrap(), keys);
    let error = join().require_all().await.unwrap_err();
    assert!(matches!(error, Error::Missing { .. }), "{error:?}");
    let slot = all[1].load_class(&t.odm).slot().await.unwrap();
    assert_eq!(slot, Slot::Missing(keys[1].clone()));
    let filtered = join().filter(Class::fields().number.gt(0)).await.unwrap();
    assert_eq!(
        (filtered.missing(), filtered.unmatched()),
        (vec![], keys.to_vec())
    );
}

/// Stores two enrollments per student, and documents of a different kind with the same field.
async fn enrolled(test: &str) -> (Harness, Vec<Enrolled>) {
    let t = school(test).await;
    let all = (0..10).map(|number| Enrolled {
        id: Id::from_key(format!("E{number}")),
        number,
        class: class(number % 5).id,
        student: student(number / 2).id,
    });
    let all: Vec<_> = all.collect();
    t.given(&all).await;
    // If this document counted, it would be the newest of the student.
    let stray =
        doc! { "_id": "X", "doc_type": "stray", "student": "S0", "class": "C0", "number": 99_i64 };
    let collection = t
        .odm
        .database()
        .collection::<Document>("kinds_students_classes");
    collection.insert_one(stray).await.unwrap();
    (t, all)
}

#[tokio::test]
async fn joins_loads_and_limits_for_each_parent_see_one_kind() {
    let (t, all) = enrolled("kinds_join").await;
    let odm = &t.odm;
    let found = all[3].load_class(odm).await.unwrap();
    assert_eq!(found, Some(class(3)));
    let students: Vec<_> = Student::find(odm)
        .sort(Student::fields().id.asc())
        .await
        .unwrap();
    let of_first = students[0].load_enrollments(odm).await.unwrap();
    assert_eq!(
        of_first.len(),
        2,
        "the stray document refers to the student too"
    );
    let joined = Student::join_enrollments(&students, odm).await.unwrap();
    assert!(students.iter().all(|it| joined.of(it).count() == 2));
    let newest = Student::join_enrollments(&students, odm)
        .sort(Enrolled::fields().number.desc())
        .limit_each(1)
        .await
        .unwrap();
    let first = newest.of(&students[0]).next().unwrap();
    assert_eq!(*first, all[1]);
    let counts = students[0].count_enrollments(odm).await.unwrap();
    assert_eq!(counts, 2);
    let each = Student::join_enrollments(&students, odm)
        .count_each()
        .await
        .unwrap();
    assert!(students.iter().all(|it| each.of(it) == 2));
    // A key of a document of a different kind is dangling.
    let wrong = Enrolled {
        class: Id::from_key("S1".to_owned()),
        ..all[0].clone()
    };
    assert_eq!(wrong.load_class(odm).await.unwrap(), None);
}

#[tokio::test]
async fn a_default_kind_reads_documents_without_the_field() {
    let t = parts("kinds_default_reads").await;
    let odm = &t.odm;
    let found = Chip::find(odm).sort(Chip::fields().id.asc()).await.unwrap();
    assert_eq!(found, (0..5).map(chip).collect::<Vec<_>>());
    assert_eq!(Chip::count(odm).await.unwrap(), 5);
    assert_eq!(Cable::count(odm).await.unwrap(), 5);
    assert_eq!(Chip::get(odm, chip(0).id).await.unwrap(), chip(0));
    assert!(
        Cable::find_one(odm)
            .filter(doc! { "_id": 0 })
            .await
            .unwrap()
            .is_none()
    );
    let typed = doc! { "part_type": "chip" };
    assert_eq!(Chip::find(odm).filter(typed).count().await.unwrap(), 3);
}
