//! C3: an insert of 1,000 messages that belong to a few hosts and contain copies of their
//! addresses, compared with the same insert by hand.

use std::sync::Arc;

use mongo_odm::{Odm, prelude::*};
use odm_benches::{
    Result,
    measure::{Kind, Variant, check, measure, median},
    place::{Place, fill},
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    hand::{self, Hand},
    models::{Host, LogMsg, host, message, text, time},
    options::Options,
};

const MESSAGES: usize = 1_000;
const HOSTS: usize = 5;

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let odm = place.database("c3").await?;
    let hosts: Arc<Vec<Host>> = Arc::new((0..HOSTS).map(host).collect());
    fill(hosts.iter().cloned(), &odm).await?;
    place.flush().await?;
    let variants = [
        library("library, addresses known", &odm, &hosts, true),
        library("library, addresses left out", &odm, &hosts, false),
        by_hand(&odm, &hosts).await?,
    ];
    check(&variants, 2).await?;
    let rounds = measure(&variants, 1, options.seconds, options.least, place.process).await?;
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| round.get(at))
    };
    let text = |at| {
        let time = median(of(at).map(|sample| sample.time));
        let cpu = median(of(at).map(|sample| sample.client_cpu));
        format!("{time:.2} ms ({cpu:.2} CPU)")
    };
    for (at, known) in [(0, "known"), (1, "left out")] {
        let ratio = Ratio::of(of(at).zip(of(2)).map(|(one, other)| (one.time, other.time)));
        let title = format!("C3 {MESSAGES} messages, addresses {known}");
        table.row(&title, &text(at), &text(2), &ratio, Limit::AtMost(1.10));
    }
    table.notes.push(format!(
        "C3: {} rounds of {} ({} more dropped), other processes took {:.2} cores",
        rounds.samples.len(),
        rounds.operations,
        rounds.dropped,
        rounds.disturbance
    ));
    Ok(())
}

/// Returns a variant that inserts messages with the library. The addresses in the structs are
/// either already correct or empty.
fn library(name: &'static str, odm: &Odm, hosts: &Arc<Vec<Host>>, known: bool) -> Variant {
    let (odm, hosts) = (odm.clone(), Arc::clone(hosts));
    Variant::new(name, Kind::Library, move |number| {
        let (odm, hosts) = (odm.clone(), Arc::clone(&hosts));
        async move {
            let messages = hosts.iter().cycle().enumerate().take(MESSAGES);
            let messages: Vec<LogMsg> = messages
                .map(|(at, host)| {
                    let mut message = message(number + at, host);
                    if !known {
                        message.ipaddr = String::new();
                    }
                    message
                })
                .collect();
            Ok(LogMsg::insert_many(&odm, &messages).await?.inserted)
        }
    })
}

async fn by_hand(odm: &Odm, hosts: &Arc<Vec<Host>>) -> Result<Variant> {
    let (hand, hosts) = (Hand::new(odm).await?, Arc::clone(hosts));
    Ok(Variant::new("hand-written", Kind::Hand, move |number| {
        let (hand, hosts) = (hand.clone(), Arc::clone(&hosts));
        async move {
            let messages = hosts.iter().cycle().enumerate().take(MESSAGES);
            let messages = messages.map(|(at, host)| hand::LogMsg {
                id: ObjectId::new(),
                time: time(number + at),
                message: text(number + at),
                host: host.id.into_key(),
                ipaddr: String::new(),
            });
            hand.insert(messages.collect()).await
        }
    }))
}
