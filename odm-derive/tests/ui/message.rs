//! Messages of the compiler, without the parts that differ between machines or change with each line of the library.

use std::path::Path;

/// Returns the messages about a program, in the form in which the fixture's file contains them:
///
/// 1. Paths are relative to this package, or start with `$DIR`, `$WORKSPACE`, `$CARGO` or `$RUST`.
/// 2. Lines of other files have no numbers. The margin is as wide as the remaining numbers.
/// 3. The summary at the end is removed.
/// 4. Suggestions to use a private trait of another package are removed, because the features of the build determine
///    which packages the compiler finds.
pub(crate) fn normalized(messages: &str, program: &Path) -> String {
    let summary = messages.find("\nerror: aborting due to ");
    let (messages, _) = messages.split_at(summary.unwrap_or(messages.len()));
    let messages = messages.trim_end().split("\n\n");
    let messages: Vec<String> = messages.map(|text| message(text, program)).collect();
    messages.join("\n\n") + "\n"
}

fn message(text: &str, program: &Path) -> String {
    let mut file = File::Program;
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some((_, position)) = position(line) {
            file = File::of(position, program);
        } else if !is_excerpt(line) {
            file = File::Program;
        }
        lines.extend(file.line(line));
    }
    let lines = without_private_traits(lines);
    let margin = superfluous_margin(&lines);
    let lines = lines
        .iter()
        .map(|line| with_local_paths(&narrowed(line, margin)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Removes suggestions of a bound `Sealed`, each with the line of marks below it.
fn without_private_traits(lines: Vec<String>) -> Vec<String> {
    let mut kept = Vec::with_capacity(lines.len());
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next() {
        let is_marked = lines.peek().is_some_and(|next| next.contains("++++"));
        if is_marked && line.contains("::Sealed") {
            lines.next();
        } else {
            kept.push(line);
        }
    }
    kept
}

/// Returns the arrow and the position (`file:line:column`) in a line that starts an excerpt.
fn position(line: &str) -> Option<(&str, &str)> {
    let parts = line.split_at_checked(indentation(line) + 4);
    parts.filter(|(arrow, _)| matches!(arrow.trim_start(), "--> " | "::: "))
}

/// Returns whether a line belongs to an excerpt: `10 | text`, `   | ^^^^`, or `...`.
fn is_excerpt(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with(|letter: char| matches!(letter, '0'..='9' | '|' | '.'))
}

/// The kind of file in an excerpt.
#[derive(Clone, Copy)]
enum File {
    Program,
    /// The toolchain may lack the source of the standard library, so the compiler shows such excerpts only on some
    /// machines.
    StandardLibrary,
    Other,
}

impl File {
    fn of(position: &str, program: &Path) -> Self {
        if position.starts_with(&*program.to_string_lossy()) {
            Self::Program
        } else if other_file(position).starts_with("$RUST/") {
            Self::StandardLibrary
        } else {
            Self::Other
        }
    }

    fn line(self, line: &str) -> Option<String> {
        match (self, position(line)) {
            (Self::Program, _) => Some(line.to_owned()),
            (Self::StandardLibrary, None) => None,
            (Self::StandardLibrary, Some((arrow, _))) if arrow.ends_with("::: ") => None,
            (_, Some((arrow, position))) => Some(format!("{arrow}{}", other_file(position))),
            (Self::Other, None) => Some(without_number(line)),
        }
    }
}

/// Returns the normalized path of a file other than the program. The compiler shows files of the workspace with paths
/// relative to it.
fn other_file(position: &str) -> String {
    let file = position.trim_end_matches(|letter: char| letter == ':' || letter.is_ascii_digit());
    if Path::new(file).is_relative() {
        return format!("$WORKSPACE/{file}");
    }
    standard_library_file(file)
        .or_else(|| registry_file(file))
        .unwrap_or_else(|| file.to_owned())
}

/// Returns the normalized path of a file of the standard library. If the toolchain lacks the source, `file` starts with
/// `/rustc/` and a hash.
fn standard_library_file(file: &str) -> Option<String> {
    let (folder, file) = file.rsplit_once("/library/")?;
    let is_rust = folder.starts_with("/rustc/") || folder.ends_with("/rustlib/src/rust");
    is_rust.then(|| format!("$RUST/{file}"))
}

fn registry_file(file: &str) -> Option<String> {
    let (_, file) = file.split_once("/registry/src/")?;
    let (_registry, file) = file.split_once('/')?;
    let (package, file) = file.split_once('/')?;
    let (name, _version) = package.rsplit_once('-')?;
    Some(format!("$CARGO/{name}-$VERSION/{file}"))
}

/// Replaces the line number by spaces: `10 | text` becomes `   | text`.
fn without_number(line: &str) -> String {
    let text = without_digits(line.trim_start());
    " ".repeat(line.len() - text.len()) + text
}

fn without_digits(text: &str) -> &str {
    text.trim_start_matches(|letter: char| letter.is_ascii_digit())
}

/// Returns how much narrower the margin can be without the line numbers that were removed.
fn superfluous_margin(lines: &[String]) -> usize {
    let has_number = |line: &&String| {
        line.trim_start()
            .starts_with(|letter: char| letter.is_ascii_digit())
    };
    let numbered = lines
        .iter()
        .filter(has_number)
        .map(|line| indentation(line));
    let arrow = lines.iter().find(|line| position(line).is_some());
    numbered
        .min()
        .unwrap_or_else(|| arrow.map_or(0, |line| indentation(line) - 1))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Removes indentation from a line. Text below a note without a margin must have the same indentation in all messages.
fn narrowed(line: &str, by: usize) -> String {
    if let Some(rest) = line.strip_prefix("... ") {
        return format!("... {}", rest.get(by..).unwrap_or_default());
    }
    let text = without_digits(line.trim_start());
    let marks = ["|", "-->", ":::", "=", " |", " + ", " - ", " ~ "];
    let has_margin = marks.into_iter().any(|mark| text.starts_with(mark));
    let by = if has_margin || indentation(line) > 9 {
        by
    } else {
        0
    };
    line.get(by..).unwrap_or_default().to_owned()
}

fn with_local_paths(line: &str) -> String {
    let package = env!("CARGO_MANIFEST_DIR");
    let workspace = Path::new(package).parent().unwrap().to_string_lossy();
    line.replace(&format!("--> {package}/"), "--> ")
        .replace(package, "$DIR")
        .replace(&*workspace, "$WORKSPACE")
}

#[test]
fn other_files_are_named_without_their_folders() {
    let cases = [
        ("odm/src/model.rs:7:12", "$WORKSPACE/odm/src/model.rs"),
        (
            "/rustc/59807616e1fa/library/core/src/any.rs:140:1",
            "$RUST/core/src/any.rs",
        ),
        (
            "/home/me/.rustup/lib/rustlib/src/rust/library/std/src/fs.rs:1:1",
            "$RUST/std/src/fs.rs",
        ),
        (
            "/home/me/.cargo/registry/src/index-1949/serde_json-1.0.1/src/de.rs:5:8",
            "$CARGO/serde_json-$VERSION/src/de.rs",
        ),
        ("/my/library/lib.rs:1:1", "/my/library/lib.rs"),
    ];
    for (position, expected) in cases {
        assert_eq!(other_file(position), expected);
    }
}

#[test]
fn messages_do_not_depend_on_the_source_of_the_standard_library() {
    let messages = "\
error: no
   --> /p.rs:9:1
    |
  9 | a
    | ^
    |
   ::: /rustc/59807616e1fa/library/alloc/src/string.rs:360:1
    |
360 | pub struct String {
    | -----------------
    |
    = note: `String`
note: required
   --> /rustc/59807616e1fa/library/core/src/any.rs:140:1
    |
140 | pub trait Any
    | ^^^
";
    let expected = "\
error: no
 --> /p.rs:9:1
  |
9 | a
  | ^
  |
  = note: `String`
note: required
 --> $RUST/core/src/any.rs
";
    assert_eq!(normalized(messages, Path::new("/p.rs")), expected);
}

#[test]
fn private_traits_of_other_packages_are_not_suggested() {
    let messages = "\
error: no
 --> /p.rs:5:1
  |
5 | fn all<T: Serialize + http::map::Sealed>()
  |                     +++++++++++++++++++
5 | fn all<T: Serialize + mongo_odm::Documents>()
  |                     ++++++++++++++++++++++
";
    let expected = "\
error: no
 --> /p.rs:5:1
  |
5 | fn all<T: Serialize + mongo_odm::Documents>()
  |                     ++++++++++++++++++++++
";
    assert_eq!(normalized(messages, Path::new("/p.rs")), expected);
}

#[test]
fn a_library_of_many_lines_does_not_widen_the_margin() {
    let messages = "\
error: no
    --> /p.rs:9:1
     |
   9 | / a
...    |
  12 | | b
note: required
    --> odm/src/model.rs:1040:7
     |
1040 |   pub
     |   ^^^

error: aborting due to 1 previous error
";
    let expected = "\
error: no
  --> /p.rs:9:1
   |
 9 | / a
...  |
12 | | b
note: required
  --> $WORKSPACE/odm/src/model.rs
   |
   |   pub
   |   ^^^
";
    assert_eq!(normalized(messages, Path::new("/p.rs")), expected);
}
