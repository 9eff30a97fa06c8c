//! D4: a join over both shards, compared with hand-written code.

use std::sync::Arc;

use mongo_odm::{mongodb::Client, prelude::doc};
use mongo_odm_testkit::Cluster;
use odm_benches::{
    Result,
    data::Data,
    hand::Hand,
    library::Library,
    measure::{Kind, Variant, check, measure, median},
    options::{QUICK, Sizes},
    report::Ratio,
    table::{Limit, Table},
};

use crate::Options;

/// The data for 100 products that have 20,000 references.
const SIZES: Sizes = Sizes {
    parts: 50_000,
    products: 500,
    refs: 200,
    hosts: 10,
    messages: 1_000,
    newest: 10,
    owners: 100,
};

pub(crate) async fn run(
    cluster: &Cluster,
    client: &Client,
    options: &Options,
    table: &mut Table,
) -> Result<()> {
    let database = client.database("mongo_odm_benches_join");
    database.drop().await?;
    for collection in ["parts", "products"] {
        let namespace = format!("{}.{collection}", database.name());
        let key = doc! { "_id": "hashed" };
        cluster.shard_collection(&namespace, key).await?;
    }
    let sizes = if options.quick { QUICK } else { SIZES };
    let data = Arc::new(Data::fill_database(database, &sizes).await?);
    let variants = variants(&data, sizes.owners);
    check(&variants, 5).await?;
    let rounds = measure(&variants, 1, options.seconds, options.least, None).await?;
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| Some(round.get(at)?.time))
    };
    let middles = [1, 2].map(|at| median(of(at)));
    let best = if middles[0] <= middles[1] { 1 } else { 2 };
    let text = |at| format!("{:.1} ms", median(of(at)));
    let ratio = Ratio::of(of(0).zip(of(best)));
    let title = format!(
        "D4 join, {} products, {} references",
        sizes.owners,
        sizes.owners * sizes.refs
    );
    table.row(&title, &text(0), &text(best), &ratio, Limit::AtMost(1.10));
    let name = variants.get(best).map_or("", |variant| variant.name);
    table.notes.push(format!("D4: compared with {name}"));
    Ok(())
}

fn variants(data: &Arc<Data>, owners: u32) -> Vec<Variant> {
    let library = Library::new(data.database.clone());
    let by_hand = |name, ranges| {
        let (hand, data) = (Hand::new(data.database.clone()), Arc::clone(data));
        Variant::new(name, Kind::Hand, move |number| {
            let (hand, ids) = (hand.clone(), data.owners(number, owners));
            async move {
                let joined = hand.join(&ids, ranges).await?;
                Ok(sum(joined.references().map(|part| part.qty)))
            }
        })
    };
    let source = Arc::clone(data);
    vec![
        Variant::new("library", Kind::Library, move |number| {
            let (library, ids) = (library.clone(), source.owners(number, owners));
            async move {
                let (products, parts) = library.join(&ids).await?;
                let parts = products.iter().flat_map(|product| parts.of(product));
                Ok(sum(parts.map(|part| part.qty)))
            }
        }),
        by_hand("hand-written code, two ranges", 2),
        by_hand("hand-written code, one range", 1),
    ]
}

/// Returns the same sum for every order of the products, because both shards send products at the same time.
fn sum(parts: impl Iterator<Item = i64>) -> u64 {
    parts.fold(0, |sum, part| sum.wrapping_add(part.unsigned_abs()))
}
