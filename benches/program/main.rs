//! Measures the cost of building a program that uses models, compared with the same program that uses only the driver
//! and serde. The cost consists of the number of lines of LLVM IR before optimisation, and the CPU times of an
//! optimised build, a debug build and a check. The dependencies are built in advance.
//!
//! The lines of LLVM IR are the input of the optimiser, and their number is the same in every run. Programs that have
//! no model, one model and ten models show the cost of the first model and of each further one.

mod cost;
mod source;

use cost::{Cost, costs};
use odm_benches::{Result, krate::target};
use source::{FEW_CALLS, MANY_CALLS, Program, Side, Workload};

/// Number of times that each program is built. The median is used.
const ROUNDS: usize = 3;

/// Largest ratio of the library's lines to those with only the driver, and of the CPU times of the optimised builds.
const LIMIT: f64 = 1.4;

/// Number of milliseconds by which `cargo check` may be slower for each model.
const CHECK_LIMIT: f64 = 20.0;

fn main() -> Result<()> {
    let rounds = match std::env::args().nth(1) {
        Some(number) => number
            .parse()
            .map_err(|_| "the argument is the number of rounds")?,
        None => ROUNDS,
    };
    let folder = tempfile::tempdir()?;
    let target = target()?;
    let mut programs = Vec::new();
    for (workload, models) in [
        (FEW_CALLS, 0),
        (FEW_CALLS, 1),
        (FEW_CALLS, 10),
        (MANY_CALLS, 10),
    ] {
        for side in [Side::Library, Side::Hand] {
            programs.push(Program::written(folder.path(), workload, models, side)?);
        }
    }
    let costs = costs(&programs, &target, rounds)?;
    println!(
        "| | models | | lines of LLVM IR | CPU of an optimised build | of a debug build | of `cargo check` |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (program, cost) in programs.iter().zip(&costs) {
        let Program {
            workload,
            models,
            side,
            ..
        } = program;
        println!("| {} | {models} | {side} | {cost} |", workload.title);
    }
    let of = |workload: Workload, models, side| {
        let programs = programs.iter().zip(&costs);
        let mut found = programs.filter(|(program, _)| program.is(workload, models, side));
        found.next().map(|(_, cost)| *cost).unwrap_or_default()
    };
    for workload in [FEW_CALLS, MANY_CALLS] {
        let sides = [Side::Library, Side::Hand].map(|side| of(workload, 10, side));
        compare(workload, sides);
    }
    let more = |side| of(FEW_CALLS, 10, side) - of(FEW_CALLS, 0, side);
    let (library, hand) = (more(Side::Library), more(Side::Hand));
    println!(
        "a model is {:.0} lines, {:.0} by hand; `cargo check` takes {:.1} ms more for it, {CHECK_LIMIT} at most",
        library.lines / 10.0,
        hand.lines / 10.0,
        (library.check - hand.check) * 1_000.0 / 10.0
    );
    Ok(())
}

/// Prints the ratio of the library's cost to the cost of the hand-written code.
fn compare(workload: Workload, [library, hand]: [Cost; 2]) {
    println!(
        "{}: {:.2} of the lines and {:.2} of the CPU of an optimised build, {LIMIT} at most; {:.2} of a debug build",
        workload.title,
        library.lines / hand.lines,
        library.optimised / hand.optimised,
        library.debug / hand.debug
    );
}
