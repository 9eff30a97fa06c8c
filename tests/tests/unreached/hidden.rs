//! Structs with copies in containers in which the library does not find structs.

use std::collections::{HashMap, LinkedList};

use mongo_odm::{check_models, prelude::*};

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

/// The copies are one struct further inside, where only `check_models` finds them.
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
    for field in ["Car.front", "Car.slice", "Car.plain"] {
        assert!(!message.contains(field), "{message}");
    }
}
