//! Calls of the advisor and assertions about its reports, which the tests share.

use mongo_odm::bson::{Bson, Document, doc};
use mongo_odm_tools::{Advice, Finding};
use odm_tests::Harness;

/// Stores documents unchanged.
pub async fn stored(t: &Harness, collection: &str, documents: impl IntoIterator<Item = Document>) {
    let documents: Vec<_> = documents.into_iter().collect();
    let collection = t.database().collection(collection);
    for part in documents.chunks(10_000) {
        collection.insert_many(part).await.unwrap();
    }
}

/// Returns numbered documents with one additional field.
pub fn numbered(
    count: i32,
    name: &str,
    value: impl Fn(i32) -> Bson,
) -> impl Iterator<Item = Document> {
    (0..count).map(move |n| doc! { "_id": n, name: value(n) })
}

/// Returns an array of numbers.
pub fn array(length: i32) -> Bson {
    Bson::Array((0..length).map(Bson::Int32).collect())
}

/// Returns the only finding, and checks its code and place.
pub fn only<'a>(advice: &'a Advice, code: &str, place: &str) -> &'a Finding {
    let [finding] = advice.findings.as_slice() else {
        panic!("not one finding: {advice}");
    };
    assert_eq!(
        (finding.code, finding.place().as_str()),
        (code, place),
        "{advice}"
    );
    assert_is_concrete(finding);
    finding
}

/// Checks that each text of a finding mentions names or figures of the database instead of general advice.
pub fn assert_is_concrete(finding: &Finding) {
    let Finding {
        evidence,
        cost_now,
        change,
        cost_after,
        check,
        ..
    } = finding;
    for text in [evidence, cost_now, change, cost_after, check] {
        assert!(!text.is_empty(), "{finding}");
    }
    assert!(
        evidence.contains(|c: char| c.is_ascii_digit()),
        "no figure: {finding}"
    );
    let place = finding.place();
    let names: Vec<&str> = place
        .split('.')
        .chain([finding.collection.as_str()])
        .collect();
    for text in [evidence, change] {
        assert!(
            names.iter().any(|name| text.contains(name)),
            "no name in {text:?}: {finding}"
        );
    }
}

/// Returns a figure of a finding.
pub fn figure(finding: &Finding, name: &str) -> u64 {
    let figure = finding.figures.get(name);
    let figure = figure.unwrap_or_else(|| panic!("no `{name}`: {:?}", finding.figures));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "they are counts"
    )]
    let figure = *figure as u64;
    figure
}
