//! Indexes on arrays that the server accepts.

use mongo_odm::prelude::*;
use odm_tests::Harness;

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Line {
    sku: String,
    qty: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "index_arrays",
    index(keys(lines.sku = 1, customer = 1, lines.qty = 1)),
    index(keys(position = "2dsphere", lines.qty = 1)),
    index(keys(notes = "text", tags = "text"))
)]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order>,
    customer: String,
    position: Vec<f64>,
    #[embed]
    lines: Vec<Line>,
    notes: Vec<String>,
    tags: Vec<String>,
}

#[tokio::test]
async fn several_fields_of_one_array_places_and_texts_are_indexed() {
    let t = Harness::new("index_arrays").await;
    t.odm.sync_indexes().only::<Order>().await.unwrap();
    let line = |sku: &str, qty: i64| Line {
        sku: sku.to_owned(),
        qty,
    };
    let order = Order {
        id: Id::new(),
        customer: "Jane".to_owned(),
        position: vec![13.4, 52.5],
        lines: vec![line("a", 1), line("b", 2)],
        notes: vec!["urgent".to_owned(), "fragile".to_owned()],
        tags: vec!["glass".to_owned(), "blue".to_owned()],
    };
    order.insert(&t.odm).await.unwrap();
    let glass = doc! { "$text": { "$search": "glass" } };
    assert_eq!(Order::count(&t.odm).filter(glass).await.unwrap(), 1);
    let near = doc! { "position": { "$nearSphere": [13.4, 52.5] } };
    assert_eq!(Order::find(&t.odm).filter(near).await.unwrap().len(), 1);
}
