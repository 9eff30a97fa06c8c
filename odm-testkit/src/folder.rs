//! The temporary folder of a private server.

use std::{
    io::PipeWriter,
    path::{Path, PathBuf},
};

use crate::{Error, supervisor::Janitor};

/// A folder that is removed when this value is dropped, or when the process ends.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    janitor: Option<Janitor>,
}

impl Folder {
    /// Creates an empty folder. If `keep` is true, the folder is never removed.
    pub(crate) fn create(keep: bool) -> Result<Self, Error> {
        let path = tempfile::Builder::new()
            .prefix("mongo-odm-")
            .tempdir()
            .map_err(Error::io("make a temporary folder"))?
            // The janitor removes the folder, even if no destructor runs.
            .keep();
        let janitor = if keep {
            None
        } else {
            Some(Janitor::spawn(&path).map_err(Error::io("start a shell"))?)
        };
        Ok(Self { path, janitor })
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a pipe that prevents the removal of the folder while it is open. Returns `None` if
    /// the folder is never removed.
    pub(crate) fn hold(&self) -> Result<Option<PipeWriter>, Error> {
        let hold = self.janitor.as_ref().map(Janitor::hold).transpose();
        hold.map_err(Error::io("copy a pipe"))
    }
}
