//! What a program of ten models costs to build: lines of LLVM IR before optimisation, and the time of an
//! optimised build of the program alone, its dependencies built before; against the same program with the
//! driver and serde alone.
//!
//! Lines of LLVM IR are what the compiler is given to optimise: the number is the same in every run.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use odm_benches::{
    Result,
    krate::{cargo, krate, target},
    measure::{children_cpu, median},
};

/// Each has two models.
const PARTS: usize = 5;
const ROUNDS: usize = 3;

/// The lines of a program may be as many as this, for each line of the same with the driver alone.
const LIMIT: f64 = 1.4;

fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let target = target()?;
    let library = program(
        folder.path(),
        "with_library",
        include_str!("library.rs.in"),
        "mongo_odm::Odm::connect(&uri).await?",
    )?;
    let hand = program(
        folder.path(),
        "by_hand",
        include_str!("hand.rs.in"),
        "mongo_odm::mongodb::Client::with_uri_str(&uri).await?.database(\"test\")",
    )?;
    println!("building the dependencies");
    let mut programs = [
        Program::of("the library", library, "with_library", &target)?,
        Program::of("the driver alone", hand, "by_hand", &target)?,
    ];
    for round in 0..=ROUNDS {
        for program in &mut programs {
            let took = build(&program.krate, &target)?;
            // The first builds what is missing.
            if round > 0 {
                program.took.push(took);
            }
        }
    }
    println!("| | lines of LLVM IR | CPU of an optimised build | on the clock |");
    println!("|---|---|---|---|");
    for Program {
        title, lines, took, ..
    } in &programs
    {
        let cpu = median(took.iter().map(|took| took.0));
        let clock = median(took.iter().map(|took| took.1));
        println!("| {title} | {lines} | {cpu:.1} s | {clock:.1} s |");
    }
    let [library, hand] = programs.map(|program| f64::from(program.lines));
    println!("{:.2} of the lines, {LIMIT} at most", library / hand);
    Ok(())
}

/// A program, what the compiler makes of it, and how long its builds took: CPU and clock.
struct Program {
    title: &'static str,
    krate: PathBuf,
    lines: u32,
    took: Vec<(f64, f64)>,
}

impl Program {
    fn of(title: &'static str, krate: PathBuf, name: &str, target: &Path) -> Result<Self> {
        let lines = lines(&krate, name, target)?;
        Ok(Self {
            title,
            krate,
            lines: lines.try_into()?,
            took: Vec::new(),
        })
    }
}

/// Writes a program of all parts, with what connects to the server.
fn program(folder: &Path, name: &str, part: &str, connect: &str) -> Result<PathBuf> {
    let (mut parts, mut calls) = (String::new(), String::new());
    for number in 1..=PARTS {
        let part = part.replace("part_N", &format!("part_{number}"));
        parts += &part.replace("_N", &format!("_{number}"));
        writeln!(calls, "    sum += part_{number}::work(&database).await?;")?;
    }
    let main = format!(
        "#[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         let uri = std::env::args().nth(1).unwrap_or_default();\n    \
         let database = {connect};\n    let mut sum = 0;\n{calls}    println!(\"{{sum}}\");\n    Ok(())\n}}\n"
    );
    krate(folder, name, ("src/main.rs", &(main + &parts)))
}

/// Counts the lines that the compiler writes for LLVM.
fn lines(krate: &Path, name: &str, target: &Path) -> Result<usize> {
    let arguments = [
        "rustc",
        "--release",
        "--",
        "--emit=llvm-ir",
        "-Cno-prepopulate-passes",
        "-Ccodegen-units=1",
    ];
    touch(krate)?;
    cargo(krate, target, &arguments)?;
    let folder = target.join("release/deps");
    let mut lines = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if file.starts_with(&format!("{name}-")) && file.ends_with(".ll") {
            lines = fs::read(&path)?.split(|&byte| byte == b'\n').count();
            fs::remove_file(&path)?;
        }
    }
    Ok(lines)
}

/// Builds a program, its dependencies being there; returns seconds of CPU and of the clock.
fn build(krate: &Path, target: &Path) -> Result<(f64, f64)> {
    touch(krate)?;
    let (begin, cpu) = (Instant::now(), children_cpu());
    cargo(krate, target, &["build", "--release"])?;
    Ok((
        (children_cpu() - cpu) / 1_000.0,
        begin.elapsed().as_secs_f64(),
    ))
}

fn touch(krate: &Path) -> Result<()> {
    let source = krate.join("src/main.rs");
    Ok(fs::write(&source, fs::read(&source)?)?)
}
