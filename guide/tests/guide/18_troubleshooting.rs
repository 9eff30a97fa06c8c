//! Chapter 18: one entry for each error code.

use std::collections::BTreeSet;

use odm_guide::{anchors, chapters, read, root};

#[test]
fn each_code_has_an_entry() {
    let source = read(&root().join("odm/src/error/kind.rs"));
    let codes = source.lines().filter(|line| line.contains("=> \"odm."));
    let codes: BTreeSet<&str> = codes.filter_map(|line| line.split('"').nth(1)).collect();
    assert!(codes.len() >= 29, "{codes:?}");
    let text = read(&chapters().join("18-troubleshooting.md"));
    let entries: BTreeSet<String> = anchors(&text).into_iter().collect();
    for code in codes {
        let anchor = code.replace('.', "");
        assert!(entries.contains(&anchor), "{code} has no entry");
    }
}
