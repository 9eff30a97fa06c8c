//! One-to-squillions: the messages refer to their host.

use anyhow::Result;
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, date, thousands};

use crate::models::{Host, LogLine, LogMsg};

/// Loads the newest messages of one host.
pub async fn newest_of_a_host(stage: &Stage) -> Result<()> {
    stage.pattern(
        "One-to-squillions: parent references",
        "The host by its address, then its newest messages, read from the end of the index \
         {host: 1, time: -1}.",
    );
    let odm = &stage.odm;
    let host = ask!(
        stage,
        Host::find(odm)
            .filter(Host::fields().ipaddr.eq("127.66.0.2"))
            .limit(1)
    );
    for host in host {
        let newest = ask!(
            stage,
            host.load_messages(odm)
                .sort(LogMsg::fields().time.desc())
                .limit(3)
                .select::<LogLine>()
        );
        for line in newest {
            stage.answer(format!(
                "{}: {} {}",
                host.name,
                date(line.time),
                line.message
            ));
        }
    }
    Ok(())
}

/// Loads the newest messages for each of many hosts.
pub async fn newest_of_each_host(stage: &Stage) -> Result<()> {
    stage.pattern(
        "The newest of each parent",
        "The limit holds for each host, not for all of them together, and the server applies it \
         (MongoDB 5.1).",
    );
    let odm = &stage.odm;
    let hosts = Host::find(odm)
        .sort(Host::fields().id.asc())
        .limit(10)
        .await?;
    let newest = ask!(
        stage,
        Host::join_messages(&hosts, odm)
            .sort(LogMsg::fields().time.desc())
            .limit_each(2)
            .select::<LogLine>()
    );
    for host in hosts.iter().take(3) {
        let lines: Vec<String> = newest
            .of(host)
            .map(|line| format!("{} {}", date(line.time), line.message))
            .collect();
        stage.answer(format!("{}: {}", host.name, lines.join("; ")));
    }
    Ok(())
}

/// Counts the messages of each host, on the server.
pub async fn count_of_each_host(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Counting instead of loading",
        "The server counts; no message is sent.",
    );
    let odm = &stage.odm;
    let hosts = Host::find(odm).await?;
    let bad = || LogMsg::fields().message.ne("all is well");
    let counts = ask!(
        stage,
        Host::join_messages(&hosts, odm).filter(bad()).count_each()
    );
    let total: u64 = hosts.iter().map(|host| counts.of(host)).sum();
    for host in hosts.iter().take(3) {
        stage.answer(format!("{}: {} alarms", host.name, counts.of(host)));
    }
    let (hosts, total) = (thousands(hosts.len()), thousands(usize::try_from(total)?));
    stage.answer(format!("{total} alarms of {hosts} hosts"));
    Ok(())
}
