//! The command line of the benchmark.

use odm_benches::{
    Result,
    options::{CommandLine, is_wanted, list, number},
};

const HELP: &str = "\
  --quick          few copies and few rounds: runs everything in seconds, measures nothing
  --only a,b       only these workloads: c1, c2, c3, c4, c5, c6
  --seconds N      how long one table of pairs takes, about
  --rounds N       rounds of the large fan-outs
  --copies N       copies of the large fan-outs
  --most-copies N  copies of the fan-out whose memory is measured
  --strict         fail if the library misses a limit";

/// The workloads to measure, and the numbers of copies.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Names of the workloads to measure; all workloads if empty.
    only: Vec<String>,
    pub(crate) seconds: f64,
    /// Smallest number of rounds for a table in which variants are compared.
    pub(crate) least: usize,
    /// Number of rounds for the large fan-outs.
    pub(crate) rounds: usize,
    pub(crate) copies: usize,
    pub(crate) most_copies: usize,
    pub(crate) strict: bool,
    /// The argument for the process in which memory is measured: the address of the server, and the
    /// hosts.
    pub(crate) child: Option<String>,
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
            seconds: if quick { 0.3 } else { 15.0 },
            least: if quick { 3 } else { 9 },
            rounds: if quick { 1 } else { 7 },
            copies: if quick { 5_000 } else { 300_000 },
            most_copies: if quick { 20_000 } else { 1_000_000 },
            strict: line.strict,
            child: None,
        };
        for (name, value) in &line.values {
            match name.as_str() {
                "--only" => options.only = list(name, value)?,
                "--seconds" => options.seconds = number(name, value)?,
                "--rounds" => options.rounds = number(name, value)?,
                "--copies" => options.copies = number(name, value)?,
                "--most-copies" => options.most_copies = number(name, value)?,
                "--child" => options.child = Some(value.clone()),
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
}
