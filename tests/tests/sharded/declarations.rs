//! Declarations that cannot be applied on a cluster.

use mongo_odm::{Error, check_models, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_cities")]
struct City {
    #[serde(rename = "_id")]
    id: Id<City, i32>,
    land: String,
}

/// A model whose unique index does not begin with the shard key.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_streets", shard_key(city = 1))]
struct Street {
    #[serde(rename = "_id")]
    id: Id<Street, i32>,
    #[parent_ref(on_delete = "restrict")]
    city: Id<City, i32>,
    #[index(unique)]
    code: String,
}

/// A kind in a collection that has a different shard key.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_places",
    kind(kind = "shop"),
    shard_key(street = 1)
)]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, i32>,
    street: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "sharded_places",
    kind(kind = "bar"),
    shard_key(_id = "hashed")
)]
struct Bar {
    #[serde(rename = "_id")]
    id: Id<Bar, i32>,
}

/// A model with a copy in its shard key, inside a struct.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_houses", shard_key(city.land = 1))]
struct House {
    #[serde(rename = "_id")]
    id: Id<House, i32>,
    #[embed]
    city: CityOfHouse,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct CityOfHouse {
    #[refs(one)]
    id: Id<City, i32>,
    #[denorm(from = City.land, via = id)]
    land: String,
}

/// A model with a snapshot in its shard key, inside a struct.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_cottages", shard_key(city.land = 1))]
struct Cottage {
    #[serde(rename = "_id")]
    id: Id<Cottage, i32>,
    #[embed]
    city: CityOfCottage,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct CityOfCottage {
    #[refs(one)]
    id: Id<City, i32>,
    #[denorm(from = City.land, via = id, snapshot)]
    land: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Spot {
    zip: Option<i32>,
    range: (i32, i32),
    city: String,
}

/// A model whose shard key can be null, inside a struct.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_markets", shard_key(spot.zip = 1))]
struct Market {
    #[serde(rename = "_id")]
    id: Id<Market, i32>,
    spot: Spot,
}

/// A model whose shard key is stored as an array.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_fields", shard_key(spot.range = 1))]
struct Field {
    #[serde(rename = "_id")]
    id: Id<Field, i32>,
    spot: Spot,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "sharded_stands", shard_key(spot.city = 1))]
struct Stand {
    #[serde(rename = "_id")]
    id: Id<Stand, i32>,
    spot: Spot,
}

#[test]
fn declarations_that_a_cluster_cannot_carry_out_are_rejected() {
    let problems = check_models().unwrap_err().to_string();
    for expected in [
        "the unique index `code_1` of `sharded_streets` (declared by Street.code) does not begin with the shard key { city: 1 }",
        "are in the collection `sharded_places`, but have different shard keys",
        "`House.city.land` is part of the shard key, which a write cannot change, but the library writes it",
        "`Cottage.city.land` is part of the shard key, which a write cannot change, but the library writes it",
    ] {
        assert!(problems.contains(expected), "{expected}\n\n{problems}");
    }
    for field in ["Market.spot.zip", "Field.spot.range"] {
        let expected =
            format!("`{field}` is part of the shard key, but can be missing, null or an array");
        assert!(problems.contains(&expected), "{expected}\n\n{problems}");
    }
    assert!(!problems.contains("Stand."), "{problems}");
}

#[tokio::test]
async fn a_write_to_such_a_collection_fails() {
    let t = Harness::new("sharded_mistakes").await;
    let bar = Bar {
        id: Id::from_key(1),
    };
    let failed = bar.insert(&t.odm).await.unwrap_err();
    assert!(matches!(failed, Error::Declaration(_)), "{failed}");
}
