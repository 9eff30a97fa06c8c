//! The checks I1 to I8.

use std::time::Duration;

use mongo_odm::{
    Documents,
    bson::{Bson, Document, doc},
    mongodb::{
        IndexModel,
        options::{Collation, IndexOptions},
    },
};
use mongo_odm_tools::{Finding, OdmTools, Thresholds};
use odm_tests::{Harness, cluster::is_sharded};

use crate::{
    models::{Cat, Dog, Letter, Ticket, Town, Track, Yacht},
    seeds::{figure, numbered, only, stored},
};

async fn index(t: &Harness, collection: &str, keys: Document, options: IndexOptions) {
    let index = IndexModel::builder().keys(keys).options(options).build();
    t.database()
        .collection(collection)
        .create_index(index)
        .await
        .unwrap();
}

fn letter(n: i32) -> Document {
    doc! { "_id": n, "sender": format!("s{}", n % 7), "sent": n, "place": "Bern" }
}

#[tokio::test]
async fn a_reference_without_its_index() {
    let t = Harness::new("advise_i1").await;
    stored(
        &t,
        "albums",
        (0..20).map(|n| doc! { "_id": n, "name": "a" }),
    )
    .await;
    let track = |n: i32| doc! { "_id": n, "name": "t", "album": n % 20 };
    stored(&t, "tracks", (0..300).map(track)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I1", "Track.album");
    assert_eq!(figure(finding, "documents"), 300);
    assert!(
        finding.change.contains("createIndex({ album: 1 }"),
        "{finding}"
    );
    t.odm.sync_indexes().only::<Track>().await.unwrap();
    assert!(t.odm.advise().await.unwrap().is_empty());
}

#[tokio::test]
async fn an_index_that_nothing_uses() {
    let t = Harness::new("advise_i2").await;
    stored(&t, "notes", numbered(200, "text", Bson::Int32)).await;
    for path in ["text", "author"] {
        index(&t, "notes", doc! { path: 1 }, IndexOptions::default()).await;
    }
    let notes = t.database().collection("notes");
    notes.find_one(doc! { "text": 3 }).await.unwrap();
    let mut thresholds = Thresholds::default();
    thresholds.unused_for = Duration::ZERO;
    let advice = t.odm.advise().thresholds(thresholds).await.unwrap();
    let finding = only(&advice, "I2", "notes.author_1");
    assert_eq!(
        (figure(finding, "operations"), figure(finding, "documents")),
        (0, 200)
    );
    assert!(
        finding.change.contains("db.notes.dropIndex(\"author_1\")"),
        "{finding}"
    );
    // The server has counted the uses for less than a week. The report mentions this for collections with an unused
    // index.
    stored(&t, "used", numbered(200, "text", Bson::Int32)).await;
    let advice = t.odm.advise().await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    let young = advice.not_looked_at.iter().find(|it| it.codes == ["I2"]);
    let young = young.unwrap_or_else(|| panic!("I2 was looked at: {advice}"));
    assert_eq!(young.collections, ["notes"], "{advice}");
    assert!(
        young.why.starts_with("the server has counted since 20") && young.why.ends_with("7 days"),
        "{advice}"
    );
}

#[tokio::test]
async fn an_index_that_is_the_beginning_of_another() {
    let t = Harness::new("advise_i3").await;
    t.odm.sync_indexes().only::<Letter>().await.unwrap();
    stored(&t, "letters", (0..200).map(letter)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I3", "Letter.sender_1");
    assert!(finding.evidence.contains("`sender_1_sent_-1`"), "{finding}");
    assert!(finding.change.contains("at `Letter`"), "{finding}");
}

/// The server uses such an index only for searches.
#[tokio::test]
async fn a_search_index_does_not_replace_the_index_with_which_it_begins() {
    let t = Harness::new("advise_i3_search").await;
    stored(&t, "notes", numbered(200, "a", Bson::Int32)).await;
    for keys in [doc! { "a": 1 }, doc! { "a": 1, "text": "text" }] {
        index(&t, "notes", keys, IndexOptions::default()).await;
    }
    let advice = t.odm.advise().await.unwrap();
    assert!(
        !advice.findings.iter().any(|it| it.place() == "notes.a_1"),
        "{advice}"
    );
}

#[tokio::test]
async fn each_index_of_a_chain_names_the_longest() {
    let t = Harness::new("advise_i3_chain").await;
    stored(&t, "notes", numbered(200, "a", Bson::Int32)).await;
    for keys in [
        doc! { "a": 1 },
        doc! { "a": 1, "b": 1 },
        doc! { "a": 1, "b": 1, "c": 1 },
    ] {
        index(&t, "notes", keys, IndexOptions::default()).await;
    }
    let advice = t.odm.advise().await.unwrap();
    let places: Vec<_> = advice.findings.iter().map(Finding::place).collect();
    assert_eq!(places, ["notes.a_1", "notes.a_1_b_1"], "{advice}");
    for finding in &advice.findings {
        assert!(
            finding.evidence.starts_with("`a_1_b_1_c_1` on"),
            "{finding}"
        );
    }
}

#[tokio::test]
async fn a_collection_with_many_indexes() {
    let t = Harness::new("advise_i4").await;
    stored(&t, "notes", numbered(200, "text", Bson::Int32)).await;
    for n in 0..11 {
        index(
            &t,
            "notes",
            doc! { format!("f{n}"): 1 },
            IndexOptions::default(),
        )
        .await;
    }
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I4", "notes");
    // On a cluster, the shard key also has an index.
    let indexes = if is_sharded() { 13 } else { 12 };
    assert_eq!(figure(finding, "indexes"), indexes);
    assert!(finding.evidence.contains("`f10_1`"), "{finding}");
}

#[tokio::test]
async fn an_index_with_another_collation_than_its_statements() {
    let t = Harness::new("advise_i6").await;
    t.odm.sync_indexes().only::<Town>().await.unwrap();
    stored(
        &t,
        "towns",
        (0..20).map(|n| doc! { "_id": n, "code": format!("c{n}") }),
    )
    .await;
    let collation = Collation::builder()
        .locale("de")
        .strength(mongo_odm::mongodb::options::CollationStrength::Secondary)
        .build();
    let options = IndexOptions::builder().collation(collation).build();
    index(&t, "streets", doc! { "town": 1 }, options).await;
    let town = |n: i32| Bson::from(format!("c{}", n % 20));
    stored(&t, "streets", numbered(200, "town", town)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I6", "Street.town");
    assert!(
        finding.evidence.contains("the locale `de` with strength 2"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_collation_matters_for_strings_alone() {
    let t = Harness::new("advise_i6_numbers").await;
    stored(
        &t,
        "albums",
        (0..20).map(|n| doc! { "_id": n, "name": "a" }),
    )
    .await;
    let track = |n: i32| doc! { "_id": n, "name": "t", "album": n % 20 };
    stored(&t, "tracks", (0..300).map(track)).await;
    for name in ["album_1", "album_german"] {
        let options = IndexOptions::builder().collation(locale("de"));
        let options = options.name(name.to_owned()).build();
        index(&t, "tracks", doc! { "album": 1 }, options).await;
        let advice = t.odm.advise().await.unwrap();
        assert!(advice.is_empty(), "{advice}");
        let tracks = t.database().collection("tracks");
        tracks.drop_indexes().await.unwrap();
    }
}

#[tokio::test]
async fn an_index_of_bytes_in_a_collection_with_a_locale() {
    let t = Harness::new("advise_i6_default").await;
    let create = t.odm.database().create_collection("tickets");
    create.collation(locale("de")).await.unwrap();
    for path in ["code", "number"] {
        let options = IndexOptions::builder().collation(locale("simple")).build();
        index(&t, "tickets", doc! { path: 1 }, options).await;
    }
    let ticket = |n: i32| doc! { "_id": n, "code": format!("c{n}"), "number": n };
    stored(&t, "tickets", (0..150).map(ticket)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I6", "Ticket.code");
    assert_eq!(
        finding.evidence,
        "the index `code_1` on `code` compares by the bytes of strings, and statements over `Ticket.code` by the locale \
         `de`"
    );
    let sync = t.odm.sync_indexes().only::<Ticket>();
    sync.replace_conflicting().await.unwrap();
    let advice = t.odm.advise().await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

fn locale(name: &str) -> Collation {
    Collation::builder().locale(name).build()
}

#[tokio::test]
async fn queries_without_an_index_by_the_profile() {
    let t = Harness::new("advise_i7").await;
    stored(&t, "letters", (0..3_000).map(letter)).await;
    t.odm.sync_indexes().only::<Letter>().await.unwrap();
    profile(&t, 2).await;
    for n in 0..3 {
        let letters = t.database().collection("letters");
        letters
            .find_one(doc! { "place": format!("Basel {n}") })
            .await
            .unwrap();
    }
    profile(&t, 0).await;
    let advice = t.odm.advise().await.unwrap();
    let codes: Vec<_> = advice
        .findings
        .iter()
        .map(|it| (it.code, it.place()))
        .collect();
    let expected = [
        ("I7", "Letter.place".to_owned()),
        ("I3", "Letter.sender_1".to_owned()),
    ];
    assert_eq!(codes, expected, "{advice}");
    let finding = &advice.findings[0];
    assert_eq!(
        (figure(finding, "queries"), figure(finding, "examined")),
        (3, 3_000)
    );
    assert!(
        finding.change.starts_with("`#[index]` at `Letter.place`"),
        "{finding}"
    );
}

#[tokio::test]
async fn updates_and_deletes_without_an_index_by_the_profile() {
    let t = Harness::new("advise_i7_writes").await;
    stored(&t, "notes", numbered(3_000, "text", Bson::Int32)).await;
    profile(&t, 2).await;
    let notes = t.database().collection("notes");
    for n in 2_000..2_003 {
        let change = doc! { "$set": { "read": true } };
        notes
            .update_one(doc! { "text": n }, change.clone())
            .await
            .unwrap();
        notes
            .find_one_and_update(doc! { "text": n }, change)
            .await
            .unwrap();
        notes.delete_one(doc! { "text": n }).await.unwrap();
    }
    profile(&t, 0).await;
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    let finding = only(&advice, "I7", "notes.text");
    assert_eq!(
        (figure(finding, "queries"), figure(finding, "returned")),
        (9, 1)
    );
    assert!(
        finding
            .evidence
            .starts_with("9 updates or deletes of `notes`"),
        "{finding}"
    );
    // Statements that were slow only before the index was created are not reported.
    index(&t, "notes", doc! { "text": 1 }, IndexOptions::default()).await;
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    // An index on a different field does not change the finding.
    notes.drop_index("text_1").await.unwrap();
    index(&t, "notes", doc! { "author": 1 }, IndexOptions::default()).await;
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    only(&advice, "I7", "notes.text");
}

#[tokio::test]
async fn a_regular_expression_that_ignores_case() {
    let t = Harness::new("advise_i8").await;
    stored(
        &t,
        "notes",
        numbered(2_000, "text", |n| Bson::from(format!("Text {n}"))),
    )
    .await;
    index(&t, "notes", doc! { "text": 1 }, IndexOptions::default()).await;
    profile(&t, 2).await;
    let filter = doc! { "text": { "$regex": "^text", "$options": "i" } };
    let notes = t.database().collection("notes");
    assert_eq!(notes.count_documents(filter).await.unwrap(), 2_000);
    profile(&t, 0).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I8", "notes.text");
    assert_eq!(figure(finding, "queries"), 1);
}

#[tokio::test]
async fn a_scan_by_a_regular_expression_is_one_finding_with_one_remedy() {
    let t = Harness::new("advise_i8_scan").await;
    let note = |n: i32| doc! { "_id": n, "text": format!("Text {n}"), "author": n };
    stored(&t, "notes", (0..2_000).map(note)).await;
    profile(&t, 2).await;
    let notes = t.database().collection("notes");
    for (pattern, options) in [("^text 1998$", "i"), ("^TEXT 1999$", "i")] {
        let filter = doc! { "text": { "$regex": pattern, "$options": options } };
        assert!(notes.find_one(filter).await.unwrap().is_some());
    }
    profile(&t, 0).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "I8", "notes.text");
    assert_eq!(figure(finding, "queries"), 2);
    assert!(
        finding
            .change
            .contains("`#[index(locale = \"en\", strength = 2)]`"),
        "{finding}"
    );

    // No collation finds parts of values, and a query that also filters another path uses the index of this path.
    profile(&t, 2).await;
    let part = doc! { "text": { "$regex": "xt 1999$", "$options": "i" } };
    assert!(notes.find_one(part.clone()).await.unwrap().is_some());
    let both =
        doc! { "$and": [{ "author": 1_999 }, { "text": { "$regex": "xt", "$options": "i" } }] };
    assert!(notes.find_one(both).await.unwrap().is_some());
    profile(&t, 0).await;
    let advice = t.odm.advise().await.unwrap();
    let places: Vec<_> = advice
        .findings
        .iter()
        .map(|it| (it.code, it.place()))
        .collect();
    let expected = [
        ("I7", "notes.author".to_owned()),
        ("I8", "notes.text".to_owned()),
    ];
    assert_eq!(places, expected, "{advice}");
    let change = &advice.findings[1].change;
    assert!(
        change.contains("`$text`") && !change.contains("locale"),
        "{change}"
    );
}

#[tokio::test]
async fn kinds_of_one_collection_that_no_query_reads_together() {
    let t = Harness::new("advise_k3").await;
    let cats = (0..60).map(|n| Cat {
        id: n,
        colour: "black".into(),
    });
    t.given(&cats.collect::<Vec<_>>()).await;
    let dogs = (60..120).map(|n| Dog { id: n, weight: 20 });
    t.given(&dogs.collect::<Vec<_>>()).await;
    profile(&t, 2).await;
    for _ in 0..5 {
        Cat::find(&t.odm).await.unwrap();
        Dog::find(&t.odm).await.unwrap();
    }
    profile(&t, 0).await;
    let mut thresholds = Thresholds::default();
    thresholds.enough_calls = 10;
    let advice = t.odm.advise().thresholds(thresholds.clone()).await.unwrap();
    let finding = only(&advice, "K3", "animals.sort");
    assert_eq!(
        (figure(finding, "queries"), figure(finding, "of_one_kind")),
        (10, 10)
    );
    assert!(
        finding
            .evidence
            .contains("`Cat`, `Dog` share the collection"),
        "{finding}"
    );

    profile(&t, 2).await;
    let animals = t.database().collection("animals");
    animals.find_one(doc! { "colour": "black" }).await.unwrap();
    profile(&t, 0).await;
    let advice = t.odm.advise().thresholds(thresholds).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn the_index_for_a_kind_does_not_contain_the_kind() {
    let t = Harness::new("advise_i7_kind").await;
    let dogs = (0..120).map(|n| Dog { id: n, weight: 20 });
    t.given(&dogs.collect::<Vec<_>>()).await;
    profile(&t, 2).await;
    let heavy = Dog::find(&t.odm).filter(Dog::fields().weight.eq(90));
    assert!(heavy.await.unwrap().is_empty());
    profile(&t, 0).await;
    let mut thresholds = Thresholds::default();
    thresholds.scanned_documents = 100;
    let advice = t.odm.advise().thresholds(thresholds).await.unwrap();
    let finding = advice.findings.iter().find(|it| it.code == "I7").unwrap();
    assert!(
        finding.change.starts_with("`#[index]` at `Dog.weight`"),
        "{finding}"
    );
}

#[tokio::test]
async fn the_index_for_a_default_kind_belongs_to_its_model() {
    let t = Harness::new("advise_i7_default_kind").await;
    let yachts = (0..120).map(|n| Yacht { id: n, length: 20 });
    t.given(&yachts.collect::<Vec<_>>()).await;
    profile(&t, 2).await;
    let long = Yacht::find(&t.odm).filter(Yacht::fields().length.eq(90));
    assert!(long.await.unwrap().is_empty());
    profile(&t, 0).await;
    let mut thresholds = Thresholds::default();
    thresholds.scanned_documents = 100;
    let advice = t.odm.advise().thresholds(thresholds).await.unwrap();
    let finding = advice.findings.iter().find(|it| it.code == "I7").unwrap();
    let expected = "`#[index]` at `Yacht.length`";
    assert!(finding.change.starts_with(expected), "{finding}");
}

async fn profile(t: &Harness, level: i32) {
    let profile = doc! { "profile": level };
    t.odm.database().run_command(profile).await.unwrap();
}
