//! Writes the declarations that the test is compiled with.
//!
//! `ODM_ORACLE_SEED` is the seed of the first one, and `ODM_ORACLE_DECLARATIONS` the number of declarations. The first
//! `ODM_ORACLE_PAIRS` of them have an old version in the test and a new version in the program `newer`.

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
#[path = "src/versions.rs"]
mod versions;

use std::{env, fs, path::Path};

fn main() {
    for file in ["declaration", "draw", "random", "source", "versions"] {
        println!("cargo::rerun-if-changed=src/{file}.rs");
    }
    let first = number("ODM_ORACLE_SEED", 1);
    let count = number("ODM_ORACLE_DECLARATIONS", 40);
    let pairs = number("ODM_ORACLE_PAIRS", 10).min(count);
    let names = |from, to| (from..to).map(|seed: u64| seed.to_string());
    let one = names(first + pairs, first + count).map(|name| draw::named(&name));
    let two = names(first, first + pairs).map(|name| versions::Versions::two(&name).programs);
    let (old, new): (Vec<_>, Vec<_>) = two.map(|it| (it[0].clone(), it[1].clone())).unzip();
    write("declared.rs", old.into_iter().chain(one).collect());
    write("newer.rs", new);
}

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
