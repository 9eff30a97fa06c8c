//! Shows hosts that store their newest messages, the number of messages, and the time of the latest message, while many
//! callers insert messages.
//!
//! `cargo run -p odm-examples --bin summaries -- --messages 20000`

#![allow(clippy::large_futures, reason = "one program, one future")]
#![allow(
    clippy::indexing_slicing,
    reason = "the example knows what it has made"
)]

use std::{process::ExitCode, time::Instant};

use anyhow::{Result, ensure};
use clap::Parser;
use indicatif::ProgressBar;
use mongo_odm::{Odm, prelude::*};
use odm_examples::{Stage, few, insert_all, progress, report, thousands};

/// Inserts log messages with several concurrent callers, into hosts that store a list of the newest messages and
/// summaries.
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of messages. Every other message belongs to the same host
    #[arg(long, default_value_t = 2_000)]
    messages: usize,
    /// Number of callers that insert concurrently
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=256))]
    callers: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host>,
    name: String,
    /// The ten newest messages, the oldest of them first.
    #[recent(of = "LogMsg", via = "host", sort = "time", limit = 10)]
    newest: Vec<LogLine>,
    #[rollup(count, of = "LogMsg", via = "host")]
    messages: i64,
    #[rollup(max, of = "LogMsg", via = "host", field = "time")]
    last_seen: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "LogMsg")]
struct LogLine {
    time: DateTime,
    message: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: Id<LogMsg>,
    time: DateTime,
    message: String,
    #[parent_ref]
    host: Id<Host>,
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(Arguments::parse()).await)
}

async fn run(arguments: Arguments) -> Result<()> {
    let stage = Stage::open("summaries").await?;
    println!("{}", stage.odm.sync_indexes().await?);
    let hosts: Vec<Host> = (0..10).map(host).collect();
    insert_all(&stage.odm, hosts.iter().cloned()).await?;
    one_message(&stage, &hosts[0]).await?;
    under_load(&stage, &hosts, &arguments).await?;
    read_what_was_written(&stage, &hosts[0]).await?;
    stage.close().await
}

async fn one_message(stage: &Stage, host: &Host) -> Result<()> {
    stage.pattern(
        "One message",
        "The message and its host are written in one transaction: whoever reads the host sees both or neither. No other \
         message is read, however many there are.",
    );
    let odm = &stage.odm;
    let message = message(host, 0);
    let insert = || message.insert(odm);
    let inserted = stage.ask("message.insert(odm)", insert().plan()?, insert());
    for copies in inserted.await?.copies {
        stage.answer(format!("{}: {:?}", copies.relation, copies.guarantee));
    }
    Ok(())
}

async fn under_load(stage: &Stage, hosts: &[Host], arguments: &Arguments) -> Result<()> {
    stage.pattern(
        "Many messages of one host",
        "Writers of one document wait for one another. Once they have met, each leaves what it adds as a small document \
         beside its message, and the handle adds up what has come within some 20 ms.",
    );
    let callers = usize::try_from(arguments.callers)?;
    let bar = progress("messages", arguments.messages)?;
    let began = Instant::now();
    let work = (0..callers).map(|caller| {
        let (odm, hosts, bar) = (stage.odm.clone(), hosts.to_vec(), bar.clone());
        let numbers = (caller..arguments.messages).step_by(callers);
        tokio::spawn(insert(odm, hosts, numbers, bar))
    });
    let work: Vec<_> = work.collect();
    for caller in work {
        caller.await??;
    }
    bar.finish_and_clear();
    let rate = f64::from(u32::try_from(arguments.messages)?) / began.elapsed().as_secs_f64();
    stage.answer(format!(
        "{} messages by {callers} callers, {rate:.0} a second",
        thousands(arguments.messages)
    ));
    Ok(())
}

/// Inserts the messages with the given numbers, one after the other.
async fn insert(
    odm: Odm,
    hosts: Vec<Host>,
    numbers: impl Iterator<Item = usize>,
    bar: ProgressBar,
) -> mongo_odm::Result<()> {
    for number in numbers {
        let host = if number % 2 == 0 { 0 } else { number % 10 };
        message(&hosts[host], number).insert(&odm).await?;
        bar.inc(1);
    }
    Ok(())
}

async fn read_what_was_written(stage: &Stage, written: &Host) -> Result<()> {
    stage.pattern(
        "Reading it",
        "An ordinary read may be some milliseconds behind. `fresh` adds up first what waits for this one host; `verify` \
         computes every field of every host from the messages, and compares.",
    );
    let odm = &stage.odm;
    let read = stage.run(
        "Host::get(odm, id).fresh()",
        Host::get(odm, written.id).fresh(),
    );
    let host = read.await?;
    let counted = LogMsg::count(odm).filter(LogMsg::fields().host.eq(written.id));
    let counted = i64::try_from(counted.await?)?;
    let lines = host.newest.iter().map(|line| line.message.as_str());
    stage.answer(format!(
        "{} has {} messages, the newest {}",
        host.name,
        host.messages,
        few(lines)
    ));
    ensure!(host.messages == counted, "{counted} messages are stored");
    let drift = stage.run("odm.verify()", odm.verify()).await?;
    stage.answer(&drift);
    ensure!(drift.is_empty(), "a host differs from its messages");
    Ok(())
}

fn host(number: usize) -> Host {
    Host {
        id: Id::new(),
        name: format!("host {number}"),
        newest: Vec::new(),
        messages: 0,
        last_seen: None,
    }
}

fn message(host: &Host, number: usize) -> LogMsg {
    let second = i64::try_from(number).unwrap_or(i64::MAX);
    LogMsg {
        id: Id::new(),
        time: DateTime::from_millis(1_395_600_000_000 + second * 1_000),
        message: format!("cpu is on fire ({number})"),
        host: host.id,
    }
}
