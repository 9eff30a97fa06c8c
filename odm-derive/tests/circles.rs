//! Dependencies have one direction: between the files of the derive, of the test kit and of the tools, and between the
//! houses of the library, which `ARCHITECTURE.md` lists in their order.
//!
//! A file needs each file that a path in it leads to. `pub use` needs nothing: it passes a name on,
//! and a path to that name leads to the file that has it.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::{TokenStream, TokenTree};

/// The path of a module, starting at the root of its crate.
type Module = Vec<String>;

/// The paths in a file.
#[derive(Default)]
struct Paths {
    imported: Vec<Module>,
    passed_on: Vec<Module>,
    inline: Vec<Module>,
}

/// The purpose of a path.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// `use`
    Import,
    /// `pub use`
    PassOn,
    Inline,
}

impl Paths {
    fn push(&mut self, path: Module, purpose: Purpose) {
        let paths = match purpose {
            Purpose::Import => &mut self.imported,
            Purpose::PassOn => &mut self.passed_on,
            Purpose::Inline => &mut self.inline,
        };
        paths.push(path);
    }
}

type Files = BTreeMap<Module, Paths>;

#[test]
fn no_two_files_of_the_derive_need_each_other() {
    assert_eq!(circle("src"), [""; 0]);
}

#[test]
fn no_two_files_of_the_testkit_need_each_other() {
    assert_eq!(circle("../odm-testkit/src"), [""; 0]);
}

/// The submodules of a module may use the items of the module itself, and the module may use those of its submodules.
#[test]
fn no_two_parts_of_a_module_of_the_library_need_each_other() {
    let mut modules = BTreeMap::<Option<String>, Files>::new();
    for (file, paths) in files_of("../odm/src") {
        let module = modules.entry(file.first().cloned()).or_default();
        module.insert(file, paths);
    }
    let circles = modules.values().flat_map(|files| {
        let mut arrows = arrows(files);
        arrows.retain(|(from, to)| !from.starts_with(to));
        circles_of(&arrows)
    });
    assert_eq!(circles.collect::<Vec<_>>(), [""; 0]);
}

/// The submodules of a module may use the items of the module itself, and the module may use those of its submodules.
#[test]
fn no_two_files_of_the_tools_need_each_other() {
    let files = files_of("../odm-tools/src");
    let mut arrows = arrows(&files);
    arrows.retain(|(from, to)| !from.starts_with(to));
    assert_eq!(circles_of(&arrows), [""; 0]);
}

/// With more names, the tools would depend on the library's internals.
#[test]
fn the_tools_use_few_names_that_are_not_public() {
    const FORBIDDEN: [&str; 4] = ["Exec", "FindCommand", "ExtendedReference", "graph"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../odm/src/__tools.rs");
    let source = fs::read_to_string(source).unwrap();
    let passed_on = paths(source.parse().unwrap()).passed_on;
    let names: BTreeSet<_> = passed_on.iter().filter_map(|path| path.last()).collect();
    assert!((1..=16).contains(&names.len()), "{names:?}");
    let forbidden = FORBIDDEN
        .iter()
        .filter(|name| names.contains(&(**name).to_owned()));
    assert_eq!(forbidden.count(), 0, "{names:?}");
}

#[test]
fn a_house_uses_only_the_houses_above_it() {
    let text = architecture();
    let houses = houses(&text);
    let files = files_of("../odm/src");
    let row = |house: &str| {
        let at = houses.iter().position(|names| names.contains(&house));
        at.unwrap_or_else(|| panic!("`{house}` is not in the list of ARCHITECTURE.md"))
    };
    let mut wrong = BTreeSet::new();
    // `lib` is the interface of all houses, so it may use any house.
    for (from, to) in arrows(&files) {
        let (Some(from), Some(to)) = (from.first(), to.first()) else {
            continue;
        };
        if from != to && row(to) >= row(from) {
            wrong.insert(format!("{from} -> {to}"));
        }
    }
    assert_eq!(wrong, BTreeSet::new());
    for name in houses.concat() {
        assert!(
            files.contains_key(&[name.to_owned()][..]),
            "there is no module `{name}`"
        );
    }
}

fn architecture() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap()
}

/// Lists the houses in each row of the list in `ARCHITECTURE.md`, in the order of their dependencies.
fn houses(architecture: &str) -> Vec<Vec<&str>> {
    let lines = architecture.lines();
    let section = lines.skip_while(|line| *line != "## Houses").skip(1);
    let section = section.take_while(|line| !line.starts_with('#'));
    let numbered = section.filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    numbered
        .map(|line| line.split('`').skip(1).step_by(2).collect())
        .collect()
}

#[test]
fn each_invariant_names_a_test_that_exists() {
    let text = architecture();
    let (_, section) = text.split_once("## Invariants").unwrap();
    let invariants = section.matches("Invariant: ").count();
    let tests: Vec<&str> = section
        .split("Test: `")
        .skip(1)
        .filter_map(|rest| rest.split('`').next())
        .collect();
    assert!(invariants >= 15);
    assert_eq!(tests.len(), invariants);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for folder in ["tests", "../tests"] {
        add_sources(&root.join(folder), &mut sources);
    }
    for test in tests {
        assert!(
            sources.contains(&format!("fn {test}()")),
            "no test `{test}`"
        );
    }
}

/// Adds the text of all Rust files of a folder.
fn add_sources(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_sources(&path, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            sources.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn a_circle_is_found_through_names_that_are_passed_on() {
    let file = |source: &str| paths(source.parse().unwrap());
    let name = |text: &str| vec![text.to_owned()];
    let mut files = Files::from([
        (Module::new(), file("pub use b::Name; fn f() { a::f() }")),
        (name("a"), file("use crate::{c, Name}; fn f() { c::g() }")),
        (name("b"), file("fn f() { super::a::f() }")),
        (name("c"), file("fn g() {}")),
    ]);
    assert_eq!(circle_in(&files), ["a -> b", "b -> a"]);
    files.insert(name("b"), file("mod tests { use crate::a; }"));
    assert_eq!(circle_in(&files), [""; 0]);
}

/// Lists the dependencies between files of a folder that are part of a cycle.
fn circle(folder: &str) -> Vec<String> {
    circle_in(&files_of(folder))
}

/// Reads the files of a crate.
fn files_of(folder: &str) -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Files::new();
    read(&folder, &Module::new(), &mut files);
    assert!(files.len() > 10, "{} has no files", folder.display());
    files
}

/// Lists the dependencies between files: each file, and a file that it uses.
fn arrows(files: &Files) -> BTreeSet<(&Module, Module)> {
    let mut arrows = BTreeSet::new();
    for (from, paths) in files {
        // A re-export is only a dependency if the file also uses the name itself.
        let own = |path: &&Module| {
            let first = path.last();
            paths.inline.iter().any(|inline| inline.first() == first)
        };
        let own = paths.passed_on.iter().filter(own);
        let all = paths.imported.iter().chain(&paths.inline).chain(own);
        let targets = all.filter_map(|path| resolve(files, from, path));
        arrows.extend(targets.filter(|to| to != from).map(|to| (from, to)));
    }
    arrows
}

fn circle_in(files: &Files) -> Vec<String> {
    circles_of(&arrows(files))
}

/// Lists the dependencies that are part of a cycle.
fn circles_of(arrows: &BTreeSet<(&Module, Module)>) -> Vec<String> {
    let name = |module: &Module| match &module[..] {
        [] => "lib".to_owned(),
        names => names.join("/"),
    };
    let circles = arrows
        .iter()
        .filter(|(from, to)| leads(arrows, to, from, &mut BTreeSet::new()));
    circles
        .map(|(from, to)| format!("{} -> {}", name(from), name(to)))
        .collect()
}

/// Returns whether a file depends on another, directly or indirectly, without the files that were already visited.
fn leads<'a>(
    arrows: &'a BTreeSet<(&Module, Module)>,
    from: &'a Module,
    to: &Module,
    passed: &mut BTreeSet<&'a Module>,
) -> bool {
    let next = arrows.iter().filter(|(start, _)| *start == from);
    from == to
        || passed.insert(from)
            && next
                .map(|(_, end)| end)
                .any(|end| leads(arrows, end, to, passed))
}

/// Reads the files in a folder and in its subfolders.
fn read(folder: &Path, parent: &Module, files: &mut Files) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut module = parent.clone();
        if !(parent.is_empty() && name == "lib") {
            module.push(name);
        }
        if path.is_dir() {
            read(&path, &module, files);
        } else if path.extension().is_some_and(|end| end == "rs") && module != ["tests"] {
            let source = fs::read_to_string(&path).unwrap();
            files.insert(module, paths(source.parse().unwrap()));
        }
    }
}

fn paths(tokens: TokenStream) -> Paths {
    let mut paths = Paths::default();
    collect(tokens, &[], Purpose::Inline, &mut paths);
    paths
}

/// Collects the paths in tokens. Inside the braces of a `use`, each path begins with `prefix`.
fn collect(tokens: TokenStream, prefix: &[String], around: Purpose, paths: &mut Paths) {
    let mut tokens = tokens.into_iter().peekable();
    let (mut path, mut purpose, mut public) = (prefix.to_vec(), around, false);
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "pub" => public = true,
            TokenTree::Ident(word) if word == "use" && public => purpose = Purpose::PassOn,
            TokenTree::Ident(word) if word == "use" => purpose = Purpose::Import,
            // Tests may use everything.
            TokenTree::Ident(word) if word == "mod" => {
                public = false;
                drop((tokens.next(), tokens.next()));
            }
            TokenTree::Ident(word) => {
                public = false;
                if word != "self" || path.is_empty() {
                    path.push(word.to_string());
                }
                if !matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == ':') {
                    paths.push(std::mem::replace(&mut path, prefix.to_vec()), purpose);
                }
            }
            TokenTree::Group(group) => {
                let inner = match purpose {
                    Purpose::Inline => &[],
                    Purpose::Import | Purpose::PassOn => &path[..],
                };
                collect(group.stream(), inner, purpose, paths);
                path = prefix.to_vec();
            }
            TokenTree::Punct(mark) if mark.as_char() == ':' => {}
            TokenTree::Punct(mark) => {
                path = prefix.to_vec();
                if mark.as_char() == ';' {
                    (purpose, public) = (around, false);
                }
            }
            TokenTree::Literal(_) => {}
        }
    }
}

/// Returns the file that contains the item of a path, if the path belongs to the crate.
fn resolve(files: &Files, from: &Module, path: &[String]) -> Option<Module> {
    let mut module = from.clone();
    let mut names = path.iter().peekable();
    if path.len() < 2 {
        return None;
    }
    match names.peek()?.as_str() {
        "crate" => module.clear(),
        "self" => {}
        "super" => {
            while names.next_if(|name| *name == "super").is_some() {
                module.pop();
            }
            return below(files, module, names.cloned().collect());
        }
        first if is_file(files, &module, first) => {
            return below(files, module, path.to_vec());
        }
        _ => return None,
    }
    names.next();
    below(files, module, names.cloned().collect())
}

fn is_file(files: &Files, module: &Module, name: &str) -> bool {
    files.contains_key(&[&module[..], &[name.to_owned()]].concat())
}

fn below(files: &Files, mut module: Module, names: Vec<String>) -> Option<Module> {
    let mut names = names.into_iter().peekable();
    while let Some(name) = names.next_if(|name| is_file(files, &module, name)) {
        module.push(name);
    }
    let Some(name) = names.next() else {
        return Some(module);
    };
    let paths = files.get(&module)?;
    let mut seen = paths.imported.iter().chain(&paths.passed_on);
    let from = seen.find(|path| path.last() == Some(&name));
    let elsewhere = from.and_then(|path| resolve(files, &module, path));
    Some(elsewhere.unwrap_or(module))
}
