//! The counters of a handle.

use futures_util::TryStreamExt;
use mongo_odm::{
    ModelStats, Odm, RelationStats, Settings,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::{Harness, shop::*};

/// Stores ten products with two parts each. There are twelve parts.
async fn products(test: &str) -> (Harness, Vec<Product>) {
    let t = Harness::new(test).await;
    let parts = parts(12);
    let products: Vec<_> = (0..10_usize)
        .map(|at| product(i64::try_from(at).unwrap(), &parts[at..at + 2]))
        .collect();
    t.given(&parts).await;
    t.given(&products).await;
    (t, products)
}

fn relation(odm: &Odm, name: &str) -> RelationStats {
    let mut relations = odm.stats().relations.into_iter();
    relations.find(|it| it.relation == name).unwrap()
}

fn model(odm: &Odm, name: &str) -> ModelStats {
    let mut models = odm.stats().models.into_iter();
    models.find(|it| it.model == name).unwrap()
}

#[tokio::test]
async fn loads_and_joins_are_counted_with_their_keys_and_documents() {
    let (t, products) = products("stats_relations").await;
    let odm = &t.odm;
    products[0].load_parts(odm).await.unwrap();
    products[1].load_parts(odm).plan().unwrap();
    let stream = products[2].load_parts(odm).sort(Part::fields().name.asc());
    stream.stream().try_collect::<Vec<_>>().await.unwrap();
    Product::join_parts(&products, odm).await.unwrap();
    Part::find(odm).await.unwrap()[1]
        .count_products(odm)
        .await
        .unwrap();
    product(11, []).load_parts(odm).await.unwrap();

    let parts = relation(odm, "Product.parts");
    assert_eq!((parts.target, parts.loads, parts.joins), ("Part", 2, 1));
    // Each load has two keys, and the join has eleven distinct ones.
    assert_eq!((parts.keys, parts.documents, parts.counts), (15, 15, 0));
    let back = relation(odm, "Part.products");
    assert_eq!((back.counts, back.loads, back.keys), (1, 0, 1));
    assert_eq!((back.target, back.documents), ("Product", 0));
}

#[tokio::test]
async fn the_most_loads_of_one_task_are_told_with_their_line() {
    let (t, products) = products("stats_tasks").await;
    let tasks = products.iter().map(|product| {
        let (odm, product) = (t.odm.clone(), product.clone());
        tokio::spawn(async move { product.load_parts(&odm).await.unwrap() })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(relation(&t.odm, "Product.parts").most_loads_in_a_task, 1);

    let line = line!() + 2;
    for product in &products[..7] {
        product.load_parts(&t.odm).await.unwrap();
    }
    products[7].load_parts(&t.odm).await.unwrap();
    let parts = relation(&t.odm, "Product.parts");
    assert_eq!((parts.most_loads_in_a_task, parts.loads), (7, 18));
    let at = parts.loaded_at.unwrap();
    assert!(at.starts_with(&format!("{}:{line}:", file!())), "{at}");
}

/// A web server can run all requests of a connection in one task.
#[tokio::test]
async fn loads_of_handles_that_are_created_for_each_request_are_counted_separately() {
    let (t, products) = products("stats_handles").await;
    for product in &products {
        let odm = t.odm.acting_as("ann");
        product.load_parts(&odm).await.unwrap();
    }
    assert_eq!(relation(&t.odm, "Product.parts").most_loads_in_a_task, 1);
    let odm = t.odm.acting_as("ann");
    for product in &products[..7] {
        product.load_parts(&odm.clone()).await.unwrap();
    }
    assert_eq!(relation(&t.odm, "Product.parts").most_loads_in_a_task, 7);
}

#[tokio::test]
async fn queries_and_writes_of_a_model_are_counted_with_the_fields_they_name() {
    let (t, _) = products("stats_models").await;
    let odm = &t.odm;
    let fields = Product::fields();
    Product::find(odm).limit(4).await.unwrap();
    let cheap = Part::find(odm).filter(Part::fields().price.lt(1e9).and(Part::fields().qty.gte(0)));
    let names: Vec<PartName> = cheap
        .sort(Part::fields().name.asc())
        .select()
        .await
        .unwrap();
    assert_eq!(names.len(), 12);
    Product::count(odm)
        .filter(fields.catalog_number.lt(3))
        .await
        .unwrap();
    Product::exists(odm)
        .filter(fields.catalog_number.eq(3))
        .await
        .unwrap();
    let stored = model(odm, "Product");
    assert_eq!((stored.collection, stored.inserted), ("products", 10));
    assert_eq!((stored.queries, stored.documents, stored.whole), (3, 4, 1));
    let parts = model(odm, "Part");
    assert_eq!((parts.queries, parts.documents, parts.whole), (1, 12, 0));
    let of = |path: &str| parts.fields.iter().find(|it| it.path == path).unwrap();
    assert_eq!((of("price").filtered, of("qty").filtered), (1, 1));
    assert_eq!(
        (of("name").sorted, of("name").projected, of("name").filtered),
        (1, 1, 0)
    );

    let low = Product::update_many(odm, fields.catalog_number.lt(3));
    low.set(fields.name, "x").await.unwrap();
    Product::delete_many(odm, fields.catalog_number.gte(8))
        .await
        .unwrap();
    let stored = model(odm, "Product");
    assert_eq!(
        (stored.inserted, stored.updated, stored.deleted),
        (10, 3, 2)
    );
}

#[tokio::test]
async fn lookups_of_an_aggregation_are_counted() {
    let (t, _) = products("stats_lookups").await;
    let lookup = doc! { "$lookup": { "from": "parts", "localField": "parts", "foreignField": "_id", "as": "p" } };
    for _ in 0..3 {
        let all = Product::aggregate::<Document>(&t.odm, [lookup.clone(), doc! { "$limit": 1 }]);
        all.await.unwrap();
    }
    let [found] = t.odm.stats().lookups.try_into().unwrap();
    assert_eq!(
        (found.model, &*found.from, found.runs),
        ("Product", "parts", 3)
    );
    assert_eq!(
        (found.local.as_deref(), found.foreign.as_deref()),
        (Some("parts"), Some("_id"))
    );
}

#[tokio::test]
async fn nothing_is_counted_where_the_settings_say_so() {
    let (t, products) = products("stats_off").await;
    let before = t.odm.stats();
    let odm = t.odm.with_settings(Settings::default().counters(false));
    products[0].load_parts(&odm).await.unwrap();
    Part::find(&odm).await.unwrap();
    Part::delete(&odm, products[0].parts[0]).await.unwrap();
    assert_eq!(odm.stats(), before);
}
