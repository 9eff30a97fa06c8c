//! Copies that follow their source. The example contains the denormalizations of "6 Rules of Thumb
//! for `MongoDB` Schema Design": many-to-one, one-to-many, and into squillions.
//!
//! `cargo run -p odm-examples --bin copies -- --messages 20000`

#![allow(clippy::large_futures, reason = "one program, one future")]
#![allow(
    clippy::indexing_slicing,
    reason = "the example knows what it has made"
)]

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use mongo_odm::prelude::*;
use odm_examples::{Stage, few, insert_all, report, thousands};

/// Renames parts, products and hosts, and updates the copies of their fields.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of log messages that contain a copy of the address of one host
    #[arg(long, default_value_t = 20_000)]
    messages: u32,
}

/// A line of a product, with a reference to a part and a copy of the part's name.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
#[embedded(from = Part)]
struct PartLine {
    #[refs(one)]
    id: Id<Part>,
    #[denorm(from = Part.name)]
    name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product>,
    name: String,
    catalog_number: i64,
    #[embed]
    #[refs(many)]
    parts: Vec<PartLine>,
}

/// A part with copies of its product's fields. The reference is stored in the product.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part>,
    name: String,
    #[denorm(from = Product.name, via = Product.parts)]
    product_name: Option<String>,
    #[denorm(from = Product.catalog_number, via = Product.parts)]
    product_catalog_number: Option<i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host>,
    ipaddr: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
struct LogMsg {
    #[serde(rename = "_id")]
    id: Id<LogMsg>,
    time: DateTime,
    message: String,
    #[parent_ref]
    host: Id<Host>,
    #[denorm(from = Host.ipaddr)]
    ipaddr: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(Arguments::parse()).await)
}

async fn run(arguments: Arguments) -> Result<()> {
    let stage = Stage::open("copies").await?;
    println!("{}", stage.odm.sync_indexes().await?);
    let part = many_to_one(&stage).await?;
    one_to_many(&stage, &part).await?;
    into_squillions(&stage, arguments.messages).await?;
    ratio(&stage);
    stage.close().await
}

async fn many_to_one(stage: &Stage) -> Result<Part> {
    stage.pattern(
        "Copies, many-to-one",
        "The name of a part stands in every product that uses it: a product shows its parts without \
         a join, and renaming a part goes to all of them in one transaction.",
    );
    let odm = &stage.odm;
    let parts: Vec<Part> = (0..20).map(part).collect();
    let products: Vec<Product> = (0..100).map(|number| product(number, &parts)).collect();
    insert_all(odm, parts.iter().cloned()).await?;
    insert_all(odm, products.iter().cloned()).await?;

    let renamed = parts[0].clone();
    let rename =
        || Part::update(odm, renamed.id).set(Part::fields().name, "#0 left-handed grommet");
    let plan = rename().plan()?.estimate(odm).await?;
    let report = stage.ask("Part::update(odm, id).set(name, ..)", plan, rename());
    for copies in report.await?.copies {
        stage.answer(format!(
            "{}: {} products changed, {:?}",
            copies.relation, copies.modified, copies.guarantee
        ));
    }
    let product = Product::get(odm, products[0].id).await?;
    stage.answer(few(product.parts.iter().map(|line| line.name.as_str())));
    Ok(renamed)
}

async fn one_to_many(stage: &Stage, part: &Part) -> Result<()> {
    stage.pattern(
        "Copies, one-to-many",
        "The name and the number of the product stand in each of its parts. The reference is in the \
         product; where several products use a part, the one with the lowest id counts.",
    );
    let odm = &stage.odm;
    let mut parts = vec![part.clone()];
    parts.extend((100..105).map(self::part));
    insert_all(odm, parts[1..].iter().cloned()).await?;
    let product = product(1_000, &parts[1..]);
    let insert = stage.run("product.insert(odm)", product.insert(odm));
    insert.await?;
    let stored = Part::get(odm, parts[1].id).await?;
    stage.answer(format!(
        "{} belongs to {} ({})",
        stored.name,
        few(stored.product_name),
        few(stored.product_catalog_number)
    ));
    Ok(())
}

async fn into_squillions(stage: &Stage, count: u32) -> Result<()> {
    stage.pattern(
        "Copies into squillions",
        "The address of a host stands in each of its messages. A change is stored with a job, which \
         writes the copies in batches; a crash leaves the job, and it goes on where it was.",
    );
    let odm = &stage.odm;
    let host = Host {
        id: Id::new(),
        ipaddr: "127.66.66.66".to_owned(),
    };
    host.insert(odm).await?;
    let messages = (0..count).map(|second| LogMsg {
        id: Id::new(),
        time: DateTime::from_millis(1_395_600_000_000 + i64::from(second) * 1_000),
        message: "cpu is on fire".to_owned(),
        host: host.id,
        ipaddr: host.ipaddr.clone(),
    });
    insert_all(odm, messages).await?;

    let rename = |to: &'static str| Host::update(odm, host.id).set(Host::fields().ipaddr, to);
    let report = rename("10.0.0.1")
        .on_progress(|progress| {
            if progress.batches % 5 == 0 {
                println!(
                    "   ..      {} messages, {:.0} a second",
                    thousands(usize::try_from(progress.modified).unwrap_or(usize::MAX)),
                    progress.rate()
                );
            }
        })
        .await?;
    for copies in report.copies {
        stage.answer(format!(
            "{} messages changed in {} batches, {:?}",
            copies.modified, copies.batches, copies.guarantee
        ));
    }

    let deferred = rename("10.0.0.2").deferred().await?;
    stage.answer(format!("deferred: {:?}", deferred.copies[0].guarantee));
    stage.answer(odm.run_pending_jobs().await?);
    Ok(())
}

fn ratio(stage: &Stage) {
    stage.pattern(
        "What the copies cost",
        "Rule 5: a copy is worth its keep where it is read much more often than it is written.",
    );
    for stats in stage.odm.stats().copies {
        stage.answer(stats);
    }
}

fn part(number: i64) -> Part {
    Part {
        id: Id::new(),
        name: format!("#{number} grommet"),
        product_name: None,
        product_catalog_number: None,
    }
}

fn product(number: i64, parts: &[Part]) -> Product {
    Product {
        id: Id::new(),
        name: format!("left-handed smoke shifter {number}"),
        catalog_number: number,
        parts: parts.iter().map(PartLine::from).collect(),
    }
}
