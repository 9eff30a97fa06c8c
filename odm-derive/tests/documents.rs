//! The pages in `odm/src/docs` are read in rustdoc and in a repository browser. Their links work in both, and the compiler
//! messages in them exist.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

#[test]
fn links_in_pages_lead_to_files_and_headings() {
    let mut dead = Vec::new();
    for (page, text) in pages() {
        let links = definitions(&text).into_iter().chain(inline_links(&text));
        let dead_here = links.filter(|(_, target)| !exists(&page, target));
        dead.extend(dead_here.map(|(label, target)| format!("{page}: [{label}] {target}")));
    }
    assert_eq!(dead, Vec::<String>::new());
}

#[test]
fn each_link_of_a_page_has_a_target_in_rustdoc() {
    let in_rustdoc = definitions(&fs::read_to_string(folder().join(RUSTDOC)).unwrap());
    let mut used = BTreeMap::new();
    for (page, text) in pages() {
        let labels = definitions(&text).into_keys();
        used.extend(labels.map(|label| (label, page.clone())));
    }
    let labels = |links: Vec<&String>| links.into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(
        labels(used.keys().collect()),
        labels(in_rustdoc.keys().collect())
    );
}

#[test]
fn quoted_compiler_messages_are_those_of_fixtures() {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/invalid");
    let mut all = String::new();
    for entry in fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "stderr") {
            all.push_str(&fs::read_to_string(path).unwrap());
        }
    }
    let chapters = folder().join("../../../docs/guide/src");
    let chapters = fs::read_dir(chapters).unwrap().map(|it| it.unwrap().path());
    let pages = chapters.filter(|it| it.extension().is_some_and(|it| it == "md"));
    let pages = pages.chain([folder().join("attributes.md")]);
    let pages = pages.map(|page| without_code(&fs::read_to_string(page).unwrap()));
    let pages: Vec<String> = pages.collect();
    let quoted = |page| str::split(page, "``").skip(1).step_by(2).map(str::trim);
    let quoted: Vec<&str> = pages.iter().flat_map(|page| quoted(page)).collect();
    assert!(quoted.len() > 30, "{quoted:?}");
    let unknown: Vec<_> = quoted.iter().filter(|it| !all.contains(**it)).collect();
    assert_eq!(unknown, Vec::<&&str>::new());
}

/// The file with the targets of all links in rustdoc.
const RUSTDOC: &str = "rustdoc_links.md";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../odm/src/docs")
}

/// Returns the names and texts of all pages, without their code blocks.
fn pages() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).unwrap().map(Result::unwrap);
    let names = files.map(|file| file.file_name().into_string().unwrap());
    names
        .filter(|name| Path::new(name).extension().is_some_and(|it| it == "md") && name != RUSTDOC)
        .map(|name| {
            let text = fs::read_to_string(folder().join(&name)).unwrap();
            (name, without_code(&text))
        })
        .collect()
}

fn without_code(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the links that are defined at the end of a page: `[label]: target`.
fn definitions(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix('['));
    let defined = lines.filter_map(|line| line.split_once("]: "));
    defined
        .map(|(label, target)| (label.to_owned(), target.to_owned()))
        .collect()
}

/// Returns the links of the form `[label](target)`.
fn inline_links(text: &str) -> BTreeMap<String, String> {
    let mut links = BTreeMap::new();
    for (before, after) in text.match_indices("](").map(|(at, _)| text.split_at(at)) {
        let label = before.rsplit_once('[').map_or("", |(_, label)| label);
        let target = after.trim_start_matches("](").split(')').next().unwrap();
        links.insert(label.to_owned(), target.to_owned());
    }
    links
}

/// Returns whether the target of a link exists: the file, and the heading if the link has an anchor.
fn exists(page: &str, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if file.is_empty() { page } else { file };
    let Ok(text) = fs::read_to_string(folder().join(file)) else {
        return false;
    };
    let text = without_code(&text);
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    anchor.is_empty() || headings.any(|heading| slug(heading) == anchor)
}

/// Returns the anchor of a heading.
fn slug(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let letters = words.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || "-_".contains(letter) => Some(letter),
        _ => None,
    });
    letters.collect()
}
