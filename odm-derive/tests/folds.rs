//! The engine knows that fields are folded, and not how: each fold is named where it is described and defined, and
//! nowhere else.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

use std::{collections::BTreeSet, fs, path::Path};

/// The files that define a fold: its value, the addition of a child, the execution of this addition, and its result.
const DEFINED: [&str; 6] = [
    "derived/values/addition.rs",
    "derived/values/child_effect.rs",
    "graph/computed_field.rs",
    "graph/fold.rs",
    "graph/links.rs",
    "graph/two_way_array.rs",
];

#[test]
fn no_fold_is_named_outside_the_files_that_define_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../odm/src");
    let definition = fs::read_to_string(root.join("graph/fold.rs")).unwrap();
    let folds = variants(&definition);
    assert!(folds.contains(&"Members".to_owned()), "{folds:?}");
    let mut naming = BTreeSet::new();
    name(&root, &root, &folds, &mut naming);
    let defined = DEFINED.map(str::to_owned);
    assert_eq!(naming, BTreeSet::from(defined));
}

/// Lists the variants of the enum of folds, except the copy, which is not a fold.
fn variants(definition: &str) -> Vec<String> {
    let lines = definition.lines();
    let body = lines.skip_while(|line| *line != "pub(crate) enum Fold {");
    let body = body.skip(1).take_while(|line| *line != "}");
    let names = body.filter_map(|line| line.strip_prefix("    "));
    let names = names.filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    let names = names.map(|line| line.trim_end_matches([' ', '{', ',', '}']));
    let names = names.filter_map(|line| line.split([' ', '(']).next());
    names
        .filter(|name| *name != "Copy")
        .map(str::to_owned)
        .collect()
}

/// Collects the files that contain the name of a fold.
fn name(root: &Path, folder: &Path, folds: &[String], naming: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            name(root, &path, folds, naming);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let names = |fold: &String| text.contains(&format!("Fold::{fold}"));
        let is_definition = path.ends_with("copy/fold.rs");
        if is_definition || folds.iter().any(names) {
            let path = path.strip_prefix(root).unwrap();
            naming.insert(path.to_string_lossy().replace('\\', "/"));
        }
    }
}
