//! The checks A1 to A6, and R7.

use mongo_odm::{
    bson::{Binary, Bson, doc, spec::BinarySubtype},
    mongodb::IndexModel,
};
use mongo_odm_tools::{OdmTools, Severity};
use odm_tests::Harness;

use crate::{
    models::{Article, Team},
    seeds::{array, assert_is_concrete, figure, numbered, only, stored},
};

#[tokio::test]
async fn an_array_near_its_max() {
    let t = Harness::new("advise_a1").await;
    let items = |n: i32| array(if n == 7 { 45 } else { 3 });
    stored(&t, "baskets", numbered(30, "items", items)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "A1", "Basket.items");
    assert_eq!(
        (figure(finding, "longest"), figure(finding, "max")),
        (45, 50)
    );
    assert_eq!(finding.example, Some(Bson::Int32(7)));
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding
            .change
            .starts_with("`#[embed(max = 100)]` at `Basket.items`"),
        "{finding}"
    );
    assert!(finding.cost_now.contains("element 51"), "{finding}");
}

#[tokio::test]
async fn an_array_without_max_that_is_long() {
    let t = Harness::new("advise_a2").await;
    stored(&t, "pages", numbered(150, "words", |n| array(260 + n % 5))).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "A2", "Page.words");
    assert_eq!(
        (figure(finding, "longest"), figure(finding, "p99")),
        (264, 264)
    );
    assert_eq!(finding.severity, Severity::Note);
    assert!(
        finding
            .change
            .contains("`#[embed(max = 500)]` at `Page.words`"),
        "{finding}"
    );
}

#[tokio::test]
async fn an_array_of_references_that_is_very_long() {
    let t = Harness::new("advise_a3").await;
    let disks = (0..1_600).map(|n| doc! { "_id": n, "name": "disk" });
    stored(&t, "disks", disks).await;
    stored(&t, "racks", numbered(12, "disks", |n| array(1_500 + n))).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "A3", "Rack.disks");
    let document = include_str!("../../../odm-tools/src/docs/advice.md");
    assert!(
        document.contains(&finding.to_string()),
        "odm-tools/src/docs/advice.md shows another finding than this:\n{finding}"
    );
    assert_eq!(figure(finding, "longest"), 1_511);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding
            .change
            .contains("`#[parent_ref] rack: Id<Rack>` in `Disk`"),
        "{finding}"
    );
    assert!(
        finding
            .change
            .contains("`has_many(disks = \"Disk.rack\")` at `Rack`"),
        "{finding}"
    );
}

#[tokio::test]
async fn an_array_without_end() {
    let t = Harness::new("advise_a4").await;
    stored(&t, "pages", numbered(3, "words", |n| array(11_000 + n))).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "A4", "Page.words");
    assert_eq!(figure(finding, "longest"), 11_002);
    assert!(figure(finding, "bytes") > 100_000, "{finding}");
    assert_eq!(
        (finding.severity, &finding.example),
        (Severity::Serious, &Some(Bson::Int32(2)))
    );
}

/// Returns the given number of photos, each with the given number of bytes.
fn photos(number: usize, bytes: usize) -> Bson {
    let photo = Binary {
        subtype: BinarySubtype::Generic,
        bytes: vec![7; bytes],
    };
    Bson::Array(vec![Bson::Binary(photo); number])
}

#[tokio::test]
async fn the_array_with_the_most_bytes_is_not_always_the_one_with_the_most_elements() {
    let t = Harness::new("advise_a4_bytes").await;
    // In `albums`, all arrays have the same length; in `books`, the heavy array is shorter. So it is never the longest.
    for (name, number) in [("albums", 90), ("books", 85)] {
        let of = |n: i32| match n {
            12 => photos(number, 60_000),
            _ => photos(90, 100),
        };
        stored(&t, name, numbered(30, "photos", of)).await;
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let places: Vec<_> = advice
        .findings
        .iter()
        .map(|it| (it.code, it.place()))
        .collect();
    let both = ["albums.photos", "books.photos"].map(|place| ("A4", place.to_owned()));
    assert_eq!(places, both, "{advice}");
    for (finding, number) in advice.findings.iter().zip([90, 85]) {
        assert_eq!(figure(finding, "elements"), number);
        assert_eq!(figure(finding, "longest"), 90);
        assert!(figure(finding, "bytes") > 60_000 * number, "{finding}");
        assert_eq!(finding.example, Some(Bson::Int32(12)));
        assert_is_concrete(finding);
    }
}

#[tokio::test]
async fn a_vector_is_as_long_in_every_document() {
    let t = Harness::new("advise_vectors").await;
    for (name, length) in [("short", 768), ("long", 1_536)] {
        stored(&t, name, numbered(100, "vector", |_| array(length))).await;
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    assert!(advice.is_empty(), "{advice}");
    // A small number of arrays with the same length are not reported as vectors.
    stored(&t, "few", numbered(20, "words", |_| array(768))).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    only(&advice, "A2", "few.words");
}

#[tokio::test]
async fn an_index_over_arrays_in_arrays_has_an_entry_for_each_element_of_all() {
    let t = Harness::new("advise_a5_nested").await;
    let plan = |n: i32| {
        let groups =
            (0..if n == 7 { 50 } else { 40 }).map(|g| doc! { "g": g, "members": array(30) });
        doc! { "_id": n, "groups": groups.collect::<Vec<_>>() }
    };
    stored(&t, "plans", (0..200).map(plan)).await;
    let index = IndexModel::builder().keys(doc! { "groups.members": 1 });
    let plans = t.database().collection("plans");
    plans.create_index(index.build()).await.unwrap();
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "A5", "plans.groups.members");
    assert_eq!(
        (figure(finding, "entries"), figure(finding, "p99")),
        (1_500, 1_200)
    );
    assert_eq!(finding.example, Some(Bson::Int32(7)));
}

#[tokio::test]
async fn an_array_whose_index_has_very_many_entries_for_one_document() {
    let t = Harness::new("advise_a5").await;
    t.odm.sync_indexes().only::<Article>().await.unwrap();
    stored(&t, "articles", numbered(20, "words", |n| array(1_200 + n))).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "A5", "Article.words");
    assert_eq!(figure(finding, "entries"), 1_219);
    assert!(finding.evidence.contains("`words_1`"), "{finding}");
}

#[tokio::test]
async fn one_array_that_is_many_times_as_long_as_the_others() {
    let t = Harness::new("advise_a6").await;
    let followers = |n: i32| array(if n == 77 { 800 } else { 4 });
    stored(&t, "users", numbered(200, "followers", followers)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "A6", "User.followers");
    assert_eq!(
        (figure(finding, "longest"), figure(finding, "p95")),
        (800, 4)
    );
    assert_eq!(finding.example, Some(Bson::Int32(77)));
}

#[tokio::test]
async fn a_two_way_array_that_is_too_long() {
    let t = Harness::new("advise_r7").await;
    t.odm.sync_indexes().only::<Team>().await.unwrap();
    t.odm
        .sync_indexes()
        .only::<crate::models::Player>()
        .await
        .unwrap();
    stored(&t, "teams", [doc! { "_id": 1, "players": array(2_100) }]).await;
    stored(&t, "players", numbered(2_100, "team", |_| Bson::Int32(1))).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R7", "Team.players");
    // The index on the array also has an entry per element. The same change shortens both, so no second finding reports
    // it.
    assert!(finding.cost_now.contains("`players_1`"), "{finding}");
    assert_eq!(figure(finding, "longest"), 2_100);
    assert!(
        finding
            .change
            .starts_with("only `Player.team`, read by `has_many(players = \"Player.team\")`"),
        "{finding}"
    );
}
