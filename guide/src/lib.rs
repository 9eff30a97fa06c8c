//! Runs the chapters of the guide in `docs/guide/src` against a real server.
//!
//! Each chapter `NN-name.md` with code has a program, `tests/guide/NN_name.rs`. The tests check two things:
//!
//! 1. Each `rust` block of the chapter is in the program, line for line, apart from the common indentation of the block.
//! 2. Each `js`, `json` and `text` block was shown by the program, and the chapter contains everything that was shown.
//!
//! | call | block | content |
//! |---|---|---|
//! | [`Chapter::sends`] | `js` | statements that the library sends, as mongosh syntax |
//! | [`Chapter::outlines`] | `js` | the same, with short statements about the collections of the library |
//! | [`Chapter::plans`] | `js` | statements that a call would send |
//! | [`Chapter::stores`] | `json` | all documents of a collection |
//! | [`Chapter::shows`] | `text` | any output |
//!
//! White space in `js` and `json` blocks is free. Generated ids are replaced by numbers, in the order in which the program
//! shows them: `ObjectId("1")`. Commands for a shell and manifests are `sh` and `toml` blocks; nothing checks them.
//!
//! `UPDATE_EXPECT=1 cargo test -p odm-guide` writes the shown texts into the blocks that differ. So you can start
//! with empty blocks.
//!
//! All chapters are one program, and declarations apply to all databases of a program. So each chapter has collections
//! with names of its own.

mod chapter;
mod markdown;
mod normal;
mod outline;

pub use chapter::{Chapter, run};
pub use markdown::{Block, anchors, blocks, links};

use std::path::{Path, PathBuf};

/// Returns the root folder of the repository.
#[must_use]
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Returns the folder with the chapters.
#[must_use]
pub fn chapters() -> PathBuf {
    root().join("docs/guide/src")
}

/// Returns the file with the program of a chapter, which may not exist.
#[must_use]
pub fn program(chapter: &str) -> PathBuf {
    let file = format!("guide/tests/guide/{}.rs", chapter.replace('-', "_"));
    root().join(file)
}

/// Reads a text file.
///
/// # Panics
///
/// Panics if the file cannot be read.
#[must_use]
pub fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
