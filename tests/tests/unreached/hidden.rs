//! Declarations that the library cannot apply: copies in containers in which it does not find structs, and keys whose
//! codec stores a different form.

#![expect(
    clippy::linkedlist,
    clippy::box_collection,
    reason = "these are the containers in question"
)]

use std::collections::{HashMap, LinkedList};

use mongo_odm::{Average, check_models, prelude::*};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: Id<Maker>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Wheel {
    #[refs(one)]
    maker: Id<Maker>,
    #[denorm(from = "Maker.name")]
    maker_name: String,
}

/// The copies are nested one struct deeper, where only `check_models` finds them.
#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Axle {
    wheel: Wheel,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Pair<T> {
    left: Vec<Vec<T>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_cars")]
struct Car {
    #[serde(rename = "_id")]
    id: Id<Car>,
    front: Axle,
    slice: Box<[Axle]>,
    list: LinkedList<Axle>,
    tuple: Option<(i32, Axle)>,
    map: HashMap<String, Vec<Axle>>,
    boxed: Box<Vec<Axle>>,
    grid: Vec<Vec<Axle>>,
    pair: Pair<Axle>,
    plain: LinkedList<String>,
    #[serde(with = "as_it_is")]
    coded: Vec<Axle>,
    #[serde(deserialize_with = "as_it_is::deserialize")]
    read: Vec<Axle>,
}

mod as_it_is {
    use serde::{Deserializer, Serialize, Serializer, de::DeserializeOwned};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_codes")]
struct Code {
    #[serde(rename = "_id")]
    id: Id<Code>,
    #[serde(with = "as_it_is")]
    #[index(unique)]
    code: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_uses")]
struct Use {
    #[serde(rename = "_id")]
    id: Id<Use>,
    #[refs(one, to = "Code.code", on_delete = "restrict")]
    code: i64,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id")]
enum Subject {
    #[refs(to = "Code.code")]
    Code(i64),
    Use(Id<Use>),
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note>,
    #[refs(one, polymorphic)]
    subject: Subject,
}

#[test]
fn a_reference_to_a_field_with_a_codec_is_reported() {
    let message = check_models().unwrap_err().to_string();
    for reference in ["Use.code", "Note.subject.id"] {
        let expected = format!(
            "`{reference}` refers to `Code.code`, whose codec `as_it_is` may store the keys in another form"
        );
        assert!(message.contains(&expected), "{expected}: {message}");
    }
}

#[test]
fn copies_in_a_container_that_hides_them_are_reported() {
    let message = check_models().unwrap_err().to_string();
    for (field, container) in [
        ("Car.list", "LinkedList<Axle>"),
        ("Car.tuple", "Option<(i32, Axle)>"),
        ("Car.map", "HashMap<String, Vec<Axle>>"),
        ("Car.boxed", "Box<Vec<Axle>>"),
        ("Car.grid", "Vec<Vec<Axle>>"),
        ("Pair.left", "Vec<Vec<T>>"),
    ] {
        let expected = format!(
            "`{field}` contains `Wheel`, which declares copies, bounds, indexes or delete rules, but the library does not \
             find structs in a `{container}`"
        );
        assert!(message.contains(&expected), "{expected}: {message}");
    }
    let coded = "does not know in which form the codec `as_it_is` stores them; remove the codec";
    assert!(message.contains(coded), "{message}");
    for field in ["Car.front", "Car.slice", "Car.plain", "Car.read"] {
        assert!(!message.contains(field), "{message}");
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_sales")]
struct Sale {
    #[serde(rename = "_id")]
    id: Id<Sale>,
    #[parent_ref]
    shop: Id<Shop>,
    #[serde(default, skip_serializing_if = "is_zero")]
    amount: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tip: Option<i64>,
    #[serde(default, skip_serializing_if = "Discount::is_none")]
    discount: Discount,
}

#[derive(Debug, Default, Serialize, Deserialize, Embedded)]
struct Discount {
    percent: i64,
}

impl Discount {
    fn is_none(&self) -> bool {
        self.percent == 0
    }
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hidden_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop>,
    #[rollup(sum, of = "Sale", via = "shop", field = "amount")]
    total: i64,
    #[rollup(average, of = "Sale", via = "shop", field = "amount")]
    average: Average,
    #[rollup(max, of = "Sale", via = "shop", field = "amount")]
    best: Option<i64>,
    #[rollup(min, of = "Sale", via = "shop", field = "tip")]
    lowest: Option<i64>,
    #[recent(of = "Sale", via = "shop", sort = "amount", limit = 3)]
    smallest: Vec<Sale>,
    #[rollup(min, of = "Sale", via = "shop", field = "discount.percent")]
    smallest_discount: Option<i64>,
}

#[test]
fn summaries_of_values_that_serde_leaves_out_are_reported() {
    let message = check_models().unwrap_err().to_string();
    let reason = "serde leaves out a value of `Sale.amount` (`skip_serializing_if`)";
    for field in ["Shop.average", "Shop.best", "Shop.smallest"] {
        let mut lines = message.lines();
        let is_reported = lines.any(|line| line.contains(field) && line.contains(reason));
        assert!(is_reported, "{field}: {message}");
    }
    let inside =
        "`Shop.smallest_discount` is computed, but serde leaves out a value of `Sale.discount`";
    assert!(message.contains(inside), "{message}");
    for field in ["Shop.total", "Shop.lowest"] {
        assert!(!message.contains(field), "{field}: {message}");
    }
}
