//! Models that `pull` writes for databases. The models compile, and every document can be read and written back
//! unchanged.

use std::{env, fs, path::Path};

use mongo_odm::{
    Filter, Model, Odm,
    bson::{Binary, Bson, Document, doc, spec::BinarySubtype},
};
use mongo_odm_testkit::TestDb;
use mongo_odm_tools::OdmTools;

use crate::{datasets::stored, hostile};

/// The generated models of each dataset, as stored in the repository. They cause no warning of the compiler or of
/// clippy.
#[deny(warnings, clippy::all)]
#[allow(
    dead_code,
    unreachable_pub,
    clippy::pedantic,
    reason = "fields that others read, and lints that few turn on"
)]
mod written {
    pub(crate) mod analytics;
    pub(crate) mod geo;
    pub(crate) mod hostile;
    pub(crate) mod school;
}

/// Compares the models that are generated for a database with the module in this program.
async fn assert_written(odm: &Odm, module: &str) {
    let survey = odm.survey().sample(100_000).keep_documents();
    let mut survey = survey.await.unwrap();
    module.clone_into(&mut survey.database);
    let code = mongo_odm_tools::write_models(&survey);
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

/// Whether the order of the fields must stay the same.
#[derive(Clone, Copy, PartialEq)]
enum Fields {
    InOrder,
    InAnyOrder,
}

/// Reads all documents of a model, writes them into a different database, and compares the stored documents.
async fn assert_survives<M: Model + Clone + Sync>(
    from: &TestDb,
    to: &TestDb,
    kind: Document,
    fields: Fields,
) {
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
            is_same(&before.clone().into(), &after.clone().into(), fields),
            "{}: {before:?}\n{after:?}",
            M::SHAPE.name
        );
    }
}

async fn stored_in(database: &TestDb, collection: &str, filter: &Document) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let collection = database.collection(collection);
    let found = collection.find(filter.clone()).sort(doc! { "_id": 1 });
    let found = found.await.unwrap();
    found.try_collect().await.unwrap()
}

/// Returns whether two values have the same types and are equal, down to the bits of numbers.
fn is_same(one: &Bson, other: &Bson, fields: Fields) -> bool {
    match (one, other) {
        (Bson::Double(one), Bson::Double(other)) => one.to_bits() == other.to_bits(),
        (Bson::Array(one), Bson::Array(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other, fields))
        }
        (Bson::Document(one), Bson::Document(other)) => {
            let has = |name: &String, value| {
                let other = other.get(name);
                other.is_some_and(|other| is_same(value, other, fields))
            };
            let are_in_order = fields == Fields::InAnyOrder || one.keys().eq(other.keys());
            one.len() == other.len()
                && are_in_order
                && one.iter().all(|(name, value)| has(name, value))
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
        macro_rules! survive {
            ($fields:ident: $($model:ty)*) => {
                $(assert_survives::<$model>(&from, &to, doc! {}, Fields::$fields).await;)*
            };
        }
        match dataset {
            "analytics" => {
                survive!(InOrder: analytics::Account);
                // The generated comments mention that the order changes.
                survive!(InAnyOrder: analytics::Customer);
            }
            "geo" => {
                survive!(InOrder: geo::Country geo::City);
            }
            _ => {
                survive!(InOrder: school::Student school::Grade);
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
        ($fields:ident: $($model:ty)*) => {
            $(assert_survives::<$model>(&from, &to, doc! {}, Fields::$fields).await;)*
        };
    }
    survive!(InOrder: OddName Mixed Gap Type Map OptionDoc User UserDoc Deep Wide Colleague Article Order Profile);
    survive!(InOrder: Writer Author Book Letter Grosse Mixture Ring);
    // The generated comments mention that the order changes. In a time series, the id is not the first field.
    survive!(InAnyOrder: Count Orderless Measured);

    let kind = |name: &str| doc! { "doc_type": name };
    assert_survives::<Class>(&from, &to, kind("class"), Fields::InOrder).await;
    assert_survives::<Student>(&from, &to, kind("student"), Fields::InOrder).await;
}

/// A few values can decide which type reads all values.
#[tokio::test]
async fn one_null_id_and_some_large_values_have_a_type() {
    let database = TestDb::new("pull_rare").await.unwrap();
    let binary = |subtype, length| Binary {
        subtype,
        bytes: vec![7; length],
    };
    let parts = [hostile::oid(1).into(), hostile::oid(2).into(), Bson::Null];
    let parts = parts.map(|id| doc! { "_id": id });
    let scans = (0..100).map(|number| match number % 5 {
        0 | 1 => doc! { "_id": number, "data": binary(BinarySubtype::Generic, 200) },
        _ => doc! { "_id": number, "data": binary(BinarySubtype::Uuid, 16) },
    });
    let tags = (0..3).map(|number| doc! { "_id": number, "key": binary(BinarySubtype::Uuid, 16) });
    let all = [
        ("parts", parts.to_vec()),
        ("scans", scans.collect()),
        ("tags", tags.collect()),
    ];
    for (collection, documents) in all {
        let collection = database.database().collection(collection);
        collection.insert_many(documents).await.unwrap();
    }
    let odm = Odm::new(database.database());
    let survey = odm.survey().sample(100_000).keep_documents();
    let code = mongo_odm_tools::write_models(&survey.await.unwrap());
    for expected in ["id: Id<Part, AnyKey>", "data: Binary", "key: Uuid"] {
        assert!(code.contains(expected), "{expected} in\n{code}");
    }
}

#[test]
fn the_models_go_together() {
    mongo_odm::check_models().unwrap();
}
