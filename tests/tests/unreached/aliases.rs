//! Fields with an `alias` that the library reads and writes under one name.

use mongo_odm::{Filter, check_models, prelude::*};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "alias_shops", has_many(offers = "Offer.shop"))]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop>,
    name: String,
    #[rollup(count, of = "Order", via = "shop", filter = "is_open")]
    open: u64,
    #[recent(of = "Note", via = "shop", sort = "at", limit = 3)]
    notes: Vec<Note>,
}

fn is_open() -> Filter<Order> {
    Order::fields().status.eq("open")
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "alias_orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order>,
    #[parent_ref]
    shop: Id<Shop>,
    #[serde(alias = "state")]
    status: String,
    #[serde(alias = "rows")]
    lines: Vec<Line>,
    #[serde(alias = "remark")]
    free: String,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    shop: Id<Shop>,
    #[denorm(from = "Shop.name")]
    shop_name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "alias_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note>,
    #[parent_ref]
    shop: Id<Shop>,
    at: i64,
    #[serde(alias = "body")]
    text: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "alias_offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: Id<Offer>,
    #[parent_ref]
    #[serde(alias = "vendor")]
    shop: Id<Shop>,
    #[refs(one, exists)]
    #[serde(alias = "other")]
    second: Id<Shop>,
    #[refs(one, on_delete = "restrict")]
    #[serde(alias = "last")]
    third: Id<Shop>,
    #[refs(many, max = 3)]
    #[serde(alias = "all")]
    shops: Vec<Id<Shop>>,
}

#[test]
fn a_field_that_is_found_by_its_name_has_no_alias() {
    let message = check_models().unwrap_err().to_string();
    for (field, declaration) in [
        ("Order.status", "Shop.open"),
        ("Order.lines", "Order.lines.shop_name"),
        ("Note.text", "Shop.notes"),
        ("Offer.shop", "Shop.offers"),
        ("Offer.second", "Offer.second"),
        ("Offer.third", "Offer.third"),
        ("Offer.shops", "Offer.shops"),
    ] {
        let expected = format!("`{field}` has an `alias`, and `{declaration}` reads and writes it");
        assert!(message.contains(&expected), "{expected}: {message}");
    }
    assert!(!message.contains("Order.free"), "{message}");
}
