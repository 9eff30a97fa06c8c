//! Cursors that the server closes between two batches of a write, as it does for sessions that were not used for half
//! an hour.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use futures_util::TryStreamExt;
use mongo_odm::{bson::Document, mongodb::Client, prelude::*};
use odm_tests::{Harness, cluster::is_sharded, sent::commands};

use crate::{models::*, setting::*};

/// Number of products, which is larger than two parts of a write.
const PRODUCTS: u64 = 1_001;

/// Products with one part each, and a handle that leaves all copies to jobs.
async fn products(test: &str) -> (Harness, Odm) {
    let t = shop(test).await;
    let parts: Vec<Part> = (1..=1_001).map(part).collect();
    t.given(&parts).await;
    let products = (1..).zip(&parts);
    let products: Vec<Product> = products
        .map(|(number, part)| product(number, [part]))
        .collect();
    t.given(&products).await;
    settle(&t.odm).await;
    let odm = by_jobs(&t.odm);
    t.forget();
    (t, odm)
}

/// Closes the idle cursors of a collection, and returns whether there was one.
///
/// On a cluster, these are the cursors on the shards. A router knows only its own cursors, so the shards close them.
async fn close_cursors(odm: &Odm, collection: &str) -> bool {
    let name = odm.database().name();
    let of_collection = doc! { "type": "idleCursor", "ns": format!("{name}.{collection}") };
    let idle = vec![
        doc! { "$currentOp": { "idleCursors": true } },
        doc! { "$match": of_collection },
    ];
    let found = odm.client().database("admin").aggregate(idle).await;
    let found: Vec<Document> = found.unwrap().try_collect().await.unwrap();
    for idle in &found {
        let id = idle.get_document("cursor").unwrap();
        let id = id.get_i64("cursorId").unwrap();
        let close = doc! { "killCursors": collection, "cursors": [id] };
        let client = if is_sharded() {
            let host = idle.get_str("host").unwrap();
            let uri = format!("mongodb://{host}/?directConnection=true");
            Client::with_uri_str(uri).await.unwrap()
        } else {
            odm.client().clone()
        };
        client.database(name).run_command(close).await.unwrap();
    }
    !found.is_empty()
}

/// Returns a callback that closes cursors after each batch of a job, and how often it has closed any.
fn closing(
    odm: &Odm,
) -> (
    impl Fn(&mongo_odm::Progress) + Send + Sync + 'static,
    Arc<AtomicUsize>,
) {
    let (odm, closed) = (odm.clone(), Arc::new(AtomicUsize::new(0)));
    let total = Arc::clone(&closed);
    let close = move |_: &mongo_odm::Progress| {
        let runtime = tokio::runtime::Handle::current();
        let closing = || runtime.block_on(close_cursors(&odm, "products"));
        total.fetch_add(tokio::task::block_in_place(closing).into(), Relaxed);
    };
    (close, closed)
}

/// Returns the number of queries for the ids of products.
fn queries(t: &Harness) -> usize {
    let finds = commands(t, "find").into_iter();
    let of_ids = finds.filter(|find| {
        find.get_str("find").is_ok_and(|it| it == "products")
            && find.get_i32("batchSize").is_ok_and(|it| it == 500)
    });
    of_ids.count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_of_many_goes_on_where_its_cursor_was_closed() {
    let (t, odm) = products("cursors_update").await;
    let (close, closed) = closing(&t.odm);
    let update = Product::update_many(&odm, doc! {})
        .set(Product::fields().name, "new")
        .inc(Product::fields().catalog_number, 10_000)
        .on_progress(close);
    let report = update.await.unwrap();
    assert!(closed.load(Relaxed) > 0, "no cursor was closed");
    assert_eq!(queries(&t), 1 + closed.load(Relaxed));
    assert_eq!((report.matched, report.modified), (PRODUCTS, PRODUCTS));
    // Each product was updated once.
    let once = doc! { "name": "new", "catalog_number": { "$gt": 10_000, "$lt": 20_000 } };
    assert_eq!(count(&t.odm, "products", once).await, PRODUCTS);
    settle(&t.odm).await;
    let equal = doc! { "product_name": "new" };
    assert_eq!(count(&t.odm, "parts", equal).await, PRODUCTS);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_of_many_goes_on_where_its_cursor_was_closed() {
    let (t, odm) = products("cursors_delete").await;
    let (close, closed) = closing(&t.odm);
    let delete = Product::delete_many(&odm, doc! {}).everything();
    let report = delete.on_progress(close).await.unwrap();
    assert!(closed.load(Relaxed) > 0, "no cursor was closed");
    assert_eq!(report.deleted, PRODUCTS);
    assert_eq!(count(&t.odm, "products", doc! {}).await, 0);
    settle(&t.odm).await;
    let gone = doc! { "product_name": null };
    assert_eq!(count(&t.odm, "parts", gone).await, PRODUCTS);
}
