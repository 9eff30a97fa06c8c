//! The real datasets, stored as they are.

use mongo_odm::Odm;
use mongo_odm_testkit::TestDb;
use odm_tests::data;

/// The collections of each dataset, with their files.
const FILES: [(&str, &[(&str, &str)]); 3] = [
    (
        "analytics",
        &[
            ("customers", "customers.jsonl"),
            ("accounts", "accounts.jsonl"),
        ],
    ),
    (
        "geo",
        &[
            ("countries", "countries.jsonl"),
            ("cities", "cities.jsonl.gz"),
        ],
    ),
    (
        "school",
        &[("students", "students.jsonl"), ("grades", "grades.jsonl")],
    ),
];

/// Stores a dataset in a new database, if the dataset's files exist.
pub(crate) async fn stored(test: &str, dataset: &str) -> Option<(TestDb, Odm)> {
    let folder = data::folder(test, dataset)?;
    let database = TestDb::new(test).await.unwrap();
    let (_, files) = FILES.iter().find(|(name, _)| *name == dataset).unwrap();
    for (collection, file) in *files {
        let documents = data::documents(folder.join(file));
        let collection = database.collection(collection);
        collection.insert_many(documents).await.unwrap();
    }
    let odm = Odm::new(database.database());
    Some((database, odm))
}
