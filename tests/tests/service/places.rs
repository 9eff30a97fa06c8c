//! Checks the JSON and BSON of a value in every position that a field can have in a serde type, such as a flattened
//! struct.

use std::{collections::BTreeMap, fmt::Debug};

use mongo_odm::bson::{Bson, Document, doc};
use odm_tests::Harness;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// A struct that contains a value in ordinary positions, and in each position in which serde buffers the value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Places<V> {
    plain: V,
    option: Option<V>,
    list: Vec<V>,
    map: BTreeMap<String, V>,
    external: External<V>,
    internal: Internal<V>,
    newtype: Internal<V>,
    adjacent: Adjacent<V>,
    untagged: Untagged<V>,
    #[serde(flatten)]
    flat: Flat<V>,
    #[serde(flatten)]
    flat_enum: FlatEnum<V>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum External<V> {
    Struct { v: V },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t")]
enum Internal<V> {
    Struct {
        v: V,
    },
    /// Serde buffers the inner enum even when it writes the value.
    Newtype(External<V>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent<V> {
    Newtype(V),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged<V> {
    List(Vec<V>),
    Struct { v: V },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat<V> {
    flat: V,
}

/// Serde buffers the fields of the variant even when it writes the value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum FlatEnum<V> {
    Variant { v: V },
}

/// The path of the value in each position.
const PATHS: [&[&str]; 11] = [
    &["plain"],
    &["option"],
    &["list", "0"],
    &["map", "k"],
    &["external", "Struct", "v"],
    &["internal", "v"],
    &["newtype", "Struct", "v"],
    &["adjacent", "c"],
    &["untagged", "v"],
    &["flat"],
    &["Variant", "v"],
];

impl<V: Clone> Places<V> {
    fn filled(value: &V) -> Self {
        let v = || value.clone();
        Self {
            plain: v(),
            option: Some(v()),
            list: vec![v()],
            map: BTreeMap::from([("k".to_owned(), v())]),
            external: External::Struct { v: v() },
            internal: Internal::Struct { v: v() },
            newtype: Internal::Newtype(External::Struct { v: v() }),
            adjacent: Adjacent::Newtype(v()),
            untagged: Untagged::Struct { v: v() },
            flat: Flat { flat: v() },
            flat_enum: FlatEnum::Variant { v: v() },
        }
    }
}

fn json_of(v: &Value) -> Value {
    json!({
        "plain": v, "option": v, "list": [v], "map": { "k": v },
        "external": { "Struct": { "v": v } },
        "internal": { "t": "Struct", "v": v },
        "newtype": { "t": "Newtype", "Struct": { "v": v } },
        "adjacent": { "t": "Newtype", "c": v },
        "untagged": { "v": v },
        "flat": v,
        "Variant": { "v": v },
    })
}

/// A value, and its accepted and rejected forms in JSON and BSON.
pub(super) struct Forms<V> {
    pub(super) value: V,
    /// The JSON that serde writes for the value.
    pub(super) json: Value,
    /// Other JSON that can be read as the same value.
    pub(super) accepted: Vec<Value>,
    /// JSON that cannot be read as a value of this type.
    pub(super) refused: Vec<Value>,
    /// The BSON that is stored for the value.
    pub(super) stored: Bson,
    /// Stored BSON that cannot be read as a value of this type.
    pub(super) not_stored: Vec<Bson>,
}

impl<V: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + Unpin> Forms<V> {
    /// Checks the JSON forms in each position.
    pub(super) fn check_json(&self) {
        let places = Places::filled(&self.value);
        let written = serde_json::to_value(&places).unwrap();
        assert_eq!(written, json_of(&self.json));
        let text = serde_json::to_string(&places).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), written);
        for accepted in [&self.json].into_iter().chain(&self.accepted) {
            let text = json_of(accepted).to_string();
            let read: Places<V> =
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
            assert_eq!(read, places, "{text}");
            let read: Places<V> = serde_json::from_value(json_of(accepted)).unwrap();
            assert_eq!(read, places, "{text}");
        }
        for refused in &self.refused {
            for path in PATHS {
                if *refused == Value::Null && path == ["option"] {
                    continue;
                }
                let mut json = json_of(&self.json);
                *json.pointer_mut(&format!("/{}", path.join("/"))).unwrap() = refused.clone();
                let read = serde_json::from_value::<Places<V>>(json);
                assert!(read.is_err(), "{refused} at {path:?}: {read:?}");
            }
        }
    }

    /// Checks the BSON forms in each position, with documents that are stored on a server.
    pub(super) async fn check_bson(&self, t: &Harness) {
        let places = Places::filled(&self.value);
        let typed = t.odm.database().collection::<Places<V>>("places");
        let stored = t.odm.database().collection::<Document>("places");
        typed.delete_many(doc! {}).await.unwrap();
        typed.insert_one(&places).await.unwrap();
        let document = stored.find_one(doc! {}).await.unwrap().unwrap();
        for path in PATHS {
            assert_eq!(value_at(&document, path), self.stored, "{path:?}");
        }
        assert_eq!(typed.find_one(doc! {}).await.unwrap().unwrap(), places);
        for not_stored in &self.not_stored {
            for path in PATHS {
                let path = path.join(".");
                let set = |value: &Bson| doc! { "$set": { path.clone(): value.clone() } };
                stored.update_many(doc! {}, set(not_stored)).await.unwrap();
                let read = typed.find_one(doc! {}).await;
                assert!(read.is_err(), "{not_stored} at {path}: {read:?}");
                stored
                    .update_many(doc! {}, set(&self.stored))
                    .await
                    .unwrap();
            }
        }
    }
}

fn value_at(document: &Document, path: &[&str]) -> Bson {
    let mut value = Bson::Document(document.clone());
    for name in path {
        value = match value {
            Bson::Document(mut document) => document.remove(name).unwrap(),
            Bson::Array(mut items) => items.remove(name.parse().unwrap()),
            other => panic!("{other} has no {name}"),
        };
    }
    value
}
