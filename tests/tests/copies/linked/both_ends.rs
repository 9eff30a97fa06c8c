//! Links are created and removed at both ends in one transaction.

use super::*;

#[tokio::test]
async fn every_document_is_linked_with_itself_once() {
    let t = school("links_self").await;
    assert_linked(&t.odm, &[("C1", &["C1"]), ("S1", &["S1"]), ("R1", &["R1"])]).await;
    let mut known = student(7);
    known.links = vec![link("C1"), link("S7")];
    known.insert(&t.odm).await.unwrap();
    assert_linked(&t.odm, &[("S7", &["C1", "S7"]), ("C1", &["C1", "S7"])]).await;
    class(8).save(&t.odm).await.unwrap();
    assert_linked(&t.odm, &[("C8", &["C8"])]).await;
}

#[tokio::test]
async fn link_and_unlink_write_both_ends_and_may_be_repeated() {
    let t = school("links_link").await;
    let odm = &t.odm;
    for _ in 0..2 {
        student(1).link(odm, [&class(1), &class(2)]).await.unwrap();
        assert_linked(
            odm,
            &[
                ("S1", &["S1", "C1", "C2"]),
                ("C1", &["C1", "S1"]),
                ("C2", &["C2", "S1"]),
            ],
        )
        .await;
    }
    let report = class(2).link(odm, [student(2).id]).await.unwrap();
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_linked(odm, &[("C2", &["C2", "S1", "S2"]), ("S2", &["S2", "C2"])]).await;
    for _ in 0..2 {
        class(2)
            .unlink(odm, [student(1).id, student(2).id])
            .await
            .unwrap();
        assert_linked(
            odm,
            &[("C2", &["C2"]), ("S1", &["S1", "C1"]), ("S2", &["S2"])],
        )
        .await;
    }
    odm.run_pending_jobs().await.unwrap();
    assert_linked(
        odm,
        &[("C2", &["C2"]), ("S1", &["S1", "C1"]), ("S2", &["S2"])],
    )
    .await;
    assert_eq!(jobs(odm).await, []);
}

#[tokio::test]
async fn a_link_that_is_made_or_ended_leaves_no_job() {
    let t = school("links_no_job").await;
    student(1)
        .link(&t.odm, [&class(1), &class(2)])
        .await
        .unwrap();
    class(1).unlink(&t.odm, [&student(1)]).await.unwrap();
    assert_eq!(jobs(&t.odm).await, []);
}

#[tokio::test]
async fn documents_of_one_kind_are_linked_with_each_other() {
    let t = school("links_same_kind").await;
    student(1)
        .link(&t.odm, [&student(2), &student(3)])
        .await
        .unwrap();
    assert_linked(
        &t.odm,
        &[
            ("S1", &["S1", "S2", "S3"]),
            ("S2", &["S2", "S1"]),
            ("S3", &["S3", "S1"]),
        ],
    )
    .await;
    student(2).unlink(&t.odm, [&student(1)]).await.unwrap();
    assert_linked(&t.odm, &[("S1", &["S1", "S3"]), ("S2", &["S2"])]).await;
}

#[tokio::test]
async fn the_one_side_that_holds_links_may_be_the_other_one() {
    let t = school("links_one_sided").await;
    student(1).link(&t.odm, &room(1)).await.unwrap();
    class(1).link(&t.odm, &room(1)).await.unwrap();
    assert_linked(
        &t.odm,
        &[
            ("S1", &["S1", "R1"]),
            ("C1", &["C1", "R1"]),
            ("R1", &["R1"]),
        ],
    )
    .await;
    student(1).unlink(&t.odm, &room(1)).await.unwrap();
    assert_linked(&t.odm, &[("S1", &["S1"]), ("R1", &["R1"])]).await;
    let refused = room(1).link(&t.odm, [&student(1)]).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("call `link` or `unlink` at those"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_full_array_refuses_the_link_at_both_ends() {
    let t = school("links_full").await;
    let students = [student(0), student(1), student(2)];
    class(1).link(&t.odm, students.iter()).await.unwrap();
    for refused in [
        student(3).link(&t.odm, [&class(1)]).await,
        class(1).link(&t.odm, [&student(3)]).await,
    ] {
        let error = refused.unwrap_err();
        assert!(
            matches!(error, mongo_odm::Error::BoundExceeded { .. }),
            "{error}"
        );
    }
    assert_linked(
        &t.odm,
        &[("S3", &["S3"]), ("C1", &["C1", "S0", "S1", "S2"])],
    )
    .await;
}

#[tokio::test]
async fn saves_keep_the_links_that_are_stored() {
    let t = school("links_save").await;
    let stale = student(1);
    stale.link(&t.odm, [&class(1)]).await.unwrap();
    let renamed = Student {
        name: "renamed".to_owned(),
        ..stale
    };
    renamed.save(&t.odm).await.unwrap();
    assert_linked(&t.odm, &[("S1", &["S1", "C1"]), ("C1", &["C1", "S1"])]).await;
    let mut more = renamed.clone();
    more.links = vec![link("C4")];
    more.replace(&t.odm).await.unwrap();
    let stored = Student::get(&t.odm, &renamed.id).await.unwrap();
    assert_eq!(stored.name, "renamed");
    assert_linked(&t.odm, &[("S1", &["S1", "C1"]), ("C4", &["C4"])]).await;
}

#[tokio::test]
async fn an_upsert_inserts_the_link_to_itself_or_says_what_it_lacks() {
    let t = school("links_upsert").await;
    let upsert = Student::upsert(&t.odm, Student::fields().id.eq(student(9).id));
    upsert.set(Student::fields().name, "nine").await.unwrap();
    assert_linked(&t.odm, &[("S9", &["S9"])]).await;
    let unknown = Student::upsert(&t.odm, Student::fields().name.eq("ten"));
    let error = unknown.set(Student::fields().name, "ten").await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("inserts a link to the new document"),
        "{error}"
    );
}

#[tokio::test]
async fn a_missing_end_is_an_error_or_comes_with_its_document() {
    let t = school("links_missing").await;
    let gone = student(77).link(&t.odm, [&class(1)]).await;
    assert!(gone.unwrap_err().is_not_found());
    assert_linked(&t.odm, &[("C1", &["C1"])]).await;
    student(1).link(&t.odm, class(9).id).await.unwrap();
    class(9).insert(&t.odm).await.unwrap();
    assert_linked(&t.odm, &[("S1", &["S1", "C9"]), ("C9", &["C9", "S1"])]).await;
    let own = student(1).link(&t.odm, [&student(1)]).await;
    assert!(own.unwrap_err().to_string().contains("link to itself"));
}

#[tokio::test]
async fn a_link_at_one_end_is_made_or_ended_whole() {
    let t = school("links_half").await;
    let half = doc! { "$push": { "links": { "target": "C1", "doc_type": "class" } } };
    past_the_library(&t.odm, "S1", half.clone()).await;
    student(1).link(&t.odm, [&class(1)]).await.unwrap();
    assert_linked(&t.odm, &[("S1", &["S1", "C1"]), ("C1", &["C1", "S1"])]).await;
    past_the_library(&t.odm, "S2", half).await;
    class(1).unlink(&t.odm, [&student(2)]).await.unwrap();
    assert_linked(&t.odm, &[("S2", &["S2"]), ("C1", &["C1", "S1"])]).await;
}

#[tokio::test]
async fn an_update_of_the_array_is_followed_as_well() {
    let t = school("links_update").await;
    let links = Student::fields().links;
    Student::update(&t.odm, &student(1).id)
        .push(links, link("C1"))
        .await
        .unwrap();
    assert_linked(&t.odm, &[("C1", &["C1", "S1"])]).await;
    let set = Student::update(&t.odm, &student(1).id).set(links, vec![link("S1"), link("C2")]);
    set.await.unwrap();
    assert_linked(&t.odm, &[("C1", &["C1"]), ("C2", &["C2", "S1"])]).await;
}

#[tokio::test]
async fn documents_of_one_insert_are_linked_with_each_other() {
    let t = indexed("links_one_insert").await;
    let odm = &t.odm;
    for odm in [odm.clone(), by_jobs(odm)] {
        let named = |n: i64, ids: &[&str]| Student {
            links: ids.iter().map(|id| link(id)).collect(),
            ..student(n)
        };
        let all = [
            named(1, &["S2", "S3", "C1"]),
            named(2, &["S1"]),
            named(3, &[]),
            named(4, &["S4", "S1"]),
        ];
        Student::insert_many(&odm, &all).await.unwrap();
        assert_linked(
            &odm,
            &[
                ("S1", &["S1", "S2", "S3", "C1", "S4"]),
                ("S2", &["S2", "S1"]),
                ("S3", &["S3", "S1"]),
                ("S4", &["S4", "S1"]),
            ],
        )
        .await;
        class(1).insert(&odm).await.unwrap();
        assert_linked(&odm, &[("C1", &["C1", "S1"])]).await;
        odm.run_pending_jobs().await.unwrap();
        let drift = odm
            .verify()
            .only::<Class>()
            .include_pending()
            .await
            .unwrap();
        assert!(drift.is_empty(), "{drift}");
        Student::delete_many(&odm, doc! {})
            .everything()
            .await
            .unwrap();
        Class::delete_many(&odm, doc! {})
            .everything()
            .await
            .unwrap();
        odm.run_pending_jobs().await.unwrap();
    }
}
