//! Real data, which is not part of the repository. The environment variable `ODM_DATA` contains its folder.

use std::path::{Path, PathBuf};

use mongo_odm::bson::Document;
use mongo_odm_testkit::data;

/// Returns the folder of a data set. If the data are missing, prints this to standard error and returns `None`; the
/// test then checks nothing.
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
/// If the file is missing or is not valid JSONL.
pub fn documents(file: impl AsRef<Path>) -> Vec<Document> {
    data::read_jsonl(file)
        .and_then(Iterator::collect)
        .unwrap_or_else(|error| panic!("{error}"))
}
