//! The checks R5, R6, C2 and C4: inconsistent data.

use std::time::Duration;

use mongo_odm::{
    Settings, Settle,
    bson::{Bson, doc},
    prelude::*,
};
use mongo_odm_tools::{Advice, OdmTools, Severity};
use odm_tests::Harness;

use crate::{
    models::{Bag, Brand, Member, Sensor, Shoe},
    seeds::{array, figure, numbered, only, stored},
};

#[tokio::test]
async fn references_that_lead_nowhere() {
    let t = Harness::new("advise_r5").await;
    t.odm.sync_indexes().only::<Sensor>().await.unwrap();
    stored(&t, "stations", (0..20).map(|n| doc! { "_id": n })).await;
    let station = |n: i32| Bson::Int32(if n % 50 == 0 { 999 } else { n % 20 });
    stored(&t, "sensors", numbered(200, "station", station)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R5", "Sensor.station");
    assert_eq!(
        (figure(finding, "keys"), figure(finding, "dangling")),
        (200, 4)
    );
    assert!(finding.evidence.contains("999\")` is one"), "{finding}");
    let example = finding.example.as_ref().and_then(Bson::as_i32).unwrap();
    assert_eq!(example % 50, 0);
    assert!(
        finding.change.starts_with("`#[refs(one, exists"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_two_way_reference_with_one_side() {
    let t = Harness::new("advise_r6").await;
    t.odm.sync_indexes().only::<Member>().await.unwrap();
    t.odm
        .sync_indexes()
        .only::<crate::models::Club>()
        .await
        .unwrap();
    let clubs = [
        doc! { "_id": 1, "name": "chess", "members": array(60) },
        doc! { "_id": 2, "name": "go", "members": [] },
    ];
    stored(&t, "clubs", clubs).await;
    let club = |n: i32| Bson::Int32(if n < 57 { 1 } else { 2 });
    stored(&t, "members", numbered(60, "club", club)).await;
    let advice = t.odm.advise().await.unwrap();
    let places: Vec<_> = advice
        .findings
        .iter()
        .map(|it| (it.code, it.place()))
        .collect();
    let both = [
        ("R6", "Club.members".to_owned()),
        ("R6", "Member.club".to_owned()),
    ];
    assert_eq!(places, both, "{advice}");
    for finding in &advice.findings {
        assert_eq!(figure(finding, "one_sided"), 3, "{finding}");
        assert_eq!(finding.severity, Severity::Serious);
    }
    assert_eq!(advice.findings[0].example, Some(Bson::Int32(1)));
}

#[tokio::test]
async fn copies_that_somebody_has_changed_past_the_library() {
    let t = Harness::new("advise_c4").await;
    t.odm.sync_indexes().only::<Bag>().await.unwrap();
    t.odm.sync_indexes().only::<Brand>().await.unwrap();
    stored(
        &t,
        "brands",
        [doc! { "_id": 1, "title": "Acme", "founded": 1990 }],
    )
    .await;
    let bag = |n: i32| {
        let title = if n == 33 { "Emca" } else { "Acme" };
        doc! { "_id": n, "brand": 1, "brand_title": title }
    };
    stored(&t, "bags", (0..150).map(bag)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "C4", "Bag.brand_title");
    assert_eq!(
        (figure(finding, "copies"), figure(finding, "stale")),
        (150, 1)
    );
    assert_eq!(finding.example, Some(Bson::Int32(33)));
    assert!(
        finding
            .evidence
            .contains("one is \"Emca\", but its source is \"Acme\""),
        "{finding}"
    );
}

#[tokio::test]
async fn a_job_that_is_late() {
    let t = Harness::new("advise_c1").await;
    let grace = Duration::from_millis(1);
    let settings = Settings::default().settle(Settle::Manual);
    let odm = t.odm.with_settings(settings.grace(grace));
    odm.sync_indexes()
        .only::<Bag>()
        .only::<Shoe>()
        .only::<Brand>()
        .await
        .unwrap();
    stored(
        &t,
        "brands",
        [doc! { "_id": 1, "title": "Acme", "founded": 1990 }],
    )
    .await;
    let bag = |n: i32| doc! { "_id": n, "brand": 1, "brand_title": "Acme" };
    stored(&t, "bags", (0..150).map(bag)).await;
    let title = Brand::fields().title;
    let renamed = Brand::update(&odm, Id::from(1))
        .set(title, "Emca")
        .deferred();
    renamed.await.unwrap();
    let advice = loop {
        let advice = odm.advise().await.unwrap();
        if !advice.is_empty() {
            break advice;
        }
    };
    let finding = only(&advice, "C1", "_odm_jobs");
    assert!(figure(finding, "copies_behind") >= 150, "{finding}");
    // A pending job explains the stale copies, so no write without the library is reported.
    let mut left_out = advice.not_looked_at.iter();
    let waits = left_out.find(|it| it.codes.contains(&"C4"));
    let waits = waits.unwrap_or_else(|| panic!("{advice}"));
    assert_eq!(
        (&*waits.codes, &*waits.collections),
        (&["C4"][..], &["bags".to_owned()][..])
    );
    assert!(waits.why.contains("pending jobs"), "{advice}");
}

#[tokio::test]
async fn jobs_of_another_relation_do_not_matter() {
    let t = Harness::new("advise_c4_jobs").await;
    let sync = t.odm.sync_indexes().only::<Bag>().only::<Shoe>();
    sync.only::<Brand>().await.unwrap();
    let brand = |n: i32| doc! { "_id": n, "title": "Acme", "founded": 1990 };
    stored(&t, "brands", (1..3).map(brand)).await;
    let bag = |n: i32| doc! { "_id": n, "brand": 1, "brand_title": "Acme" };
    stored(&t, "bags", (0..20).map(bag)).await;
    let shoe = |n: i32| {
        let title = if n == 7 { "Emca" } else { "Acme" };
        doc! { "_id": n, "brand": 1, "brand_title": title }
    };
    stored(&t, "shoes", (0..20).map(shoe)).await;
    let now = mongo_odm::bson::DateTime::now();
    let job = |relation: &str| {
        let id = doc! { "relation": relation, "key": 2 };
        doc! { "_id": id, "version": 1_i64, "changed_at": now, "due_at": now, "phase": "due" }
    };
    // The copies in `bags` are correct, so the job has nothing to change.
    stored(&t, "_odm_jobs", [job("bags.brand <- brands._id")]).await;
    let advice = t.odm.advise().await.unwrap();
    only(&advice, "C4", "Shoe.brand_title");
    let skips = |advice: &Advice| advice.not_looked_at.iter().any(|it| it.codes == ["C4"]);
    assert!(!skips(&advice), "{advice}");

    stored(&t, "_odm_jobs", [job("shoes.brand <- brands._id")]).await;
    let advice = t.odm.advise().await.unwrap();
    assert!(advice.is_empty() && skips(&advice), "{advice}");
}

#[tokio::test]
async fn jobs_that_nobody_can_run() {
    let t = Harness::new("advise_c2").await;
    let id = doc! { "relation": "orders.customer.id <- customers._id", "key": 1 };
    let now = mongo_odm::bson::DateTime::now();
    let job =
        doc! { "_id": id, "version": 1_i64, "changed_at": now, "due_at": now, "phase": "due" };
    stored(&t, "_odm_jobs", [job]).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "C2", "orders.orders.customer.id <- customers._id");
    assert_eq!(figure(finding, "jobs"), 1);
}

#[tokio::test]
async fn a_copy_in_an_index() {
    let t = Harness::new("advise_i5").await;
    t.odm.sync_indexes().only::<Shoe>().await.unwrap();
    t.odm.sync_indexes().only::<Brand>().await.unwrap();
    stored(
        &t,
        "brands",
        [doc! { "_id": 1, "title": "Acme", "founded": 1990 }],
    )
    .await;
    let shoe = |n: i32| doc! { "_id": n, "brand": 1, "brand_title": "Acme" };
    stored(&t, "shoes", (0..150).map(shoe)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I5", "Shoe.brand_title");
    assert!(finding.evidence.contains("`brand_title_1`"), "{finding}");
}

#[tokio::test]
async fn documents_that_do_not_fit_their_model() {
    let t = Harness::new("advise_c3").await;
    let film = |n: i32| {
        let plot = if n % 30 == 0 {
            Bson::Null
        } else {
            "A shark.".into()
        };
        doc! { "_id": n, "title": "Jaws", "plot": plot }
    };
    stored(&t, "films", (0..150).map(film)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "C3", "Film.plot");
    assert_eq!(
        (figure(finding, "documents"), figure(finding, "undecodable")),
        (150, 5)
    );
    assert!(
        finding
            .change
            .contains("`Option<..>` at `Film.plot` for a null"),
        "{finding}"
    );
    let example = finding.example.as_ref().and_then(Bson::as_i32).unwrap();
    assert_eq!(example % 30, 0);
}
