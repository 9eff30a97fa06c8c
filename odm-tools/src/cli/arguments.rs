//! What may be written on the command line.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, value_parser};

const EXAMPLES: &str = "\
Examples:
  export MONGODB_URI=mongodb://localhost:27017/shop
  odm check                        models, indexes, stored documents and references; for CI
  odm indexes                      what sync_indexes would do
  odm indexes --apply              creates what is missing
  odm advise                       what the rules of thumb make of it
  odm schema --svg > models.svg    a picture of the models
  odm verify --repair              puts copies and two-way references right
  odm pull --out src/models.rs     writes models for a database that exists

Exit codes:
  0  all is well, or done
  1  there are findings: something is missing, stale or does not fit
  2  the arguments, the connection string or the program (no models) are wrong
  3  the server cannot be reached, or did not answer in time
  4  the server refused, or something else failed";

/// Looks after a database of models: checks, indexes, drift, jobs, and models for a database that exists.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) connection: Connection,
    /// Writes JSON in the place of text.
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Which database.
#[derive(Args, Debug)]
pub(super) struct Connection {
    /// The connection string with the name of the database: `mongodb://localhost:27017/shop`. Without it, that of
    /// the environment variable `MONGODB_URI`, which is better: arguments are seen by other users of the machine.
    #[arg(long, global = true)]
    uri: Option<String>,
    /// The name of the database, if another than in the connection string.
    #[arg(long, global = true)]
    pub(super) database: Option<String>,
    /// For how many seconds a server is looked for.
    #[arg(long, global = true, default_value = "3", value_parser = seconds)]
    pub(super) timeout: Duration,
}

impl Connection {
    /// Returns the connection string, if there is one. Were the variable an argument of clap, a hint how to use a
    /// command would ask for `--uri` wherever it is set.
    pub(super) fn uri(&self) -> Option<String> {
        let uri = self.uri.clone();
        let uri = uri.or_else(|| std::env::var("MONGODB_URI").ok());
        uri.filter(|uri| !uri.is_empty())
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    // A day is as good as for ever, and is no trouble to a clock.
    const MOST: f64 = 86_400.0;
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|it| *it > 0.0 && *it <= MOST);
    let seconds = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
    seconds.ok_or_else(|| format!("write a number of seconds above 0 and up to {MOST}"))
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Compares the models with a database: declarations, indexes, stored documents, references, kinds. Changes nothing.
    #[command(
        after_help = "Example:\n  odm check --json | jq .findings\n\nExit codes: 0 nothing found, 1 findings"
    )]
    Check(Check),
    /// Shows which indexes are missing, in the way or undeclared; with `--apply` creates them.
    #[command(
        after_help = "Examples:\n  odm indexes\n  odm indexes --apply\n  odm indexes --apply --drop\n\nExit codes: 0 in sync or done, 1 something is missing"
    )]
    Indexes(Indexes),
    /// Looks for copies, references and bounds that are not as the models say; with `--repair` puts them right.
    #[command(
        after_help = "Examples:\n  odm verify\n  odm verify --relation 'Product.parts.id <- Part' --repair\n  odm verify --fail-on pending\n\nExit codes: 0 nothing found or all repaired, 1 findings (left)"
    )]
    Verify(Verify),
    /// Lists the jobs that wait, and why; retries or forgets them.
    #[command(
        after_help = "Examples:\n  odm jobs --limit 20\n  odm jobs --retry\n  odm jobs --forget --relation 'logmsg.host <- hosts._id'\n\nExit codes: 0 none is put off, 1 some are"
    )]
    Jobs(Jobs),
    /// Runs jobs and folds deltas until it is interrupted.
    #[command(after_help = "Examples:\n  odm worker\n  odm worker --once")]
    Worker(Worker),
    /// Fills copies that were declared after their documents were stored.
    #[command(
        after_help = "Examples:\n  odm backfill\n  odm backfill LogMsg --apply\n\nExit codes: 0 done or shown, 1 documents failed"
    )]
    Backfill(Backfill),
    /// Says with figures what the six rules of thumb make of a database, with models or without. Changes nothing.
    #[command(
        after_help = "What the counters of a program tell (D1, D4, R1-R4, R8-R10, P2) is found by `odm.advise()` in that program alone.\n\nExamples:\n  odm advise\n  odm advise --collection orders --sample 5000\n\nExit codes: 0 nothing found, 1 findings"
    )]
    Advise(Advise),
    /// Draws the models: Mermaid, or SVG, DOT or JSON. Needs no database.
    #[command(
        after_help = "Examples:\n  odm schema > models.mmd\n  odm schema --svg > models.svg\n  odm schema --dot | dot -Tpng > models.png"
    )]
    Schema(Schema),
    /// Writes models for a database that exists, from samples of it. Needs no models.
    #[command(
        after_help = "Examples:\n  odm pull > models.rs\n  odm pull --sample 5000 --out src/models.rs"
    )]
    Pull(Pull),
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Check {
    /// How many documents of each collection are decoded.
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u64).range(1..))]
    pub(super) sample: u64,
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Indexes {
    /// Creates the missing indexes.
    #[arg(long)]
    pub(super) apply: bool,
    /// Drops those that no model declares; without `--apply` they are shown.
    #[arg(long)]
    pub(super) drop: bool,
    /// Drops and creates anew those that contradict their declaration; without `--apply` they are shown.
    #[arg(long)]
    pub(super) replace: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Verify {
    /// Puts right what is found; without it nothing is changed.
    #[arg(long)]
    pub(super) repair: bool,
    /// Looks at one relation alone, as reports name it.
    #[arg(long)]
    pub(super) relation: Option<String>,
    /// Lists also what an unfinished job will correct; without it only their number is shown.
    #[arg(long)]
    pub(super) pending: bool,
    /// Makes the exit code 1 also for what is no finding yet.
    #[arg(long, value_enum)]
    pub(super) fail_on: Option<FailOn>,
}

/// What makes `verify` fail besides findings.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailOn {
    /// What an unfinished job will correct.
    Pending,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Jobs {
    /// Keeps the jobs of one relation, as the list names it.
    #[arg(long)]
    pub(super) relation: Option<String>,
    /// The most jobs that are listed.
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    pub(super) limit: u32,
    /// Makes jobs that were put off due at once.
    #[arg(long, conflicts_with = "forget")]
    pub(super) retry: bool,
    /// Removes the jobs of a relation; their copies may stay old until `verify --repair`.
    #[arg(long, requires = "relation")]
    pub(super) forget: bool,
}

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Worker {
    /// Runs what is due, and ends.
    #[arg(long)]
    pub(super) once: bool,
    /// How many seconds pass between two looks.
    #[arg(long, default_value = "1", value_parser = seconds)]
    pub(super) every: Duration,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Backfill {
    /// The models whose copies are filled; all if none is named.
    pub(super) models: Vec<String>,
    /// Fills them; without it the models with copies are shown.
    #[arg(long)]
    pub(super) apply: bool,
    /// Starts at the first document, wherever an earlier call has stopped.
    #[arg(long)]
    pub(super) restart: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Advise {
    /// Looks at this collection alone; may be repeated.
    #[arg(long)]
    pub(super) collection: Vec<String>,
    /// How many documents of each collection are looked at.
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    pub(super) sample: Option<u64>,
}

/// How the models are drawn; `--json` writes them as data.
#[derive(Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub(super) struct Schema {
    /// A picture that needs nothing else.
    #[arg(long)]
    pub(super) svg: bool,
    /// The text of a Mermaid diagram; this is the default.
    #[arg(long)]
    pub(super) mermaid: bool,
    /// The text of a Graphviz diagram.
    #[arg(long)]
    pub(super) dot: bool,
}

#[derive(Args, Clone, Debug)]
pub(super) struct Pull {
    /// The file to write; without it the models are printed.
    #[arg(long, short)]
    pub(super) out: Option<PathBuf>,
    /// Writes over a file that is there.
    #[arg(long, requires = "out")]
    pub(super) force: bool,
    /// How many documents of each collection are looked at.
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    pub(super) sample: u64,
    /// Looks at this collection alone; may be repeated.
    #[arg(long)]
    pub(super) collection: Vec<String>,
}
