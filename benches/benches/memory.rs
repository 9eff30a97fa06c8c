//! Measures the memory of a join: the memory of its result, and its maximum while it runs.
//!
//! An allocator counts the requested bytes. The result is compared with the size of the decoded
//! targets in a vector without spare capacity, plus 12 bytes for each distinct key. The maximum is
//! compared with that of the hand-written join.

use mongo_odm::prelude::ObjectId;
use odm_benches::{
    Result,
    data::Data,
    hand::Hand,
    library::Library,
    measure::median,
    options::Options,
    plain::{Part, Product},
    usual::Usual,
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Largest memory of a join's result, as a multiple of the size of its targets and keys.
const LIMIT: f64 = 1.2;

/// Number of runs. The median of several runs is used, because the driver's background tasks also
/// allocate memory.
const RUNS: usize = 5;

/// The bytes that a result occupies, and the maximum while it was created.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    kept: f64,
    most: f64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::from_args()?;
    let data = Data::fill(&options.sizes).await?;
    let ids = data.owners(0, options.sizes.owners);
    let library = Library::new(data.database.clone());
    let hand = Hand::new(data.database.clone());
    let usual = Usual::new(data.database.clone());

    let products = library.products(&ids).await?;
    let plain = plain(&hand, &ids).await?;
    let parts = hand.join_owners(plain.clone(), 2).await?.documents;
    let targets = bytes(async || Ok(parts.iter().cloned().collect::<Box<[Part]>>()))
        .await?
        .kept;
    let keys = bytes(async || Ok(parts.iter().map(|part| part.id).collect::<Box<[_]>>())).await?;
    let floor = targets + keys.kept;
    println!(
        "{} products, {} parts: targets {:.0} KiB, keys {:.0} KiB\n",
        products.len(),
        parts.len(),
        targets / 1024.0,
        keys.kept / 1024.0
    );

    let joined = bytes(async || library.join_owners(&products).await).await?;
    // The hand-written join takes its owners as an argument and returns them. The owners were
    // already in memory, so their size is subtracted.
    let by_hand = bytes(async || hand.join_owners(plain.clone(), 2).await).await?;
    let owners = bytes(async || Ok(plain.clone())).await?.kept;
    let by_hand = Bytes {
        kept: by_hand.kept - owners,
        most: by_hand.most - owners,
    };
    let as_usual = bytes(async || usual.join(&ids).await).await?;
    let as_usual = Bytes {
        kept: as_usual.kept - owners,
        most: as_usual.most - owners,
    };

    println!("| variant | kept KiB | x targets and keys | most KiB | x hand-written |");
    println!("|---|---|---|---|---|");
    for (name, used) in [
        ("library", joined),
        ("hand-written", by_hand),
        ("usual", as_usual),
    ] {
        println!(
            "| {name} | {:.0} | {:.2} | {:.0} | {:.2} |",
            used.kept / 1024.0,
            used.kept / floor,
            used.most / 1024.0,
            used.most / by_hand.most
        );
    }
    let missed = joined.kept / floor > LIMIT;
    println!(
        "\nmissed limits: {}",
        if missed {
            "the library keeps too much"
        } else {
            "none"
        }
    );
    data.clear().await?;
    if options.strict && missed {
        return Err("the library misses limits".into());
    }
    Ok(())
}

async fn plain(hand: &Hand, ids: &[ObjectId]) -> Result<Vec<Product>> {
    Ok(hand.join(ids, 1).await?.products)
}

/// Measures the memory of a call. The first call is not counted, because it opens connections.
async fn bytes<T>(make: impl AsyncFn() -> Result<T>) -> Result<Bytes> {
    drop(make().await?);
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        // Tasks that have ended release their memory a little later.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        let result = make().await?;
        let most = ALLOCATOR.peak_usage();
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let kept = ALLOCATOR.current_usage();
        drop(result);
        runs.push(Bytes {
            kept: number(kept.saturating_sub(before)),
            most: number(most.saturating_sub(before)),
        });
    }
    Ok(Bytes {
        kept: median(runs.iter().map(|run| run.kept)),
        most: median(runs.iter().map(|run| run.most)),
    })
}

fn number(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap_or(u32::MAX))
}
