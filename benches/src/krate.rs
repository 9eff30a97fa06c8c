//! Creates crates in a temporary folder that depend on the library in this workspace, and builds them as a user would.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::Result;

/// Writes a crate. `source` contains the path of its source file below the folder, and the text of this file.
///
/// # Errors
///
/// An error if a file cannot be written.
pub fn krate(folder: &Path, name: &str, source: (&str, &str)) -> Result<PathBuf> {
    let workspace = workspace()?;
    let krate = folder.join(name);
    fs::create_dir_all(krate.join("src"))?;
    fs::copy(workspace.join("Cargo.lock"), krate.join("Cargo.lock"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [workspace]\n\
         [dependencies]\nmongo-odm = {{ path = '{}' }}\n\
         futures-util = \"0.3\"\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n",
        workspace.join("odm").display()
    );
    fs::write(krate.join("Cargo.toml"), manifest)?;
    fs::write(krate.join(source.0), source.1)?;
    Ok(krate)
}

/// Returns the target folder for these crates. The folder is kept between runs, so that the dependencies are built only
/// once.
///
/// # Errors
///
/// An error if there is no current folder.
pub fn target() -> Result<PathBuf> {
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => workspace()?.join("target"),
    };
    Ok(std::path::absolute(target.join("expansion"))?)
}

/// Runs cargo on a crate.
///
/// # Errors
///
/// An error if the crate does not compile.
pub fn cargo(krate: &Path, target: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new(env!("CARGO"))
        .arg("--quiet")
        .args(arguments)
        .current_dir(krate)
        .env("CARGO_TARGET_DIR", target)
        // With an incremental cache, the compiler would only compare the crate with the last build.
        .env("CARGO_INCREMENTAL", "0")
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} does not compile", krate.display()).into())
    }
}

fn workspace() -> Result<&'static Path> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("no workspace")?)
}
