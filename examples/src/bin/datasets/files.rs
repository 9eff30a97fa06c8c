//! The files that contain the data sets.

use std::path::PathBuf;

use anyhow::{Context, Result};
use mongo_odm::{Odm, bson::Document};
use mongo_odm_testkit::data;
use odm_examples::{progress, thousands};

/// Number of documents in each `insert`.
const BATCH: usize = 5_000;

const HELP: &str = "\
The data sets are not part of this project. They are expected in one folder, one document in extended
JSON on each line, named by `--data FOLDER` or by the environment variable ODM_DATA:

  analytics/customers.jsonl, analytics/accounts.jsonl
      sample_analytics of MongoDB, from github.com/neelabalan/mongodb-sample-dataset
  geo/countries.jsonl, geo/cities.jsonl.gz
      from github.com/dr5hn/countries-states-cities-database (ODbL 1.0), `id` as `_id`,
      cities without an id left out
  school/students.jsonl, school/grades.jsonl
      from github.com/ozlerhakan/mongodb-json-files";

const FILES: [&str; 6] = [
    "analytics/customers.jsonl",
    "analytics/accounts.jsonl",
    "geo/countries.jsonl",
    "geo/cities.jsonl.gz",
    "school/students.jsonl",
    "school/grades.jsonl",
];

/// The folder that contains the data sets.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Finds the folder. If the folder or one of its files is missing, the error explains how to
    /// get the data.
    pub fn find(given: Option<PathBuf>) -> Result<Self> {
        let folder = data::dir_or(given).map_err(|error| anyhow::anyhow!("{error}\n\n{HELP}"))?;
        let absent: Vec<&str> = FILES
            .into_iter()
            .filter(|file| !folder.join(file).is_file())
            .collect();
        let (place, absent_list) = (folder.display(), absent.join(", "));
        anyhow::ensure!(absent.is_empty(), "{place} lacks {absent_list}\n\n{HELP}");
        Ok(Self { folder })
    }

    /// Loads the documents of a file into a collection without changes, including fields that no
    /// model declares. Returns the number of documents.
    pub async fn load(&self, odm: &Odm, file: &str, collection: &str) -> Result<usize> {
        let path = self.folder.join(file);
        let documents = data::read_jsonl(&path)?.collect::<Result<Vec<Document>, _>>()?;
        let bar = progress(collection, documents.len())?;
        for batch in documents.chunks(BATCH) {
            odm.database()
                .collection::<Document>(collection)
                .insert_many(batch)
                .await
                .context(collection.to_owned())?;
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        println!("   loaded  {} {collection}", thousands(documents.len()));
        Ok(documents.len())
    }
}
