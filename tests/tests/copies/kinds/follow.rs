//! Follow-ups of a write, which affect only its kind.

use super::*;

async fn text(t: &Harness, id: &str, field: &str) -> String {
    let found = raw(&t.odm, "kind_school", id).await;
    found.get_str(field).unwrap().to_owned()
}

#[tokio::test]
async fn copies_of_each_kind_have_a_relation_and_jobs_of_their_own() {
    let t = school("kinds_copies").await;
    for (way, odm) in both_ways(&t.odm) {
        let name = format!("renamed {way}");
        let report = Person::update(&odm, person(1).id)
            .set(Person::fields().name, &name)
            .await
            .unwrap();
        let mut relations: Vec<_> = report
            .copies
            .iter()
            .map(|copies| copies.relation.clone())
            .collect();
        relations.sort();
        assert_eq!(
            relations,
            ["Class.owner <- Person", "Student.owner <- Person"],
            "{way}"
        );
        settle(&odm).await;
        assert_eq!(text(&t, "C1", "owner_name").await, name);
        assert_eq!(text(&t, "S1", "owner_name").await, name);
        assert_eq!(text(&t, "C2", "owner_name").await, "person 2");
        assert_stray_is_untouched(&t).await;
    }
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_source_of_another_kind_is_no_source() {
    let t = school("kinds_sources").await;
    let odm = &t.odm;
    // A student has the same fields as a class, but no model copies its name.
    let none = Student::update(odm, student(1, 1).id)
        .set(Student::fields().name, "other")
        .await
        .unwrap();
    assert!(none.copies.is_empty(), "{none:?}");
    let one = Class::update(odm, class(1, 1).id)
        .set(Class::fields().name, "other")
        .await
        .unwrap();
    assert_eq!(one.copies.len(), 1);
    settle(odm).await;
    assert_eq!(text(&t, "N1", "name").await, "other");
    // A note about a student does not refer to a class, so nothing is copied.
    let wrong = Note {
        about: Id::from_key("S1".to_owned()),
        ..note(3, "")
    };
    wrong.insert(odm).await.unwrap();
    assert_eq!(text(&t, "N3", "name").await, "class 3");
    settle(odm).await;
    let drift = odm.verify().only::<Note>().await.unwrap();
    assert_eq!(drift.items.len(), 1, "{drift:?}");
    assert_eq!(drift.items[0].id, "N3".into());
    assert_stray_is_untouched(&t).await;
}

async fn kept(t: &Harness, number: i64) -> (i64, i64) {
    let person = Person::get(&t.odm, person(number).id).await.unwrap();
    (person.classes, person.points)
}

#[tokio::test]
async fn summaries_count_one_kind() {
    let t = school("kinds_summaries").await;
    let odm = &t.odm;
    assert_eq!((kept(&t, 1).await, kept(&t, 2).await), ((1, 1), (1, 1)));
    class(3, 1).insert(odm).await.unwrap();
    student(3, 1).insert(odm).await.unwrap();
    assert_eq!(kept(&t, 1).await, (2, 2));
    let moved = Class::update(odm, class(3, 1).id).set(Class::fields().owner, person(2).id);
    moved.await.unwrap();
    assert_eq!((kept(&t, 1).await, kept(&t, 2).await), ((1, 2), (2, 1)));
    Student::delete(odm, student(3, 1).id).await.unwrap();
    Class::delete(odm, class(3, 1).id).await.unwrap();
    settle(odm).await;
    assert_eq!((kept(&t, 1).await, kept(&t, 2).await), ((1, 1), (1, 1)));
    // The summaries are recomputed, as a job and a repair do.
    let people = odm.database().collection::<Document>("kind_people");
    let wrong = doc! { "$set": { "classes": 9_i64, "points": 9_i64 } };
    people.update_many(doc! {}, wrong).await.unwrap();
    let drift = odm.verify().only::<Person>().await.unwrap();
    assert_eq!(drift.items.len(), 4, "{drift:?}");
    drift.repair(odm).await.unwrap();
    settle(odm).await;
    assert_eq!((kept(&t, 1).await, kept(&t, 2).await), ((1, 1), (1, 1)));
    assert_stray_is_untouched(&t).await;
}

#[tokio::test]
async fn both_ends_of_a_pair_are_kept_between_two_kinds() {
    let t = school("kinds_pairs").await;
    let odm = &t.odm;
    let (one, two) = (student(1, 1).id, student(2, 2).id);
    let linked = Class::update(odm, class(1, 1).id)
        .set(Class::fields().students, vec![one.clone(), two.clone()]);
    linked.await.unwrap();
    let classes = async |id: &Id<Student, String>| Student::get(odm, id).await.unwrap().classes;
    assert_eq!(classes(&one).await, [class(1, 1).id]);
    assert_eq!(classes(&two).await, [class(1, 1).id]);
    Student::update(odm, &two)
        .set(Student::fields().classes, Vec::<Id<Class, String>>::new())
        .await
        .unwrap();
    assert_eq!(
        Class::get(odm, class(1, 1).id).await.unwrap().students,
        [one.clone()]
    );
    settle(odm).await;
    assert!(odm.verify().await.unwrap().is_empty());
    // The repair restores one end of a link that was removed without the library.
    let school = odm.database().collection::<Document>("kind_school");
    let cut = doc! { "$set": { "classes": [] } };
    school.update_one(doc! { "_id": "S1" }, cut).await.unwrap();
    let drift = odm.verify().only::<Student>().await.unwrap();
    assert_eq!(drift.items.len(), 1, "{drift:?}");
    drift.repair(odm).await.unwrap();
    settle(odm).await;
    assert_eq!(classes(&one).await, [class(1, 1).id]);
    assert_stray_is_untouched(&t).await;
}

#[tokio::test]
async fn backfill_fills_one_kind() {
    let t = school("kinds_backfill").await;
    let school = t.odm.database().collection::<Document>("kind_school");
    let without = doc! { "$unset": { "owner_name": "" } };
    let both = doc! { "doc_type": { "$in": ["class", "student"] } };
    school.update_many(both, without).await.unwrap();
    let report = t.odm.backfill::<Class>().await.unwrap();
    assert_eq!((report.looked_at, report.changed), (2, 2));
    assert_eq!(text(&t, "C1", "owner_name").await, "person 1");
    assert!(
        !raw(&t.odm, "kind_school", "S1")
            .await
            .contains_key("owner_name")
    );
    let report = t.odm.backfill::<Student>().await.unwrap();
    assert_eq!((report.looked_at, report.changed), (2, 2));
    assert_stray_is_untouched(&t).await;
}

#[tokio::test]
async fn a_check_of_one_model_looks_at_its_kind_alone() {
    let t = school("kinds_verify").await;
    let school = t.odm.database().collection::<Document>("kind_school");
    let all = doc! { "owner_name": { "$exists": true } };
    let wrong = doc! { "$set": { "owner_name": "wrong" } };
    school.update_many(all, wrong).await.unwrap();
    let of_classes = t.odm.verify().only::<Class>().await.unwrap();
    assert_eq!(of_classes.items.len(), 2, "{of_classes:?}");
    assert!(of_classes.items.iter().all(|item| item.model == "Class"));
    of_classes.repair(&t.odm).await.unwrap();
    settle(&t.odm).await;
    assert_eq!(text(&t, "C1", "owner_name").await, "person 1");
    assert_eq!(text(&t, "S1", "owner_name").await, "wrong");
    assert_eq!(
        text(&t, "X", "owner_name").await,
        "wrong",
        "no model stands for it"
    );
    assert_eq!(t.odm.verify().await.unwrap().items.len(), 2);
}

/// Programs declare the relations of two kinds separately.
#[tokio::test]
async fn declarations_name_the_kind() {
    let t = school("kinds_declared").await;
    let other = program(&t.odm);
    other.run_pending_jobs().await.unwrap();
    Person::update(&other, person(1).id)
        .set(Person::fields().name, "declared")
        .await
        .unwrap();
    let declared = all(&t.odm, "_odm_schema").await;
    let names: Vec<_> = declared
        .iter()
        .map(|it| it.get_str("_id").unwrap())
        .collect();
    for relation in [
        "kind_school[doc_type=class].owner <- kind_people._id",
        "kind_school[doc_type=student].owner <- kind_people._id",
        "kind_school[doc_type=note].about <- kind_school[doc_type=class]._id",
        "kind_school[doc_type=note].about -> kind_school[doc_type=class]._id",
    ] {
        assert!(names.contains(&relation), "no {relation} in {names:#?}");
    }
    settle(&other).await;
    assert_eq!(text(&t, "S1", "owner_name").await, "declared");
}
