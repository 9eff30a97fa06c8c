//! The JSON and BSON of ids, for each type of key.

use std::fmt::Debug;

use mongo_odm::{
    AnyKey, JsonType, Key,
    bson::{Binary, Bson, Decimal128, Uuid, spec::BinarySubtype},
    prelude::*,
};
use odm_tests::Harness;
use serde_json::{Value, json};

use crate::places::Forms;

struct Task;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sku(String);
impl Key for Sku {
    const JSON: JsonType = JsonType::String;
}

const HEX: &str = "65f0c1d2e3a4b5c6d7e8f901";
const UUID: &str = "936da01f-9abd-4d9d-80c7-02af85c822a8";
const BASE64: &str = "k22gH5q9TZ2AxwKvhcgiqA==";

fn uuid_binary(subtype: BinarySubtype) -> Bson {
    let bytes = Uuid::parse_str(UUID).unwrap().bytes().to_vec();
    Bson::Binary(Binary { subtype, bytes })
}

fn id<K: Key>(key: K) -> Id<Task, K> {
    Id::from_key(key)
}

fn object_id() -> Forms<Id<Task>> {
    Forms {
        value: id(HEX.parse().unwrap()),
        json: json!(HEX),
        accepted: vec![json!({ "$oid": HEX }), json!(HEX.to_uppercase())],
        refused: vec![
            json!("abc"),
            json!(7),
            json!(true),
            json!({ "$oid": "z" }),
            json!(null),
        ],
        stored: Bson::ObjectId(HEX.parse().unwrap()),
        not_stored: vec![HEX.into(), Bson::Int32(1)],
    }
}

fn uuid_forms<K: Key>(key: K) -> Forms<Id<Task, K>> {
    let binary = |subtype: &str| json!({ "$binary": { "base64": BASE64, "subType": subtype } });
    Forms {
        value: id(key),
        json: json!(UUID),
        accepted: vec![
            json!({ "$uuid": UUID }),
            binary("04"),
            json!(UUID.to_uppercase()),
        ],
        refused: vec![
            json!("abc"),
            json!(7),
            json!(null),
            binary("00"),
            json!({ "$oid": HEX }),
        ],
        stored: uuid_binary(BinarySubtype::Uuid),
        not_stored: vec![UUID.into(), uuid_binary(BinarySubtype::Generic)],
    }
}

fn whole<K: Key>(key: K, stored: impl Into<Bson>) -> Forms<Id<Task, K>> {
    Forms {
        value: id(key),
        json: json!(45),
        accepted: vec![
            json!({ "$numberInt": "45" }),
            json!({ "$numberLong": "45" }),
            json!("45"),
            // This is the form of a number if another crate has enabled the feature `arbitrary_precision` of
            // `serde_json`.
            json!({ "$serde_json::private::Number": "45" }),
        ],
        refused: vec![
            json!("x"),
            json!(1.5),
            json!(null),
            json!({ "n": 45 }),
            json!({ "$oid": HEX }),
        ],
        stored: stored.into(),
        not_stored: vec!["45".into(), Bson::Double(45.5)],
    }
}

fn too_large<K: Key>(forms: Forms<Id<Task, K>>, number: i64) -> Forms<Id<Task, K>> {
    let mut forms = forms;
    forms.refused.push(json!(number));
    forms
}

fn real<K: Key>(key: K) -> Forms<Id<Task, K>> {
    Forms {
        value: id(key),
        json: json!(1.5),
        accepted: vec![json!({ "$numberDouble": "1.5" }), json!("1.5")],
        refused: vec![json!("x"), json!(null), json!([1.5])],
        stored: Bson::Double(1.5),
        not_stored: vec!["1.5".into()],
    }
}

fn date() -> Forms<Id<Task, DateTime>> {
    let millis = 1_772_366_400_500;
    let text = "2026-03-01T12:00:00.5Z";
    Forms {
        value: id(DateTime::from_millis(millis)),
        json: json!(text),
        accepted: vec![
            json!({ "$date": text }),
            json!({ "$date": { "$numberLong": millis.to_string() } }),
            json!("2026-03-01T13:00:00.500+01:00"),
        ],
        refused: vec![
            json!("yesterday"),
            json!(millis),
            json!(null),
            json!("2026-03-01"),
        ],
        stored: DateTime::from_millis(millis).into(),
        not_stored: vec![text.into(), Bson::Int64(millis)],
    }
}

fn decimal() -> Forms<Id<Task, Decimal128>> {
    let decimal: Decimal128 = "12.50".parse().unwrap();
    Forms {
        value: id(decimal),
        json: json!("12.50"),
        accepted: vec![json!({ "$numberDecimal": "12.50" })],
        refused: vec![json!("x"), json!(12.5), json!(12), json!(null)],
        stored: Bson::Decimal128(decimal),
        not_stored: vec!["12.50".into()],
    }
}

fn plain<K: Key>(key: K, json: Value, stored: impl Into<Bson>) -> Forms<Id<Task, K>> {
    Forms {
        value: id(key),
        json,
        accepted: vec![],
        refused: vec![json!(7), json!(null), json!({})],
        stored: stored.into(),
        not_stored: vec![Bson::Int32(7)],
    }
}

async fn check<V>(t: &Harness, forms: Forms<V>)
where
    V: Clone + Debug + PartialEq + Serialize + serde::de::DeserializeOwned + Send + Sync + Unpin,
{
    forms.check_json();
    forms.check_bson(t).await;
}

#[tokio::test]
async fn an_id_is_plain_in_json_and_has_its_bson_type_in_bson() {
    let t = Harness::new("service_ids").await;
    check(&t, object_id()).await;
    check(&t, uuid_forms(Uuid::parse_str(UUID).unwrap())).await;
    check(&t, uuid_forms(uuid::Uuid::parse_str(UUID).unwrap())).await;
    check(&t, too_large(whole(45_i8, 45), 200)).await;
    check(&t, too_large(whole(45_i16, 45), 40_000)).await;
    check(&t, too_large(whole(45_i32, 45), 3_000_000_000)).await;
    check(&t, whole(45_i64, 45_i64)).await;
    check(&t, too_large(whole(45_u8, 45), -1)).await;
    check(&t, too_large(whole(45_u16, 45), -1)).await;
    check(&t, too_large(whole(45_u32, 45_i64), -1)).await;
    check(&t, too_large(whole(45_u64, 45_i64), -1)).await;
    check(&t, real(1.5_f32)).await;
    check(&t, real(1.5_f64)).await;
    check(&t, date()).await;
    check(&t, decimal()).await;
    check(&t, plain(true, json!(true), true)).await;
    check(&t, plain('x', json!("x"), "x")).await;
    check(&t, plain("label".to_owned(), json!("label"), "label")).await;
    check(&t, plain(Sku("a-1".to_owned()), json!("a-1"), "a-1")).await;
}

/// An `AnyKey` is written as extended JSON, because plain JSON would lose the BSON type of the key.
#[tokio::test]
async fn any_key_is_extended_json() {
    let t = Harness::new("service_any_key").await;
    let forms = |value: Bson, json: Value| Forms {
        value: id(AnyKey(value.clone())),
        json,
        accepted: vec![],
        refused: vec![],
        stored: value,
        not_stored: vec![],
    };
    let object_id: ObjectId = HEX.parse().unwrap();
    check(&t, forms(object_id.into(), json!({ "$oid": HEX }))).await;
    check(&t, forms(HEX.into(), json!(HEX))).await;
    check(&t, forms(7.into(), json!(7))).await;
}

/// Writes a value in a format other than BSON and JSON: with serde's `Serializer` for `fmt::Formatter`.
struct Shown<T>(T);

impl<T: Serialize> std::fmt::Display for Shown<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.serialize(f)
    }
}

/// `ObjectId` serializes itself as a struct, and the serializer of `fmt::Formatter` rejects structs.
#[test]
fn another_format_has_the_key_as_serde_writes_it() {
    use std::fmt::Write;
    assert_eq!(Shown(id(45_i64)).to_string(), "45");
    assert_eq!(Shown(id(Uuid::parse_str(UUID).unwrap())).to_string(), UUID);
    let mut text = String::new();
    let object_id: ObjectId = HEX.parse().unwrap();
    assert!(write!(text, "{}", Shown(object_id)).is_err());
    assert!(write!(text, "{}", Shown(id(object_id))).is_err());
}
