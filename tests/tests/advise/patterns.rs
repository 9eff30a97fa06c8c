//! Check A2 by the age of documents, and the checks K4, P1 and P2.

use mongo_odm::{
    Documents,
    bson::{Bson, Document, doc, oid::ObjectId},
};
use mongo_odm_tools::{OdmTools, Severity, Thresholds};
use odm_tests::{Harness, cluster::is_sharded};

use crate::{
    models::{Album, Track},
    seeds::{array, figure, only, stored},
};

/// Returns the id of a document that was created the given number of days after the first.
fn made_on(day: u32) -> ObjectId {
    let mut bytes = [0; 12];
    let seconds = 1_600_000_000 + day * 24 * 3_600;
    bytes[..4].copy_from_slice(&seconds.to_be_bytes());
    bytes[8..].copy_from_slice(&day.to_be_bytes());
    ObjectId::from_bytes(bytes)
}

#[tokio::test]
async fn an_array_that_becomes_longer_with_the_age_of_its_document() {
    let t = Harness::new("advise_a2_growing").await;
    let thread = |day: u32| {
        let posts = array(i32::try_from(200 - day).unwrap());
        doc! { "_id": made_on(day), "posts": posts }
    };
    stored(&t, "threads", (0..200).map(thread)).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "A2", "threads.posts");
    assert_eq!(
        (figure(finding, "oldest"), figure(finding, "youngest")),
        (176, 26)
    );
    assert_eq!(figure(finding, "days_between"), 150);
    // The arrays grow by one element per day, and have room for 824 more.
    assert_eq!(figure(finding, "days_left"), 824);
    assert!(finding.evidence.contains("One sample shows"), "{finding}");
}

#[tokio::test]
async fn arrays_of_any_age_and_any_length_are_no_finding() {
    let t = Harness::new("advise_a2_not_growing").await;
    let threads = |day: u32| {
        let posts = array(i32::try_from(day * 37 % 200).unwrap());
        doc! { "_id": made_on(day), "posts": posts }
    };
    stored(&t, "threads", (0..200).map(threads)).await;
    // Older arrays are longer, but they grow too slowly to reach the limit in a lifetime.
    let notes = |n: u32| {
        let lines = array(if n < 100 { 80 } else { 10 });
        doc! { "_id": made_on(n * 60), "lines": lines }
    };
    stored(&t, "notes", (0..200).map(notes)).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn all_databases_of_a_server_together() {
    let t = Harness::new("advise_k4").await;
    for name in ["alpha", "beta", "gamma"] {
        stored(&t, name, [doc! { "_id": 1 }]).await;
    }
    let mut thresholds = Thresholds::default();
    thresholds.many_in_deployment = 2;
    let advice = mongo_odm_tools::advise(t.database().database()).thresholds(thresholds);
    let advice = advice.await.unwrap();
    // A router does not return the number of collections.
    if is_sharded() {
        let unread = advice.not_looked_at.iter().find(|it| it.codes == ["K4"]);
        let why = unread.map(|it| it.why.as_str()).unwrap_or_default();
        assert!(why.contains("`catalogStats`"), "{advice}");
        return;
    }
    let [finding] = advice.findings.as_slice() else {
        panic!("not one finding: {advice}");
    };
    assert_eq!(
        (finding.code, finding.severity),
        ("K4", Severity::Warning),
        "{finding}"
    );
    assert!(figure(finding, "collections") >= 3, "{finding}");
    assert_eq!(figure(finding, "here"), 3);
}

#[tokio::test]
async fn fields_whose_names_are_values() {
    let t = Harness::new("advise_p1").await;
    let word = |n: i32| {
        let many: Document = (0..if n == 3 { 400 } else { 20 })
            .map(|m| (ObjectId::new().to_hex(), Bson::Int32(m)))
            .collect();
        doc! { "_id": n, "votes": many }
    };
    stored(&t, "polls", (0..10).map(word)).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "P1", "polls.votes");
    assert_eq!(figure(finding, "names"), 400);
    assert_eq!(finding.example, Some(Bson::Int32(3)));
    assert!(finding.change.contains("votes.k = 1"), "{finding}");
}

#[tokio::test]
async fn fields_of_the_documents_themselves_whose_names_are_values() {
    let t = Harness::new("advise_p1_top").await;
    let day = |n: i32| format!("2024-{:02}-{:02}", n / 28 + 1, n % 28 + 1);
    let metre = |n: i32| {
        let mut all = doc! { "_id": n, "serial": format!("M{n}") };
        all.extend((0..if n == 3 { 300 } else { 290 }).map(|m| (day(m), Bson::Int32(m))));
        all
    };
    stored(&t, "metres", (0..20).map(metre)).await;
    // Many fields whose names do not look like values.
    let wide = (0..300).map(|n| (format!("col{n:03}"), Bson::Int32(n)));
    let wide: Document = wide.collect();
    stored(&t, "wide", vec![wide; 20]).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "P1", "metres");
    assert_eq!(figure(finding, "names"), 300);
    assert_eq!(finding.example, Some(Bson::Int32(3)));
    assert!(
        finding.change.contains("entries.k = 1") && !finding.to_string().contains("``"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_number_that_is_counted_again_and_again() {
    let t = Harness::new("advise_p2").await;
    t.odm.sync_indexes().only::<Track>().await.unwrap();
    stored(&t, "albums", [doc! { "_id": 1, "name": "a" }]).await;
    let track = |n: i32| doc! { "_id": n, "name": "t", "album": 1 };
    stored(&t, "tracks", (0..5).map(track)).await;
    let album = Album::find(&t.odm).limit(1).await.unwrap().remove(0);
    Track::find(&t.odm).limit(1).await.unwrap();
    for _ in 0..100 {
        album.count_tracks(&t.odm).await.unwrap();
    }
    let advice = t.odm.advise().await.unwrap();
    let codes: Vec<_> = advice.findings.iter().map(|it| it.code).collect();
    assert!(codes.contains(&"P2"), "{advice}");
    let finding = advice.findings.iter().find(|it| it.code == "P2").unwrap();
    assert_eq!(
        (figure(finding, "counts"), finding.place().as_str()),
        (100, "Album.tracks")
    );
    assert!(
        finding
            .change
            .starts_with("`#[rollup(count, of = \"Track\", via = \"album\")]"),
        "{finding}"
    );
}
