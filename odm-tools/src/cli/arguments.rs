//! Arguments of the command line. Clap prints the doc comments of this file as help.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, value_parser};

const EXAMPLES: &str = "\
Examples:
  export MONGODB_URI=mongodb://localhost:27017/shop
  odm check                        compares the models with the database; for CI
  odm indexes                      shows missing and undeclared indexes
  odm indexes --apply              creates missing indexes
  odm advise                       compares the database with the six rules of thumb
  odm schema --svg > models.svg    draws the models
  odm verify --repair              repairs copies and two-way references
  odm pull --out src/models.rs     writes models for an existing database

Exit codes:
  0  success, no findings
  1  findings
  2  wrong arguments, connection string or program (no models)
  3  the server cannot be reached, or did not answer in time
  4  the server rejected a command, or another failure";

/// Maintains a database of models: checks, indexes, copies, jobs, and generated models for an existing database.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) connection: Connection,
    /// Prints JSON instead of text.
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The database that the command uses.
#[derive(Args, Debug)]
pub(super) struct Connection {
    /// Connection string that contains the name of the database: `mongodb://localhost:27017/shop`. The default is the
    /// environment variable `MONGODB_URI`. Prefer the variable, because other users of the machine can see arguments.
    #[arg(long, global = true)]
    uri: Option<String>,
    /// Name of the database, instead of the name in the connection string.
    #[arg(long, global = true)]
    pub(super) database: Option<String>,
    /// Number of seconds after which the search for a server fails.
    #[arg(long, global = true, default_value = "3", value_parser = seconds)]
    pub(super) timeout: Duration,
}

impl Connection {
    /// Returns the connection string, if there is one. The variable is not declared in clap, because clap's usage hints
    /// would then contain `--uri` whenever the variable is set.
    pub(super) fn uri(&self) -> Option<String> {
        let uri = self.uri.clone();
        let uri = uri.or_else(|| std::env::var("MONGODB_URI").ok());
        uri.filter(|uri| !uri.is_empty())
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    // A larger number of seconds could overflow the clock.
    const MOST: f64 = 86_400.0;
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|it| *it > 0.0 && *it <= MOST);
    let seconds = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
    seconds.ok_or_else(|| format!("write a number of seconds greater than 0 and at most {MOST}"))
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Compares the models with a database: declarations, indexes, stored documents, references and kinds. Changes
    /// nothing.
    #[command(
        after_help = "Example:\n  odm check --json | jq .findings\n\nExit codes: 0 no findings, 1 findings"
    )]
    Check(Check),
    /// Shows missing, conflicting and undeclared indexes. Creates missing indexes with `--apply`.
    #[command(
        after_help = "Examples:\n  odm indexes\n  odm indexes --apply\n  odm indexes --apply --drop\n\nExit codes: \
        0 in sync or done, 1 findings"
    )]
    Indexes(Indexes),
    /// Shows missing, outdated and foreign validators. Writes the validators of the models with `--apply`.
    #[command(
        after_help = "Examples:\n  odm validators\n  odm validators --apply\n  odm validators --apply --replace\n\nExit \
        codes: 0 in sync or done, 1 missing, outdated or foreign validators"
    )]
    Validators(Validators),
    /// Finds copies, references and bounds that differ from the declarations. Repairs them with `--repair`.
    #[command(
        after_help = "Examples:\n  odm verify\n  odm verify --relation 'Product.parts.id <- Part' --repair\n  odm \
        verify --fail-on pending\n\nExit codes: 0 no findings or all repaired, 1 (remaining) findings"
    )]
    Verify(Verify),
    /// Lists pending jobs and why they are pending. Retries or forgets them.
    #[command(
        after_help = "Examples:\n  odm jobs --limit 20\n  odm jobs --retry\n  odm jobs --forget --relation \
        'logmsg.host <- hosts._id'\n\nExit codes: 0 no jobs are put off, 1 some are"
    )]
    Jobs(Jobs),
    /// Runs jobs and folds deltas until the process is interrupted.
    #[command(after_help = "Examples:\n  odm worker\n  odm worker --once")]
    Worker(Worker),
    /// Fills in copies that were declared after their documents were stored.
    #[command(
        after_help = "Examples:\n  odm backfill\n  odm backfill LogMsg --apply\n\nExit codes: 0 done or shown, 1 documents failed"
    )]
    Backfill(Backfill),
    /// Checks a database against the six rules of thumb for schema design, with or without models. Changes nothing.
    #[command(
        after_help = "The checks D1, D4, R1-R4, R8-R10, S1 and P2 need the counters of a program. Call `odm.advise()` \
        in that program.\n\nExamples:\n  odm advise\n  odm advise --collection orders --sample 5000\n\nExit codes: \
        0 no findings, 1 findings"
    )]
    Advise(Advise),
    /// Draws the models as Mermaid, SVG, DOT or JSON. Needs no database.
    #[command(
        after_help = "Examples:\n  odm schema > models.mmd\n  odm schema --svg > models.svg\n  odm schema --dot | dot -Tpng > models.png"
    )]
    Schema(Schema),
    /// Writes models for an existing database from samples. Needs no models.
    #[command(
        after_help = "Examples:\n  odm pull > models.rs\n  odm pull --sample 5000 --out src/models.rs"
    )]
    Pull(Pull),
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Check {
    /// Number of documents to read from each collection and decode.
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u64).range(1..))]
    pub(super) sample: u64,
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Indexes {
    /// Creates the missing indexes.
    #[arg(long)]
    pub(super) apply: bool,
    /// Drops indexes that no model declares. Without `--apply`, only shows these indexes.
    #[arg(long)]
    pub(super) drop: bool,
    /// Drops indexes that differ from their declaration, and creates them again. Without `--apply`, only shows these
    /// indexes.
    #[arg(long)]
    pub(super) replace: bool,
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Validators {
    /// Writes the missing and outdated validators.
    #[arg(long)]
    pub(super) apply: bool,
    /// Replaces validators that the library did not write. Without `--apply`, only shows them.
    #[arg(long)]
    pub(super) replace: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Verify {
    /// Repairs the findings. Without this option, nothing is changed.
    #[arg(long)]
    pub(super) repair: bool,
    /// Checks only the relation that has this name in reports.
    #[arg(long)]
    pub(super) relation: Option<String>,
    /// Also lists differences that a pending job will correct. Without this option, only their number is shown.
    #[arg(long)]
    pub(super) pending: bool,
    /// Also exits with code 1 if there are differences of this kind, although they are not findings.
    #[arg(long, value_enum)]
    pub(super) fail_on: Option<FailOn>,
}

/// Differences that are not findings but can make `verify` exit with code 1.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailOn {
    /// Differences that a pending job will correct.
    Pending,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Jobs {
    /// Selects the jobs of the relation that has this name in the list.
    #[arg(long)]
    pub(super) relation: Option<String>,
    /// Largest number of jobs to list.
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    pub(super) limit: u32,
    /// Makes postponed jobs due immediately.
    #[arg(long, conflicts_with = "forget")]
    pub(super) retry: bool,
    /// Removes the jobs of a relation. The copies of the relation can stay stale until you run `verify --repair`.
    #[arg(long, requires = "relation")]
    pub(super) forget: bool,
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Worker {
    /// Runs the due jobs and then exits.
    #[arg(long)]
    pub(super) once: bool,
    /// Seconds between two searches for jobs.
    #[arg(long, default_value = "1", value_parser = seconds)]
    pub(super) every: Duration,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Backfill {
    /// Models whose copies are filled in. The default is all models.
    pub(super) models: Vec<String>,
    /// Fills in the copies. Without this option, only lists the models that have copies.
    #[arg(long)]
    pub(super) apply: bool,
    /// Starts at the first document instead of the place where an earlier call stopped.
    #[arg(long)]
    pub(super) restart: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Advise {
    /// Reads only this collection. Repeat the option to read several collections.
    #[arg(long)]
    pub(super) collection: Vec<String>,
    /// Number of documents to read from each collection.
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    pub(super) sample: Option<u64>,
}

/// Format of the diagram. `--json` prints the models as data instead.
#[derive(Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub(super) struct Schema {
    /// Prints a diagram as SVG.
    #[arg(long)]
    pub(super) svg: bool,
    /// Prints a Mermaid diagram. This is the default.
    #[arg(long)]
    pub(super) mermaid: bool,
    /// Prints a Graphviz diagram.
    #[arg(long)]
    pub(super) dot: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Pull {
    /// File to write. Without this option, the models are printed.
    #[arg(long, short)]
    pub(super) out: Option<PathBuf>,
    /// Overwrites an existing file.
    #[arg(long, requires = "out")]
    pub(super) force: bool,
    /// Number of documents to read from each collection.
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    pub(super) sample: u64,
    /// Reads only this collection. Repeat the option to read several collections.
    #[arg(long)]
    pub(super) collection: Vec<String>,
}
