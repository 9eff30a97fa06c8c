//! How long `cargo check` takes for models: a hundred of ten fields with four relations each,
//! against the same structs with serde alone.
//!
//! Both are crates in a temporary folder with the same dependencies, which are checked first. Then
//! a source file is touched and the crate alone is checked again, several times, in turn; the median
//! counts. CPU time, of cargo and of all that it starts, says the same on a busy machine.

use std::{
    fmt::{self, Write as _},
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use odm_benches::{
    Result,
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
    let with = krate(folder.path(), "with_models", &source(models, true))?;
    let without = krate(folder.path(), "with_serde", &source(models, false))?;
    // Kept from run to run: the dependencies are checked once.
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => workspace()?.join("target"),
    };
    let target = std::path::absolute(target.join("expansion"))?;
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

/// How long a check took, on the clock and of the processor.
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

/// Writes a crate that depends on the library of this workspace.
fn krate(folder: &Path, name: &str, source: &str) -> Result<PathBuf> {
    let workspace = workspace()?;
    let krate = folder.join(name);
    fs::create_dir_all(krate.join("src"))?;
    fs::copy(workspace.join("Cargo.lock"), krate.join("Cargo.lock"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [workspace]\n\
         [dependencies]\nmongo-odm = {{ path = '{}' }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n",
        workspace.join("odm").display()
    );
    fs::write(krate.join("Cargo.toml"), manifest)?;
    fs::write(krate.join("src/lib.rs"), source)?;
    Ok(krate)
}

fn workspace() -> Result<&'static Path> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("no workspace")?)
}

/// Checks the crate anew.
fn check(krate: &Path, target: &Path) -> Result<Seconds> {
    let source = krate.join("src/lib.rs");
    fs::write(&source, fs::read(&source)?)?;
    let (begin, cpu) = (Instant::now(), children_cpu());
    let status = Command::new(env!("CARGO"))
        .args(["check", "--quiet"])
        .current_dir(krate)
        .env("CARGO_TARGET_DIR", target)
        // A cache of the last check would make the next one a comparison.
        .env("CARGO_INCREMENTAL", "0")
        .status()?;
    if status.success() {
        Ok(Seconds {
            clock: begin.elapsed().as_secs_f64(),
            cpu: (children_cpu() - cpu) / 1_000.0,
        })
    } else {
        Err("it does not compile".into())
    }
}

/// Models in a ring: each refers to the next three, and is the parent of the last.
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
