//! Finds a `mongod` that runs, or says why there is none.

mod cache;
mod sha256;
mod version;
mod wheel;

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{Error, NoServer};

/// Looks at `MONGOD`, `PATH`, the cache and the wheel, in this order. Blocks.
pub(crate) fn find() -> Result<PathBuf, Error> {
    let mut none = NoServer::default();
    let uri = env::var_os("MONGODB_URI").is_some_and(|uri| !uri.is_empty());
    none.tried(
        "MONGODB_URI",
        if uri {
            "set, but a private server is wanted"
        } else {
            "not set"
        },
    );
    let found = match env::var_os("MONGOD").filter(|named| !named.is_empty()) {
        Some(named) => named_by_user(Path::new(&named), &mut none),
        None => in_path(&mut none).or_else(|| cache::get(&mut none)),
    };
    found.ok_or(Error::NoServer(none))
}

/// What the user names is used or is an error: a silent replacement would test another server.
fn named_by_user(named: &Path, none: &mut NoServer) -> Option<PathBuf> {
    match version::runs(named) {
        Ok(()) => return Some(named.into()),
        Err(why) => none.tried(format!("MONGOD={}", named.display()), why),
    }
    none.tried(
        "PATH, the cache, the wheel",
        "not tried, because MONGOD names the one to use",
    );
    None
}

fn in_path(none: &mut NoServer) -> Option<PathBuf> {
    none.tried("MONGOD", "not set");
    let path = env::var_os("PATH").unwrap_or_default();
    let mut is_there = false;
    for program in env::split_paths(&path).map(|folder| folder.join("mongod")) {
        if !program.is_file() {
            continue;
        }
        is_there = true;
        match version::runs(&program) {
            Ok(()) => return Some(program),
            Err(why) => none.tried(format!("{} (in PATH)", program.display()), why),
        }
    }
    if !is_there {
        none.tried("mongod in PATH", "not there");
    }
    None
}
