//! C1: a rename with few copies, compared with the same statements by hand.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mongo_odm::{CopyReport, Odm, prelude::*};
use odm_benches::{
    Result,
    measure::{Kind, Variant, check, measure, median},
    place::{Place, fill},
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    hand::{ExtendedReference, Hand, LINES, MESSAGES},
    models::{Host, Part, address, host, message, part, part_name, product},
    options::Options,
};

/// Number of sources that are renamed in turn.
const SOURCES: usize = 8;

/// The sources for one table, and the number of the next unused value.
#[derive(Clone)]
struct Sources {
    odm: Odm,
    hand: Hand,
    ids: Arc<Vec<ObjectId>>,
    next: Arc<AtomicUsize>,
    value: fn(usize) -> String,
}

impl Sources {
    fn turn(&self, number: usize) -> (ObjectId, String) {
        let id = self.ids.get(number % self.ids.len().max(1)).copied();
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        (id.unwrap_or_default(), (self.value)(next))
    }
}

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    for copies in [1, 10, 100, 1_000] {
        let odm = place.database("c1").await?;
        let sources = scalars(copies, odm).await?;
        place.flush().await?;
        let variants = [
            library(&sources, |odm, id, new| async move {
                let host = Host::update(&odm, Id::from_key(id));
                Ok(modified(
                    &host.set(Host::fields().ipaddr, new).await?.copies,
                ))
            }),
            by_hand(&sources, MESSAGES),
        ];
        let title = format!("C1 rename, {copies} scalar copies");
        compare(&title, &variants, place, options, table).await?;

        let odm = place.database("c1").await?;
        let sources = arrays(copies, odm).await?;
        place.flush().await?;
        let variants = [
            library(&sources, |odm, id, new| async move {
                let part = Part::update(&odm, Id::from_key(id));
                Ok(modified(&part.set(Part::fields().name, new).await?.copies))
            }),
            by_hand(&sources, LINES),
        ];
        let title = format!("C1 rename, {copies} copies in arrays");
        compare(&title, &variants, place, options, table).await?;
    }
    Ok(())
}

async fn compare(
    title: &str,
    variants: &[Variant],
    place: &Place,
    options: &Options,
    table: &mut Table,
) -> Result<()> {
    check(variants, SOURCES).await?;
    let rounds = measure(variants, 1, options.seconds, options.least, place.process).await?;
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| Some(round.get(at)?.time))
    };
    let text = |at| format!("{:.2} ms", median(of(at)));
    let ratio = Ratio::of(of(0).zip(of(1)));
    table.row(title, &text(0), &text(1), &ratio, Limit::AtMost(1.10));
    table.notes.push(format!(
        "{title}: {} rounds of {} ({} more dropped), other processes took {:.2} cores",
        rounds.samples.len(),
        rounds.operations,
        rounds.dropped,
        rounds.disturbance
    ));
    Ok(())
}

fn library<F, Running>(sources: &Sources, rename: F) -> Variant
where
    F: Fn(Odm, ObjectId, String) -> Running + Send + Sync + 'static,
    Running: Future<Output = Result<u64>> + Send + 'static,
{
    let sources = sources.clone();
    Variant::new("library", Kind::Library, move |number| {
        let (id, new) = sources.turn(number);
        rename(sources.odm.clone(), id, new)
    })
}

fn by_hand(sources: &Sources, reference: ExtendedReference) -> Variant {
    let sources = sources.clone();
    Variant::new("hand-written", Kind::Hand, move |number| {
        let (id, new) = sources.turn(number);
        let hand = sources.hand.clone();
        async move { hand.rename(reference, id, &new).await }
    })
}

fn modified(copies: &[CopyReport]) -> u64 {
    copies.iter().map(|copies| copies.modified).sum()
}

/// Creates hosts that have some messages each.
async fn scalars(copies: usize, odm: Odm) -> Result<Sources> {
    let hosts: Vec<Host> = (0..SOURCES).map(host).collect();
    fill(hosts.iter().cloned(), &odm).await?;
    // The messages of all hosts are interleaved, as in a real log.
    let messages = hosts.iter().cycle().enumerate().take(copies * SOURCES);
    fill(messages.map(|(at, host)| message(at, host)), &odm).await?;
    let ids = hosts.iter().map(|host| host.id.into_key()).collect();
    sources(ids, odm, address).await
}

/// Creates parts that are used in some products each. The products also contain lines for other
/// parts.
async fn arrays(copies: usize, odm: Odm) -> Result<Sources> {
    let parts: Vec<Part> = (0..SOURCES).map(part).collect();
    let others: Vec<Part> = (SOURCES..SOURCES * 5).map(part).collect();
    fill(parts.iter().chain(&others).cloned(), &odm).await?;
    let products = parts.iter().cycle().enumerate().take(copies * SOURCES);
    let products = products.map(|(at, part)| {
        let (before, after) = (
            others.iter().skip(at % SOURCES),
            others.iter().skip(at % 17),
        );
        let lines = before.take(2).chain([part]).chain(after.take(2));
        product(at, lines)
    });
    fill(products, &odm).await?;
    let ids = parts.iter().map(|part| part.id.into_key()).collect();
    sources(ids, odm, part_name).await
}

async fn sources(ids: Vec<ObjectId>, odm: Odm, value: fn(usize) -> String) -> Result<Sources> {
    Ok(Sources {
        hand: Hand::new(&odm).await?,
        odm,
        ids: Arc::new(ids),
        // The sources already have the values with smaller numbers.
        next: Arc::new(AtomicUsize::new(SOURCES)),
        value,
    })
}
