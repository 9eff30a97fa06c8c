//! C6: a verification of 300,000 copies of 20 sources. All copies are correct.

use std::time::Instant;

use mongo_odm::Odm;
use odm_benches::{
    Result,
    measure::{Watch, median},
    place::{Place, fill},
    report::Ratio,
    table::Table,
};

use crate::{
    hand::Hand,
    models::{Host, LogMsg, host, message},
    options::Options,
};

const HOSTS: usize = 20;
const LIMIT_SECONDS: f64 = 1.0;

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let odm = place.database("c6").await?;
    let hosts: Vec<Host> = (0..HOSTS).map(host).collect();
    fill(hosts.iter().cloned(), &odm).await?;
    let messages = (0..options.copies).zip(hosts.iter().cycle());
    fill(messages.map(|(at, host)| message(at, host)), &odm).await?;
    place.flush().await?;

    let hand = Hand::new(&odm).await?;
    let watch = Watch::begin(place.process);
    let mut rounds = Vec::new();
    for round in 0..options.rounds.max(options.least) {
        // The order alternates, so that neither variant always benefits from the caches that the
        // other has filled.
        rounds.push(if round.is_multiple_of(2) {
            let library = library(&odm).await?;
            (library, by_hand(&hand, options.copies).await?)
        } else {
            let by_hand = by_hand(&hand, options.copies).await?;
            (library(&odm).await?, by_hand)
        });
    }
    let seconds = median(rounds.iter().map(|(library, _)| *library));
    let by_hand = median(rounds.iter().map(|(_, by_hand)| *by_hand));
    table.line(
        [
            &format!("C6 verification of {} copies", options.copies),
            &format!("{:.0} ms", seconds * 1_000.0),
            &format!("{:.0} ms", by_hand * 1_000.0),
            &Ratio::of(rounds.iter().copied()).to_string(),
            &format!("< {LIMIT_SECONDS} s"),
        ],
        Some(seconds < LIMIT_SECONDS),
    );
    table.notes.push(format!(
        "C6: {} rounds, other processes took {:.2} cores",
        rounds.len(),
        watch.disturbance()
    ));
    Ok(())
}

async fn library(odm: &Odm) -> Result<f64> {
    let began = Instant::now();
    let drift = odm.verify().only::<LogMsg>().await?;
    let seconds = began.elapsed().as_secs_f64();
    if drift.is_empty() {
        return Ok(seconds);
    }
    Err(format!("copies have drifted: {drift}").into())
}

async fn by_hand(hand: &Hand, copies: usize) -> Result<f64> {
    let began = Instant::now();
    let right = hand.count_right().await?;
    let seconds = began.elapsed().as_secs_f64();
    if right == copies {
        return Ok(seconds);
    }
    Err(format!("{right} of {copies} copies are right").into())
}
