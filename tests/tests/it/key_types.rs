//! Keys of all types. They are compared by type and value, and numbers only by value.

use mongo_odm::{
    AnyKey, Error,
    bson::{Binary, Bson, Regex, Uuid, spec::BinarySubtype},
    prelude::*,
    relation::Slot,
};
use odm_tests::{
    Harness,
    sent::{keys_of, only},
    shop::{Part, parts},
};

/// A document with an id of any type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: Id<Thing, AnyKey>,
    name: String,
}

/// A crate that refers to things and to parts by keys of any type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "crates")]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate>,
    #[serde(default)]
    #[refs(many)]
    things: Vec<Id<Thing, AnyKey>>,
    #[serde(default)]
    #[refs(many)]
    parts: Vec<Id<Part, AnyKey>>,
}

/// The same crates, read with typed ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "crates")]
struct StrictCrate {
    #[serde(rename = "_id")]
    id: Id<StrictCrate>,
    #[refs(many)]
    parts: Vec<Id<Part>>,
}

fn filled(things: impl IntoIterator<Item = Bson>) -> Crate {
    let things = things
        .into_iter()
        .map(|key| Id::from_key(AnyKey(key)))
        .collect();
    Crate {
        id: Id::new(),
        things,
        parts: vec![],
    }
}

async fn given_things(t: &Harness, things: impl IntoIterator<Item = (Bson, &str)>) {
    for (id, name) in things {
        let things = t.database().collection("things");
        things
            .insert_one(doc! { "_id": id, "name": name })
            .await
            .unwrap();
    }
}

/// Returns the names of the documents that a crate refers to, with a dash for a missing one.
async fn names(t: &Harness, owner: &Crate) -> Vec<String> {
    let name = |slot: Slot<&Thing>| {
        slot.found()
            .map_or("-".to_owned(), |thing| thing.name.clone())
    };
    let loaded = owner.load_things(&t.odm).slots().await.unwrap();
    let joined = Crate::join_things([owner], &t.odm).await.unwrap();
    assert_eq!(joined.slots_of(owner).len(), loaded.len());
    let joined: Vec<_> = joined.slots_of(owner).into_iter().map(name).collect();
    let loaded: Vec<_> = loaded
        .into_iter()
        .map(|slot| slot.found().map_or("-".to_owned(), |thing| thing.name))
        .collect();
    assert_eq!(loaded, joined);
    joined
}

#[tokio::test]
async fn an_object_id_and_a_string_of_its_digits_are_two_keys() {
    let t = Harness::new("an_object_id_and_a_string").await;
    let id = ObjectId::new();
    given_things(&t, [(id.into(), "id"), (id.to_hex().into(), "text")]).await;
    let owner = filled([id.to_hex().into(), id.into()]);
    assert_eq!(names(&t, &owner).await, ["text", "id"]);
}

#[tokio::test]
async fn numbers_of_every_type_are_equal_by_value() {
    let t = Harness::new("numbers_of_every_type").await;
    let decimal = |text: &str| Bson::Decimal128(text.parse().unwrap());
    let stored = [
        (Bson::Int32(1), "int"),
        (Bson::Double(2.0), "double"),
        (Bson::Int64(3), "long"),
        (decimal("4.0"), "decimal"),
        (Bson::Double(0.5), "half"),
        (Bson::Double(0.1), "tenth"),
        (Bson::Double(f64::NAN), "nan"),
        (Bson::Double(-0.0), "zero"),
        (Bson::Double(1e20), "large"),
    ];
    given_things(&t, stored).await;
    for whole in 1..=4 {
        let name = ["int", "double", "long", "decimal"][whole - 1];
        let int = i32::try_from(whole).unwrap();
        let keys = [
            Bson::Int32(int),
            Bson::Int64(int.into()),
            Bson::Double(int.into()),
            decimal(&format!("{int}.00")),
        ];
        t.forget();
        let owner = filled(keys.clone());
        owner.load_things(&t.odm).await.unwrap();
        assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 1, "one key");
        assert_eq!(names(&t, &owner).await, [name; 4]);
        for key in keys {
            assert_eq!(names(&t, &filled([key])).await, [name]);
        }
    }
    let keys = [
        (decimal("0.50"), "half"),
        (Bson::Double(0.1), "tenth"),
        (decimal("0.1"), "-"),
        (decimal("NaN"), "nan"),
        (Bson::Double(f64::NAN), "nan"),
        (Bson::Int32(0), "zero"),
        (decimal("1E+20"), "large"),
        (Bson::Int64(99), "-"),
        (Bson::from("1"), "-"),
        (Bson::Boolean(true), "-"),
    ];
    let expected: Vec<_> = keys.iter().map(|(_, name)| *name).collect();
    let owner = filled(keys.into_iter().map(|(key, _)| key));
    assert_eq!(names(&t, &owner).await, expected);
}

#[tokio::test]
async fn binary_keys_are_equal_by_subtype_and_bytes() {
    let t = Harness::new("binary_keys").await;
    let uuid = Uuid::new();
    let of = |subtype| {
        Bson::Binary(Binary {
            subtype,
            bytes: uuid.bytes().to_vec(),
        })
    };
    given_things(
        &t,
        [
            (of(BinarySubtype::Uuid), "four"),
            (of(BinarySubtype::UuidOld), "three"),
        ],
    )
    .await;
    let keys = [
        BinarySubtype::UuidOld,
        BinarySubtype::Generic,
        BinarySubtype::Uuid,
    ]
    .map(of);
    assert_eq!(names(&t, &filled(keys)).await, ["three", "-", "four"]);
}

#[tokio::test]
async fn the_field_order_of_a_document_key_is_significant() {
    let t = Harness::new("the_field_order").await;
    given_things(
        &t,
        [
            (doc! { "a": 1, "b": 2 }.into(), "ab"),
            (doc! { "b": 2, "a": 1 }.into(), "ba"),
        ],
    )
    .await;
    let keys = [
        doc! { "b": 2, "a": 1 },
        doc! { "a": 1, "b": 2 },
        doc! { "a": 1 },
    ];
    assert_eq!(
        names(&t, &filled(keys.map(Bson::from))).await,
        ["ba", "ab", "-"]
    );
    assert_eq!(
        names(&t, &filled([doc! { "a": 1, "b": 2 }.into()])).await,
        ["ab"]
    );
}

#[tokio::test]
async fn a_stored_operator_or_pattern_is_a_key_like_any_other() {
    let t = Harness::new("a_stored_operator").await;
    given_things(&t, [("bolt".into(), "bolt"), ("nut".into(), "nut")]).await;
    let pattern = Bson::RegularExpression(Regex {
        pattern: "^b".try_into().unwrap(),
        options: "".try_into().unwrap(),
    });
    for odd in [
        doc! { "$ne": null }.into(),
        doc! { "$gt": "" }.into(),
        pattern,
    ] {
        assert_eq!(names(&t, &filled([odd.clone()])).await, ["-"], "{odd}");
        assert_eq!(
            filled([odd.clone()]).count_things(&t.odm).await.unwrap(),
            0,
            "{odd}"
        );
        assert_eq!(
            names(&t, &filled(["nut".into(), odd.clone()])).await,
            ["nut", "-"],
            "{odd}"
        );
    }
}

#[tokio::test]
async fn a_key_that_is_no_id_is_missing_and_the_others_load() {
    let t = Harness::new("a_key_that_is_no_id").await;
    let parts = parts(2);
    t.given(&parts).await;
    let id = ObjectId::new();
    let mixed: [Bson; 5] = [
        parts[1].id.into(),
        "no id".into(),
        7.into(),
        doc! { "a": 1 }.into(),
        parts[0].id.into(),
    ];
    let crates = t.database().collection("crates");
    crates
        .insert_one(doc! { "_id": id, "things": [], "parts": mixed.to_vec() })
        .await
        .unwrap();

    let owner = Crate::get(&t.odm, Id::from_key(id)).await.unwrap();
    let slots = owner.load_parts(&t.odm).slots().await.unwrap();
    assert_eq!(
        slots.iter().map(Slot::is_missing).collect::<Vec<_>>(),
        [false, true, true, true, false]
    );
    let Slot::Missing(key) = &slots[1] else {
        panic!("{slots:?}")
    };
    assert_eq!(key.to_string(), "\"no id\"");
    assert_eq!(
        owner.load_parts(&t.odm).await.unwrap(),
        [parts[1].clone(), parts[0].clone()]
    );
    let joined = Crate::join_parts([&owner], &t.odm).await.unwrap();
    assert_eq!(joined.missing().len(), 3);

    let error = StrictCrate::get(&t.odm, Id::from_key(id))
        .await
        .unwrap_err();
    let Error::Decode {
        collection,
        id: shown,
        path,
        type_name,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(
        (collection.as_str(), path.as_str(), *type_name),
        ("crates", "parts.1", "StrictCrate")
    );
    assert_eq!(shown.as_deref(), Some(&Bson::from(id)));
}

/// A model with keys of the types that applications use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "badges")]
struct Badge {
    #[serde(rename = "_id")]
    id: Id<Badge, String>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "lots")]
struct Lot {
    #[serde(rename = "_id")]
    id: Id<Lot, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "assets")]
struct Asset {
    #[serde(rename = "_id")]
    id: Id<Asset, Uuid>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "devices")]
struct Device {
    #[serde(rename = "_id")]
    id: Id<Device, uuid::Uuid>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ledgers")]
struct Ledger {
    #[serde(rename = "_id")]
    id: Id<Ledger>,
    #[refs(many)]
    badges: Vec<Id<Badge, String>>,
    #[refs(many)]
    lots: Vec<Id<Lot, i64>>,
    #[refs(many)]
    assets: Vec<Id<Asset, Uuid>>,
    #[refs(many)]
    devices: Vec<Id<Device, uuid::Uuid>>,
    #[refs(many, to = "Device")]
    any_devices: Vec<Id<Device, uuid::Uuid>>,
}

#[tokio::test]
async fn typed_keys_join_as_they_are_stored() {
    let t = Harness::new("typed_keys").await;
    let badges = ["b", "a"].map(|key| Badge {
        id: Id::from_key(key.into()),
        name: key.into(),
    });
    let lots = [7, i64::MIN, 3].map(|key| Lot {
        id: Id::from_key(key),
        name: key.to_string(),
    });
    let assets = [Uuid::new(), Uuid::new()].map(|key| Asset {
        id: Id::from_key(key),
        name: key.to_string(),
    });
    let devices = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].map(|key| Device {
        id: Id::from_key(key),
        name: key.to_string(),
    });
    let ledger = Ledger {
        id: Id::new(),
        badges: badges.iter().map(|badge| badge.id.clone()).collect(),
        lots: lots.iter().map(|lot| lot.id).collect(),
        assets: assets.iter().map(|asset| asset.id).collect(),
        devices: devices.iter().map(|device| device.id).collect(),
        any_devices: devices.iter().map(|device| device.id).rev().collect(),
    };
    t.given(&badges).await;
    t.given(&lots).await;
    t.given(&assets).await;
    t.given(&devices).await;
    t.given(std::slice::from_ref(&ledger)).await;
    let ledger = Ledger::get(&t.odm, ledger.id).await.unwrap();
    assert_eq!(ledger.load_badges(&t.odm).await.unwrap(), badges);
    assert_eq!(ledger.load_lots(&t.odm).await.unwrap(), lots);
    assert_eq!(ledger.load_devices(&t.odm).await.unwrap(), devices);
    assert_eq!(
        ledger.load_any_devices(&t.odm).await.unwrap(),
        [devices[1].clone(), devices[0].clone()]
    );
    t.forget();
    assert_eq!(ledger.load_assets(&t.odm).await.unwrap(), assets);
    let sent = keys_of(&only(&t, "find"), "_id");
    assert!(
        sent.iter()
            .all(|key| matches!(key, Bson::Binary(uuid) if uuid.subtype == BinarySubtype::Uuid))
    );
    let joined = Ledger::join_assets([&ledger], &t.odm).await.unwrap();
    assert!(joined.of(&ledger).eq(&assets));
    t.forget();
    ledger.load_devices(&t.odm).await.unwrap();
    let sent = keys_of(&only(&t, "find"), "_id");
    assert!(
        sent.iter()
            .all(|key| matches!(key, Bson::Binary(uuid) if uuid.subtype == BinarySubtype::Uuid)),
        "as the driver's own UUIDs: {sent:?}"
    );
}

#[tokio::test]
async fn a_long_key_finds_what_was_stored_as_an_int() {
    let t = Harness::new("a_long_key").await;
    t.database()
        .collection("lots")
        .insert_one(doc! { "_id": 7_i32, "name": "int" })
        .await
        .unwrap();
    let ledger = Ledger {
        id: Id::new(),
        badges: vec![],
        lots: vec![Id::from_key(7)],
        assets: vec![],
        devices: vec![],
        any_devices: vec![],
    };
    assert_eq!(ledger.load_lots(&t.odm).await.unwrap()[0].name, "int");
    let joined = Ledger::join_lots([&ledger], &t.odm).await.unwrap();
    assert_eq!(joined.of(&ledger).next().unwrap().name, "int");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "numbered")]
struct Numbered {
    #[serde(rename = "_id")]
    id: Id<Numbered, i64>,
    code: Option<f64>,
}

/// References with other numeric types than their targets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "numbers")]
struct Numbers {
    #[serde(rename = "_id")]
    id: Id<Numbers, i32>,
    #[refs(many)]
    small: Vec<Id<Numbered, i32>>,
    #[refs(one, to = "Numbered.code")]
    code: i32,
    #[parent_ref]
    double: Id<Numbered, f64>,
}

#[tokio::test]
async fn numbers_of_other_types_are_compared_by_value() {
    let t = Harness::new("key_types_numbers").await;
    let numbered = |number: i64, code: f64| Numbered {
        id: Id::from_key(number),
        code: Some(code),
    };
    t.given(&[numbered(1, 10.0), numbered(2, 20.0), numbered(1 << 40, 0.5)])
        .await;
    let numbers = Numbers {
        id: Id::from_key(1),
        small: vec![Id::from_key(2), Id::from_key(1), Id::from_key(3)],
        code: 20,
        double: Id::from_key(1_099_511_627_776.0),
    };
    numbers.insert(&t.odm).await.unwrap();
    let small = numbers.load_small(&t.odm).await.unwrap();
    let ids = |found: &[Numbered]| -> Vec<i64> { found.iter().map(|it| *it.id.key()).collect() };
    assert_eq!(ids(&small), [2, 1]);
    let code = numbers.load_code(&t.odm).await.unwrap();
    assert_eq!(code, Some(numbered(2, 20.0)));
    let double = numbers.load_double(&t.odm).await.unwrap();
    assert_eq!(double, Some(numbered(1 << 40, 0.5)));
    let all = [numbers];
    let joined = Numbers::join_small(&all, &t.odm).await.unwrap();
    assert_eq!(joined.of(&all[0]).count(), 2);
}
