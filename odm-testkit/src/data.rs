//! Finds and reads real data sets.
//!
//! The data sets are not part of this repository. To use them, pass their folder as `--data FOLDER`
//! to an example, or set the environment variable `ODM_DATA`.
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

/// Returns the folder of the data sets. The folder is given by `--data` on this program's command
/// line, or otherwise by `ODM_DATA`.
///
/// # Errors
///
/// [`Error::NoData`] if neither is given, and [`Error::NotAFolder`] if the folder does not exist.
pub fn dir() -> Result<PathBuf, Error> {
    match argument(env::args_os()) {
        Some(folder) => checked(folder, "--data"),
        None => dir_or(None),
    }
}

/// Returns the given folder of the data sets, or the one in `ODM_DATA`. Use this function in
/// programs that parse their command line themselves.
///
/// # Errors
///
/// The same as for [`dir`].
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

/// Finds the folder in the argument `--data FOLDER` or `--data=FOLDER`.
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

/// Opens a file that contains one document in extended JSON on each line. A file with the extension
/// `.gz` is decompressed.
///
/// Canonical (`{"$numberInt": "5"}`) and relaxed (`5`) forms result in the same BSON. Fields keep
/// their order, and empty lines are skipped.
///
/// # Errors
///
/// [`Error::Io`] if the file cannot be opened. The iterator returns [`Error::Line`] for a line that
/// is not a document.
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

/// An iterator over the documents of a file, created by [`read_jsonl`].
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
