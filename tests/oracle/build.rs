//! Writes the declarations that the test is compiled with.
//!
//! `ODM_ORACLE_SEED` is the seed of the first one, and `ODM_ORACLE_DECLARATIONS` says how many there are.

#![allow(dead_code, unreachable_pub, clippy::indexing_slicing, clippy::expect_used, reason = "a part of the library, and of a test")]

#[path = "src/declaration.rs"]
mod declaration;
#[path = "src/draw.rs"]
mod draw;
#[path = "src/random.rs"]
mod random;
#[path = "src/source.rs"]
mod source;

use std::{env, fs, path::Path};

fn main() {
    for file in ["declaration", "draw", "random", "source"] {
        println!("cargo::rerun-if-changed=src/{file}.rs");
    }
    let first = number("ODM_ORACLE_SEED", 1);
    let count = number("ODM_ORACLE_DECLARATIONS", 40);
    let declarations: Vec<_> = (first..first + count).map(draw::declaration).collect();
    let folder = env::var("OUT_DIR").expect("cargo names the folder");
    let path = Path::new(&folder).join("declared.rs");
    fs::write(path, source::program(&declarations)).expect("the folder can be written to");
}

fn number(name: &str, default: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
