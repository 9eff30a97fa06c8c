//! Bounds of links.

use super::*;

fn is_full<T: std::fmt::Debug>(result: mongo_odm::Result<T>) {
    let error = result.unwrap_err();
    assert!(
        matches!(error, mongo_odm::Error::BoundExceeded { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn the_link_to_itself_counts_in_an_insert() {
    let t = school("links_full_insert").await;
    let mut full = class(9);
    full.links = (0..4).map(|n| link(&format!("S{n}"))).collect();
    is_full(full.insert(&t.odm).await);
    is_full(full.save(&t.odm).await);
    assert_linked(&t.odm, &[("S0", &["S0"])]).await;
    full.links.pop();
    full.insert(&t.odm).await.unwrap();
    assert_linked(
        &t.odm,
        &[("C9", &["C9", "S0", "S1", "S2"]), ("S0", &["S0", "C9"])],
    )
    .await;
}

#[tokio::test]
async fn an_insert_that_names_a_full_document_is_refused() {
    let t = school("links_full_other").await;
    class(1)
        .link(&t.odm, (0..3).map(|n| student(n).id))
        .await
        .unwrap();
    let mut late = student(9);
    late.links = vec![link("C1")];
    is_full(late.insert(&t.odm).await);
    is_full(late.save(&t.odm).await);
    assert_eq!(
        count(&t.odm, "linked_school", doc! { "_id": "S9" }).await,
        0
    );
    let many: Vec<Student> = vec![student(8), late.clone()];
    is_full(Student::insert_many(&t.odm, &many).await);
    // Four students have links to a missing class, which will have room for three.
    for n in 0..4 {
        student(n).link(&t.odm, class(7).id).await.unwrap();
    }
    is_full(class(7).insert(&t.odm).await);
    assert_eq!(
        count(&t.odm, "linked_school", doc! { "_id": "C7" }).await,
        0
    );
    student(3).unlink(&t.odm, class(7).id).await.unwrap();
    class(7).insert(&t.odm).await.unwrap();
    let mut found = links_of(&t.odm, "C7").await;
    found.sort();
    assert_eq!(found, ["C7", "S0", "S1", "S2"]);
}

#[tokio::test]
async fn of_many_at_once_all_are_linked_or_none() {
    let t = school("links_full_many").await;
    class(1)
        .link(&t.odm, [&student(0), &student(1)])
        .await
        .unwrap();
    is_full(class(1).link(&t.odm, [&student(2), &student(3)]).await);
    // One of these students is already linked.
    is_full(
        class(1)
            .link(&t.odm, [&student(1), &student(2), &student(3)])
            .await,
    );
    class(1)
        .link(&t.odm, [&student(0), &student(1), &student(2)])
        .await
        .unwrap();
    class(1)
        .link(&t.odm, [&student(0), &student(1), &student(2)])
        .await
        .unwrap();
    // One of the other documents has no room.
    is_full(student(4).link(&t.odm, [&class(0), &class(1)]).await);
    assert_linked(
        &t.odm,
        &[
            ("S4", &["S4"]),
            ("C0", &["C0"]),
            ("C1", &["C1", "S0", "S1", "S2"]),
        ],
    )
    .await;
    assert!(
        t.odm
            .verify()
            .only::<Class>()
            .include_pending()
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn one_full_array_keeps_no_others_from_repair() {
    let t = school("links_full_repair").await;
    let odm = &t.odm;
    class(1)
        .link(odm, (0..3).map(|n| student(n).id))
        .await
        .unwrap();
    let half = |id: &str| doc! { "$push": { "links": stored_link(id) } };
    past_the_library(odm, "S3", half("C1")).await;
    past_the_library(odm, "S3", half("C2")).await;
    let drift = odm.verify().only::<Class>().await.unwrap();
    assert_eq!(drift.len(), 2, "{drift}");
    let report = drift.repair(odm).await.unwrap();
    let failed = report.relations.iter().map(|it| it.failed.len());
    assert_eq!(
        (report.repaired(), failed.sum::<usize>()),
        (1, 1),
        "{report}"
    );
    assert_eq!(links_of(odm, "C2").await, ["C2", "S3"]);
    assert_eq!(links_of(odm, "C1").await, ["C1", "S0", "S1", "S2"]);
    student(0).unlink(odm, [&class(1)]).await.unwrap();
    later(odm).await;
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(links_of(odm, "C1").await, ["C1", "S1", "S2", "S3"]);
}

#[tokio::test]
async fn what_waits_for_a_document_that_is_not_stored_leaves_no_failing_job() {
    let t = school("links_full_missing").await;
    let odm = &t.odm;
    for n in 0..5 {
        student(n).link(odm, class(7).id).await.unwrap();
    }
    later(odm).await;
    let ran = odm.run_pending_jobs().await.unwrap();
    assert_eq!(ran.failed, 0, "{ran:?}");
    assert_eq!(
        odm.jobs().await.unwrap().len(),
        0,
        "{:?}",
        odm.jobs().await.unwrap()
    );
    // The class is stored without the library and has too little room, which is reported.
    let own = stored_link("C7");
    let stored = doc! { "_id": "C7", "doc_type": "class", "name": "class 7", "links": [own] };
    put(odm, "linked_school", [stored]).await;
    let drift = odm.verify().only::<Class>().await.unwrap();
    assert_eq!(drift.len(), 5, "{drift}");
    let report = drift.repair(odm).await.unwrap();
    let failed = report.relations.iter().map(|it| it.failed.len());
    assert_eq!(failed.sum::<usize>(), 1, "{report}");
}

#[tokio::test]
async fn repair_puts_no_own_link_into_a_full_array() {
    let t = school("links_full_own").await;
    let odm = &t.odm;
    let students = (0..3).map(|n| student(n).id);
    class(1).link(odm, students).await.unwrap();
    let no_own = doc! { "$pop": { "links": -1 } };
    past_the_library(odm, "C1", no_own).await;
    student(3).link(odm, [&class(1)]).await.unwrap();
    let drift = odm.verify().only::<Class>().await.unwrap();
    assert_eq!(drift.len(), 1, "{drift}");
    let report = drift.repair(odm).await.unwrap();
    let failed: Vec<_> = report.relations.iter().flat_map(|it| &it.failed).collect();
    assert_eq!(failed, [&bson::Bson::from("C1")], "{report}");
    assert_eq!(report.repaired(), 0, "{report}");
    assert_eq!(links_of(odm, "C1").await, ["S0", "S1", "S2", "S3"]);
    student(0).unlink(odm, [&class(1)]).await.unwrap();
    odm.verify().repair().await.unwrap();
    assert_eq!(links_of(odm, "C1").await, ["C1", "S1", "S2", "S3"]);
}
