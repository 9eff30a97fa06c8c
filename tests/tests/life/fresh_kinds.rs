//! Fresh reads of documents with copies from documents of several kinds, which are copies themselves.

use mongo_odm::{SingleCollection, prelude::*};

use crate::models::{assert_verified, board, id};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: Id<Maker, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_vehicles", kind(doc_type = "car"))]
struct Car {
    #[serde(rename = "_id")]
    id: Id<Car, i64>,
    #[refs(one)]
    maker: Id<Maker, i64>,
    #[denorm(from = Maker.name, via = maker)]
    maker_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_vehicles", kind(doc_type = "truck"))]
struct Truck {
    #[serde(rename = "_id")]
    id: Id<Truck, i64>,
    #[refs(one)]
    maker: Id<Maker, i64>,
    #[denorm(from = Maker.name, via = maker)]
    maker_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
#[single_collection(shared(maker_name: Option<String>))]
enum Vehicle {
    Car(Car),
    Truck(Truck),
}

/// An advertisement of a vehicle of either kind, with the name of its maker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_adverts")]
struct Advert {
    #[serde(rename = "_id")]
    id: Id<Advert, i64>,
    #[refs(one)]
    vehicle: Id<Vehicle, i64>,
    #[denorm(from = "Vehicle.maker_name", via = "vehicle")]
    maker_name: Option<String>,
}

#[tokio::test]
async fn a_fresh_read_updates_the_copies_from_documents_of_each_kind() {
    let t = board("life_fresh_kinds").await;
    let sync = t.odm.sync_indexes().only::<Car>().only::<Truck>();
    sync.only::<Advert>().await.unwrap();
    let maker = |number: i64| Maker {
        id: id(number),
        name: format!("maker {number}"),
    };
    t.given(&[maker(1), maker(2)]).await;
    let car = Car {
        id: id(1),
        maker: id(1),
        maker_name: None,
    };
    t.given(&[car]).await;
    let truck = Truck {
        id: id(2),
        maker: id(2),
        maker_name: None,
    };
    t.given(&[truck]).await;
    let advert = |number| Advert {
        id: id(number),
        vehicle: id(number),
        maker_name: None,
    };
    t.given(&[advert(1), advert(2)]).await;
    t.odm.run_pending_jobs().await.unwrap();
    for number in [2, 1] {
        let rename = Maker::update(&t.odm, id(number)).set(Maker::fields().name, "renamed");
        rename.deferred().await.unwrap();
        let old: Advert = Advert::get(&t.odm, id(number)).await.unwrap();
        assert_eq!(old.maker_name, Some(format!("maker {number}")));
        let read: Advert = Advert::get(&t.odm, id(number)).fresh().await.unwrap();
        assert_eq!(read.maker_name.as_deref(), Some("renamed"), "{number}");
    }
    t.odm.run_pending_jobs().await.unwrap();
    assert_verified(&t.odm).await;
}
