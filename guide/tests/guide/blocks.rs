//! Each block of code in a chapter is in its program.

use odm_guide::{Block, blocks, chapters, program, read};

/// Returns the names of the chapters in the order of the summary.
fn names() -> Vec<String> {
    let summary = read(&chapters().join("SUMMARY.md"));
    let files = odm_guide::links(&summary).into_iter();
    files
        .filter_map(|file| file.strip_suffix(".md").map(str::to_owned))
        .collect()
}

#[test]
fn the_summary_lists_each_chapter() {
    let mut files: Vec<String> = std::fs::read_dir(chapters())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|file| file.strip_suffix(".md").map(str::to_owned))
        .filter(|name| name != "SUMMARY")
        .collect();
    files.sort();
    let mut names = names();
    names.sort();
    assert_eq!(names, files);
}

#[test]
fn each_chapter_with_code_has_a_program_that_runs_it() {
    let main = read(&program("main"));
    for name in names() {
        let text = read(&chapters().join(format!("{name}.md")));
        let all = blocks(&text);
        for block in &all {
            let known = ["rust", "js", "json", "text", "sh", "toml"].contains(&block.language);
            assert!(known, "{name}.md:{}: which language?", block.line);
        }
        let checked: Vec<_> = all
            .iter()
            .filter(|block| !["sh", "toml"].contains(&block.language))
            .collect();
        if checked.is_empty() {
            continue;
        }
        let code = read(&program(&name));
        assert!(code.contains(&format!("run(\"{name}\"")), "{name}");
        let file = format!("#[path = \"{}.rs\"]", name.replace('-', "_"));
        assert!(main.contains(&file), "tests/guide/main.rs lacks {file}");
        for block in checked.iter().filter(|block| block.language == "rust") {
            assert!(
                contains(&code, block),
                "{name}.md:{}: the program does not contain this block:\n{}",
                block.line,
                block.text
            );
        }
    }
}

/// Whether the lines of a block are in a program, with any common indentation.
fn contains(code: &str, block: &Block<'_>) -> bool {
    let wanted: Vec<&str> = block.text.lines().collect();
    let wanted = dedented(&wanted);
    let lines: Vec<&str> = code.lines().collect();
    !wanted.is_empty()
        && lines
            .windows(wanted.len())
            .any(|window| dedented(window) == wanted)
}

fn dedented<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let indent = |line: &&&str| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let least = filled.map(|line| indent(&line)).min().unwrap_or_default();
    let dedent = lines.iter().map(|line| line.get(least..).unwrap_or(""));
    dedent.collect()
}

#[test]
fn a_block_is_found_only_if_all_of_its_lines_follow_each_other() {
    let code = "fn a() {\n    if b {\n        c();\n    }\n    d();\n}\n";
    let found = |text| {
        let text = format!("```rust\n{text}```\n");
        blocks(&text).iter().all(|block| contains(code, block))
    };
    assert!(found("if b {\n    c();\n}\n"));
    assert!(found("d();\n"));
    assert!(!found("if b {\n    c();\n}\nd()\n"));
    assert!(!found("c();\nd();\n"));
    assert!(!found("if b {\nc();\n}\n"));
}
