//! The results of a survey of a database without models.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use mongo_odm::{
    Odm,
    bson::{Bson, Document, doc, oid::ObjectId},
    mongodb::IndexModel,
};
use mongo_odm_testkit::TestDb;
use mongo_odm_tools::{OdmTools, SurveyDatabase};
use odm_tests::cluster::is_sharded;

use crate::datasets::stored;

async fn database(test: &str) -> (TestDb, Odm) {
    let database = TestDb::new(test).await.unwrap();
    let odm = Odm::new(database.database());
    (database, odm)
}

/// Returns the references in a survey, in the form `customers.accounts[] -> accounts.account_id`.
async fn references(odm: &Odm) -> Vec<String> {
    let survey = odm.survey().await.unwrap();
    let references = survey.references.iter();
    let shown = references.map(ToString::to_string);
    shown
        .map(|it| it.split(": ").next().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn the_references_of_the_datasets_are_found_and_no_others() {
    const TEST: &str = "survey_datasets";
    for (dataset, expected) in [
        (
            "analytics",
            vec!["customers.accounts[] -> accounts.account_id"],
        ),
        ("geo", vec!["cities.country_id -> countries._id"]),
        ("school", vec!["grades.student_id -> students._id"]),
    ] {
        let Some((_database, odm)) = stored(&format!("{TEST}_{dataset}"), dataset).await else {
            return;
        };
        assert_eq!(references(&odm).await, expected, "{dataset}");
    }
}

#[tokio::test]
async fn of_collections_that_have_the_same_keys_evidence_decides_and_no_guess() {
    let (database, odm) = database("survey_doubt").await;
    let ids: Vec<ObjectId> = (0..40).map(|_| ObjectId::new()).collect();
    let store = async |name: &str, documents: Vec<Document>| {
        let collection = database.collection(name);
        collection.insert_many(documents).await.unwrap();
    };
    let people = |of: &[ObjectId]| of.iter().map(|id| doc! { "_id": *id }).collect();
    store("authors", people(&ids[..20])).await;
    store("writers", people(&ids)).await;
    let books = ids.iter().cycle().take(3_000).zip(0..).map(|(id, n)| {
        let author = ids[n % 20];
        doc! {
            "_id": i64::try_from(n).unwrap(), "author": author, "editor": *id, "maker": author,
            "to": { "$ref": "authors", "$id": author },
        }
    });
    store("books", books.collect()).await;
    let survey = odm.survey().sample(3_000).await.unwrap();
    let shown: Vec<_> = survey.references.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "books.author -> authors._id: 20 of 20 values found",
            "books.editor -> writers._id: 40 of 40 values found; also authors._id: 20",
            "books.to.$id -> authors._id: 20 of 20 values found",
        ]
    );
    let shown: Vec<_> = survey.undecided.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["books.maker: 20 values, keys of authors._id (20) or writers._id (20)"]
    );
    let advice = mongo_odm_tools::advise(database.database()).await.unwrap();
    let advice = advice.to_string();
    assert!(advice.contains("values of `author` are"), "{advice}");
    assert!(!advice.contains("`maker`"), "{advice}");
}

#[tokio::test]
async fn sizes_lengths_and_types_have_an_example() {
    let (database, odm) = database("survey_figures").await;
    let orders: Vec<Document> = (1..=200)
        .map(|n| doc! { "_id": n, "lines": vec![n; usize::try_from(n).unwrap()], "at": if n == 7 { Bson::Null } else { "x".into() } })
        .collect();
    database
        .collection("orders")
        .insert_many(orders)
        .await
        .unwrap();
    let index = IndexModel::builder().keys(doc! { "at": 1 }).build();
    database
        .collection("orders")
        .create_index(index)
        .await
        .unwrap();
    let survey = odm.survey().await.unwrap();
    let orders = survey.collection("orders").unwrap();
    assert_eq!(
        (orders.documents, orders.sampled, orders.is_complete),
        (Some(200), 200, true)
    );
    // On a cluster, the collection also has an index on its shard key.
    let mut indexes = orders.indexes.iter().map(|it| &it.keys);
    let created = indexes.find(|keys| **keys != doc! { "_id": "hashed" });
    assert_eq!(created, Some(&doc! { "at": 1 }));
    let sizes = orders.sizes.as_ref().unwrap();
    assert_eq!(sizes.largest, Bson::Int32(200));
    assert!(
        sizes.median < sizes.p95 && sizes.p95 < sizes.max,
        "{sizes:?}"
    );
    let lengths = orders.path("lines").unwrap().lengths.as_ref().unwrap();
    assert_eq!(
        (
            lengths.min,
            lengths.median,
            lengths.p95,
            lengths.p99,
            lengths.max
        ),
        (1, 100, 190, 198, 200)
    );
    assert_eq!(lengths.longest, Bson::Int32(200));
    let at = orders.path("at").unwrap();
    assert_eq!(
        (at.nulls, at.missing(), at.only_type()),
        (1, 0, Some("string"))
    );
    assert_eq!(at.values, [(Bson::from("x"), 199)]);
}

#[tokio::test]
async fn a_large_collection_is_sampled_and_a_view_left_out() {
    let (database, odm) = database("survey_sample").await;
    let many: Vec<Document> = (0..3_000).map(|n| doc! { "_id": n, "a": 1 }).collect();
    database.collection("many").insert_many(many).await.unwrap();
    let view = doc! { "create": "shown", "viewOn": "many", "pipeline": [] };
    database.database().run_command(view).await.unwrap();
    database.recorder().clear();
    let survey = odm.survey().sample(100).await.unwrap();
    let many = survey.collection("many").unwrap();
    assert_eq!(
        (many.documents, many.sampled, many.is_complete),
        (Some(3_000), 100, false)
    );
    assert!(survey.collection("shown").is_none());
    assert_eq!(survey.notes, ["`shown` is a view, and was skipped"]);
    let commands = database.recorder().names();
    let mut expected = vec![
        "listCollections",
        "aggregate",
        "find",
        "find",
        "aggregate",
        "listIndexes",
    ];
    if is_sharded() {
        // The keys and the chunks of the sharded collections.
        expected.extend(["find", "aggregate"]);
    }
    assert_eq!(commands, expected);
}

/// Returns the ids of a sample that contains the same documents each time.
async fn sampled_ids(odm: &Odm, collection: &str, documents: u64) -> Vec<Bson> {
    ids_of(odm.survey().repeatable().sample(documents), collection).await
}

async fn ids_of(survey: SurveyDatabase, collection: &str) -> Vec<Bson> {
    let survey = survey.only(collection).keep_documents().await.unwrap();
    let found = survey.collection(collection).unwrap();
    assert!(!found.is_complete, "{collection}");
    let ids = found.sample.iter().map(|it| it.get("_id").unwrap().clone());
    ids.collect()
}

#[tokio::test]
async fn half_of_a_sample_is_random_since_neighbours_are_alike() {
    let (database, odm) = database("survey_random_sample").await;
    let many: Vec<Document> = (0..6_000).map(|n| doc! { "_id": n }).collect();
    database.collection("many").insert_many(many).await.unwrap();
    for (documents, jumps) in [(200, true), (1_000, false)] {
        let ids = ids_of(odm.survey().sample(documents), "many").await;
        let ids: BTreeSet<i32> = ids.iter().map(|id| id.as_i32().unwrap()).collect();
        assert_eq!(ids.len() as u64, documents, "{jumps}");
        let end = i32::try_from(documents / 4).unwrap();
        assert!((0..end).all(|id| ids.contains(&id)), "{jumps}: {ids:?}");
        assert!(
            (6_000 - end..6_000).all(|id| ids.contains(&id)),
            "{jumps}: {ids:?}"
        );
        let neighbourhoods: BTreeSet<i32> = ids.iter().map(|id| id / 60).collect();
        assert!(neighbourhoods.len() > 40, "{jumps}: {neighbourhoods:?}");
    }
    let ids = sampled_ids(&odm, "many", 200).await;
    let neighbourhoods: BTreeSet<i32> = ids.iter().map(|id| id.as_i32().unwrap() / 60).collect();
    assert!(neighbourhoods.len() < 20, "{neighbourhoods:?}");
}

#[tokio::test]
async fn a_sample_is_the_same_each_time_if_told_so_and_has_the_oldest_the_newest_and_some_between()
{
    let (database, odm) = database("survey_same_sample").await;
    let many: Vec<Document> = (0..3_000).map(|n| doc! { "_id": n }).collect();
    database.collection("many").insert_many(many).await.unwrap();
    let ids = sampled_ids(&odm, "many", 100).await;
    assert_eq!(ids, sampled_ids(&odm, "many", 100).await);
    let ids: Vec<i32> = ids.iter().map(|id| id.as_i32().unwrap()).collect();
    assert!(ids.is_sorted() && ids.len() == 100, "{ids:?}");
    assert_eq!(ids[..25], (0..25).collect::<Vec<_>>());
    assert_eq!(ids[75..], (2_975..3_000).collect::<Vec<_>>());
    for part in 0..8 {
        let range = part * 3_000 / 8..(part + 1) * 3_000 / 8;
        assert!(ids.iter().any(|id| range.contains(id)), "{part}: {ids:?}");
    }
    for few in [1, 2, 3, 15, 16, 17] {
        let ids = sampled_ids(&odm, "many", few).await;
        assert_eq!(ids.len() as u64, few, "{ids:?}");
    }
}

#[tokio::test]
async fn a_sample_has_as_many_documents_as_asked_for_whatever_the_ids_are() {
    type Id = fn(i64) -> Bson;

    let (database, odm) = database("survey_sample_ids").await;
    let ids: [(&str, Id); 7] = [
        ("two_heaps", |n| (n % 2 * 1_000_000_000_000 + n).into()),
        ("texts", |n| format!("größe {n}").into()),
        ("letters", |n| {
            "ö".repeat(usize::try_from(n).unwrap()).into()
        }),
        ("documents", |n| doc! { "n": n, "of": "x" }.into()),
        ("mixed", |n| {
            if n % 2 == 0 {
                n.into()
            } else {
                format!("{n}").into()
            }
        }),
        ("doubles", |n| {
            Bson::Double(f64::from(i32::try_from(n).unwrap()) / 7.0)
        }),
        ("object_ids", |_| ObjectId::new().into()),
    ];
    for (name, id) in ids {
        let all: Vec<Document> = (0..300).map(|n| doc! { "_id": id(n) }).collect();
        database.collection(name).insert_many(all).await.unwrap();
        let ids = sampled_ids(&odm, name, 200).await;
        let different: BTreeSet<_> = ids.iter().map(Bson::to_string).collect();
        assert_eq!((ids.len(), different.len()), (200, 200), "{name}");
        assert_eq!(ids, sampled_ids(&odm, name, 200).await, "{name}");
    }
}

#[tokio::test]
async fn of_a_time_series_the_first_documents_are_looked_at() {
    let (database, odm) = database("survey_series").await;
    let series = doc! { "create": "series", "timeseries": { "timeField": "at" } };
    database.database().run_command(series).await.unwrap();
    let now = mongo_odm::bson::DateTime::now();
    let many = (0..100).map(|n| doc! { "at": now, "n": n });
    let many: Vec<Document> = many.collect();
    database
        .collection("series")
        .insert_many(many)
        .await
        .unwrap();
    let survey = odm.survey().sample(10).await.unwrap();
    let series = survey.collection("series").unwrap();
    assert_eq!(series.sampled, 10);
    assert!(
        series
            .notes
            .iter()
            .any(|it| it.contains("the first documents")),
        "{:?}",
        series.notes
    );
}

#[tokio::test]
async fn references_are_told_from_numbers_and_texts_that_only_look_like_keys() {
    let (database, odm) = database("survey_references").await;
    let ids: Vec<ObjectId> = (0..50).map(|_| ObjectId::new()).collect();
    let people = ids.iter().zip(1..).map(|(id, n)| {
        doc! { "_id": *id, "email": format!("p{n}@example.org"), "age": n }
    });
    let unique = mongo_odm::mongodb::options::IndexOptions::builder()
        .unique(true)
        .build();
    let index = IndexModel::builder()
        .keys(doc! { "email": 1 })
        .options(unique)
        .build();
    database
        .collection("people")
        .create_index(index)
        .await
        .unwrap();
    database
        .collection("people")
        .insert_many(people)
        .await
        .unwrap();
    let rooms =
        (1..=60).map(|n| doc! { "_id": n, "parent_id": if n > 1 { n / 2 } else { 1 }, "seats": n });
    database
        .collection("rooms")
        .insert_many(rooms)
        .await
        .unwrap();
    let events = ids.iter().zip(1..).map(|(id, n)| {
        let owner = if n == 3 { ObjectId::new() } else { *id };
        doc! {
            "_id": n, "host": owner, "room": n, "count": n, "mood": "good",
            "guests": [{ "person": *id, "since": n }], "contact_email": format!("p{n}@example.org"),
            "email": format!("p{}@example.org", n % 50 + 1),
        }
    });
    database
        .collection("events")
        .insert_many(events)
        .await
        .unwrap();
    let survey = odm.survey().await.unwrap();
    let shown: Vec<_> = survey.references.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "events.email -> people.email: 50 of 50 values found",
            "events.guests[].person -> people._id: 50 of 50 values found",
            "events.host -> people._id: 49 of 50 values found",
            "events.room -> rooms._id: 50 of 50 values found",
            "rooms.parent_id -> rooms._id: 30 of 30 values found",
        ]
    );
    assert_eq!(survey.references[2].dangling.len(), 1);
}

#[tokio::test]
async fn progress_is_told_by_the_documents_of_the_samples() {
    let (database, odm) = database("survey_progress").await;
    for (name, documents) in [("few", 10), ("many", 300)] {
        let all: Vec<Document> = (0..documents).map(|n| doc! { "_id": n }).collect();
        database.collection(name).insert_many(all).await.unwrap();
    }
    let told = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&told);
    let survey = odm.survey().sample(200);
    let survey = survey.on_progress(move |it| noted.lock().unwrap().push((it.documents, it.of)));
    survey.await.unwrap();
    let told = told.lock().unwrap();
    assert_eq!(told.first(), Some(&(0, 210)));
    assert_eq!(told.last(), Some(&(210, 210)));
    assert!(told.contains(&(10, 210)) && told.is_sorted(), "{told:?}");
}

#[tokio::test]
async fn a_collection_that_does_not_exist_is_told() {
    let (database, odm) = database("survey_absent").await;
    let there = database.collection("orders");
    there.insert_one(doc! { "_id": 1 }).await.unwrap();
    let view = doc! { "create": "shown", "viewOn": "orders", "pipeline": [] };
    database.database().run_command(view).await.unwrap();
    let survey = odm.survey().only("orders").only("ordrs").await.unwrap();
    assert_eq!(survey.notes, ["there is no collection `ordrs`"]);
    assert_eq!(survey.collections.len(), 1);
    let advice = mongo_odm_tools::advise(&odm).collections(["orders", "ordrs", "shown"]);
    let advice = advice.await.unwrap();
    let told = |why: &str| {
        advice
            .not_looked_at
            .iter()
            .any(|it| it.why == why && it.codes.contains(&"A2"))
    };
    assert!(told("there is no collection `ordrs`"), "{advice}");
    assert!(
        told("`shown` is a view, or a collection of the server or the library"),
        "{advice}"
    );
    assert_eq!(advice.collections, 1);
}

#[tokio::test]
async fn documents_without_ids_are_looked_at_once() {
    let (database, odm) = database("survey_profile").await;
    let level = |level: i32| doc! { "profile": level };
    database.database().run_command(level(2)).await.unwrap();
    let things = database.collection("things");
    for n in 0..12 {
        assert_eq!(things.find_one(doc! { "n": n }).await.unwrap(), None);
    }
    database.database().run_command(level(0)).await.unwrap();
    let survey = odm.survey().only("system.profile").sample(10);
    let survey = survey.keep_documents().await.unwrap();
    let sample = &survey.collection("system.profile").unwrap().sample;
    let commands = sample
        .iter()
        .filter_map(|it| it.get_document("command").ok());
    let asked: Vec<_> = commands
        .filter_map(|it| it.get_document("filter").ok())
        .collect();
    assert!(asked.len() >= 8, "{sample:?}");
    for (at, filter) in asked.iter().enumerate() {
        assert!(!asked[..at].contains(filter), "{filter} twice");
    }
}
