//! Keys that are documents. They are compared as on the server, at any depth.

use mongo_odm::{
    AnyKey,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

/// A place in a building, which is the key of a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    floor: i32,
    wings: Vec<Wing>,
}
impl mongo_odm::Key for Place {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wing {
    name: String,
    doors: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "rooms", has_many(sensors = "Sensor.room"))]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room, Place>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sensors")]
struct Sensor {
    #[serde(rename = "_id")]
    id: Id<Sensor, i32>,
    #[parent_ref]
    room: Id<Room, Place>,
}

/// A list of rooms, with keys that contain any numeric type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tours")]
struct Tour {
    #[serde(rename = "_id")]
    id: Id<Tour>,
    #[refs(many)]
    stops: Vec<Id<Stop, AnyKey>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "rooms", has_many(tours = "Tour.stops"))]
struct Stop {
    #[serde(rename = "_id")]
    id: Id<Stop, AnyKey>,
    name: String,
}

fn place(floor: i32) -> Place {
    let wing = |name: &str, doors| Wing {
        name: name.to_owned(),
        doors,
    };
    Place {
        floor,
        wings: vec![wing("east", 2), wing("west", 3)],
    }
}

/// Returns the key with different numeric types, as another program could store it.
fn stored(floor: impl Into<Bson>, doors: impl Fn(i32) -> Bson) -> Document {
    let wings = [("east", 2), ("west", 3)];
    let wings = wings.map(|(name, n)| Bson::from(doc! { "name": name, "doors": doors(n) }));
    doc! { "floor": floor.into(), "wings": wings.to_vec() }
}

async fn given(t: &Harness, collection: &str, document: Document) {
    let collection = t.database().collection(collection);
    collection.insert_one(document).await.unwrap();
}

#[tokio::test]
async fn get_join_and_has_many_find_a_document_key_whose_numbers_are_of_other_types() {
    let t = Harness::new("document_keys_get_join").await;
    let key = stored(1_i64, Bson::Int32);
    given(&t, "rooms", doc! { "_id": key, "name": "one" }).await;
    let sensor = Sensor {
        id: Id::from_key(7),
        room: Id::from_key(place(1)),
    };
    t.given(std::slice::from_ref(&sensor)).await;
    let other = doc! { "_id": 8, "room": stored(1_i64, |doors| Bson::Int64(doors.into())) };
    given(&t, "sensors", other).await;

    let room = Room::get(&t.odm, Id::from_key(place(1))).await.unwrap();
    assert_eq!(sensor.load_room(&t.odm).await.unwrap(), Some(room.clone()));
    let sensors = Sensor::find(&t.odm)
        .sort(Sensor::fields().id.asc())
        .await
        .unwrap();
    let joined = Sensor::join_room(&sensors, &t.odm).await.unwrap();
    assert!(
        sensors
            .iter()
            .all(|sensor| joined.one_of(sensor) == Some(&room))
    );

    let loaded = room.load_sensors(&t.odm).sort(Sensor::fields().id.asc());
    assert_eq!(loaded.await.unwrap(), sensors);
    assert_eq!(room.count_sensors(&t.odm).await.unwrap(), 2);
    let backwards = Room::join_sensors([&room], &t.odm).await.unwrap();
    assert_eq!(backwards.of(&room).len(), 2);
    let limited = Room::join_sensors([&room], &t.odm).limit_each(1);
    assert_eq!(limited.await.unwrap().of(&room).len(), 1);
    let counts = Room::join_sensors([&room], &t.odm).count_each();
    assert_eq!(counts.await.unwrap().of(&room), 2);
}

#[tokio::test]
async fn numbers_inside_a_document_key_are_equal_by_value_and_all_else_by_type() {
    let t = Harness::new("document_keys_by_value").await;
    let decimal = |text: &str| Bson::Decimal128(text.parse().unwrap());
    let double = |doors: i32| Bson::Double(doors.into());
    given(
        &t,
        "rooms",
        doc! { "_id": stored(1.0, double), "name": "one" },
    )
    .await;
    let keys = [
        (stored(1_i32, Bson::Int32), true),
        (stored(1_i64, |doors| decimal(&format!("{doors}.0"))), true),
        (stored(decimal("1.00"), double), true),
        (stored("1", double), false),
        (stored(decimal("1.01"), double), false),
        (
            doc! { "wings": stored(1, double).remove("wings"), "floor": 1 },
            false,
        ),
        (doc! { "floor": 1, "wings": [] }, false),
        (stored(Bson::Null, double), false),
    ];
    for (key, is_found) in keys {
        let tour = Tour {
            id: Id::new(),
            stops: vec![Id::from_key(AnyKey(key.clone().into()))],
        };
        tour.insert(&t.odm).await.unwrap();
        let expected = usize::from(is_found);
        let by_id = Stop::find(&t.odm).filter(doc! { "_id": { "$in": [key.clone()] } });
        assert_eq!(by_id.count().await.unwrap(), expected as u64, "{key}");
        let stops = tour.load_stops(&t.odm).await.unwrap();
        assert_eq!(stops.len(), expected, "{key}");
        let joined = Tour::join_stops([&tour], &t.odm).await.unwrap();
        assert_eq!(joined.of(&tour).len(), expected, "{key}");
        assert_eq!(joined.missing().len(), 1 - expected, "{key}");
    }
    let stop = Stop::find_one(&t.odm).require().await.unwrap();
    let tours = stop.load_tours(&t.odm).await.unwrap();
    assert_eq!(tours.len(), 3);
    assert_eq!(stop.count_tours(&t.odm).await.unwrap(), 3);
    let joined = Stop::join_tours([&stop], &t.odm).await.unwrap();
    assert_eq!(joined.of(&stop).len(), 3);
}

#[tokio::test]
async fn equal_document_keys_are_sent_once() {
    let t = Harness::new("document_keys_once").await;
    let keys = [stored(1_i32, Bson::Int32), stored(1_i64, Bson::Int32)];
    let tour = Tour {
        id: Id::new(),
        stops: keys.map(|key| Id::from_key(AnyKey(key.into()))).to_vec(),
    };
    t.forget();
    assert_eq!(tour.load_stops(&t.odm).missing().await.unwrap().len(), 1);
    let sent = odm_tests::sent::keys_of(&odm_tests::sent::only(&t, "find"), "_id");
    assert_eq!(sent.len(), 1);
}
