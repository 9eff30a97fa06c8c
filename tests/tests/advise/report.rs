//! Displays and streams advice, and serializes it as JSON.

use std::sync::{Arc, Mutex};

use futures_util::TryStreamExt;
use mongo_odm::{
    WalkProgress,
    bson::{Bson, doc},
};
use mongo_odm_tools::{Finding, OdmTools, RuleOfThumb, Severity};
use odm_tests::Harness;

use crate::seeds::{array, assert_is_concrete, numbered, stored};

async fn three(test: &str) -> Harness {
    let t = Harness::new(test).await;
    stored(
        &t,
        "baskets",
        numbered(30, "items", |n| array(if n == 7 { 45 } else { 3 })),
    )
    .await;
    stored(&t, "pages", numbered(3, "words", |n| array(11_000 + n))).await;
    stored(
        &t,
        "albums",
        (0..20).map(|n| doc! { "_id": n, "name": "a" }),
    )
    .await;
    stored(
        &t,
        "tracks",
        (0..300).map(|n| doc! { "_id": n, "name": "t", "album": n % 20 }),
    )
    .await;
    t
}

#[tokio::test]
async fn a_report_has_chapters_and_the_gravest_first() {
    let t = three("advise_report").await;
    let advice = t.odm.advise().await.unwrap();
    let codes: Vec<_> = advice.findings.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["A4", "A1", "I1"], "{advice}");
    advice.findings.iter().for_each(assert_is_concrete);
    assert_eq!(advice.of(RuleOfThumb::Bounded).count(), 2);
    assert_eq!(advice.by_severity()[&Severity::Serious], 1);
    let text = advice.to_string();
    let order: Vec<_> = [
        "Rule 3: arrays",
        "serious A4 Page.words",
        "warning A1 Basket.items",
        "Rule 4: joins",
        "note    I1 Track.album",
        "Not looked at",
    ]
    .iter()
    .map(|part| {
        text.find(part)
            .unwrap_or_else(|| panic!("no {part:?} in {text}"))
    })
    .collect();
    assert!(order.is_sorted(), "{text}");
}

#[tokio::test]
async fn a_stream_brings_the_findings_of_the_report() {
    let t = three("advise_stream").await;
    let mut found: Vec<Finding> = t.odm.advise().stream().try_collect().await.unwrap();
    found.sort_by_key(|it| it.code);
    let codes: Vec<_> = found.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["A1", "A4", "I1"]);
}

#[tokio::test]
async fn some_collections_are_looked_at_alone() {
    let t = three("advise_some").await;
    let advice = t
        .odm
        .advise()
        .collections(["tracks", "albums"])
        .sample(10)
        .await
        .unwrap();
    assert_eq!((advice.len(), advice.collections), (1, 2), "{advice}");
    assert_eq!(advice.sampled, 20);
}

#[tokio::test]
async fn progress_is_told_by_the_documents_of_the_samples() {
    let t = three("advise_progress").await;
    // 30 + 3 + 20 + 100 documents, each of which is examined twice.
    let of = 306;
    for with_models in [true, false] {
        let asked = if with_models {
            t.odm.advise()
        } else {
            mongo_odm_tools::advise(&t.odm)
        };
        let told = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&told);
        let tell = move |it: WalkProgress| noted.lock().unwrap().push((it.documents, it.of));
        let advice = asked.sample(100).on_progress(tell).await.unwrap();
        assert_eq!(advice.sampled, 153);
        let told = told.lock().unwrap();
        assert_eq!(told.first(), Some(&(0, of)), "{told:?}");
        assert_eq!(told.last(), Some(&(of, of)), "{told:?}");
        assert!(told.len() > 8 && told.is_sorted(), "{told:?}");
    }
}

#[tokio::test]
async fn a_report_is_json_with_stable_names() {
    let t = three("advise_json").await;
    let advice = t.odm.advise().await.unwrap();
    let json = serde_json::to_value(&advice).unwrap();
    let finding = &json["findings"][1];
    assert_eq!(finding["code"], "A1");
    assert_eq!(finding["name"], "odm.advise.array_near_bound");
    assert_eq!(finding["rule"], "bounded");
    assert_eq!(finding["severity"], "warning");
    assert_eq!(
        (&finding["model"], &finding["collection"], &finding["field"]),
        (&"Basket".into(), &"baskets".into(), &"items".into())
    );
    assert_eq!(finding["figures"]["longest"], 45);
    assert_eq!(advice.findings[1].example, Some(Bson::Int32(7)));
    assert_eq!(finding["example"], 7);
    for name in [
        "evidence",
        "cost_now",
        "change",
        "cost_after",
        "check",
        "title",
    ] {
        assert!(finding[name].is_string(), "{finding}");
    }
    assert!(
        json["not_looked_at"].is_array() && json["took"].is_f64(),
        "{json}"
    );
}
