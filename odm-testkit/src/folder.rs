//! The temporary folder of one private server.

use std::{
    io::PipeWriter,
    path::{Path, PathBuf},
};

use crate::{Error, supervisor::Janitor};

/// A folder that is removed when it is dropped and when this process ends.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    janitor: Option<Janitor>,
}

impl Folder {
    /// Makes an empty folder; with `keep` it is never removed.
    pub(crate) fn create(keep: bool) -> Result<Self, Error> {
        let path = tempfile::Builder::new()
            .prefix("mongo-odm-")
            .tempdir()
            .map_err(Error::io("make a temporary folder"))?
            // The janitor removes it, also when no destructor runs.
            .keep();
        let janitor = if keep {
            None
        } else {
            Some(Janitor::spawn(&path).map_err(Error::io("start a shell"))?)
        };
        Ok(Self { path, janitor })
    }

    /// Returns where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what keeps the folder in place; `None` if it is kept anyway.
    pub(crate) fn hold(&self) -> Result<Option<PipeWriter>, Error> {
        let hold = self.janitor.as_ref().map(Janitor::hold).transpose();
        hold.map_err(Error::io("copy a pipe"))
    }
}
