//! Real data, which is not part of the repository. The environment variable `ODM_DATA` contains its folder.

use std::path::{Path, PathBuf};

use mongo_odm::bson::Document;
use mongo_odm_testkit::data;

/// Returns the folder of one data set, or says on standard error that there is none, so that the test checks nothing.
pub fn folder(test: &str, name: &str) -> Option<PathBuf> {
    match data::dir_or(None) {
        Ok(folder) => Some(folder.join(name)),
        Err(error) => {
            eprintln!("SKIPPED {test}: {error}");
            None
        }
    }
}

/// Returns the documents of a file.
///
/// # Panics
///
/// If it is not there, or has something else in it.
pub fn documents(file: impl AsRef<Path>) -> Vec<Document> {
    data::read_jsonl(file)
        .and_then(Iterator::collect)
        .unwrap_or_else(|error| panic!("{error}"))
}
