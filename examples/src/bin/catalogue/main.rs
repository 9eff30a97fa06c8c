//! Generates the catalogue of "6 Rules of Thumb for `MongoDB` Schema Design" at any size, and runs
//! each of its patterns on a real server. For each query, the example prints its plan, its cost and
//! its result.
//!
//! `cargo run -p odm-examples -- --size 1000`

#![allow(unreachable_pub, reason = "models read better with `pub`")]
#![allow(clippy::large_futures, reason = "one program, one future")]

mod generate;
mod models;
mod patterns;

use std::{process::ExitCode, time::Instant};

use anyhow::Result;
use clap::Parser;
use odm_examples::{Stage, insert_all, report, thousands};

use crate::generate::Catalogue;

/// Loads a catalogue of products, parts, people, tasks, hosts and log messages, and queries it.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of products. There are twice as many parts and twenty times as many log messages
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    size: u32,
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(Arguments::parse()).await)
}

async fn run(arguments: Arguments) -> Result<()> {
    let stage = Stage::open("catalogue").await?;
    println!("{}", stage.odm.sync_indexes().await?);
    load(&stage, usize::try_from(arguments.size)?).await?;

    patterns::embed::one_to_few(&stage).await?;
    patterns::embed::bounded(&stage).await?;
    patterns::child_references::parts_of_a_product(&stage).await?;
    patterns::child_references::parts_of_many_products(&stage).await?;
    patterns::child_references::dangling(&stage).await?;
    patterns::child_references::products_of_a_part(&stage).await?;
    patterns::parent_references::newest_of_a_host(&stage).await?;
    patterns::parent_references::newest_of_each_host(&stage).await?;
    patterns::parent_references::count_of_each_host(&stage).await?;
    patterns::two_way::both_ways(&stage).await?;
    patterns::two_way::many_people(&stage).await?;
    patterns::writes::filters_and_updates(&stage).await?;
    patterns::writes::pages(&stage).await?;
    patterns::writes::hand_over_in_a_transaction(&stage).await?;

    stage.close().await
}

/// Fills the collections of the catalogue.
async fn load(stage: &Stage, size: usize) -> Result<()> {
    let started = Instant::now();
    let catalogue = Catalogue::generate(size);
    let messages = catalogue.messages();
    let counts = [
        (catalogue.products.len(), "products"),
        (catalogue.parts.len(), "parts"),
        (catalogue.hosts.len(), "hosts"),
        (messages.len(), "log messages"),
        (catalogue.people.len(), "people"),
        (catalogue.tasks.len(), "tasks"),
    ];
    let counts = counts.map(|(count, what)| format!("{} {what}", thousands(count)));
    insert_all(&stage.odm, catalogue.products.into_iter()).await?;
    insert_all(&stage.odm, catalogue.parts.into_iter()).await?;
    insert_all(&stage.odm, catalogue.hosts.into_iter()).await?;
    insert_all(&stage.odm, messages).await?;
    insert_all(&stage.odm, catalogue.people.into_iter()).await?;
    insert_all(&stage.odm, catalogue.tasks.into_iter()).await?;
    println!(
        "loaded {} in {:.1} s",
        counts.join(", "),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}
