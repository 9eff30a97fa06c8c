//! Inconsistent links after writes that bypass the library. `verify` finds them, and `repair`
//! corrects them.

use mongo_odm::{Drift, DriftKind};

use super::*;

async fn found(odm: &Odm) -> Drift {
    odm.verify().only::<Class>().await.unwrap()
}

fn kinds(drift: &Drift) -> Vec<(DriftKind, &str, String)> {
    let items = drift.items.iter();
    let mut kinds: Vec<_> = items
        .map(|it| {
            (
                it.kind,
                it.path.as_str(),
                it.id.as_str().unwrap().to_owned(),
            )
        })
        .collect();
    kinds.sort();
    kinds
}

#[tokio::test]
async fn links_that_are_right_are_no_findings() {
    let t = school("links_verify_right").await;
    student(1).link(&t.odm, [&class(1)]).await.unwrap();
    student(1).link(&t.odm, [&room(1)]).await.unwrap();
    put(
        &t.odm,
        "linked_school",
        [doc! { "_id": "X1", "doc_type": "unknown" }],
    )
    .await;
    past_the_library(
        &t.odm,
        "S2",
        doc! { "$push": { "links": { "target": "X1", "doc_type": "unknown" } } },
    )
    .await;
    let drift = found(&t.odm).await;
    assert!(drift.is_empty(), "{drift}");
    assert!(drift.checked > 0);
}

#[tokio::test]
async fn links_at_one_end_are_made_at_the_other_or_taken_away() {
    let t = school("links_verify_one_sided").await;
    for removes in [false, true] {
        past_the_library(
            &t.odm,
            "S1",
            doc! { "$push": { "links": stored_link("C1") } },
        )
        .await;
        let drift = found(&t.odm).await;
        assert_eq!(
            kinds(&drift),
            [(DriftKind::OneSided, "links.1.target", "S1".to_owned())],
            "{drift}"
        );
        let repair = drift.repair(&t.odm);
        let repair = if removes {
            repair.remove_one_sided()
        } else {
            repair
        };
        let report = repair.await.unwrap();
        assert_eq!((report.repaired(), report.left()), (1, 0), "{report}");
        assert!(found(&t.odm).await.is_empty());
        if removes {
            assert_linked(&t.odm, &[("S1", &["S1"]), ("C1", &["C1"])]).await;
        } else {
            assert_linked(&t.odm, &[("S1", &["S1", "C1"]), ("C1", &["C1", "S1"])]).await;
            student(1).unlink(&t.odm, [&class(1)]).await.unwrap();
        }
        t.odm.run_pending_jobs().await.unwrap();
    }
}

#[tokio::test]
async fn doubled_links_wrong_kinds_and_missing_own_links_are_put_right() {
    let t = school("links_verify_written").await;
    student(1).link(&t.odm, [&class(1)]).await.unwrap();
    past_the_library(
        &t.odm,
        "S1",
        doc! { "$push": { "links": stored_link("C1") } },
    )
    .await;
    past_the_library(
        &t.odm,
        "C1",
        doc! { "$set": { "links.1.doc_type": "class" } },
    )
    .await;
    past_the_library(&t.odm, "C2", doc! { "$set": { "links": [] } }).await;
    past_the_library(&t.odm, "R1", doc! { "$unset": { "links": "" } }).await;
    let drift = found(&t.odm).await;
    let expected = [
        (DriftKind::Stale, "links.1.doc_type", "C1"),
        (DriftKind::NoOwnLink, "links", "C2"),
        (DriftKind::NoOwnLink, "links", "R1"),
        (DriftKind::DoubledLink, "links.2.target", "S1"),
    ];
    assert_eq!(
        kinds(&drift),
        expected.map(|(kind, path, id)| (kind, path, id.to_owned())),
        "{drift}"
    );
    let plan = drift.plan().to_string();
    assert_eq!(plan.matches("links as they are to be").count(), 4, "{plan}");
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (4, 0), "{report}");
    assert!(found(&t.odm).await.is_empty());
    assert_linked(
        &t.odm,
        &[
            ("S1", &["S1", "C1"]),
            ("C1", &["C1", "S1"]),
            ("C2", &["C2"]),
            ("R1", &["R1"]),
        ],
    )
    .await;
}

#[tokio::test]
async fn links_to_documents_that_are_gone_are_taken_away() {
    let t = school("links_verify_dangling").await;
    student(1).link(&t.odm, [&class(1)]).await.unwrap();
    let collection = t.odm.database().collection::<Document>("linked_school");
    collection.delete_one(doc! { "_id": "C1" }).await.unwrap();
    let drift = found(&t.odm).await;
    assert_eq!(
        kinds(&drift),
        [(DriftKind::Dangling, "links.1.target", "S1".to_owned())],
        "{drift}"
    );
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (1, 0), "{report}");
    assert_linked(&t.odm, &[("S1", &["S1"])]).await;
    assert!(found(&t.odm).await.is_empty());
}

#[tokio::test]
async fn what_a_job_will_put_right_is_no_finding() {
    let t = school("links_verify_pending").await;
    student(1).link(&t.odm, [&class(1)]).await.unwrap();
    let odm = by_jobs(&t.odm);
    Class::delete(&odm, &class(1).id).deferred().await.unwrap();
    let drift = found(&t.odm).await;
    assert!(drift.is_empty() && drift.pending == 1, "{drift}");
    t.odm.run_pending_jobs().await.unwrap();
    assert_linked(&t.odm, &[("S1", &["S1"])]).await;
}
