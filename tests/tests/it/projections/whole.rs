//! Projections of embedded structs whose stored names are not known, so that the whole field is requested.

use std::collections::{BTreeMap, HashMap};

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{Harness, sent::only};

/// Stores lines as a document that has the `sku` of each line as a key.
mod by_sku {
    use super::*;

    pub(super) fn serialize<S: serde::Serializer>(
        lines: &[Item],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let by_sku = lines.iter().map(|item| (&item.sku, item));
        by_sku.collect::<BTreeMap<_, _>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<Item>, D::Error> {
        let by_sku = BTreeMap::<String, Item>::deserialize(from)?;
        Ok(by_sku.into_values().collect())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Item {
    sku: String,
    qty: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Address {
    city: String,
    #[serde(flatten)]
    extra: HashMap<String, Bson>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "whole_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    #[serde(with = "by_sku")]
    lines: Vec<Item>,
    address: Address,
    note: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Order")]
struct Lines {
    #[serde(with = "by_sku")]
    lines: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Order")]
struct Shipped {
    address: Address,
}

fn order() -> Order {
    let item = |sku: &str, qty| Item {
        sku: sku.to_owned(),
        qty,
    };
    Order {
        id: Id::from_key(1),
        lines: vec![item("a", 1), item("b", 2)],
        address: Address {
            city: "Bern".to_owned(),
            extra: [("floor".to_owned(), Bson::Int32(3))].into(),
        },
        note: "x".to_owned(),
    }
}

fn projection(t: &Harness) -> Document {
    let find = only(t, "find");
    find.get_document("projection").unwrap().clone()
}

#[tokio::test]
async fn a_field_with_a_codec_is_requested_as_a_whole() {
    let t = Harness::new("whole_codec").await;
    let order = order();
    t.given(std::slice::from_ref(&order)).await;
    t.forget();
    let found = Order::find(&t.odm).select::<Lines>().await.unwrap();
    assert_eq!(found, [Lines { lines: order.lines }]);
    assert_eq!(projection(&t), doc! { "lines": 1, "_id": 0 });
}

#[tokio::test]
async fn a_struct_with_a_flattened_map_is_requested_as_a_whole() {
    let t = Harness::new("whole_map").await;
    let order = order();
    t.given(std::slice::from_ref(&order)).await;
    t.forget();
    let found = Order::find(&t.odm).select::<Shipped>().await.unwrap();
    let address = order.address;
    assert_eq!(found, [Shipped { address }]);
    assert_eq!(projection(&t), doc! { "address": 1, "_id": 0 });
}
