//! Joins over real data sets, and facts that the results must confirm.
//!
//! `cargo run -p odm-examples --bin datasets -- --data FOLDER`

#![allow(unreachable_pub, reason = "models read better with `pub`")]
#![allow(clippy::large_futures, reason = "one program, one future")]

mod analytics;
mod facts;
mod files;
mod geo;
mod school;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Parser;
use odm_examples::{Stage, report};

use crate::{facts::Facts, files::Files};

/// Loads three real data sets, joins them, and compares the results with known facts.
#[derive(Debug, Parser)]
struct Arguments {
    /// The folder with the data sets. The default is the environment variable `ODM_DATA`
    #[arg(long)]
    data: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(Arguments::parse()).await)
}

async fn run(arguments: Arguments) -> Result<()> {
    let files = Files::find(arguments.data)?;
    let stage = Stage::open("datasets").await?;
    println!("{}", stage.odm.sync_indexes().await?);

    let mut facts = Facts::default();
    analytics::run(&stage, &files, &mut facts).await?;
    geo::run(&stage, &files, &mut facts).await?;
    school::run(&stage, &files, &mut facts).await?;

    stage.close().await?;
    facts.verdict()
}
