//! S4: an insert for a host that has few messages, and for a host that has many.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mongo_odm::prelude::*;
use odm_benches::{
    Result,
    measure::{Kind, Variant, measure, median},
    place::Place,
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    models::{Host, LIST, message},
    options::Options,
    right,
    target::Target,
};

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let target = Target::fill(place, "s4", &[LIST, options.children]).await?;
    let next = Arc::new(AtomicUsize::new(target.given));
    let (few, many) = (target.in_turn(0)?, target.in_turn(1)?);
    let variants = [
        inserts("many", &target, many, &next),
        inserts("few", &target, few, &next),
    ];
    let rounds = measure(&variants, 1, options.seconds, options.least, place.process).await?;
    right::check(&target, next.load(Ordering::Relaxed)).await?;
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| Some(round.get(at)?.time))
    };
    let text = |at| format!("{:.2} ms", median(of(at)));
    table.row(
        &format!(
            "S4 an insert with {} messages of its host, to one with {LIST}",
            options.children
        ),
        &text(0),
        &text(1),
        &Ratio::of(of(0).zip(of(1))),
        Limit::None,
    );
    table.notes.push(format!(
        "S4: {} rounds of {} ({} more dropped), other processes took {:.2} cores",
        rounds.samples.len(),
        rounds.operations,
        rounds.dropped,
        rounds.disturbance
    ));
    Ok(())
}

fn inserts(
    name: &'static str,
    target: &Target,
    host: Id<Host>,
    next: &Arc<AtomicUsize>,
) -> Variant {
    let (odm, next) = (target.odm.clone(), Arc::clone(next));
    Variant::new(name, Kind::Library, move |_| {
        let message = message(next.fetch_add(1, Ordering::Relaxed), host);
        let odm = odm.clone();
        async move {
            message.insert(&odm).await?;
            Ok(1)
        }
    })
}
