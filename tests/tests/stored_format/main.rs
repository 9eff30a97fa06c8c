//! Compares the stored documents of the library with a file that an earlier version has written.
//!
//! Programs of different versions share a database. So the documents, jobs, cursors, deltas and declarations must keep
//! their format, byte for byte. Ids and times that differ from run to run are replaced by `*`; everything else is shown
//! with its type, in the stored order. A change of the file is a change of the format.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests panic to fail")]

use std::time::Duration;

use expect_test::expect_file;
use futures_util::TryStreamExt;
use mongo_odm::{Average, Odm, Settings, Settle, bson::Bson, bson::Document, prelude::*};
use odm_tests::{Harness, known_to_all};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "publishers")]
struct Publisher {
    #[serde(rename = "_id")]
    id: Id<Publisher, i64>,
    name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author, i64>,
    name: String,
    #[refs(many, inverse = "authors")]
    books: Vec<Id<Book, i64>>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book, i64>,
    title: String,
    #[refs(many, inverse = "books")]
    authors: Vec<Id<Author, i64>>,
    #[parent_ref(on_delete = "cascade", exists)]
    publisher: Id<Publisher, i64>,
    #[denorm(from = Publisher.name)]
    publisher_name: String,
    #[rollup(count, of = "Review", via = "book")]
    reviews: i64,
    #[rollup(sum, of = "Review", via = "book", field = "stars")]
    stars: i64,
    #[rollup(average, of = "Review", via = "book", field = "stars")]
    mean: Average,
    #[rollup(max, of = "Review", via = "book", field = "stars")]
    best: Option<i64>,
    #[recent(of = "Review", via = "book", sort = "stars", limit = 2)]
    newest: Vec<ReviewLine>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Projection)]
#[projection(of = "Review")]
struct ReviewLine {
    #[serde(rename = "_id")]
    id: Id<Review, i64>,
    stars: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: Id<Review, i64>,
    stars: i64,
    #[parent_ref]
    book: Id<Book, i64>,
    #[denorm(from = Book.title)]
    title: String,
}

const SHOWN: [&str; 6] = [
    "publishers",
    "authors",
    "books",
    "reviews",
    "_odm_jobs",
    "_odm_deltas",
];

#[tokio::test]
async fn what_is_stored_keeps_its_format() {
    let t = Harness::new("stored_format").await;
    let odm = with(&t.odm, Settings::default().settle(Settle::Manual));
    odm.sync_indexes().await.unwrap();

    insert_all(&odm).await;
    let mut shown = String::from("== declared\n");
    // The library of the tests also contains models, so only the declarations of this test are shown.
    let own = doc! { "source": { "$in": SHOWN.to_vec() } };
    shown += &stored("_odm_schema", own, &odm).await;
    shown += &show("inserted by a program that others do not know yet", &odm).await;

    known_to_all(&odm).await;
    empty(&odm).await;
    let odm = with(&odm, Settings::default().settle(Settle::Manual));
    let left = with(
        &odm,
        Settings::default().settle(Settle::Manual).inline_copies(0),
    );
    let renamed = Publisher::update(&left, Id::from(1)).set(Publisher::fields().name, "Tor");
    renamed.deferred().await.unwrap();
    let review = review(13, 5);
    review.insert(&odm).deferred().await.unwrap();
    Book::delete(&odm, Id::from(2)).await.unwrap();
    shown += &show("a deferred rename, a deferred insert, and a delete", &odm).await;

    odm.run_pending_jobs().await.unwrap();
    shown += &show("after a run", &odm).await;

    let now = Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::ZERO);
    let odm = with(&odm, now);
    Publisher::delete(&odm, Id::from(1))
        .deferred()
        .await
        .unwrap();
    shown += &show("a deferred delete with a rule", &odm).await;
    expect_file!["expected.txt"].assert_eq(&shown);
}

fn with(odm: &Odm, settings: Settings) -> Odm {
    Odm::new(odm.database().clone()).with_settings(settings.program("shelf"))
}

fn review(id: i64, stars: i64) -> Review {
    Review {
        id: Id::from(id),
        stars,
        book: Id::from(1),
        title: String::new(),
    }
}

async fn insert_all(odm: &Odm) {
    let publisher = Publisher {
        id: Id::from(1),
        name: "Ace".to_owned(),
    };
    publisher.insert(odm).await.unwrap();
    let author = Author {
        id: Id::from(1),
        name: "Ursula".to_owned(),
        books: Vec::new(),
    };
    author.insert(odm).await.unwrap();
    for id in [1, 2] {
        let book = Book {
            id: Id::from(id),
            title: format!("Volume {id}"),
            authors: vec![Id::from(1)],
            publisher: Id::from(1),
            publisher_name: String::new(),
            reviews: 0,
            stars: 0,
            mean: Average::default(),
            best: None,
            newest: Vec::new(),
        };
        book.insert(odm).await.unwrap();
    }
    let reviews = [review(10, 3), review(11, 4), review(12, 2)];
    Review::insert_many(odm, &reviews).await.unwrap();
}

/// Removes the jobs of the previous step, so that each step shows only its own jobs.
async fn empty(odm: &Odm) {
    for collection in ["_odm_jobs", "_odm_cursors", "_odm_deltas"] {
        let collection = odm.database().collection::<Document>(collection);
        collection.delete_many(doc! {}).await.unwrap();
    }
}

async fn show(step: &str, odm: &Odm) -> String {
    let mut shown = format!("== {step}\n");
    for name in SHOWN {
        shown += &stored(name, doc! {}, odm).await;
    }
    shown
}

async fn stored(name: &str, filter: Document, odm: &Odm) -> String {
    let collection = odm.database().collection::<Document>(name);
    let found = collection.find(filter).await.unwrap();
    let found: Vec<Document> = found.try_collect().await.unwrap();
    let lines = found.iter().map(|it| format!("{name} {}\n", document(it)));
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines.concat()
}

fn document(document: &Document) -> String {
    let fields = document.iter();
    let fields: Vec<_> = fields
        .map(|(name, it)| format!("{name}: {}", value(it)))
        .collect();
    format!("{{{}}}", fields.join(", "))
}

fn value(value: &Bson) -> String {
    match value {
        Bson::Document(inner) => document(inner),
        Bson::Array(items) => {
            let items: Vec<_> = items.iter().map(self::value).collect();
            format!("[{}]", items.join(", "))
        }
        Bson::ObjectId(_) => "ObjectId(*)".to_owned(),
        Bson::DateTime(_) => "Date(*)".to_owned(),
        Bson::Timestamp(_) => "Timestamp(*)".to_owned(),
        other => format!("{other:?}"),
    }
}
