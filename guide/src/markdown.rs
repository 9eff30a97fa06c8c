//! The parts of Markdown that the tests need: code blocks, headings and links.

use std::ops::Range;

/// A fenced code block.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The word after the opening fence.
    pub language: &'a str,
    /// The lines between the fences.
    pub text: &'a str,
    /// The position of the text in the file, in bytes.
    pub range: Range<usize>,
    /// The line number of the opening fence.
    pub line: usize,
}

/// Returns all fenced code blocks.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize, usize)> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if let Some(fence) = line.trim_end().strip_prefix("```") {
            open = match open {
                None => Some((fence, at + line.len(), number + 1)),
                Some((language, from, line)) => {
                    found.push(Block {
                        language,
                        text: text.get(from..at).unwrap_or_default(),
                        range: from..at,
                        line,
                    });
                    None
                }
            };
        }
        at += line.len();
    }
    found
}

/// Returns the text without its code blocks and without code in backticks.
fn prose(text: &str) -> String {
    let mut prose = text.to_owned();
    for block in blocks(text).iter().rev() {
        prose.replace_range(block.range.clone(), "");
    }
    let spans = prose.split('`').step_by(2);
    spans.collect::<Vec<_>>().join("code")
}

/// Returns the targets of all links and pictures: `[text](target)`, `src="target"` and `href="target"`.
#[must_use]
pub fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = |start: &str, end: char| -> Vec<String> {
        let parts = prose.split(start).skip(1);
        let targets = parts.filter_map(|part| part.split(end).next());
        targets.map(str::to_owned).collect()
    };
    let mut all = targets("](", ')');
    all.extend(targets("src=\"", '"'));
    all.extend(targets("href=\"", '"'));
    all
}

/// Returns the anchors of all headings, as repository browsers and mdBook generate them.
#[must_use]
pub fn anchors(text: &str) -> Vec<String> {
    let mut prose = text.to_owned();
    for block in blocks(text).iter().rev() {
        prose.replace_range(block.range.clone(), "");
    }
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    kept.chars()
        .filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'))
        .map(|it| if it == ' ' { '-' } else { it })
        .collect()
}
