//! Writes the declarations that the test is compiled with.
//!
//! `ODM_ORACLE_SEED` is the seed of the first one, and `ODM_ORACLE_DECLARATIONS` says how many there are.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a part of the library, and of a test"
)]

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
    let names: Vec<String> = (first..first + count)
        .map(|seed| seed.to_string())
        .collect();
    write(
        "declared.rs",
        names.iter().map(|name| draw::named(name)).collect(),
    );
    // A second program doubles the time to compile.
    write(
        "older.rs",
        names
            .iter()
            .take(OLDER)
            .map(|name| draw::older(name))
            .collect(),
    );
}

/// How many of the declarations an older program has.
const OLDER: usize = 10;

fn write(name: &str, declarations: Vec<declaration::Declaration>) {
    let folder = env::var("OUT_DIR").expect("cargo names the folder");
    let path = Path::new(&folder).join(name);
    fs::write(path, source::program(&declarations)).expect("the folder can be written to");
}

fn number(name: &str, default: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
