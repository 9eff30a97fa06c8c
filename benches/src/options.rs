//! The command line.

use std::str::FromStr;

use crate::Result;

/// How to use the benchmarks.
pub const HELP: &str = "\
  --quick          little data and few rounds: runs everything in seconds, measures nothing
  --only a,b       only these workloads: j1, j2, j3, j4
  --variants a,b   only these variants, to profile one of them
  --callers 1,16   how many callers at once
  --seconds N      how long one table takes, about
  --parts N  --products N  --refs N  --hosts N  --messages N  --newest N  --owners N
                   the data: parts, products, references of each product, hosts, messages, how
                   many of a host are read, how many products are joined
  --strict         fail if the library misses a limit";

/// What to measure, and on which data.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of workloads; all if none.
    pub only: Vec<String>,
    /// Names of variants; all if none.
    pub variants: Vec<String>,
    /// How many callers at once.
    pub callers: Vec<usize>,
    /// How long one table takes.
    pub seconds: f64,
    /// The fewest rounds of a table.
    pub rounds: usize,
    /// The data.
    pub sizes: Sizes,
    /// Whether a missed limit is a failure.
    pub strict: bool,
}

/// How much data there is.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Parts, of 125 bytes each.
    pub parts: u32,
    /// Products.
    pub products: u32,
    /// References of a product.
    pub refs: u32,
    /// Hosts.
    pub hosts: u32,
    /// Messages, of 122 bytes each.
    pub messages: u32,
    /// How many messages of a host are read.
    pub newest: u32,
    /// How many products are joined at once.
    pub owners: u32,
}

const FULL: Sizes = Sizes {
    parts: 200_000,
    products: 2_000,
    refs: 200,
    hosts: 1_000,
    messages: 500_000,
    newest: 5_000,
    owners: 100,
};

const QUICK: Sizes = Sizes {
    parts: 10_000,
    products: 100,
    refs: 100,
    hosts: 20,
    messages: 10_000,
    newest: 500,
    owners: 50,
};

impl Options {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and how it is used.
    pub fn from_args() -> Result<Self> {
        Self::parse(&CommandLine::read()).map_err(|error| format!("{error}\n{HELP}").into())
    }

    fn parse(line: &CommandLine) -> Result<Self> {
        let quick = line.quick;
        let mut options = Self {
            only: Vec::new(),
            variants: Vec::new(),
            callers: vec![1, 16],
            seconds: if quick { 0.5 } else { 20.0 },
            rounds: if quick { 3 } else { 9 },
            sizes: if quick { QUICK } else { FULL },
            strict: line.strict,
        };
        for (name, value) in &line.values {
            let sizes = &mut options.sizes;
            match name.as_str() {
                "--only" => options.only = list(name, value)?,
                "--variants" => options.variants = list(name, value)?,
                "--callers" => options.callers = list(name, value)?,
                "--seconds" => options.seconds = number(name, value)?,
                "--parts" => sizes.parts = number(name, value)?,
                "--products" => sizes.products = number(name, value)?,
                "--refs" => sizes.refs = number(name, value)?,
                "--hosts" => sizes.hosts = number(name, value)?,
                "--messages" => sizes.messages = number(name, value)?,
                "--newest" => sizes.newest = number(name, value)?,
                "--owners" => sizes.owners = number(name, value)?,
                "--help" => return Err("the options:".into()),
                _ => return Err(format!("no option `{name}`").into()),
            }
        }
        Ok(options)
    }

    /// Returns whether a workload is wanted.
    pub fn wants(&self, workload: &str) -> bool {
        is_wanted(&self.only, workload)
    }

    /// Returns whether a variant is wanted: whether a part of its name was given.
    pub fn wants_variant(&self, variant: &str) -> bool {
        self.variants.is_empty()
            || self
                .variants
                .iter()
                .any(|name| variant.contains(name.as_str()))
    }
}

/// Returns whether a workload is among those that are named, or none is.
pub fn is_wanted(named: &[String], workload: &str) -> bool {
    named.is_empty() || named.iter().any(|name| name == workload)
}

/// The command line of a benchmark: flags, and options with a value each.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// Whether little is measured.
    pub quick: bool,
    /// Whether a missed limit is an error.
    pub strict: bool,
    /// The other options, each with what comes after it.
    pub values: Vec<(String, String)>,
}

impl CommandLine {
    /// Reads the command line of this process.
    pub fn read() -> Self {
        let mut line = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // `cargo bench` says it to every benchmark.
                "--bench" => {}
                "--quick" => line.quick = true,
                "--strict" => line.strict = true,
                _ => {
                    // What is absent is told by the option that needs it.
                    let value = arguments.find(|it| it != "--bench").unwrap_or_default();
                    line.values.push((argument, value));
                }
            }
        }
        line
    }
}

/// Reads the number that an option needs.
///
/// # Errors
///
/// What the option needs.
pub fn number<T: FromStr>(name: &str, value: &str) -> Result<T> {
    value
        .parse()
        .map_err(|_| format!("`{name}` needs a number, not `{value}`").into())
}

/// Reads items between commas.
///
/// # Errors
///
/// As [`number`].
pub fn list<T: FromStr>(name: &str, value: &str) -> Result<Vec<T>> {
    value.split(',').map(|item| number(name, item)).collect()
}
