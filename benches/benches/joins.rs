//! Compares the library's joins with hand-written driver code. All variants are measured in the
//! same rounds.
//!
//! This program does not use a benchmark framework. Criterion and divan measure functions one after
//! the other, minutes apart, so that changes of the machine's load distort the comparison. Here all
//! variants run in every round, and only the ratios within a round are compared (see
//! [`odm_benches::measure`]).

use std::sync::Arc;

use mongo_odm::prelude::{ObjectId, doc};
use odm_benches::{
    Result,
    data::Data,
    digest,
    hand::Hand,
    library::Library,
    measure::{Kind, Variant, check, measure},
    options::Options,
    plain::{Part, PartName},
    report::{self, Limits},
    text,
    usual::Usual,
};

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::from_args()?;
    let data = Arc::new(Data::fill(&options.sizes).await?);
    let sizes = options.sizes;
    println!("{sizes:?}");
    let mut missed = Vec::new();
    let mut notes = Vec::new();
    report::head();
    for (name, title, mut variants) in [
        (
            "j1",
            format!("J1 product and its {} parts", sizes.refs),
            one_product(&data),
        ),
        (
            "j2",
            format!("J2 product and {} names", sizes.refs),
            names(&data),
        ),
        (
            "j3",
            format!(
                "J3 {} products, {} references",
                sizes.owners,
                sizes.owners * sizes.refs
            ),
            many_products(&data, sizes.owners),
        ),
        (
            "j4",
            format!("J4 host and newest {} messages", sizes.newest),
            newest(&data, sizes.newest),
        ),
    ] {
        if !options.wants(name) {
            continue;
        }
        variants.retain(|variant| options.wants_variant(variant.name));
        check(&variants, 5).await?;
        for callers in options.callers.iter().copied() {
            // With one caller and many keys, two concurrent ranges reduce the time to 0.6 of that
            // of the usual code. With many callers, a server that has two cores is busy even
            // without concurrent ranges.
            let usual = if name == "j3" && callers == 1 {
                0.6
            } else {
                1.0
            };
            let limits = Limits {
                usual,
                ..Limits::default()
            };
            let (seconds, least) = (options.seconds, options.rounds);
            let rounds = measure(&variants, callers, seconds, least, data.server_process).await?;
            missed.extend(report::rows(&title, callers, &variants, &rounds, &limits));
            notes.push(format!(
                "{name}, {callers} callers: {} rounds of {} operations ({} more dropped), other \
                 processes took {:.2} cores",
                rounds.samples.len(),
                rounds.operations,
                rounds.dropped,
                rounds.disturbance
            ));
        }
    }
    println!();
    for note in notes {
        println!("- {note}");
    }
    println!(
        "\nmissed limits: {}",
        if missed.is_empty() { "none" } else { "" }
    );
    for miss in &missed {
        println!("- {miss}");
    }
    if let Some(data) = Arc::into_inner(data) {
        data.clear().await?;
    }
    if options.strict && !missed.is_empty() {
        return Err("the library misses limits".into());
    }
    Ok(())
}

/// The implementations of a workload, and a function that selects the documents for each operation.
struct Place<I> {
    library: Library,
    hand: Hand,
    usual: Usual,
    ids: Arc<dyn Fn(usize) -> I + Send + Sync>,
}

impl<I: 'static> Place<I> {
    fn new(data: &Data, ids: impl Fn(usize) -> I + Send + Sync + 'static) -> Self {
        let database = || data.database.clone();
        Self {
            library: Library::new(database()),
            hand: Hand::new(database()),
            usual: Usual::new(database()),
            ids: Arc::new(ids),
        }
    }

    fn library<F, Running>(&self, run: F) -> Variant
    where
        F: Fn(Library, I) -> Running + Send + Sync + 'static,
        Running: Future<Output = Result<u64>> + Send + 'static,
    {
        let (library, ids) = (self.library.clone(), Arc::clone(&self.ids));
        Variant::new("library", Kind::Library, move |number| {
            run(library.clone(), ids(number))
        })
    }

    fn hand<F, Running>(&self, name: &'static str, kind: Kind, run: F) -> Variant
    where
        F: Fn(Hand, I) -> Running + Send + Sync + 'static,
        Running: Future<Output = Result<u64>> + Send + 'static,
    {
        let (hand, ids) = (self.hand.clone(), Arc::clone(&self.ids));
        Variant::new(name, kind, move |number| run(hand.clone(), ids(number)))
    }

    fn usual<F, Running>(&self, run: F) -> Variant
    where
        F: Fn(Usual, I) -> Running + Send + Sync + 'static,
        Running: Future<Output = Result<u64>> + Send + 'static,
    {
        let (usual, ids) = (self.usual.clone(), Arc::clone(&self.ids));
        Variant::new("usual", Kind::Usual, move |number| {
            run(usual.clone(), ids(number))
        })
    }
}

/// Returns a different document for each number. Successive documents are far from each other.
fn spread(ids: &[ObjectId], number: usize) -> ObjectId {
    let at = number.wrapping_mul(7_919) % ids.len().max(1);
    ids.get(at).copied().unwrap_or_default()
}

/// Returns a number that identifies a part. The field `qty` contains the part's position in the
/// collection.
fn number(qty: i64) -> u64 {
    qty.unsigned_abs()
}

/// Returns variants that read one product and then its parts in stored order.
fn one_product(data: &Arc<Data>) -> Vec<Variant> {
    let products = data.products.clone();
    let place = Place::new(data, move |number| spread(&products, number));
    let by_hand = |name, ranges| {
        place.hand(name, Kind::Hand, move |hand, id| async move {
            let parts = hand.parts(id, ranges).await?;
            Ok(digest(parts.iter().map(|part| number(part.qty))))
        })
    };
    vec![
        place.library(|library, id| async move {
            Ok(digest(
                library.parts(id).await?.iter().map(|part| number(part.qty)),
            ))
        }),
        by_hand("hand-written, 2 ranges", 2),
        by_hand("hand-written, 1 range", 1),
        place.usual(|usual, id| async move {
            Ok(digest(
                usual.parts(id).await?.iter().map(|part| number(part.qty)),
            ))
        }),
        place.hand("$lookup", Kind::Lookup, |hand, id| async move {
            let parts: Vec<Part> = hand.lookup(&[id], None).await?;
            Ok(digest(parts.iter().map(|part| number(part.qty))))
        }),
    ]
}

/// Returns variants that read one product and then the names of its parts in stored order.
fn names(data: &Arc<Data>) -> Vec<Variant> {
    let products = data.products.clone();
    let place = Place::new(data, move |number| spread(&products, number));
    let by_hand = |name, ranges| {
        place.hand(name, Kind::Hand, move |hand, id| async move {
            let parts = hand.names(id, ranges).await?;
            Ok(digest(parts.iter().map(|part| text(&part.name))))
        })
    };
    vec![
        place.library(|library, id| async move {
            Ok(digest(
                library.names(id).await?.iter().map(|part| text(&part.name)),
            ))
        }),
        by_hand("hand-written, 2 ranges", 2),
        by_hand("hand-written, 1 range", 1),
        place.usual(|usual, id| async move {
            Ok(digest(
                usual.names(id).await?.iter().map(|part| text(&part.name)),
            ))
        }),
        place.hand("$lookup", Kind::Lookup, |hand, id| async move {
            let parts: Vec<PartName> = hand.lookup(&[id], Some(doc! { "name": 1 })).await?;
            Ok(digest(parts.iter().map(|part| text(&part.name))))
        }),
    ]
}

/// Returns variants that read many products and then the parts of all of them. The parts are
/// processed product by product.
fn many_products(data: &Arc<Data>, owners: u32) -> Vec<Variant> {
    let source = Arc::clone(data);
    let place = Place::new(data, move |number| source.owners(number, owners));
    let by_hand = |name, ranges| {
        place.hand(name, Kind::Hand, move |hand, ids| async move {
            let joined = hand.join(&ids, ranges).await?;
            Ok(digest(joined.references().map(|part| number(part.qty))))
        })
    };
    vec![
        place.library(|library, ids| async move {
            let (products, parts) = library.join(&ids).await?;
            let parts = products.iter().flat_map(|product| parts.of(product));
            Ok(digest(parts.map(|part| number(part.qty))))
        }),
        by_hand("hand-written, 2 ranges", 2),
        by_hand("hand-written, 1 range", 1),
        place.usual(|usual, ids| async move {
            let (products, parts) = usual.join(&ids).await?;
            let ids = products.iter().flat_map(|product| &product.parts);
            Ok(digest(
                ids.filter_map(|id| parts.get(id))
                    .map(|part| number(part.qty)),
            ))
        }),
        place.hand("$lookup", Kind::Lookup, |hand, ids| async move {
            let parts: Vec<Part> = hand.lookup(&ids, None).await?;
            Ok(digest(parts.iter().map(|part| number(part.qty))))
        }),
    ]
}

/// Returns variants that read one host and then its newest messages.
fn newest(data: &Arc<Data>, newest: u32) -> Vec<Variant> {
    let hosts = data.hosts.clone();
    let place = Place::new(data, move |number| spread(&hosts, number));
    let by_hand = |name, batch_size| {
        place.hand(name, Kind::Hand, move |hand, id| async move {
            let messages = hand.messages(id, newest, batch_size).await?;
            Ok(digest(
                messages
                    .iter()
                    .map(|message| number(message.time.timestamp_millis())),
            ))
        })
    };
    vec![
        place.library(move |library, id| async move {
            let messages = library.messages(id, newest).await?;
            Ok(digest(
                messages
                    .iter()
                    .map(|message| number(message.time.timestamp_millis())),
            ))
        }),
        by_hand("hand-written, batch n + 1", Some(newest + 1)),
        by_hand("hand-written, default batch", None),
        place.usual(move |usual, id| async move {
            let messages = usual.messages(id, newest).await?;
            Ok(digest(
                messages
                    .iter()
                    .map(|message| number(message.time.timestamp_millis())),
            ))
        }),
        place.hand("$lookup", Kind::Lookup, move |hand, id| async move {
            let messages = hand.lookup_messages(id, newest).await?;
            Ok(digest(
                messages
                    .iter()
                    .map(|message| number(message.time.timestamp_millis())),
            ))
        }),
    ]
}
