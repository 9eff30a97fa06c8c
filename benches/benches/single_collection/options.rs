//! The command line of the benchmark.

use odm_benches::{
    Result,
    options::{CommandLine, is_wanted, list, number},
    place::Place,
};

use crate::rounds::Rounds;

const HELP: &str = "\
  --quick          few students and few rounds: runs everything in seconds, measures nothing
  --only a,b       only these workloads: e1, e2, e3
  --callers 1,16   how many callers read at once
  --seconds N      how long one table takes, about
  --students N     students, and as many classes
  --classes 5,50   how many classes a student has
  --strict         fail if the library misses a limit";

/// The workloads to measure, and the numbers of documents.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Names of the workloads to measure; all workloads if empty.
    only: Vec<String>,
    pub(crate) callers: Vec<usize>,
    seconds: f64,
    /// Smallest number of rounds for a table.
    least: usize,
    pub(crate) students: usize,
    pub(crate) classes: Vec<usize>,
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
            callers: vec![1, 16],
            seconds: if quick { 0.3 } else { 15.0 },
            least: if quick { 3 } else { 9 },
            students: if quick { 100 } else { 500 },
            classes: vec![5, 50],
            strict: line.strict,
        };
        for (name, value) in &line.values {
            match name.as_str() {
                "--only" => options.only = list(name, value)?,
                "--callers" => options.callers = list(name, value)?,
                "--seconds" => options.seconds = number(name, value)?,
                "--students" => options.students = number(name, value)?,
                "--classes" => options.classes = list(name, value)?,
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

    /// Returns the parameters for the rounds of one table.
    pub(crate) const fn rounds(&self, place: &Place, callers: usize) -> Rounds {
        Rounds {
            callers,
            seconds: self.seconds,
            least: self.least,
            server: place.process,
        }
    }
}
