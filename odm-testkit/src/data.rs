//! Real data sets: where they are, and a reader for them.
//!
//! The data is not part of the product. Whoever wants it says where it is: with `--data FOLDER` on
//! the command line of an example, or in the environment variable `ODM_DATA`.
//!
//! # Examples
//!
//! ```no_run
//! use mongo_odm_testkit::data;
//!
//! # fn main() -> Result<(), mongo_odm_testkit::Error> {
//! let accounts = data::dir()?.join("analytics/accounts.jsonl");
//! let accounts = data::read_jsonl(accounts)?.collect::<Result<Vec<_>, _>>()?;
//! # Ok(()) }
//! ```

mod extjson;

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io::{BufRead, BufReader, Lines},
    path::{Path, PathBuf},
};

use flate2::bufread::MultiGzDecoder;
use mongodb::bson::Document;

use crate::Error;

/// Returns the folder of the data sets: from `--data` on this program's command line, else from
/// `ODM_DATA`.
///
/// # Errors
///
/// [`Error::NoData`] if neither is given, [`Error::NotAFolder`] if there is nothing.
pub fn dir() -> Result<PathBuf, Error> {
    match argument(env::args_os()) {
        Some(folder) => checked(folder, "--data"),
        None => dir_or(None),
    }
}

/// Returns the folder of the data sets: the given one, else from `ODM_DATA`. For programs that
/// read their command line themselves.
///
/// # Errors
///
/// As [`dir`].
pub fn dir_or(given: Option<PathBuf>) -> Result<PathBuf, Error> {
    let named = || env::var_os("ODM_DATA").filter(|value| !value.is_empty());
    match given {
        Some(folder) => checked(folder, "--data"),
        None => checked(named().ok_or(Error::NoData)?.into(), "ODM_DATA"),
    }
}

fn checked(folder: PathBuf, from: &'static str) -> Result<PathBuf, Error> {
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err(Error::NotAFolder { folder, from })
    }
}

/// Finds `--data FOLDER` or `--data=FOLDER`.
fn argument(mut arguments: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    while let Some(argument) = arguments.next() {
        if argument == "--data" {
            return arguments.next().map(PathBuf::from);
        }
        if let Some(folder) = argument
            .to_str()
            .and_then(|text| text.strip_prefix("--data="))
        {
            return Some(folder.into());
        }
    }
    None
}

/// Opens a file with one document in extended JSON on each line, compressed if it ends in `.gz`.
///
/// Canonical (`{"$numberInt": "5"}`) and relaxed (`5`) forms become the same BSON, fields keep
/// their order, empty lines are skipped.
///
/// # Errors
///
/// When the file cannot be opened. The iterator gives [`Error::Line`] for what is no document.
pub fn read_jsonl(path: impl AsRef<Path>) -> Result<JsonLines, Error> {
    let path = path.as_ref();
    let file = File::open(path).map_err(Error::io(format!("open {}", path.display())))?;
    let file = BufReader::new(file);
    let text: Box<dyn BufRead + Send> = if path.extension() == Some(OsStr::new("gz")) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    };
    Ok(JsonLines {
        path: path.into(),
        lines: text.lines(),
        line: 0,
    })
}

/// The documents of a file; made by [`read_jsonl`].
pub struct JsonLines {
    path: PathBuf,
    lines: Lines<Box<dyn BufRead + Send>>,
    line: usize,
}

impl Iterator for JsonLines {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = self.lines.next()?;
            self.line += 1;
            match text {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some(extjson::document(&text).map_err(|e| self.wrong(&e))),
                Err(error) => return Some(Err(self.wrong(&error))),
            }
        }
    }
}

impl JsonLines {
    fn wrong(&self, error: &impl ToString) -> Error {
        Error::Line {
            file: self.path.clone(),
            line: self.line,
            message: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_found_on_a_command_line() {
        let find = |line: &str| argument(line.split(' ').map(OsString::from));
        assert_eq!(find("program --data /a/b -v"), Some("/a/b".into()));
        assert_eq!(find("program --data=/a/b"), Some("/a/b".into()));
        assert_eq!(find("program data"), None);
        assert_eq!(find("program --data"), None);
    }
}
