//! Measures writes and joins on a sharded cluster. The writes are compared with the same calls on a replica set, which
//! runs on the same machine and in the same rounds. The join is compared with hand-written code that uses the same
//! router. This program also prints the statements and the shards of each kind of write.
//!
//! | | workload | limit |
//! |---|---|---|
//! | D1 | a rename with 100 copies, all on one shard | 1.20 times the replica set |
//! | D2 | a rename with 100 copies on the shard that does not store the jobs | |
//! | D3 | a rename with 100 copies on both shards | |
//! | homes | hand-written renames that store their job in different places | |
//! | D4 | a join of 100 products to 20,000 references on both shards | 1.10 times hand-written code |

mod homes;
mod join;
mod models;
mod rename;
mod writes;

use mongo_odm::mongodb::Client;
use mongo_odm_testkit::{Cluster, Recorder};
use odm_benches::{
    Result,
    options::{CommandLine, is_wanted, list, number},
    place::Place,
    table::Table,
};

/// The options of this program.
struct Options {
    quick: bool,
    seconds: f64,
    least: usize,
    only: Vec<String>,
}

impl Options {
    fn of(line: &CommandLine) -> Result<Self> {
        let quick = line.quick;
        let (seconds, least) = if quick { (0.3, 3) } else { (20.0, 15) };
        let mut options = Self {
            quick,
            seconds,
            least,
            only: Vec::new(),
        };
        for (name, value) in &line.values {
            match name.as_str() {
                "--seconds" => options.seconds = number(name, value)?,
                "--only" => options.only = list(name, value)?,
                _ => {
                    let known = "--quick, --only d1,d4,homes,writes, --seconds N, --strict";
                    return Err(format!("unknown option `{name}`; the options are {known}").into());
                }
            }
        }
        Ok(options)
    }

    fn wants(&self, workload: &str) -> bool {
        is_wanted(&self.only, workload)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let line = CommandLine::read();
    let options = Options::of(&line)?;
    let cluster = Cluster::start().await?;
    println!("{cluster}\n");
    let mut client_options = cluster.client_options().await?;
    let recorder = Recorder::attached_to(&mut client_options);
    let client = Client::with_options(client_options)?;
    if options.wants("writes") {
        writes::print(&cluster, &client, &recorder).await?;
    }
    let unsharded = Place::start().await?;
    // The recorder would keep all commands of the measurement.
    let client = Client::with_options(cluster.client_options().await?)?;
    let mut table = Table::default();
    Table::head();
    rename::run(&cluster, &client, &unsharded, &options, &mut table).await?;
    if options.wants("d4") {
        join::run(&cluster, &client, &options, &mut table).await?;
    }
    table.finish(line.strict)
}
