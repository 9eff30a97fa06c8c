//! Writes the source of the declarations with which the test is compiled.
//!
//! `ODM_ORACLE_SEED` is the seed of the first declaration, and `ODM_ORACLE_DECLARATIONS` the number of declarations.
//! The first `ODM_ORACLE_PAIRS` declarations have an old version in the test and a new version in the program `newer`.

#![allow(clippy::expect_used, reason = "a part of a test")]

use std::{env, fs, path::Path};

use odm_oracle_declarations::{declaration::Declaration, draw, source, versions::Versions};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let first = number("ODM_ORACLE_SEED", 1);
    let count = number("ODM_ORACLE_DECLARATIONS", 40);
    let pairs = number("ODM_ORACLE_PAIRS", 10).min(count);
    let names = |from, to| (from..to).map(|seed: u64| seed.to_string());
    let one = names(first + pairs, first + count).map(|name| draw::named(&name));
    let two = names(first, first + pairs).map(|name| Versions::two(&name).programs);
    let programs =
        two.map(|programs| <[Declaration; 2]>::try_from(programs).expect("there are two"));
    let (old, new): (Vec<_>, Vec<_>) = programs.map(|[old, new]| (old, new)).unzip();
    write(
        "declared.rs",
        &old.into_iter().chain(one).collect::<Vec<_>>(),
    );
    write("newer.rs", &new);
}

fn write(name: &str, declarations: &[Declaration]) {
    let folder = env::var("OUT_DIR").expect("cargo names the folder");
    let path = Path::new(&folder).join(name);
    fs::write(path, source::program(declarations)).expect("the folder can be written to");
}

fn number(name: &str, default: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
