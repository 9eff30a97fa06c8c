//! Links that other programs have stored in unusual forms.

use mongo_odm::{Drift, DriftKind};

use super::*;

async fn verified(odm: &Odm) -> Drift {
    let verify = odm.verify().only::<Class>();
    verify.include_pending().await.unwrap()
}

fn kinds(drift: &Drift) -> Vec<DriftKind> {
    drift.items.iter().map(|it| it.kind).collect()
}

#[tokio::test]
async fn links_that_are_null_missing_or_no_array_are_put_right() {
    let t = school("links_no_array").await;
    let odm = &t.odm;
    for (id, write) in [
        ("S0", doc! { "$set": { "links": null } }),
        ("S1", doc! { "$unset": { "links": "" } }),
        ("S2", doc! { "$set": { "links": "C1" } }),
        ("S3", doc! { "$set": { "links": stored_link("C1") } }),
    ] {
        past_the_library(odm, id, write).await;
    }
    let students = [student(0), student(1), student(2)];
    class(1).link(odm, students.iter()).await.unwrap();
    class(1).unlink(odm, students.iter()).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let drift = verified(odm).await;
    assert_eq!(kinds(&drift), [DriftKind::NoOwnLink; 4], "{drift}");
    let report = drift.repair(odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (4, 0), "{report}");
    assert!(verified(odm).await.is_empty());
    assert_linked(odm, &[("S0", &["S0"]), ("S3", &["S3"]), ("C1", &["C1"])]).await;
}

#[tokio::test]
async fn what_leads_to_no_document_is_taken_away() {
    let t = school("links_no_links").await;
    let odm = &t.odm;
    student(1).link(odm, [&class(1)]).await.unwrap();
    let of_class = |target: Bson| Bson::from(doc! { "target": target, "doc_type": "class" });
    for element in [
        Bson::Null,
        "C2".into(),
        7.into(),
        doc! {}.into(),
        doc! { "doc_type": "class" }.into(),
        Bson::Array(vec![stored_link("C2").into()]),
        of_class(Bson::Null),
        of_class(Bson::Array(vec!["C2".into()])),
        of_class(doc! { "$gt": "" }.into()),
        of_class(doc! { "a": "C2" }.into()),
    ] {
        let push = doc! { "$push": { "links": { "$each": [&element] } } };
        past_the_library(odm, "S1", push).await;
        let drift = verified(odm).await;
        assert_eq!(kinds(&drift), [DriftKind::Dangling], "{element}: {drift}");
        let report = drift.repair(odm).await.unwrap();
        assert_eq!((report.repaired(), report.left()), (1, 0), "{element}");
        let drift = verified(odm).await;
        assert!(drift.is_empty(), "{element}: {drift}");
        assert_linked(odm, &[("S1", &["S1", "C1"]), ("C1", &["C1", "S1"])]).await;
    }
}

#[tokio::test]
async fn links_in_other_forms_are_the_same_links() {
    let t = school("links_other_forms").await;
    let odm = &t.odm;
    let set = doc! { "$set": { "links": [
        { "doc_type": "student", "target": "S1" },
        { "doc_type": "class", "note": 1, "target": "C1" },
    ] } };
    past_the_library(odm, "S1", set).await;
    let since = doc! { "doc_type": "student", "since": 1, "target": "S1" };
    past_the_library(odm, "C1", doc! { "$push": { "links": since } }).await;
    assert!(verified(odm).await.is_empty());
    student(1).link(odm, [&class(1)]).await.unwrap();
    assert_linked(odm, &[("C1", &["C1", "S1"]), ("S1", &["S1", "C1"])]).await;
    class(1).unlink(odm, [&student(1)]).await.unwrap();
    assert_linked(odm, &[("C1", &["C1"]), ("S1", &["S1"])]).await;
}

#[tokio::test]
async fn doubled_links_end_as_one() {
    let t = school("links_doubled_end").await;
    let odm = &t.odm;
    let twice =
        |id: &str| doc! { "$push": { "links": { "$each": [stored_link(id), stored_link(id)] } } };
    past_the_library(odm, "S1", twice("C1")).await;
    past_the_library(odm, "C1", twice("S1")).await;
    student(1).link(odm, [&class(1)]).await.unwrap();
    student(1).unlink(odm, [&class(1)]).await.unwrap();
    assert_linked(odm, &[("C1", &["C1"]), ("S1", &["S1"])]).await;
    past_the_library(odm, "S1", twice("C1")).await;
    past_the_library(odm, "C1", twice("S1")).await;
    Student::delete(odm, &student(1).id).await.unwrap();
    assert_linked(odm, &[("C1", &["C1"])]).await;
}

/// Each link of one array is wrong in a different way.
#[tokio::test]
async fn all_faults_of_an_array_are_put_right_by_one_repair() {
    for removes in [false, true] {
        let t = school("links_all_faults").await;
        let odm = &t.odm;
        student(1).link(odm, [&class(1), &class(2)]).await.unwrap();
        let links = vec![
            Bson::from(doc! { "target": "C1", "doc_type": "room" }),
            stored_link("C1").into(),
            stored_link("C3").into(),
            stored_link("C77").into(),
            doc! { "target": "C4", "doc_type": "room" }.into(),
            doc! { "target": "S2" }.into(),
            Bson::Null,
            doc! { "target": "R1", "doc_type": "class" }.into(),
        ];
        past_the_library(odm, "S1", doc! { "$set": { "links": links } }).await;
        let repair = verified(odm).await.repair(odm);
        let repair = if removes {
            repair.remove_one_sided()
        } else {
            repair
        };
        repair.await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let drift = verified(odm).await;
        assert!(drift.is_empty(), "removes {removes}: {drift}");
    }
}

#[tokio::test]
async fn a_document_without_an_array_of_links_gets_one_and_what_is_no_array_is_named() {
    let t = school("links_hostile_array").await;
    let odm = &t.odm;
    let null = doc! { "$set": { "links": null } };
    past_the_library(odm, "S1", null).await;
    past_the_library(odm, "S2", doc! { "$unset": { "links": "" } }).await;
    past_the_library(odm, "S3", doc! { "$set": { "links": "C1" } }).await;
    student(1).unlink(odm, [&class(1)]).await.unwrap();
    for n in 1..3 {
        let report = student(n).link(odm, [&class(n), &class(4)]).await.unwrap();
        assert_eq!(report.modified, 1);
    }
    assert_linked(
        odm,
        &[
            ("S1", &["S1", "C1", "C4"]),
            ("S2", &["S2", "C2", "C4"]),
            ("C1", &["C1", "S1"]),
            ("C4", &["C4", "S1", "S2"]),
        ],
    )
    .await;
    let text = |error: mongo_odm::Error| error.to_string();
    let error = text(student(3).link(odm, [&class(1)]).await.unwrap_err());
    assert!(
        error.contains("`Student.links`") && error.contains("\"S3\" is \"C1\", not an array"),
        "{error}"
    );
    assert_linked(odm, &[("C1", &["C1", "S1"])]).await;
}

#[tokio::test]
async fn an_own_link_of_another_number_type_is_the_own_link() {
    let t = empty("links_hostile_number").await;
    let desk = Desk {
        id: Id::from_key(7),
        links: Vec::new(),
    };
    desk.insert(&t.odm).await.unwrap();
    let collection = t.odm.database().collection::<Document>("linked_desks");
    let double = doc! { "$set": { "links": [{ "to": 7.0, "kind": "desk" }] } };
    collection
        .update_one(doc! { "_id": 7 }, double)
        .await
        .unwrap();
    desk.save(&t.odm).await.unwrap();
    let stored = collection.find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(stored.get_array("links").unwrap().len(), 1, "{stored}");
    assert!(t.odm.verify().only::<Desk>().await.unwrap().is_empty());
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "linked_desks", kind(kind = "desk"))]
struct Desk {
    #[serde(rename = "_id")]
    id: Id<Desk, i64>,
    #[links(target = "to")]
    #[serde(default)]
    links: Vec<DeskLink>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct DeskLink {
    to: i64,
    kind: String,
}
