//! The command line of the benchmark.

use std::time::Duration;

use odm_benches::{
    Result,
    options::{CommandLine, is_wanted, list, number},
};

const HELP: &str = "\
  --quick          few messages and few rounds: runs everything in seconds, measures nothing
  --only a,b       only these workloads: s1, s2, s3, s4, s5
  --seconds N      how long the callers of S2 and S3 insert in each form, and a table of pairs takes, about
  --rounds N       rounds of S1, S2 and S3
  --callers N      how many callers insert at once in S2 and S3
  --messages N     messages of S1
  --children N     messages of the larger host of S4
  --strict         fail if the library misses a limit";

/// The workloads to measure, and the number of messages.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Names of the workloads to measure; all workloads if empty.
    only: Vec<String>,
    pub(crate) seconds: f64,
    /// Smallest number of rounds for a table in which variants are compared.
    pub(crate) least: usize,
    pub(crate) rounds: usize,
    pub(crate) callers: usize,
    pub(crate) messages: usize,
    pub(crate) children: usize,
    pub(crate) strict: bool,
}

impl Options {
    /// Parses the command line.
    pub(crate) fn from_args() -> Result<Self> {
        Self::parse(&CommandLine::read()).map_err(|error| format!("{error}\n{HELP}").into())
    }

    fn parse(line: &CommandLine) -> Result<Self> {
        let quick = line.quick;
        let mut options = Self {
            only: Vec::new(),
            seconds: if quick { 0.3 } else { 10.0 },
            least: if quick { 3 } else { 9 },
            rounds: if quick { 1 } else { 3 },
            callers: 16,
            messages: if quick { 5_000 } else { 100_000 },
            children: if quick { 5_000 } else { 1_000_000 },
            strict: line.strict,
        };
        for (name, value) in &line.values {
            match name.as_str() {
                "--only" => options.only = list(name, value)?,
                "--seconds" => options.seconds = number(name, value)?,
                "--rounds" => options.rounds = number(name, value)?,
                "--callers" => options.callers = number(name, value)?,
                "--messages" => options.messages = number(name, value)?,
                "--children" => options.children = number(name, value)?,
                "--help" => return Err("the options:".into()),
                _ => return Err(format!("no option `{name}`").into()),
            }
        }
        Ok(options)
    }

    /// Whether a workload should be measured.
    pub(crate) fn wants(&self, workload: &str) -> bool {
        is_wanted(&self.only, workload)
    }

    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}
