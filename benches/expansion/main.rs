//! Measures how long `cargo check` takes for a hundred models that have ten fields and four
//! relations each, compared with the same structs with only serde.
//!
//! Both variants are crates in a temporary folder. They have the same dependencies, which are
//! checked first. Then a source file is touched, and only the crate is checked again. The two
//! checks are repeated several times in turn, and the medians are used. The CPU time of cargo and
//! of all its child processes is also measured, because it hardly depends on other load.

use std::{
    fmt::{self, Write as _},
    fs,
    path::Path,
    time::Instant,
};

use odm_benches::{
    Result,
    krate::{cargo, krate, target},
    measure::{children_cpu, median},
};

const MODELS: u32 = 100;
const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let models = match std::env::args().nth(1) {
        Some(number) => number
            .parse()
            .map_err(|_| "the argument is the number of models")?,
        None => MODELS,
    };
    let folder = tempfile::tempdir()?;
    let source = |derived| source(models, derived);
    let with = krate(folder.path(), "with_models", ("src/lib.rs", &source(true)))?;
    let without = krate(folder.path(), "with_serde", ("src/lib.rs", &source(false)))?;
    let target = target()?;
    println!("checking the dependencies");
    check(&with, &target)?;
    check(&without, &target)?;
    let (mut models_took, mut serde_took) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        models_took.push(check(&with, &target)?);
        serde_took.push(check(&without, &target)?);
    }
    let (with, without) = (Seconds::median(&models_took), Seconds::median(&serde_took));
    println!("{models} models of ten fields with four relations: {with}");
    println!("the same structs with serde alone: {without}");
    println!(
        "a model: {:.1} ms of CPU",
        (with.cpu - without.cpu) * 1_000.0 / f64::from(models.max(1))
    );
    Ok(())
}

/// The duration of a check, as elapsed time and as CPU time.
#[derive(Clone, Copy)]
struct Seconds {
    clock: f64,
    cpu: f64,
}

impl Seconds {
    fn median(all: &[Self]) -> Self {
        Self {
            clock: median(all.iter().map(|took| took.clock)),
            cpu: median(all.iter().map(|took| took.cpu)),
        }
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} s, {:.2} s of CPU", self.clock, self.cpu)
    }
}

/// Touches the crate and checks it again.
fn check(krate: &Path, target: &Path) -> Result<Seconds> {
    let source = krate.join("src/lib.rs");
    fs::write(&source, fs::read(&source)?)?;
    let (begin, cpu) = (Instant::now(), children_cpu());
    cargo(krate, target, &["check"])?;
    Ok(Seconds {
        clock: begin.elapsed().as_secs_f64(),
        cpu: (children_cpu() - cpu) / 1_000.0,
    })
}

/// Returns the source of models that form a ring. Each model refers to the next three models, and
/// is the parent of the previous one.
fn source(models: u32, derived: bool) -> String {
    let mut source = "#![allow(dead_code)]\nuse mongo_odm::prelude::*;\n".to_owned();
    for number in 0..models {
        let next = |step: u32| (number + step) % models.max(1);
        let attribute = |text: &str| {
            if derived {
                format!("    {text}\n")
            } else {
                String::new()
            }
        };
        let head = if derived {
            format!(
                "#[derive(Clone, Debug, Serialize, Deserialize, Model)]\n\
                 #[model(collection = \"model{number}\", has_many(children = \"Model{}.parent\"))]\n",
                next(models.max(1) - 1)
            )
        } else {
            "#[derive(Clone, Debug, Serialize, Deserialize)]\n".to_owned()
        };
        let _ = write!(
            source,
            "{head}pub struct Model{number} {{\n\
             \x20   #[serde(rename = \"_id\")]\n    pub id: Id<Model{number}>,\n\
             \x20   pub name: String,\n\
             {}    pub number: i64,\n\
             \x20   pub price: f64,\n\
             \x20   pub made: DateTime,\n\
             \x20   pub active: bool,\n\
             \x20   pub notes: Option<String>,\n\
             {}    pub parent: Id<Model{}>,\n\
             {}    pub owner: Option<Id<Model{}>>,\n\
             {}    pub parts: Vec<Id<Model{}>>,\n\
             }}\n",
            attribute("#[index]"),
            attribute("#[parent_ref]"),
            next(1),
            attribute("#[refs(one)]"),
            next(2),
            attribute("#[refs(many)]"),
            next(3),
        );
    }
    source
}
