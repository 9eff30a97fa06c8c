//! Models that are written for databases: they compile, and every document is read and written back unchanged.

use std::{env, fs, path::Path};

use mongo_odm::{
    Filter, Model, Odm,
    bson::{Bson, Document, doc},
};
use odm_testkit::TestDb;

use crate::{datasets::stored, hostile};

/// The models of a dataset, as they are in the repository.
#[allow(
    dead_code,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = "written by the library for others"
)]
mod written {
    pub(crate) mod analytics;
    pub(crate) mod geo;
    pub(crate) mod hostile;
    pub(crate) mod school;
}

/// Compares what is written for a database with the module that this program is compiled with.
async fn assert_written(odm: &Odm, module: &str) {
    let survey = odm.survey().sample(100_000).keep_documents();
    let mut survey = survey.await.unwrap();
    module.clone_into(&mut survey.database);
    let code = mongo_odm::write_models(&survey);
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/foreign/pull/written/{module}.rs"));
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &code).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap();
    assert_eq!(
        code, expected,
        "{module}; UPDATE_EXPECT=1 writes the file anew"
    );
}

#[tokio::test]
async fn models_of_the_datasets_are_as_reviewed() {
    for dataset in ["analytics", "geo", "school"] {
        let Some((_database, odm)) = stored(&format!("pull_{dataset}"), dataset).await else {
            return;
        };
        assert_written(&odm, dataset).await;
    }
}

#[tokio::test]
async fn models_of_a_hostile_database_are_as_reviewed() {
    let database = TestDb::new("pull_hostile").await.unwrap();
    hostile::store(&database.database()).await;
    assert_written(&Odm::new(database.database()), "hostile").await;
}

/// Reads all documents of a model, writes them into another database, and compares what is stored in both.
async fn assert_survives<M: Model + Clone + Sync>(from: &TestDb, to: &TestDb, kind: Document) {
    let (from_odm, to_odm) = (Odm::new(from.database()), Odm::new(to.database()));
    let read: Vec<M> = M::find(&from_odm)
        .filter(Filter::<M>::all())
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(!read.is_empty(), "{}", M::SHAPE.name);
    M::insert_many(&to_odm, &read)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    let [before, after] = [
        stored_in(from, M::SHAPE.collection, &kind).await,
        stored_in(to, M::SHAPE.collection, &kind).await,
    ];
    assert_eq!(before.len(), after.len());
    for (before, after) in before.into_iter().zip(after) {
        assert!(
            is_same(&before.clone().into(), &after.clone().into()),
            "{}: {before:?}\n{after:?}",
            M::SHAPE.name
        );
    }
}

async fn stored_in(database: &TestDb, collection: &str, filter: &Document) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let collection = database.collection(collection);
    let found = collection.find(filter.clone()).await.unwrap();
    found.try_collect().await.unwrap()
}

/// Whether two values are the same, of the same types, down to the bits of numbers; the order of fields does not count.
fn is_same(one: &Bson, other: &Bson) -> bool {
    match (one, other) {
        (Bson::Double(one), Bson::Double(other)) => one.to_bits() == other.to_bits(),
        (Bson::Array(one), Bson::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Bson::Document(one), Bson::Document(other)) => {
            let has =
                |name: &String, value| other.get(name).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(|(name, value)| has(name, value))
        }
        (one, other) => one == other,
    }
}

#[tokio::test]
async fn every_document_of_the_datasets_survives() {
    use written::{analytics, geo, school};
    for dataset in ["analytics", "geo", "school"] {
        let Some((from, _)) = stored(&format!("survives_{dataset}"), dataset).await else {
            return;
        };
        let to = TestDb::new(&format!("survives_{dataset}_again"))
            .await
            .unwrap();
        match dataset {
            "analytics" => {
                assert_survives::<analytics::Account>(&from, &to, doc! {}).await;
                assert_survives::<analytics::Customer>(&from, &to, doc! {}).await;
            }
            "geo" => {
                assert_survives::<geo::Country>(&from, &to, doc! {}).await;
                assert_survives::<geo::City>(&from, &to, doc! {}).await;
            }
            _ => {
                assert_survives::<school::Student>(&from, &to, doc! {}).await;
                assert_survives::<school::Grade>(&from, &to, doc! {}).await;
            }
        }
    }
}

#[tokio::test]
async fn every_document_of_a_hostile_database_survives() {
    use written::hostile::*;
    let from = TestDb::new("survives_hostile").await.unwrap();
    let to = TestDb::new("survives_hostile_again").await.unwrap();
    hostile::store(&from.database()).await;
    macro_rules! survive {
        ($($model:ty)*) => {
            $(assert_survives::<$model>(&from, &to, doc! {}).await;)*
        };
    }
    survive!(OddName Mixed Gap Type Map OptionDoc User UserDoc Deep Wide Colleague Article Order Profile);
    assert_survives::<Class>(&from, &to, doc! { "doc_type": "class" }).await;
    assert_survives::<Student>(&from, &to, doc! { "doc_type": "student" }).await;
}

#[test]
fn the_models_go_together() {
    mongo_odm::check_models().unwrap();
}
