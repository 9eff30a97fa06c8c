//! The futures of all builders can be spawned.

use mongo_odm::{Odm, Tx, prelude::*};
use odm_tests::shop::*;

fn spawnable<T: IntoFuture<IntoFuture: Send + 'static> + Send + 'static>(_: &T) {}

fn sendable<T: Send + 'static>(_: &T) {}

/// Is compiled, but not run.
#[allow(dead_code, reason = "what it says, it says to the compiler")]
fn every_builder_can_be_spawned(odm: &impl Executor, part: &Part, product: &Product) {
    let fields = Part::fields();
    spawnable(&Part::get(odm, part.id));
    spawnable(&Part::get(odm, part.id).select::<PartName>());
    spawnable(&Part::find(odm));
    spawnable(&Part::find(odm).select::<PartName>().sort(fields.name.asc()));
    spawnable(&Part::find(odm).page(5));
    sendable(&Part::find(odm).stream());
    sendable(&Part::find(odm).batches(5));
    sendable(&Part::find_one(odm).filter(fields.qty.eq(1)).require());
    spawnable(&Part::find_one(odm).filter(fields.qty.eq(1)));
    spawnable(&Part::count(odm));
    spawnable(&Part::exists(odm));
    spawnable(&Part::distinct(odm, fields.name));
    spawnable(&Part::aggregate::<PartName>(odm, []));
    sendable(&Part::aggregate::<PartName>(odm, []).stream());
    spawnable(&part.insert(odm));
    spawnable(&Part::insert_many(odm, [part]));
    spawnable(&part.save(odm));
    spawnable(&part.replace(odm));
    spawnable(&Part::update(odm, part.id).inc(fields.qty, 1));
    spawnable(&Part::update_many(odm, doc! {}).inc(fields.qty, 1));
    spawnable(&Part::find_one_and_update(odm, doc! {}).inc(fields.qty, 1));
    spawnable(&Part::upsert(odm, doc! {}).inc(fields.qty, 1));
    spawnable(&Part::delete(odm, part.id));
    spawnable(&Part::delete_many(odm, doc! {}));
    spawnable(&product.load_parts(odm));
    spawnable(&Product::join_parts([product], odm));
}

const _: () = {
    const fn shared_by_tasks<T: Clone + Send + Sync + 'static>() {}
    const fn error<T: std::error::Error + Send + Sync + 'static>() {}
    shared_by_tasks::<Odm>();
    shared_by_tasks::<Tx>();
    shared_by_tasks::<Id<Part>>();
    error::<mongo_odm::Error>();
};

#[tokio::test(flavor = "multi_thread")]
async fn builders_that_were_made_from_borrowed_values_are_awaited_in_other_tasks() {
    let t = odm_tests::Harness::new("futures_spawned").await;
    let inserts: Vec<_> = {
        let parts = parts(10);
        parts
            .iter()
            .map(|part| tokio::spawn(part.insert(&t.odm).into_future()))
            .collect()
    };
    for insert in inserts {
        insert.await.unwrap().unwrap();
    }
    let counts = [Part::count(&t.odm), Part::count(&t.odm)].map(IntoFuture::into_future);
    for count in counts.map(tokio::spawn) {
        assert_eq!(count.await.unwrap().unwrap(), 10);
    }
}
