//! The command line of the benchmarks.

use std::str::FromStr;

use crate::Result;

/// The help text of the benchmarks.
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

/// The workloads to measure, and the amounts of data.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of the workloads to measure; all workloads if empty.
    pub only: Vec<String>,
    /// Names of the variants to measure; all variants if empty.
    pub variants: Vec<String>,
    /// The numbers of concurrent callers to measure.
    pub callers: Vec<usize>,
    /// Number of seconds for one table.
    pub seconds: f64,
    /// Smallest number of rounds for a table.
    pub rounds: usize,
    /// The amounts of data.
    pub sizes: Sizes,
    /// Whether a missed limit makes the program fail.
    pub strict: bool,
}

/// The amounts of data in the database.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Number of parts, which have 125 bytes each.
    pub parts: u32,
    /// Number of products.
    pub products: u32,
    /// Number of references in a product.
    pub refs: u32,
    /// Number of hosts.
    pub hosts: u32,
    /// Number of messages, which have 122 bytes each.
    pub messages: u32,
    /// Number of messages that are read for a host.
    pub newest: u32,
    /// Number of products that are joined at once.
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

/// Little data, for a run that measures nothing.
pub const QUICK: Sizes = Sizes {
    parts: 10_000,
    products: 100,
    refs: 100,
    hosts: 20,
    messages: 10_000,
    newest: 500,
    owners: 50,
};

impl Options {
    /// Parses the command line.
    ///
    /// # Errors
    ///
    /// A description of the mistake, and the help text.
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

    /// Whether a workload should be measured.
    pub fn wants(&self, workload: &str) -> bool {
        is_wanted(&self.only, workload)
    }

    /// Whether a variant should be measured because a part of its name was given.
    pub fn wants_variant(&self, variant: &str) -> bool {
        self.variants.is_empty()
            || self
                .variants
                .iter()
                .any(|name| variant.contains(name.as_str()))
    }
}

/// Whether a workload is in the list of names, or the list is empty.
pub fn is_wanted(named: &[String], workload: &str) -> bool {
    named.is_empty() || named.iter().any(|name| name == workload)
}

/// A parsed command line, which consists of flags and of options with one value each.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// Whether only a quick measurement was requested.
    pub quick: bool,
    /// Whether a missed limit is an error.
    pub strict: bool,
    /// The other options, each with the next argument as its value.
    pub values: Vec<(String, String)>,
}

impl CommandLine {
    /// Parses the command line of this process.
    pub fn read() -> Self {
        let mut line = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // `cargo bench` passes this argument to every benchmark.
                "--bench" => {}
                "--quick" => line.quick = true,
                "--strict" => line.strict = true,
                _ => {
                    // If the value is missing, the option that needs it reports the mistake.
                    let value = arguments.find(|it| it != "--bench").unwrap_or_default();
                    line.values.push((argument, value));
                }
            }
        }
        line
    }
}

/// Parses the number that an option needs.
///
/// # Errors
///
/// A description of the required value.
pub fn number<T: FromStr>(name: &str, value: &str) -> Result<T> {
    value
        .parse()
        .map_err(|_| format!("`{name}` needs a number, not `{value}`").into())
}

/// Parses a list of items that are separated by commas.
///
/// # Errors
///
/// The same as for [`number`].
pub fn list<T: FromStr>(name: &str, value: &str) -> Result<Vec<T>> {
    value.split(',').map(|item| number(name, item)).collect()
}
