//! Compiles and runs any number of random declarations:
//! `cargo run -p odm-oracle --bin oracle -- --declarations 500 --programs 10000 --seed 1`.
//!
//! | argument | meaning |
//! |---|---|
//! | `--declarations 500` | number of declarations, 40 by default; 40 are compiled at a time |
//! | `--programs 10000` | number of programs of all declarations together |
//! | `--seed 1` | seed of the first declaration; from 1000000 on, declarations have maintained fields, soft delete, tenants and hooks |
//! | `--first 0` | seed of the first program of each declaration |
//! | `--seconds 600` | end of the run; a chunk that is being compiled is still compiled |
//! | `--pairs 10` | how many declarations of each 40 also have an old and a new version |
//! | `case 17/3` | only this declaration and this program; `--pairs 1` for one with versions |

use std::{
    env,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

/// Number of declarations that are compiled together.
const CHUNK: u64 = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(run) = Run::read(&arguments) else {
        eprintln!(
            "expected: --declarations N, --programs N, --seed N, --first N, --seconds N, --pairs N, or case 17/3"
        );
        return ExitCode::from(2);
    };
    if run.all() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The arguments of a run.
struct Run {
    seed: u64,
    declarations: u64,
    /// Number of programs per declaration.
    programs: u64,
    first: u64,
    pairs: u64,
    limit: Duration,
}

impl Run {
    /// Parses the arguments; returns `None` if they are wrong.
    fn read(arguments: &[String]) -> Option<Self> {
        let (case, options) = match arguments {
            [word, case, options @ ..] if word == "case" => (Some(case.split_once('/')?), options),
            options => (None, options),
        };
        let mut run = Self {
            seed: 1,
            declarations: CHUNK,
            programs: 400,
            first: 0,
            pairs: 10,
            limit: Duration::from_secs(7 * 86_400),
        };
        for option in options.chunks(2) {
            let [name, value] = option else { return None };
            let value = value.parse().ok()?;
            match name.as_str() {
                "--seed" => run.seed = value,
                "--declarations" => run.declarations = value,
                "--programs" => run.programs = value,
                "--first" => run.first = value,
                "--pairs" => run.pairs = value,
                "--seconds" => run.limit = Duration::from_secs(value),
                _ => return None,
            }
        }
        run.programs = run.programs.div_ceil(run.declarations.max(1));
        if let Some((declaration, program)) = case {
            (run.seed, run.first) = (declaration.parse().ok()?, program.parse().ok()?);
            (run.declarations, run.programs) = (1, 1);
            let is_given = options.iter().any(|it| it == "--pairs");
            run.pairs = if is_given { run.pairs } else { 0 };
        }
        Some(run)
    }

    /// Runs all declarations and returns whether no difference was found.
    fn all(&self) -> bool {
        let (began, mut failed) = (Instant::now(), 0);
        let mut done = 0;
        while done < self.declarations && began.elapsed() < self.limit {
            let count = CHUNK.min(self.declarations - done);
            let left = self.limit.saturating_sub(began.elapsed());
            failed += u64::from(!self.chunk(self.seed + done, count, left));
            done += count;
        }
        println!(
            "declarations {} to {}, programs from {}, {} s; chunks with differences: {failed}",
            self.seed,
            self.seed + done.saturating_sub(1),
            self.first,
            began.elapsed().as_secs()
        );
        failed == 0
    }

    /// Compiles and runs some declarations, and returns whether no difference was found.
    fn chunk(&self, seed: u64, count: u64, limit: Duration) -> bool {
        let began = Instant::now();
        let test = |arguments: &[&str]| {
            let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
            let mut command = Command::new(cargo);
            command.args(["test", "--quiet", "--profile", "campaign"]);
            command.args(["-p", "odm-oracle", "--test", "declared"]);
            for (name, number) in [
                ("SEED", seed),
                ("DECLARATIONS", count),
                ("PAIRS", self.pairs.min(count)),
                ("PROGRAMS", self.programs),
                ("FIRST", self.first),
                ("SECS", limit.as_secs()),
            ] {
                command.env(format!("ODM_ORACLE_{name}"), number.to_string());
            }
            let status = command.args(arguments).status();
            status.is_ok_and(|status| status.success())
        };
        if !test(&["--no-run"]) {
            println!("declarations {seed} to {} do not compile", seed + count - 1);
            return false;
        }
        println!(
            "declarations {seed} to {}: compiled in {} s",
            seed + count - 1,
            began.elapsed().as_secs()
        );
        test(&["--", "--nocapture", "what_is_stored"])
    }
}
