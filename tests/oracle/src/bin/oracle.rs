//! Compiles and runs any number of declarations: `cargo run -p odm-oracle -- --declarations 500 --programs 10000 --seed 1`.
//!
//! | argument | meaning |
//! |---|---|
//! | `--declarations 500` | how many declarations, 40 by default; they are compiled 40 at a time |
//! | `--programs 10000` | how many programs in all |
//! | `--seed 1` | the seed of the first declaration |
//! | `--first 0` | the seed of the first program of each declaration |
//! | `--case 17/3` | this declaration and this program alone |

use std::{
    env,
    process::{Command, ExitCode},
};

/// How many declarations are compiled at a time.
const AT_ONCE: u64 = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let text = |name: &str| {
        let at = arguments.iter().position(|it| it == name);
        at.and_then(|at| arguments.get(at + 1)).cloned()
    };
    let number = |name: &str, default: u64| text(name).map_or(Ok(default), |it| it.parse::<u64>());
    let case = text("--case").map(|case| {
        case.split('/')
            .map(str::parse::<u64>)
            .collect::<Result<Vec<_>, _>>()
    });
    let run = match (
        case,
        number("--declarations", AT_ONCE),
        number("--programs", 400),
        number("--seed", 1),
        number("--first", 0),
    ) {
        (None, Ok(declarations), Ok(programs), Ok(seed), Ok(first)) => Run {
            seed,
            declarations,
            programs: programs.div_ceil(declarations.max(1)),
            first,
        },
        (Some(Ok(case)), ..) if case.len() == 2 => Run {
            seed: case[0],
            declarations: 1,
            programs: 1,
            first: case[1],
        },
        _ => {
            eprintln!(
                "numbers are expected: --declarations, --programs, --seed, --first, or --case 17/3"
            );
            return ExitCode::from(2);
        }
    };
    if run.all() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What is to be run.
struct Run {
    seed: u64,
    declarations: u64,
    /// How many programs each declaration gets.
    programs: u64,
    first: u64,
}

impl Run {
    /// Runs all declarations, and returns whether nothing was found.
    fn all(&self) -> bool {
        let mut is_right = true;
        for done in (0..self.declarations).step_by(usize::try_from(AT_ONCE).unwrap_or(1)) {
            is_right &= self.some(self.seed + done, AT_ONCE.min(self.declarations - done));
        }
        is_right
    }

    fn some(&self, seed: u64, declarations: u64) -> bool {
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        println!("declarations {seed} to {}", seed + declarations - 1);
        let mut command = Command::new(cargo);
        command.args([
            "test",
            "--quiet",
            "-p",
            "odm-oracle",
            "--test",
            "declared",
            "--",
            "--nocapture",
        ]);
        for (name, number) in [
            ("ODM_ORACLE_SEED", seed),
            ("ODM_ORACLE_DECLARATIONS", declarations),
            ("ODM_ORACLE_PROGRAMS", self.programs),
            ("ODM_ORACLE_FIRST", self.first),
            ("ODM_ORACLE_SECS", 7 * 86_400),
        ] {
            command.env(name, number.to_string());
        }
        command.status().is_ok_and(|status| status.success())
    }
}
