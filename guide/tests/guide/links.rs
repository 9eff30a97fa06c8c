//! The links of the guide, the README and the other documentation lead somewhere.

use std::path::{Path, PathBuf};

use odm_guide::{anchors, chapters, links, read, root};

fn markdown_in(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|it| it == "md"))
        .collect()
}

/// Returns the reason why a link is broken.
fn broken(file: &Path, link: &str) -> Option<&'static str> {
    if link.starts_with("https://") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => file.to_owned(),
        path => file.with_file_name("").join(path),
    };
    let Ok(target) = target.canonicalize() else {
        return Some("there is no such file");
    };
    let chapters = chapters().canonicalize().unwrap();
    if file.starts_with(&chapters) && !target.starts_with(&chapters) {
        return Some("the built book does not contain this file");
    }
    let known = anchor.is_empty() || anchors(&read(&target)).iter().any(|it| it == anchor);
    (!known).then_some("there is no such heading")
}

#[test]
fn each_link_leads_to_a_file_and_a_heading() {
    let folders = [root(), root().join("docs"), chapters()];
    let files: Vec<PathBuf> = folders.iter().flat_map(|it| markdown_in(it)).collect();
    assert!(files.len() > 20, "{files:?}");
    let mut errors = Vec::new();
    for file in files {
        let file = file.canonicalize().unwrap();
        for link in links(&read(&file)) {
            let error = broken(&file, &link);
            errors.extend(error.map(|error| format!("{}: {link}: {error}", file.display())));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn a_link_to_nowhere_is_reported() {
    let readme = root().join("README.md").canonicalize().unwrap();
    let chapter = chapters().join("SUMMARY.md").canonicalize().unwrap();
    assert_eq!(broken(&readme, "docs/glossary.md#models"), None);
    assert!(broken(&readme, "docs/nowhere.md").is_some());
    assert!(broken(&readme, "docs/glossary.md#nowhere").is_some());
    assert!(broken(&chapter, "../../glossary.md").is_some());
}
