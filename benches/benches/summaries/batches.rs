//! S1: inserts of messages in batches, compared with the same transactions by hand, and with one update per message.

use std::time::Instant;

use mongo_odm::prelude::*;
use odm_benches::{
    Result,
    measure::{Watch, median},
    place::Place,
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    hand::{self, Batch},
    models::{LIST, LogMsg, message},
    options::Options,
    right,
    target::Target,
};

const HOSTS: usize = 100;
const BATCH: usize = 1_000;

/// Factor by which fewer messages are inserted if each message has its own update, because these updates take much
/// longer.
const FEWER: usize = 20;

#[derive(Clone, Copy, Debug)]
enum Form {
    Library,
    /// A transaction for each batch, which has one update for each host.
    Transaction,
    /// An `insertMany` for each batch, and then an update for each message.
    Updates,
}

const FORMS: [Form; 3] = [Form::Library, Form::Transaction, Form::Updates];

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let watch = Watch::begin(place.process);
    let mut rounds = Vec::new();
    for round in 0..options.rounds {
        let mut rates = [0.0; FORMS.len()];
        for turn in 0..FORMS.len() {
            let at = (round + turn) % FORMS.len();
            if let (Some(form), Some(rate)) = (FORMS.get(at), rates.get_mut(at)) {
                *rate = form.rate(place, options.messages).await?;
            }
        }
        rounds.push(rates);
    }
    let title = |to: &str| {
        let messages = options.messages;
        format!("S1 {messages} messages in batches of {BATCH} into {HOSTS} hosts, to {to}")
    };
    let [library, transaction, updates] = [0, 1, 2].map(|at| {
        rounds
            .iter()
            .filter_map(move |rates| rates.get(at).copied())
    });
    let text = |rates| format!("{:.0} messages/s", median(rates));
    table.row(
        &title("the same transactions"),
        &text(library.clone().collect::<Vec<_>>()),
        &text(transaction.clone().collect()),
        &Ratio::of(library.clone().zip(transaction)),
        Limit::AtLeast(0.9),
    );
    table.row(
        &title("an update for each message"),
        &text(library.clone().collect()),
        &text(updates.clone().collect()),
        &Ratio::of(library.zip(updates)),
        Limit::AtLeast(10.0),
    );
    table.notes.push(format!(
        "S1: {} rounds, other processes took {:.2} cores; the updates for each message with 1 of {FEWER} messages, into \
         lists that are half full",
        rounds.len(),
        watch.disturbance()
    ));
    Ok(())
}

impl Form {
    /// Returns the number of messages that are inserted per second.
    async fn rate(self, place: &Place, messages: usize) -> Result<f64> {
        // The lists start empty and grow to their limit. If only a few messages are inserted, the lists start half
        // full, which is the average of the other variants.
        let (each, messages) = match self {
            Self::Library | Self::Transaction => (0, messages),
            Self::Updates => (LIST / 2, messages / FEWER),
        };
        let target = Target::fill(place, "s1", &[each; HOSTS]).await?;
        // The first two inserts open connections and sessions.
        let mut next = target.given;
        for _ in 0..2 {
            self.insert(&target, next..next + HOSTS).await?;
            next += HOSTS;
        }
        let (first, end) = (next, next + messages);
        let began = Instant::now();
        while next < end {
            let last = (next + BATCH).min(end);
            self.insert(&target, next..last).await?;
            next = last;
        }
        let seconds = began.elapsed().as_secs_f64();
        right::check(&target, end).await?;
        Ok((end - first) as f64 / seconds)
    }

    async fn insert(self, target: &Target, numbers: std::ops::Range<usize>) -> Result<()> {
        let hosts: Result<Vec<_>> = numbers
            .map(|number| Ok((number, target.in_turn(number)?)))
            .collect();
        let hosts = hosts?.into_iter();
        if matches!(self, Self::Library) {
            let messages: Vec<LogMsg> = hosts.map(|(number, host)| message(number, host)).collect();
            LogMsg::insert_many(&target.odm, &messages).await?;
            return Ok(());
        }
        let messages = hosts.map(|(number, host)| hand::LogMsg::new(number, host.into_key()));
        let messages: Vec<hand::LogMsg> = messages.collect();
        if matches!(self, Self::Transaction) {
            return target.hand.commit(&Batch(messages)).await;
        }
        target.hand.messages().insert_many(&messages).await?;
        for message in &messages {
            target.hand.count_in(message).await?;
        }
        Ok(())
    }
}
