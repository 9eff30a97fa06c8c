//! Measures the lines of LLVM IR of a program, and the time that the compiler needs.

use std::{fmt, fs, ops::Sub, path::Path};

use odm_benches::{
    Result,
    krate::cargo,
    measure::{children_cpu, median},
};

use crate::source::Program;

/// The cost of building a program: lines of LLVM IR, and seconds of CPU time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) lines: f64,
    pub(crate) optimised: f64,
    pub(crate) debug: f64,
    pub(crate) check: f64,
}

impl Sub for Cost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            lines: self.lines - other.lines,
            optimised: self.optimised - other.optimised,
            debug: self.debug - other.debug,
            check: self.check - other.check,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            lines,
            optimised,
            debug,
            check,
        } = self;
        write!(
            f,
            "{lines} | {optimised:.1} s | {debug:.1} s | {check:.2} s"
        )
    }
}

/// The cargo commands that are measured.
const BUILDS: [&[&str]; 3] = [&["build", "--release"], &["build"], &["check"]];

/// Counts the lines of all programs, and builds the programs in turn.
pub(crate) fn costs(programs: &[Program], target: &Path, rounds: usize) -> Result<Vec<Cost>> {
    println!("building the dependencies");
    for arguments in BUILDS {
        for program in programs {
            build(program, arguments, target)?;
        }
    }
    let mut took = vec![[const { Vec::new() }; BUILDS.len()]; programs.len()];
    for _ in 0..rounds {
        for (program, took) in programs.iter().zip(&mut took) {
            for (arguments, took) in BUILDS.iter().zip(took) {
                took.push(build(program, arguments, target)?);
            }
        }
    }
    let mut costs = Vec::new();
    for (program, took) in programs.iter().zip(took) {
        let lines = u32::try_from(lines(program, target)?)?;
        let [optimised, debug, check] = took.map(median);
        costs.push(Cost {
            lines: lines.into(),
            optimised,
            debug,
            check,
        });
    }
    Ok(costs)
}

/// Returns the number of lines of LLVM IR that the compiler generates.
fn lines(program: &Program, target: &Path) -> Result<usize> {
    let arguments = [
        "rustc",
        "--release",
        "--",
        "--emit=llvm-ir",
        "-Cno-prepopulate-passes",
        "-Ccodegen-units=1",
    ];
    touch(&program.krate)?;
    cargo(&program.krate, target, &arguments)?;
    let mut lines = 0;
    for entry in fs::read_dir(target.join("release/deps"))? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if file.starts_with(&format!("{}-", program.name)) && file.ends_with(".ll") {
            lines = fs::read(&path)?.split(|&byte| byte == b'\n').count();
            fs::remove_file(&path)?;
        }
    }
    Ok(lines)
}

/// Builds a program and returns the seconds of CPU time. The dependencies must already be built.
fn build(program: &Program, arguments: &[&str], target: &Path) -> Result<f64> {
    touch(&program.krate)?;
    let before = children_cpu();
    cargo(&program.krate, target, arguments)?;
    Ok((children_cpu() - before) / 1_000.0)
}

fn touch(krate: &Path) -> Result<()> {
    let source = krate.join("src/main.rs");
    Ok(fs::write(&source, fs::read(&source)?)?)
}
